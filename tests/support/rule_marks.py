"""Which rules the tests have cases of: the marks `rule(id, outcome)` of everything that pytest collects."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import pytest

from medgauge_registrar.registry.reader import Syntax, read_document

TESTS = Path(__file__).parents[1]
_ANSWER = "REGISTRAR_RULE_MARKS"
Marks = frozenset[tuple[str, str]]


def marks(session: pytest.Session) -> Marks:
    """
    Every rule with `passes` or `fails`, of all tests there are.

    Where only some of the tests were collected, or some were left out again, another process collects them all.
    """
    chosen = session.config.option.markexpr or session.config.option.keyword
    if not chosen and {item.path for item in session.items} >= set(TESTS.rglob("test_*.py")):
        return _of(session.items)
    return _collected_elsewhere()


def labels_of_refused_records() -> frozenset[str]:
    """Rules of which a record that its schema refuses is labelled as a case."""
    return frozenset(
        case["rule"] for path in sorted((TESTS / "schemas").glob("*/invalid.yaml")) for case in _cases(path)
    )


def _cases(path: Path) -> list[dict[str, str]]:
    document = read_document(path.read_bytes(), syntax=Syntax.YAML)
    assert document.faults == (), path
    return cast(list[dict[str, str]], document.value)


def schemas_with_valid_records() -> frozenset[str]:
    """Names of the schemas of which a record that keeps all their rules stands in the tests."""
    return frozenset(path.parent.name for path in (TESTS / "schemas").glob("*/valid") if any(path.iterdir()))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Answer the process that asked for the marks; this module is its plugin."""
    Path(os.environ[_ANSWER]).write_text(json.dumps(sorted(_of(session.items))), encoding="utf-8")


def _of(items: Iterable[pytest.Item]) -> Marks:
    return frozenset((str(mark.args[0]), str(mark.args[1])) for item in items for mark in item.iter_markers("rule"))


def _collected_elsewhere() -> Marks:
    with tempfile.TemporaryDirectory(prefix="registrar-marks-") as folder:
        answer = Path(folder) / "marks.json"
        environment = {**os.environ, _ANSWER: str(answer), "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-qq",
            "-p",
            "support.rule_marks",
            "-p",
            "no:cacheprovider",
        ]
        ran = subprocess.run([*command, str(TESTS)], cwd=TESTS.parent, env=environment, capture_output=True, text=True)
        # A file that cannot be collected fails by itself; its cases are missing here.
        assert answer.exists(), ran.stdout[-2000:] + ran.stderr[-2000:]
        return frozenset((rule, outcome) for rule, outcome in json.loads(answer.read_text(encoding="utf-8")))
