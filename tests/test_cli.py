"""The command line as users and other tools rely on it: names, exit statuses, what goes to which stream."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from medgauge_registrar import __version__, cli, whole
from medgauge_registrar.catalogue import STATES, entries, explain
from medgauge_registrar.policy.load import SETTINGS_PATH, shipped_table
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.cast import roster
from medgauge_registrar.sandbox.edits import append, put
from medgauge_registrar.sandbox.material import GUIDELINE, NEW_STANDARD
from medgauge_registrar.starter import starter_files
from support.repositories import MadeRepository
from support.snapshots import edited, person

DAY = date(2026, 11, 30)
NOW = "2026-11-29T16:00:00Z"
PULL: dict[str, Any] = json.loads((Path(__file__).parent / "support" / "pull.json").read_text(encoding="utf-8"))
LEDGER: dict[str, Any] = {
    "benchmark_versions": {
        "bm-example-handover@0.2.0": {
            "builders": [9101],
            "key_experts": [9102],
            "acceptors": [9103],
            "package_sha256": "0" * 64,
            "holdout_parties": ["Example Party"],
        }
    },
    "canaries": {"key": "example key of canaries", "digests": ["1" * 64]},
}
SECRET = "example-secret-value"


class Ran(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, on 30 November 2026."""
    monkeypatch.setattr(whole, "today_anywhere", lambda: DAY)
    for name in (cli.DIGEST_KEY_VARIABLE, "REGISTRAR_TOKEN", "REGISTRAR_APP_ID"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str | Path) -> Ran:
        capsysbinary.readouterr()
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else -1
        captured = capsysbinary.readouterr()
        return Ran(status, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeRepository:
    """The starter registry as `main`, and a branch with a new standard as `head`."""
    repository = MadeRepository(tmp_path_factory.mktemp("cli") / "made")
    base = repository.commit(edited().files)
    repository.commit(edited(NEW_STANDARD).files, base, branch="head")
    return repository


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> MadeRepository:
    """A small registry with a work tree: `main` is in order, `broken` has two faults and `later` goes on from `main`."""
    repository = MadeRepository(tmp_path_factory.mktemp("small") / "made", bare=False)
    wanted = ("LICENSE", "README.md", GUIDELINE, "registry/standards/std-example-formulary.yaml", "methodology/text.md")
    files = {path: data for path, data in edited().files.items() if path in wanted or path.startswith("LICENSE")}
    files["README.md"] = b"An example.\n"
    base = repository.commit(files)
    broken = {**files, GUIDELINE: files[GUIDELINE] + b"colour: blue\n", "registry/notes.txt": b"An example.\n"}
    repository.commit(broken, base, branch="broken")
    repository.commit({**files, "README.md": b"Another example.\n"}, base, branch="later")
    repository.git("reset", "-q", "--hard", "main")
    return repository


def facts(made: MadeRepository, **changes: Any) -> dict[str, Any]:
    """The pull file of the branch `head`, with other values in some fields."""
    fields = deepcopy(PULL)
    fields["commits"][0] |= {"sha": made.oid("head"), "committer": fields["author"]}
    return {**fields, **changes}


def approval(by: str = "maintainer", **changes: Any) -> dict[str, Any]:
    """An approval of the head."""
    user = person(by)
    made = {
        "id": 1,
        "user": {"id": user.id, "login": user.login, "type": "User"},
        "state": "APPROVED",
        "commit": None,
        "submitted_at": "2026-11-29T11:00:00Z",
        "body": None,
    }
    return {**made, **changes}


def written(folder: Path, name: str, value: Any) -> Path:
    """A file in a folder: text and bytes as they are, anything else as JSON."""
    path = folder / name
    data = (
        value
        if isinstance(value, bytes)
        else value.encode()
        if isinstance(value, str)
        else json.dumps(value, indent=1).encode()
    )
    path.write_bytes(data)
    return path


def decide(
    run: Run, made: MadeRepository, folder: Path, *more: str | Path, pull: Any = None, people: Any = None
) -> Ran:
    """Decide the branch `head` of a repository."""
    pull_file = written(folder, "pull.json", facts(made) if pull is None else pull)
    roster_file = written(folder, "roster.json", roster() if people is None else people)
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file, "--roster", roster_file)
    return run("decide", *question, "--now", NOW, *more)


def approved(made: MadeRepository) -> dict[str, Any]:
    """A pull file with a maintainer's approval."""
    return facts(made, reviews=[approval(commit=made.oid("head"))])


def deepcopied(value: Any) -> Any:
    """The value with no part in two places, which YAML would write with an anchor."""
    return json.loads(json.dumps(value))


# Names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "required"),
        (["approve"], "invalid choice"),
        (["decide"], "required: --repo, --base, --head, --pull"),
        (["decide", "--repo", "."], "required: --base, --head, --pull"),
        (["check", "--shard", "0/3"], "`0/3` is no part; expected I/N with 1 ≤ I ≤ N"),
        (["check", "--shard", "4/3"], "`4/3` is no part"),
        (["check", "--shard", "3"], "`3` is no part"),
        (["check", "--shard", "-1/3"], "--shard"),
        (["check", "--shard", "1/10001"], "is no part"),
        (["check", "--format", "xml"], "invalid choice: 'xml'"),
        (["check", "one", "two"], "unrecognized arguments: two"),
        (["check", "--force"], "unrecognized arguments: --force"),
        (["explain"], "required: ID"),
        (["init"], "required: DIR"),
        (["demo", "--pull", "x"], "invalid int value: 'x'"),
        (["rules", "--format", "sarif"], "invalid choice: 'sarif'"),
        (["rules", "extra"], "unrecognized arguments: extra"),
    ],
)
def test_wrong_arguments(run: Run, arguments: Sequence[str], words: str) -> None:
    """Status 2, nothing on standard output, and on standard error what is wrong and where help is."""
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith("registrar")
    assert "--help" in err


