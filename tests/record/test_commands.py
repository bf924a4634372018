"""`replay` and `audit` as commands: exit statuses, and what goes to which stream."""

from collections.abc import Callable
from pathlib import Path

import pytest

from medgauge_registrar import cli
from record.conftest import KEY, Registry
from support.recording import GATE, note, store
from support.repositories import MadeRepository

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, without a token, and with the key of the digests."""
    for name in ("REGISTRAR_TOKEN", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(cli.DIGEST_KEY_VARIABLE, KEY.decode())

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else -1
        captured = capsysbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return call


def test_what_decide_printed_is_replayed(run: Run, registry: Registry) -> None:
    """From the one command to the other, over a file; a changed word is found, a missing roster stops it."""
    head = registry.branch("topic")
    repository = ("--repo", registry.made.folder)
    pull = ("--pull", registry.written("pull.json", registry.facts(head)))
    closed = ("--roster", registry.roster, "--ledger", registry.ledger)
    now = ("--now", "2026-11-29T16:00:00Z")
    status, out, _ = run(
        "decide", *repository, "--base", "main", "--head", head, *pull, *closed, *now, "--format", "json"
    )
    assert status == 0
    file = registry.written("decision.json", out.encode())
    assert run("replay", file, *repository, *pull, *closed) == (
        0,
        "same: pull request #7, approved, decided at 2026-11-29T16:00:00Z\n",
        "",
    )
    changed = registry.written("changed.json", out.replace('"approved"', '"pending"').encode())
    status, out, _ = run("replay", changed, *repository, *pull, *closed)
    assert (status, out.splitlines()[1]) == (1, "  /state: recorded `pending`, recomputed `approved`")
    status, out, error = run("replay", file, *repository, *pull)
    assert (status, out) == (3, "")
    assert "give it again with --roster" in error
    assert run("replay", file, *repository)[:2] == (2, "")


def test_audit_exits_by_what_it_found(run: Run, tmp_path: Path) -> None:
    """Nothing to name is 0; anything else 1, what cannot be known included."""
    made = MadeRepository(tmp_path / "made")
    base = made.commit({"README.md": "0"})
    commit = made.commit({"README.md": "1"}, base)
    audit = ("audit", f"{base}..main", "--repo", made.folder, "--gate", str(GATE))
    assert run("audit", "main..main", "--repo", made.folder)[0] == 0
    status, out, _ = run(*audit)
    assert (status, out.splitlines()[0]) == (1, f"{commit} not approved: no decision note stands at it")
    store(made, {commit: note(made, commit)})
    status, out, _ = run(*audit)
    assert (status, out.splitlines()[0].split(": ")[0]) == (1, f"{commit} undecided")


@pytest.mark.parametrize("gate", ["0", "-1", "example-gate[bot]", "１"])
def test_gate_is_named_by_its_number(run: Run, gate: str) -> None:
    """A login can be taken over."""
    status, out, error = run("audit", f"--gate={gate}")
    assert (status, out) == (2, "")
    assert "is no numeric account id" in error
