"""
The same work with the usual libraries, each used well: GitPython, PyYAML's C loader, one reused jsonschema validator a kind.

    python benchmarks/peer.py REPOSITORY [--revision main]

Reads every record of the registry from git, parses it (YAML 1.2 booleans put in, dates kept as text), validates it with
formats asserted, and prints the paths it refuses, one a line. No positions, no messages, no references.
"""

import argparse
import json
import re
from pathlib import PurePosixPath

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

import git

FOLDERS = {
    "references": "grading-reference",
    "capabilities": "capability",
    "harnesses": "harness",
    "tools": "tool",
    "standards": "standard",
    "datasets": "dataset-card",
    "models": "model",
    "reproductions": "reproduction",
    "roadmap": "roadmap-item",
    "price-tables": "price-table",
    "voided": "voided-list",
    "lifecycle": "lifecycle",
}


class Loader(yaml.CSafeLoader):
    """PyYAML's C loader without YAML 1.1's booleans and dates."""


Loader.yaml_implicit_resolvers = {
    key: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
    ]
    for key, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


def schema_of(path: str) -> str | None:
    """Name of the schema that a path calls for; null for a file that is no record of one."""
    parts = PurePosixPath(path).parts
    if len(parts) < 3 or parts[0] != "registry":
        return None
    if parts[1] == "benchmarks":
        return "benchmark-version" if "versions" in parts else "benchmark-card"
    return FOLDERS.get(parts[1])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--revision", default="main")
    arguments = parser.parse_args()
    commit = git.Repo(arguments.repository).commit(arguments.revision)
    blobs = [blob for blob in commit.tree.traverse() if blob.type == "blob"]
    schemas = {
        PurePosixPath(blob.path).name.removesuffix(".schema.json"): json.loads(blob.data_stream.read())
        for blob in blobs
        if blob.path.startswith("schemas/")
    }
    resources = [(schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas.values()]
    registry = Registry().with_resources(resources)
    validators = {
        name: Draft202012Validator(schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)
        for name, schema in schemas.items()
    }
    for blob in blobs:
        name = schema_of(blob.path)
        if name is None or not blob.path.endswith(".yaml"):
            continue
        value = yaml.load(blob.data_stream.read(), Loader=Loader)
        if next(validators[name].iter_errors(value), None) is not None:
            print(blob.path)


if __name__ == "__main__":
    main()