@pytest.mark.parametrize("command", ["", "check", "decide", "init", "demo", "rules", "explain"])
def test_help(run: Run, command: str) -> None:
    """Every command of the contract has help, on standard output."""
    status, out, err = run(*([command] if command else []), "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: registrar {command}".rstrip())


def test_version(run: Run) -> None:
    """The version is the package's."""
    assert run("--version") == (0, f"registrar {__version__}\n", "")


# check ----------------------------------------------------------------------------------------------------------------


def findings(ran: Ran) -> list[dict[str, Any]]:
    """What `check --format json` told, read strictly."""
    document = read_document(ran.out.encode(), syntax=Syntax.JSON)
    assert document.faults == ()
    told = json.loads(ran.out)
    assert set(told) == {"findings"}
    keys = {"rule", "severity", "path", "line", "column", "pointer", "message", "help", "source"}
    assert all(set(found) == keys for found in told["findings"])
    return list(told["findings"])


def rules(ran: Ran) -> set[str]:
    """Rules of the errors that `check --format json` told."""
    return {found["rule"] for found in findings(ran) if found["severity"] == "error"}


def test_check_of_a_commit(run: Run, small: MadeRepository) -> None:
    """Status 0 without an error, 1 with one; text by default."""
    status, out, err = run("check", "--repo", small.folder, "main")
    assert (status, err) == (0, "")
    assert out
    status, out, err = run("check", "--repo", small.folder, "broken")
    assert (status, err) == (1, "")
    assert re.search(rf"^{re.escape(GUIDELINE)}:\d+:\d+ ENT-02: ", out, re.MULTILINE)
    assert "\n  help: " in out
    assert run("check", "--repo", small.folder, "broken", "--format", "text") == (1, out, "")
    assert rules(run("check", "--repo", small.folder, "broken", "--format", "json")) >= {"ENT-02", "DEC-19"}


