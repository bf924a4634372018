"""
Say how many mutants of the statistics the tests kill, module by module; fail below nine in ten.

    make mutate

A mutant that runs into its time limit counts as killed and is shown apart; one that no test reaches, or that was not
tried, counts as alive.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from mutmut.stats import status_by_exit_code

FOLDER = Path("mutants/src/medgauge_registrar/statistics")
LEAST_SHARE = 0.9
COLUMNS = ("killed", "timeout", "survived", "other")


def line(name: str, found: Counter[str]) -> str:
    """One line of the table."""
    return f"{name:<28}" + "".join(f"{found[column]:>10}" for column in COLUMNS)


def main() -> None:
    """Run from the command line."""
    whole: Counter[str] = Counter()
    print(f"{'module':<28}" + "".join(f"{column:>10}" for column in COLUMNS))
    for path in sorted(FOLDER.glob("*.py.meta")):
        statuses = json.loads(path.read_text("utf-8"))["exit_code_by_key"].values()
        found = Counter(name if (name := status_by_exit_code[status]) in COLUMNS else "other" for status in statuses)
        if found:
            print(line(path.name.removesuffix(".py.meta"), found))
        whole += found
    print(line("all", whole))
    share = (whole["killed"] + whole["timeout"]) / max(1, whole.total())
    print(f"{share:.1%} of {whole.total()} killed, at least {LEAST_SHARE:.0%} asked; `mutmut results` lists the others")
    if share < LEAST_SHARE:
        sys.exit(1)


if __name__ == "__main__":
    main()
