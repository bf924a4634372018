"""
Make a bare git repository with a registry of many records, and a branch that changes five of them.

    python benchmarks/generate.py FOLDER --records 10000

Half of the records are standards, which lie in one folder; the rest are grading references (a folder each), dataset cards
and roadmap items. Everything is derived from the numbers alone, so two runs give the same commits. `--defects N` puts N
faulty records among them, for comparing verdicts.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from medgauge_registrar.git.repository import Repository
from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.starter import starter_files

AUTHOR = "Example Person <example@example.invalid>"
AT = 1_795_939_200
ENVELOPE = "introduced_in: 0.1.0\nintroduced: 2026-11-01\nlast_reviewed: 2026-11-02\n"
WORDS = (
    "record", "audit", "timing", "section", "table", "clause", "evidence", "source", "dose", "unit", "interval", "report",
)  # fmt: skip
LITTLE_WORDS = ("the", "of the", "in the", "and the", "for each", "with a")


def prose(number: int, words: int) -> str:
    """Some English-looking text that differs from record to record."""
    return " ".join(
        f"{LITTLE_WORDS[(number + step) % len(LITTLE_WORDS)]} {WORDS[(number * 7 + step * step) % len(WORDS)]}"
        for step in range(words // 2)
    )


def standard(number: int) -> tuple[str, str]:
    """Path and text of a standard."""
    name = f"std-generated-{number:06}"
    return f"registry/standards/{name}.yaml", (
        f"id: {name}\nversion: 0.1.0\n{ENVELOPE}"
        f"title: Generated standard {number}\npublisher: Example publisher {number % 97}\n"
        f"publisher_version: '{number % 9}.{number % 7}'\nlocator: https://example.org/standards/{number}\n"
        f"source_check: {{date: 2026-11-02, outcome: confirmed}}\n"
        f"usage: >-\n  {prose(number, 14)}\n  {prose(number + 3, 12)}\npublic: true\n"
    )


def reference(number: int, standards: int) -> tuple[str, str]:
    """Path and text of a grading reference."""
    name = f"gr-generated-{number:06}"
    return f"registry/references/{name}/0.1.0.yaml", (
        f"id: {name}\nversion: 0.1.0\n{ENVELOPE}standard: std-generated-{number % standards:06}\n"
        f"locator: section {number % 30}, table {number % 7}\ncheck_date: null\n"
        f"condition: >-\n  {prose(number, 12)}\n  {prose(number + 5, 10)}\nfield: findings[].defect_class\n"
        f"rule: {prose(number + 1, 9)}\npolarity: {'must' if number % 3 else 'should'}\ncheck_form: program\nveto: false\n"
        f"layer: clinical-invariant\ncapabilities: [X.1]\nsources:\n"
        f"  - {{standard: std-generated-{number % standards:06}, locator: section 1, position: {prose(number, 5)}}}\n"
        f"  - {{standard: std-generated-{(number * 5 + 1) % standards:06}, locator: section 2, position: {prose(number, 6)}}}\n"
        f"jurisdiction_statement: {prose(number + 2, 9)}\n"
        "conformant_alternative: {record_ref: example-alternative-1, date: 2026-11-01}\n"
    )


def roadmap(number: int) -> tuple[str, str]:
    """Path and text of a roadmap item."""
    name = f"rm-generated-{number:06}"
    return f"registry/roadmap/{name}.yaml", (
        f"id: {name}\nversion: 0.1.0\n{ENVELOPE}title: Generated item {number}\n"
        f"planned_item: >-\n  {prose(number, 16)}\n  {prose(number + 2, 11)}\nstate: planned\n"
    )


def records(count: int) -> Iterator[tuple[str, str]]:
    """`count` records: half standards, most of the rest references, some roadmap items."""
    standards = count // 2
    items = count // 20
    for number in range(standards):
        yield standard(number)
    for number in range(count - standards - items):
        yield reference(number, standards)
    for number in range(items):
        yield roadmap(number)


def break_record(number: int, text: str) -> str:
    """One of five faults."""
    match number % 5:
        case 0:
            return text.replace("version: 0.1.0", "version: 1.0", 1)
        case 1:
            return text + "surplus: field\n"
        case 2:
            return text.replace("introduced: 2026-11-01", "introduced: 2026-13-01")
        case 3:
            return text.replace("introduced_in: 0.1.0\n", "")
        case _:
            return text.replace("id: ", "id: not-an-id-", 1)


def generate(folder: Path, count: int, defects: int) -> None:
    """Write `registry.git` with `main` and `change`, and the pull file `pull.json`."""
    repository = folder / "registry.git"
    create_repository(repository)
    files: dict[str, bytes | None] = dict(starter_files())
    made = list(records(count))
    step = max(1, len(made) // defects) if defects else 0
    for index, (path, text) in enumerate(made):
        faulty = defects and index % step == step // 2 and index // step < defects
        files[path] = (break_record(index // step, text) if faulty else text).encode()
    changed: dict[str, bytes | None] = {}
    for number in range(5):
        path, text = standard(number)
        text = text.replace("version: 0.1.0", "version: 0.2.0", 1).replace("Generated standard", "Changed standard")
        changed[path] = text.encode()
    commits = [
        NewCommit(branch="main", parents=[], files=files, modes={}, author=AUTHOR, at=AT),
        NewCommit(branch="change", parents=["main"], files=changed, modes={}, author=AUTHOR, at=AT + 60),
    ]
    write_commits(repository, commits)
    with Repository.open(repository) as opened:
        (head,) = opened.resolve("change")
    user = {"id": 9101, "login": "example-person-01", "type": "User"}
    pull = {
        "number": 1,
        "title": "Five standards",
        "body": None,
        "draft": False,
        "labels": [],
        "created_at": "2026-11-29T09:00:00Z",
        "base": {"ref": "main", "repo": "example-organisation/registry"},
        "head": {"ref": "change", "repo": None, "seen_at": "2026-11-29T09:00:00Z", "pushed_by": user},
        "author": user,
        "triggered_by": None,
        "commits": [{"sha": head, "author": user, "committer": user, "co_authors": []}],
        "reviews": [],
        "comments": [],
        "issues": [],
    }
    (folder / "pull.json").write_text(json.dumps(pull), encoding="utf-8")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--defects", type=int, default=0)
    arguments = parser.parse_args()
    generate(arguments.folder, arguments.records, arguments.defects)


if __name__ == "__main__":
    main()
