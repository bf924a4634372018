"""
The floor under `registrar check`: read every record from git, parse it strictly and validate it; no checks, no findings.

    python benchmarks/floor.py REPOSITORY
"""

import sys
from pathlib import Path

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.sources import tree_schemas


def main() -> None:
    """Run from the command line, on one core."""
    with Repository.open(Path(sys.argv[1])) as repository:
        tree = repository.tree(repository.resolve("main")[0])
        registry = Registry(tree, load_policy(None).layout, tree_schemas(tree))
        places = {place.path: (place, entry) for place, entry in registry.places() if place.is_record}
        read = tree.read_many((path, entry) for path, (_, entry) in places.items())
        valid = sum(registry.is_valid(registry.parse(places[path][0], data)) for path, data in read)
        print(f"{valid} of {len(places)}")


if __name__ == "__main__":
    main()