def test_check_of_the_work_tree(run: Run, small: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a revision the author's own files are read, untracked ones too; the folder is the one we stand in."""
    monkeypatch.chdir(small.folder / "registry")
    assert run("check").status == 0
    note = small.folder / "registry" / "new.txt"
    note.write_text("An example.\n", encoding="ascii")
    try:
        told = run("check", "--format", "json")
        assert (told.status, rules(told)) == (1, {"DEC-19"})
        assert run("check", "main", "--format", "json").status == 0
        since = run("check", "--base", "main", "--format", "json")
        assert (since.status, rules(since)) == (1, {"DEC-19"})
    finally:
        note.unlink()


def test_check_of_a_change(run: Run, small: MadeRepository) -> None:
    """With a base only what changed since is told, steps that are not allowed among it."""
    told = run("check", "--repo", small.folder, "broken", "--base", "main", "--format", "json")
    assert told.status == 1
    assert {"ENT-02", "DEC-19", "VER-03"} <= rules(told)
    assert run("check", "--repo", small.folder, "later", "--base", "main").status == 0
    assert run("check", "--repo", small.folder, "main", "--base", "main").status == 0
    # What the base branch did since is nobody's doing here: `later` never had the faults of `broken`.
    assert run("check", "--repo", small.folder, "later", "--base", "broken").status == 0
    assert run("check", "--repo", small.folder, "--base", "broken").status == 0


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_parts_make_up_the_whole(run: Run, small: MadeRepository, parts: int) -> None:
    """All parts together tell what one run tells, each thing once; a part without a fault is in order."""
    whole_run = findings(run("check", "--repo", small.folder, "broken", "--format", "json"))
    told: list[dict[str, Any]] = []
    for part in range(1, parts + 1):
        ran = run("check", "--repo", small.folder, "broken", "--shard", f"{part}/{parts}", "--format", "json")
        found = findings(ran)
        assert ran.status == int(any(one["severity"] == "error" for one in found))
        told += found

    def ordered(some: list[dict[str, Any]]) -> list[str]:
        return sorted(json.dumps(one, sort_keys=True) for one in some)

    assert ordered(told) == ordered(whole_run)


def test_check_in_sarif(run: Run, small: MadeRepository) -> None:
    """SARIF 2.1.0 with every rule that is told described."""
    ran = run("check", "--repo", small.folder, "broken", "--format", "sarif")
    assert ran.status == 1
    log = json.loads(ran.out)
    assert log["version"] == "2.1.0"
    (told,) = log["runs"]
    described = {rule["id"] for rule in told["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in told["results"]} <= described
    assert {"ENT-02", "DEC-19"} <= {result["ruleId"] for result in told["results"]}


def test_check_as_workflow_commands(run: Run, small: MadeRepository) -> None:
    """One command a line, and nothing else that a runner would take for one."""
    ran = run("check", "--repo", small.folder, "broken", "--format", "github")
    assert ran.status == 1
    lines = [line for line in ran.out.splitlines() if line.startswith("::")]
    assert all(re.match(r"::(error|warning|notice) [^:]*::", line) for line in lines)
    assert any(line.startswith(f"::error file={GUIDELINE},line=") and "title=ENT-02::" in line for line in lines)


def test_check_of_a_change_tells_what_a_later_commit_took_away(run: Run, tmp_path: Path) -> None:
    """What an author is told before pushing covers the commits of the branch, while taking it back is still possible."""
    made = MadeRepository(tmp_path / "made")
    base = made.commit({"docs/example.txt": "An example.\n"})
    task = "labels: {T1: short}\nseeded_defects: [{cluster: quincunx}]\nmaterials_hash: abc\n"
    first = made.commit({"docs/example.txt": "An example.\n", "docs/task.yaml": task}, base, branch="topic")
    made.commit({"docs/example.txt": "Another example.\n"}, first, branch="topic")
    told = run("check", "--repo", made.folder, "topic", "--base", "main", "--format", "json")
    assert (told.status, rules(told)) == (1, {"BND-11"})
    assert "quincunx" not in told.out
    assert "docs/task.yaml" not in told.out
    # The whole tree says nothing of commits, and what the base has is nobody's doing here.
    assert "BND-11" not in rules(run("check", "--repo", made.folder, "topic", "--format", "json"))
    assert run("check", "--repo", made.folder, "topic", "--base", first).status == 0


def test_check_without_findings(run: Run, tmp_path: Path) -> None:
    """Where nothing is wrong every format says so, and the status is 0."""
    made = MadeRepository(tmp_path / "made")
    base = made.commit({"docs/example.txt": "An example.\n"})
    made.commit({"docs/example.txt": "Another example.\n"}, base)
    question = ("check", "--repo", made.folder, "main", "--base", base)
    assert findings(run(*question, "--format", "json")) == []
    assert run(*question) == (0, "no findings\n", "")
    assert run(*question, "--format", "github") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--repo", "NOWHERE"], "is not a folder"),
        (["--repo", "EMPTY"], "is not in a git repository"),
        (["--repo", "BARE"], "bare"),
        (["--repo", "BARE", "nowhere"], "`nowhere` names no commit"),
        (["--repo", "BARE", "main", "--base", "nowhere"], "`nowhere` names no commit"),
        (["--repo", "BARE", "main", "--base", "other"], "unrelated histories"),
    ],
)
def test_check_of_what_cannot_be_read(run: Run, tmp_path: Path, arguments: list[str], words: str) -> None:
    """Status 3 and the reason; no findings are made of a failed read."""
    bare = MadeRepository(tmp_path / "bare")
    bare.commit({"README.md": "An example.\n"})
    bare.commit({"README.md": "Another.\n"}, branch="other")
    (tmp_path / "empty").mkdir()
    names = {"NOWHERE": tmp_path / "nowhere", "EMPTY": tmp_path / "empty", "BARE": bare.folder}
    ran = run("check", *(names.get(argument, argument) for argument in arguments), "--format", "json")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.startswith("registrar: ")
    assert words in ran.err


def test_check_under_unusable_settings(run: Run, tmp_path: Path) -> None:
    """Settings are no record: what cannot be used is status 2, with the place."""
    made = MadeRepository(tmp_path / "made")
    made.commit({SETTINGS_PATH: "rows: {}\n", "registry/notes.txt": "An example.\n"})
    ran = run("check", "--repo", made.folder, "main", "--format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"registrar: {SETTINGS_PATH}:1:1: ")


# decide ---------------------------------------------------------------------------------------------------------------


def document(ran: Ran) -> dict[str, Any]:
    """The decision that was printed, held against its schema."""
    found = read_document(ran.out.encode(), syntax=Syntax.JSON)
    assert found.faults == ()
    assert shipped_schemas().problems("decision", found.value) == ()
    told: dict[str, Any] = json.loads(ran.out)
    return told


def test_decide_by_state(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """Status 0 for approved, 1 for pending and for blocked; nothing on standard error."""
    for reviews, status, state in (
        ([approval(commit=made.oid("head"))], 0, "approved"),
        ([], 1, "pending"),
        ([approval(commit=made.oid("head"), state="CHANGES_REQUESTED")], 1, "blocked"),
    ):
        ran = decide(run, made, tmp_path, "--format", "json", pull=facts(made, reviews=reviews))
        assert (ran.status, ran.err) == (status, "")
        told = document(ran)
        assert (told["state"], told["pull"], told["decided_at"]) == (state, 7, NOW)
        assert told["registrar_version"] == __version__


def test_decide_in_every_format(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """Text by default, the comment as Markdown, the document as JSON; the status is the same."""
    text = decide(run, made, tmp_path)
    assert text == decide(run, made, tmp_path, "--format", "text")
    markdown = decide(run, made, tmp_path, "--format", "markdown")
    assert (text.status, markdown.status) == (1, 1)
    assert "seat maintainer: open" in text.out
    assert markdown.out != text.out
    assert "M1" in markdown.out
    assert document(decide(run, made, tmp_path, "--format", "json"))["rows"][0]["id"] == "M1"


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_decide_what_cannot_be_read(run: Run, made: MadeRepository, tmp_path: Path, form: str) -> None:
    """Status 3, the reason on standard error, and a decision that says `error`."""
    pull_file = written(tmp_path, "pull.json", facts(made))
    question = ("--repo", made.folder, "--base", "main", "--head", "nowhere", "--pull", pull_file)
    ran = run("decide", *question, "--now", NOW, "--format", form)
    assert ran.status == 3
    assert ran.err.startswith("registrar: `nowhere` names no commit")
    if form == "json":
        told = document(ran)
        assert (told["state"], told["changes"], told["rows"]) == ("error", [], [])
    assert "names no commit" in ran.out


def test_decide_with_commits_left_out(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """A pull file whose commits are not those of the branch is no basis for a verdict."""
    ran = decide(run, made, tmp_path, "--format", "json", pull=facts(made, commits=[]))
    assert (ran.status, document(ran)["state"]) == (3, "error")
    assert "Running again may help." in ran.err


def test_decide_under_unusable_settings(run: Run, tmp_path: Path) -> None:
    """The settings of the base are a policy file: status 2 and nothing on standard output."""
    made = MadeRepository(tmp_path / "made")
    base = made.commit({SETTINGS_PATH: "rows: {}\n"})
    made.commit({SETTINGS_PATH: "{}\n"}, base, branch="head")
    ran = decide(run, made, tmp_path, "--format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"registrar: {SETTINGS_PATH}:1:1: ")


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("2026-11-29T16:00:00Z", "2026-11-29T16:00:00Z"),
        ("2026-11-29T18:00:00+02:00", "2026-11-29T16:00:00Z"),
        ("2026-11-29T16:00:00.5Z", "2026-11-29T16:00:00.500000Z"),
    ],
)
def test_now_is_a_time(run: Run, made: MadeRepository, tmp_path: Path, now: str, told: str) -> None:
    """RFC 3339, told in UTC."""
    ran = decide(run, made, tmp_path, "--format", "json", "--now", now)
    assert document(ran)["decided_at"] == told


@pytest.mark.parametrize(
    "now",
    [
        "", "now", "2026-11-29", "2026-11-29T16:00:00", "2026-11-29 16:00:00Z", "20261129T160000Z", "2026-13-29T16:00:00Z",
        "2026-02-30T16:00:00Z", "2026-11-29T24:00:00Z", "2026-11-29T16:00:60Z", "2026-11-29T16:00:00+24:00",
        "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z", "2026-W48-7T16:00:00Z", "2026-11-29T16:00:00Z\n",
        "\N{FULLWIDTH DIGIT TWO}026-11-29T16:00:00Z",
    ],
)  # fmt: skip
def test_now_that_is_none(run: Run, made: MadeRepository, tmp_path: Path, now: str) -> None:
    """Anything else is refused with the value and what was expected."""
    ran = decide(run, made, tmp_path, "--now", now)
    assert (ran.status, ran.out) == (2, "")
    assert "is no time; expected RFC 3339" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_the_clock_is_the_default(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """Without `--now` the decision is made now, to the second."""
    pull_file = written(tmp_path, "pull.json", facts(made))
    ran = run(
        "decide", "--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file, "--format", "json"
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document(ran)["decided_at"])


def test_without_a_roster_nobody_holds_a_role(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """The roster is an argument; without it no seat is filled."""
    pull_file = written(tmp_path, "pull.json", approved(made))
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file, "--now", NOW)
    ran = run("decide", *question, "--format", "json")
    assert (ran.status, document(ran)["state"]) == (1, "pending")
    assert document(ran)["digests"]["roster"] is None


def test_closed_inputs_are_told_by_keyed_digests(
    run: Run, made: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key there is none; with one it depends on key and content, and not on how the file is written."""
    ledger = written(tmp_path, "ledger.json", LEDGER)

    def digests(people: Any = None) -> tuple[Any, Any]:
        ran = decide(run, made, tmp_path, "--ledger", ledger, "--format", "json", people=people)
        told = document(ran)["digests"]
        return told["roster"], told["ledger"]

    assert digests() == (None, None)
    seen = set()
    for key in ("one", "two"):
        monkeypatch.setenv(cli.DIGEST_KEY_VARIABLE, key)
        found = digests()
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in found)
        assert digests(people=json.dumps(roster(), sort_keys=True)) == found
        assert digests(people={"people": roster()["people"][1:]})[0] != found[0]
        seen.update(found)
    assert len(seen) == 4


@pytest.mark.parametrize("name", ["pull.json", "pull.yaml", "pull.yml", "pull", "pull.txt"])
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_input_files_are_yaml_or_json(run: Run, made: MadeRepository, tmp_path: Path, name: str, form: str) -> None:
    """Either may be in a file of any name, but for YAML in a file called `.json`."""
    value = approved(made)
    text = json.dumps(value) if form == "json" else yaml.safe_dump(deepcopied(value))
    pull_file, people = (
        written(tmp_path, name, text),
        written(tmp_path, "roster.yaml", yaml.safe_dump(deepcopied(roster()))),
    )
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file, "--roster", people)
    assert run("decide", *question, "--now", NOW).status == (2 if (name, form) == ("pull.json", "yaml") else 0)


def test_people_write_what_they_like(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """Signs that no record may hold are part of people's words, and so are long words."""
    body = (
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} \N{RIGHT-TO-LEFT OVERRIDE}\ufeff\x1b[31m\r\n"
        + "x" * 200_000
    )
    reviews = [approval(commit=made.oid("head"), body=body)]
    comments = [{"id": 2, "user": None, "body": body, "created_at": NOW, "edited": False}]
    ran = decide(run, made, tmp_path, pull=facts(made, reviews=reviews, comments=comments, title="\u200b", body=body))
    assert ran.status in {0, 1}
    assert ran.err == ""


# Input files that are wrong -------------------------------------------------------------------------------------------


def at(pointer: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Set a value; `...` takes it out."""

    def change(fields: dict[str, Any]) -> None:
        *above, last = pointer.split("/")
        node: Any = fields
        for part in above:
            node = node[int(part) if part.isdecimal() else part]
        key = int(last) if last.isdecimal() and isinstance(node, list) else last
        if value is ...:
            del node[key]
        elif isinstance(node, list) and key == len(node):
            node.append(value)
        else:
            node[key] = value

    return change


REVIEW = approval(commit="a1" * 20)
COMMENT = {"id": 1, "user": None, "body": "", "created_at": NOW, "edited": False}
ISSUE = {"number": 1, "title": "", "body": "", "labels": [], "user": None, "created_at": NOW, "state": "open"}
WRONG_PULLS: list[tuple[Callable[[dict[str, Any]], None], str, str]] = [
    *((at(field, ...), "", f"`{field}` is missing") for field in PULL),
    *((at(f"head/{field}", ...), "/head", f"`{field}` is missing") for field in PULL["head"]),
    *((at(f"base/{field}", ...), "/base", f"`{field}` is missing") for field in PULL["base"]),
    *((at(f"author/{field}", ...), "/author", f"`{field}` is missing") for field in PULL["author"]),
    *((at(f"commits/0/{field}", ...), "/commits/0", f"`{field}` is missing") for field in PULL["commits"][0]),
    (at("colour", "blue"), "/colour", "`colour` is not known here"),
    (at("author/colour", "blue"), "/author/colour", "`colour` is not known here"),
    (at("number", 0), "/number", "found `0`"),
    (at("number", "7"), "/number", "found `7`, expected a whole number"),
    (at("number", True), "/number", "found `true`"),
    (at("title", None), "/title", "found `null`"),
    (at("draft", "no"), "/draft", "found `no`, expected `true` or `false`"),
    (at("labels", "a"), "/labels", "found `a`"),
    (at("labels/0", 1), "/labels/0", "found `1`"),
    (at("created_at", "2026-11-29"), "/created_at", "`2026-11-29`"),
    (at("created_at", "2026-11-29T10:00:00"), "/created_at", "`2026-11-29T10:00:00`"),
    (at("created_at", "2026-02-30T10:00:00Z"), "/created_at", "`2026-02-30T10:00:00Z`"),
    (at("created_at", None), "/created_at", "found `null`"),
    (at("head/seen_at", 1764410400), "/head/seen_at", "found `1764410400`"),
    (at("head/seen_at", "yesterday"), "/head/seen_at", "`yesterday`"),
    (at("author/id", 0), "/author/id", "found `0`"),
    (at("author/id", "9011"), "/author/id", "found `9011`"),
    (at("author", "example-person-10"), "/author", "`example-person-10`"),
    (at("commits/0/sha", "A1" * 20), "/commits/0/sha", f"`{'A1' * 20}`"),
    (at("commits/0/sha", "a1"), "/commits/0/sha", "`a1`"),
    (at("commits/0/co_authors", None), "/commits/0/co_authors", "found `null`"),
    (at("reviews/0", {**REVIEW, "state": "approved"}), "/reviews/0/state", "found `approved`"),
    (at("reviews/0", {**REVIEW, "commit": "head"}), "/reviews/0/commit", "`head`"),
    (at("reviews/0", {**REVIEW, "submitted_at": "now"}), "/reviews/0/submitted_at", "`now`"),
    (at("reviews/0", {**REVIEW, "author_association": "OWNER"}), "/reviews/0/author_association", "is not known here"),
    (at("reviews/0", None), "/reviews/0", "found `null`"),
    (at("comments/0", {**COMMENT, "edited": None}), "/comments/0/edited", "found `null`"),
    (at("comments/0", {**COMMENT, "created_at": None}), "/comments/0/created_at", "found `null`"),
    (at("issues/0", {**ISSUE, "number": 0}), "/issues/0/number", "found `0`"),
    (at("issues/0", {**ISSUE, "state": None}), "/issues/0/state", "found `null`"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "pointer", "words"), WRONG_PULLS)
def test_a_pull_file_that_breaks_its_schema(
    run: Run, made: MadeRepository, tmp_path: Path, change: Callable[[dict[str, Any]], None], pointer: str, words: str
) -> None:
    """Status 2, standard output empty; the message has file, line, column, place inside, value found and what to do."""
    value = facts(made)
    change(value)
    ran = decide(run, made, tmp_path, "--format", "json", pull=value)
    assert (ran.status, ran.out) == (2, "")
    place = rf"registrar: pull file `{re.escape(str(tmp_path))}/pull\.json`:\d+:\d+: at `{re.escape(pointer or '/')}` "
    assert re.match(place, ran.err), ran.err
    assert words in ran.err
    assert ran.err.rstrip().count("; ") >= 1


@pytest.mark.parametrize(
    ("field", "value"), [("created_at", "0001-01-01T00:00:00+14:00"), ("created_at", "9999-12-31T23:59:59-14:00")]
)
def test_times_out_of_the_calendar(run: Run, made: MadeRepository, tmp_path: Path, field: str, value: str) -> None:
    """A time that keeps its form and cannot be reckoned with is refused like any other."""
    ran = decide(run, made, tmp_path, pull=facts(made, **{field: value}))
    assert (ran.status, ran.out) == (2, "")
    assert "pull file" in ran.err
    assert value in ran.err


UNREADABLE: list[tuple[bytes, str]] = [
    (b"", ""),
    (b" \n", ""),
    (b"{", ":1:"),
    (b"{}\n{}", ":2:"),
    (b'{"a": 1, "a": 2}', ":1:10"),
    (b'{"a": NaN}', ":1:"),
    (b'{"a": 1e999}', ":1:"),
    (b"[" * 5000, ":1:"),
    (b"\xff{}", ""),
    (b"\xef\xbb\xbf{}", ""),
    (b"a: &a 1\n", ":1:4"),
    (b"a: 1\na: 2\n", ":2:1"),
    (b"a: !!python/none x\n", ":1:4"),
    (b"a: no\n", ":1:4"),
    (b"---\na: 1\n---\nb: 1\n", ""),
    (b"<<: {a: 1}\n", ":1:"),
    (b"\ta: 1\n", ":1:"),
]


@pytest.mark.parametrize("name", ["pull", "roster", "ledger"])
@pytest.mark.parametrize(("data", "place"), UNREADABLE)
def test_an_input_file_that_cannot_be_read(
    run: Run, made: MadeRepository, tmp_path: Path, name: str, data: bytes, place: str
) -> None:
    """All input files go through the strict reader; the place is told where there is one."""
    path = written(tmp_path, "input", data)
    pull_file = path if name == "pull" else written(tmp_path, "pull.json", facts(made))
    more = () if name == "pull" else (f"--{name}", path)
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file)
    ran = run("decide", *question, *more, "--format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"registrar: {name} file `{path}`{place}"), ran.err


@pytest.mark.parametrize("name", ["pull", "roster", "ledger"])
@pytest.mark.parametrize("what", ["absent", "a folder", "no object"])
def test_an_input_file_that_is_none(run: Run, made: MadeRepository, tmp_path: Path, name: str, what: str) -> None:
    """A file that is not there is not an empty one."""
    path = tmp_path / "input"
    if what == "a folder":
        path.mkdir()
    elif what == "no object":
        path.write_bytes(b"[]\n")
    pull_file = path if name == "pull" else written(tmp_path, "pull.json", facts(made))
    more = () if name == "pull" else (f"--{name}", path)
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file)
    ran = run("decide", *question, *more)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"registrar: {name} file `{path}`")


PERSON = {"id": 9001, "login": SECRET, "roles": ["maintainer"]}
TERM = {"role": "maintainer", "from": "2026-01-01"}
WRONG_ROSTERS: list[Any] = [
    {},
    {"people": None},
    {"people": SECRET},
    {"people": [SECRET]},
    {"people": [], SECRET: 1},
    {"people": [{**PERSON, SECRET: SECRET}]},
    {"people": [{**PERSON, "roles": [SECRET]}]},
    {"people": [{**PERSON, "roles": SECRET}]},
    {"people": [{**PERSON, "roles": ["maintainer", "maintainer"]}]},
    {"people": [{**PERSON, "roles": ["Maintainer"]}]},
    {"people": [{**PERSON, "roles": ["admin"]}]},
    {"people": [{**PERSON, "id": SECRET}]},
    {"people": [{**PERSON, "id": 0}]},
    {"people": [{**PERSON, "id": -9001}]},
    {"people": [{**PERSON, "login": ""}]},
    {"people": [{**PERSON, "login": 9001}]},
    {"people": [{**PERSON, "institution": 9001}]},
    {"people": [{**PERSON, "parties": SECRET}]},
    {"people": [{**PERSON, "parties": [""]}]},
    {"people": [{**PERSON, "terms": [{**TERM, "role": SECRET}]}]},
    {"people": [{**PERSON, "terms": [{**TERM, "from": SECRET}]}]},
    {"people": [{**PERSON, "terms": [{**TERM, "from": "2026-02-30"}]}]},
    {"people": [{**PERSON, "terms": [{**TERM, "until": "2026-02-30"}]}]},
    {"people": [{**PERSON, "terms": [{"role": "maintainer"}]}]},
    *({"people": [{field: value for field, value in PERSON.items() if field != gone}]} for gone in PERSON),
    {"people": [PERSON, {**PERSON, "login": "example-person-99"}]},
    {"people": [PERSON, {**PERSON, "id": 9099}]},
    {"people": [PERSON, {**PERSON, "id": 9099, "login": SECRET.upper()}]},
]
FACTS = LEDGER["benchmark_versions"]["bm-example-handover@0.2.0"]
WRONG_LEDGERS: list[Any] = [
    {SECRET: {}},
    {"benchmark_versions": SECRET},
    {"benchmark_versions": {SECRET: FACTS}},
    {"benchmark_versions": {"bm-example@0.1.0": {**FACTS, SECRET: 1}}},
    {"benchmark_versions": {"bm-example@0.1.0": {**FACTS, "builders": [SECRET]}}},
    {"benchmark_versions": {"bm-example@0.1.0": {**FACTS, "builders": [0]}}},
    {"benchmark_versions": {"bm-example@0.1.0": {**FACTS, "package_sha256": SECRET}}},
    *(
        {"benchmark_versions": {"bm-example@0.1.0": {field: value for field, value in FACTS.items() if field != gone}}}
        for gone in FACTS
    ),
    {"subjects": {"Example Model 1": {"submitters": [SECRET], "party": "x"}}},
    {"subjects": {"Example Model 1": {"submitters": [1]}}},
    {"references": {"gr-example": {"tested_by_builders": SECRET}}},
    {"canaries": {"key": SECRET}},
    {"canaries": {"key": SECRET, "digests": [SECRET]}},
    {"canaries": SECRET},
]


@pytest.mark.parametrize(
    ("name", "value"),
    [*(("roster", value) for value in WRONG_ROSTERS), *(("ledger", value) for value in WRONG_LEDGERS)],
)
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_closed_file_that_is_wrong_gives_nothing_away(
    run: Run, made: MadeRepository, tmp_path: Path, name: str, value: Any, form: str
) -> None:
    """The message may end up in a public log: file and place, and no value, name or key of it."""
    path = written(tmp_path, f"closed.{form}", value if form == "json" else yaml.safe_dump(deepcopied(value)))
    pull_file = written(tmp_path, "pull.json", facts(made))
    question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file)
    ran = run("decide", *question, f"--{name}", path, "--format", "json")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"registrar: {name}")
    assert str(path) in ran.err
    told = ran.err.replace(str(path), "")
    for closed in (SECRET, SECRET.upper(), "9001", "9099", "example-person-99", "admin", "2026-02-30"):
        assert closed not in told
    assert "twice" in told or re.search(
        r"`:\d+:\d+: breaks `[a-zA-Z]+` of its schema", told.replace(f"{name} file ``", "`")
    ), told


def test_a_closed_file_that_cannot_be_read_gives_nothing_away(run: Run, made: MadeRepository, tmp_path: Path) -> None:
    """Not even the words around the fault."""
    pull_file = written(tmp_path, "pull.json", facts(made))
    for data in (
        f"people: [{SECRET}\n",
        f"{SECRET}: 1\n{SECRET}: 2\n",
        f"a: &{SECRET} 1\n",
        f'{{"{SECRET}": 1, "{SECRET}": 2}}',
    ):
        path = written(tmp_path, "closed", data)
        question = ("--repo", made.folder, "--base", "main", "--head", "head", "--pull", pull_file, "--roster", path)
        ran = run("decide", *question)
        assert (ran.status, ran.out) == (2, "")
        assert SECRET not in ran.err
        assert re.search(r"`:\d+:\d+: not readable as strict YAML or JSON", ran.err)


# The other commands ---------------------------------------------------------------------------------------------------


def test_init_writes_the_starter(run: Run, tmp_path: Path) -> None:
    """Into a folder that is new or empty; what comes next is told."""
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "new" / "deep", tmp_path / "empty"):
        ran = run("init", folder)
        assert (ran.status, ran.err) == (0, "")
        assert "Next:" in ran.out
        found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert found == starter_files()


def test_init_names_the_action(run: Run, tmp_path: Path) -> None:
    """With `--action` the workflows name it and nothing is left to replace; without, the next steps say what to replace."""
    named = f"somebody/gate@{'1' * 40}"
    ran = run("init", tmp_path / "named", "--action", named)
    assert ran.status == 0
    assert "Replace" not in ran.out
    assert f"uses: {named} # " in (tmp_path / "named" / ".github" / "workflows" / "gate.yml").read_text(
        encoding="utf-8"
    )
    assert "Replace `example-organisation/medgauge-registrar`" in run("init", tmp_path / "plain").out


@pytest.mark.parametrize(
    "action", ["somebody/gate", "somebody/gate@v1", f"gate@{'1' * 40}", f"somebody/gate@{'A' * 40}"]
)
def test_init_takes_no_action_that_is_not_pinned(run: Run, tmp_path: Path, action: str) -> None:
    """A tag can be moved; nothing is written."""
    ran = run("init", tmp_path / "new", "--action", action)
    assert (ran.status, ran.out) == (2, "")
    assert f"`{action}` is no pinned action" in ran.err
    assert not (tmp_path / "new").exists()


def test_init_leaves_others_files_alone(run: Run, tmp_path: Path) -> None:
    """A folder with anything in it, and a file, are refused; nothing is written."""
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "own.txt").write_text("An example.\n", encoding="ascii")
    for target in (folder, folder / "own.txt", folder / "own.txt" / "below"):
        ran = run("init", target)
        assert (ran.status, ran.out) == (2, "")
        assert str(target) in ran.err
    assert [path.name for path in folder.iterdir()] == ["own.txt"]


def test_doctor_looks_at_files_and_roster(run: Run, tmp_path: Path) -> None:
    """Without a token it needs nothing but a clone; 1 says that something is wrong, 0 that nothing is."""
    repository = MadeRepository(tmp_path / "made")
    files = starter_files(action=f"somebody/gate@{'1' * 40}")
    repository.commit(files, branch="plain")
    settings = files[SETTINGS_PATH].replace(b"source: none", b"source: secret")
    repository.commit({**files, SETTINGS_PATH: settings}, branch="named")
    ran = run("doctor", "--repo", repository.folder, "--revision", "plain", "--format", "json")
    assert (ran.status, ran.err) == (1, "")
    assert [item["about"] for item in json.loads(ran.out)["items"] if item["standing"] == "wrong"] == [SETTINGS_PATH]
    ran = run("doctor", "--repo", repository.folder, "--revision", "named")
    assert (ran.status, ran.err) == (0, "")
    assert "0 wrong, 3 to check by hand" in ran.out
    people = tmp_path / "roster.json"
    people.write_text(
        json.dumps({"people": [{"id": 1, "login": "example", "roles": ["maintainer"]}]}), encoding="ascii"
    )
    ran = run("doctor", "--repo", repository.folder, "--revision", "named", "--roster", people)
    assert (ran.status, ran.err) == (1, "")
    assert "wrong: roster: can never fill these rows: M2, M3," in ran.out
    assert "example" not in ran.out


def test_doctor_refuses_what_it_cannot_read(run: Run, tmp_path: Path, made: MadeRepository) -> None:
    """A roster that is none is a wrong argument, a folder that is no repository cannot be read."""
    bad = tmp_path / "roster.json"
    bad.write_text('{"people": 1}', encoding="ascii")
    ran = run("doctor", "--repo", made.folder, "--revision", "main", "--roster", bad)
    assert (ran.status, ran.out) == (2, "")
    assert run("doctor", "--repo", tmp_path).status == 3


def test_rules_are_listed(run: Run) -> None:
    """Every rule with its section and whether it is enforced, as text and as JSON."""
    ran = run("rules", "--format", "json")
    assert (ran.status, ran.err) == (0, "")
    told = json.loads(ran.out)["rules"]
    assert all(set(rule) == {"id", "section", "line", "state"} for rule in told)
    assert {rule["state"] for rule in told} <= set(STATES)
    assert len({rule["id"] for rule in told}) == len(told)
    text = run("rules")
    assert text == run("rules", "--format", "text")
    assert all(re.search(rf"^{rule['id']} ", text.out, re.MULTILINE) for rule in told)
    enforced = sum(rule["state"] == "enforced" for rule in told)
    assert re.search(rf"^ *{enforced} enforced: ", text.out, re.MULTILINE)


def test_every_rule_and_row_is_explained(run: Run) -> None:
    """By its id, letter case aside; an enforced rule of a check shows what passes and what fails."""
    for rule in entries():
        told = explain(rule.id.lower())
        assert told.startswith(f"{rule.id} (")
        assert rule.line in told
    for row in shipped_table().rows.values():
        told = explain(row.id.lower())
        assert row.because.replace("\n", " ") in told.replace("\n", " ")
        for need in row.evidence:
            assert need.id in told
    for name in ("m1", "ENT-02", "Dec-15"):
        assert run("explain", name) == (0, f"{explain(name)}\n", "")


@pytest.mark.parametrize("name", ["", "M99", "ENT-99", "M1 M2", "ENT-0\N{DIGIT TWO}x", "everything"])
def test_what_is_not_there_is_not_explained(run: Run, name: str) -> None:
    """Status 2, with the command that lists all."""
    ran = run("explain", name)
    assert (ran.status, ran.out) == (2, "")
    assert f"no rule or row `{name.strip()}`" in ran.err
    assert "registrar rules" in ran.err


def test_demo_shows_one_pull_request(run: Run, tmp_path: Path) -> None:
    """It is built and decided for real, and what it was made of can be kept."""
    kept = tmp_path / "kept"
    ran = run("demo", "--pull", "1", "--keep", kept)
    assert (ran.status, ran.err) == (0, "")
    assert "1 of 1 pull requests decided as expected." in ran.out
    assert CASES[0].title in ran.out
    assert {"registry.git", "pulls", "roster.json"} <= {path.name for path in kept.iterdir()}
    assert len(list((kept / "pulls").iterdir())) == len(CASES)
    question = ("--repo", kept / "registry.git", "--base", "main", "--head", "refs/pull/1/head", "--now", NOW)
    ran = run("decide", *question, "--pull", kept / "pulls" / "1.json", "--roster", kept / "roster.json")
    assert ran.status == 0


def test_demo_of_what_is_not_there(run: Run, tmp_path: Path) -> None:
    """A number beyond the last, and a folder that is somebody's."""
    ran = run("demo", "--pull", str(len(CASES) + 1))
    assert (ran.status, ran.out) == (2, "")
    assert f"they are 1 to {len(CASES)}" in ran.err
    (tmp_path / "own.txt").write_text("An example.\n", encoding="ascii")
    ran = run("demo", "--pull", "1", "--keep", tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "is not empty" in ran.err


# As a program ---------------------------------------------------------------------------------------------------------


def program(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run it as users do."""
    command = [sys.executable, "-m", "medgauge_registrar", *map(str, arguments)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


def test_exit_statuses_of_the_program(made: MadeRepository, tmp_path: Path) -> None:
    """The statuses are those of the process, and names that are no text leave as escapes."""
    question = ("decide", "--repo", made.folder, "--base", "main", "--pull")
    pull_file = written(tmp_path, "pull.json", facts(made))
    assert program(*question, tmp_path / "nowhere", "--head", "head", stdout=subprocess.PIPE).returncode == 2
    assert program(*question, pull_file, "--head", "nowhere", stdout=subprocess.PIPE).returncode == 3
    ran = program(*question, pull_file, "--head", "head", "--now", NOW, "--format", "json", stdout=subprocess.PIPE)
    assert (ran.returncode, ran.stderr, json.loads(ran.stdout)["state"]) == (1, b"", "pending")


def test_all_that_is_said_before_a_failure_arrives() -> None:
    """The process ends at once, but not before its output is out."""
    code = (
        "from medgauge_registrar import cli\n"
        "def fail(_):\n    print('x' * 100_000)\n    raise cli.PolicyError('an example')\n"
        "cli._rules = fail\ncli.run()"
    )
    ran = subprocess.run([sys.executable, "-c", code, "rules"], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, b"x" * 100_000 + b"\n", b"registrar: an example\n")


def test_a_reader_who_leaves(tmp_path: Path) -> None:
    """Whoever closes our output early gets no trace of a fault, and no success either."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ran = program("rules", stdout=closed)
    assert (ran.returncode, ran.stderr) == (3, b"")


def test_names_that_are_no_text(run: Run, tmp_path: Path) -> None:
    """A path whose bytes are no UTF-8 is shown escaped, in a locale of ASCII too."""
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    made = MadeRepository(tmp_path / "made")
    made.commit(
        {os.fsdecode(b"registry/standards/n\xffte.txt"): "An example.\n", "docs/caf\u00e9.txt": "An example.\n"}
    )
    ran = program("check", "--repo", made.folder, "main", stdout=subprocess.PIPE, env=ascii_only)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert b"DEC-19" in ran.stdout
    for form in ("text", "json", "sarif", "github"):
        told = run("check", "--repo", made.folder, "main", "--format", form)
        assert (told.status, told.err) == (1, "")
        assert "DEC-19" in told.out


def test_edits_of_the_fixture_hold() -> None:
    """The branch of these tests adds a standard and nothing else."""
    assert edited(NEW_STANDARD).files.keys() - edited().files.keys() == {"registry/standards/std-example-new.yaml"}
    assert edited(append("README.md", "x"), put("a", "b")).files["a"] == b"b"
