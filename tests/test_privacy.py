"""
Closed stays closed: no output of any demonstration case holds a name, an account, a party or a fact of roster or ledger.

Roster and ledger are planted with markers that occur nowhere else: account numbers, logins, institutions, parties, digests and
canaries. Every rendering of every decision is searched for them, and so is everything that is logged at the lowest level.
"""

import hashlib
import hmac
import html
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.cli import main
from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.decide import command_answers
from medgauge_registrar.inputs import Inputs, read_inputs, to_ledger
from medgauge_registrar.model.decision import Decision
from medgauge_registrar.model.landing import Landing, Method, Step
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.record.note import note_bytes, public_facts
from medgauge_registrar.report.comment import render_comment
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.github import annotations, workflow_commands
from medgauge_registrar.report.sarif import render_sarif
from medgauge_registrar.report.status import status_description
from medgauge_registrar.report.summary import render_summary
from medgauge_registrar.report.terminal import render_decision_text
from medgauge_registrar.sandbox import build
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.cast import CAST, LEDGER, account, address
from medgauge_registrar.sandbox.demo import unmet_by
from medgauge_registrar.sandbox.edits import append
from medgauge_registrar.sandbox.material import FREEZE, NEW_STANDARD
from support.governance import AUTHORS, ids, ledger, roster_with
from support.snapshots import comment, decided, pull, review, snapshot

# Account numbers of the demonstration become these, so that none of them can stand in an output by chance.
MARK = 771_900_000_000
LOGIN, INSTITUTION, PARTY = "qzmarker-login", "Qzmarker Institution", "Qzmarker Party"
CANARY, KEY = "qzmarker-canary-9f3c", "qzmarker-canary-key-0123456789"
DIGEST = hmac.new(KEY.encode(), CANARY.encode(), hashlib.sha256).hexdigest()
# The site's own account stands in the public settings.
ACCOUNTS = {account(name)["id"] for name in CAST} - {account("site")["id"]}
MARKERS = (
    re.compile(r"qzmarker", re.IGNORECASE),
    re.compile(rf"{MARK // 1_000_000}[0-9]{{6}}"),
    re.compile(DIGEST[:16]),
)


def planted(value: Any) -> Any:
    """A value with accounts and logins replaced by markers, at any depth."""
    if isinstance(value, dict):
        return {key: planted(item) for key, item in value.items()}
    if isinstance(value, list):
        return [planted(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and value in ACCOUNTS:
        return MARK + value
    return re.sub(r"example-person-", f"{LOGIN}-", value) if isinstance(value, str) else value


def with_more(roster: dict[str, Any]) -> dict[str, Any]:
    """Give everybody in the roster an institution and a party of their own."""
    people = [
        {"institution": f"{INSTITUTION} {index}", "parties": [f"{PARTY} {index}"], **person}
        for index, person in enumerate(roster["people"])
    ]
    return {"people": people}


def whole_ledger(known: dict[str, Any] | None) -> dict[str, Any]:
    """The case's ledger, or none of its facts, with parties and canaries of the kind that must never be seen."""
    facts = dict(known or {})
    for version in facts.get("benchmark_versions", {}).values():
        version["holdout_parties"] = [*version["holdout_parties"], f"{PARTY} that gave tasks"]
    facts["subjects"] = {**facts.get("subjects", {}), "Qzmarker Model": {"submitters": [MARK + 1], "party": PARTY}}
    own = facts.get("canaries", {"key": KEY, "digests": []})
    facts["canaries"] = {**own, "digests": [*own["digests"], DIGEST]}
    return facts


def leaks(text: str) -> list[str]:
    """What of the closed inputs a text gives away, also where a rendering has put escapes or joiners between its letters."""
    bare = re.sub(r"[\\\u200b-\u200d\u2060]", "", html.unescape(text))
    return [found[0] for marker in MARKERS for one in (text, bare) if (found := marker.search(one))]


def outputs(decision: Decision) -> Iterator[tuple[str, str]]:
    """Every form in which a decision is told."""
    yield "comment", render_comment(decision)
    yield "short comment", render_comment(decision, budget_characters=10_000)
    yield "json", decision_json(decision)
    yield "status", status_description(decision)
    yield "summary", render_summary(decision)
    yield "text", render_decision_text(decision)
    yield "sarif", render_sarif(decision.findings)
    yield "workflow commands", workflow_commands(decision.findings)
    yield "annotations", json.dumps(annotations(decision.findings))
    yield "repr", repr(decision)


def noted(facts: dict[str, Any], decision: Decision, inputs: Inputs) -> str:
    """The note that a merge of the pull request would leave."""
    landing = Landing(
        method=Method.MERGE, base=decision.base_sha, steps=(Step(sha="1" * 40, tree="2" * 40, parents=()),)
    )
    canaries = Canaries(key=inputs.ledger.canary_key, digests=inputs.ledger.canary_digests)
    return note_bytes(landing, public_facts(facts, decision, canaries), decision).decode()


# A change of thousands of files says nothing that one of a few does not, and takes seconds.
QUICK = [number for number, case in enumerate(CASES, start=1) if sum(map(len, case.commits)) < 100]


@dataclass(frozen=True)
class Kept:
    """Where the demonstration was kept, with its closed inputs planted."""

    folder: Path

    def inputs(self, number: int) -> tuple[Path, Path, Path]:
        return (
            self.folder / "pulls" / f"{number}.json",
            self.folder / "roster.json",
            self.folder / "ledgers" / f"{number}.json",
        )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The demonstration, its accounts and closed inputs full of markers."""
    folder = tmp_path_factory.mktemp("demo")

    def planted_address(name: str) -> str:
        known = planted(account(name))
        return f"{known['login']} <{known['id']}+{known['login']}@users.noreply.github.com>"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "address", planted_address)
        build.build(folder)
    roster = json.loads((folder / "roster.json").read_text())
    (folder / "roster.json").write_text(json.dumps(with_more(planted(roster))))
    for number in range(1, len(CASES) + 1):
        path = folder / "pulls" / f"{number}.json"
        path.write_text(json.dumps(planted(json.loads(path.read_text()))))
        path = folder / "ledgers" / f"{number}.json"
        own = planted(json.loads(path.read_text())) if path.exists() else None
        path.write_text(json.dumps(whole_ledger(own)))
    assert leaks((folder / "roster.json").read_text())
    assert address("maintainer") != planted_address("maintainer")
    return Kept(folder)


@pytest.mark.rule("ROLE-16", "passes")
@pytest.mark.parametrize("number", QUICK, ids=lambda number: CASES[number - 1].title)
def test_no_output_of_a_case_gives_anything_away(kept: Kept, number: int, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the rendered decision nor a log line holds a marker."""
    pull_file, roster, facts = kept.inputs(number)
    with caplog.at_level(logging.NOTSET):
        inputs = read_inputs(pull_file, roster, facts, digest_key=b"a key of the registry")
        decision = decide_question(
            Question(
                repository=kept.folder / "registry.git",
                base="main",
                head=build.head_ref(number),
                inputs=inputs,
                now=build.NOW,
            )
        )
        told = dict(outputs(decision))
    # The markers change no verdict, so the cases go the ways that they are there to show.
    assert unmet_by(CASES[number - 1], decision) == ""
    assert {form: leaks(text) for form, text in told.items() if leaks(text)} == {}
    assert [form for form, text in told.items() if any(words in text for words in CASES[number - 1].closed)] == []
    note = noted(json.loads(pull_file.read_text()), decision, inputs)
    # A note repeats the public facts of the pull request, and adds nobody to them.
    assert set(leaks(note)) <= set(leaks(pull_file.read_text()))
    assert [words for words in CASES[number - 1].closed if words in note] == []
    assert leaks(caplog.text) == []
    assert leaks(repr(inputs.roster) + repr(inputs.ledger))
    assert leaks(repr(inputs).replace(repr(inputs.pull), "")) == []


@pytest.mark.rule("ROLE-16", "fails")
def test_the_search_would_find_a_leak() -> None:
    """A decision that named somebody, or a fact, would be found in every form that tells messages."""
    from support.decisions import decision, finding  # the only test that makes a decision up

    for word in (f"{LOGIN}-07", str(MARK + 9003), PARTY, INSTITUTION, CANARY, DIGEST):
        leaky = decision(findings=(finding(message=f"approved by {word}"),))
        forms = {form for form, text in outputs(leaky) if leaks(text)}
        assert {"comment", "json", "summary", "text", "sarif", "workflow commands", "annotations", "repr"} <= forms


def test_the_demonstration_would_tell_of_closed_words() -> None:
    """A case whose output shows a word that stays closed is not decided as expected."""
    decision = decided(NEW_STANDARD)
    case = Case(title="x", rows=(), commits=(), expected=decision.state, closed=("std-example-new",))
    assert unmet_by(case, decision) == "closed words in an output"
    assert unmet_by(replace(case, closed=("std-example-other",)), decision) == ""


@pytest.mark.parametrize("what", ["roster", "ledger"])
@pytest.mark.parametrize(
    "broken",
    [
        '{"people": [{"id": 771900009001, "login": "qzmarker-login-01", "roles": ["qzmarker role"]}]}',
        '{"people": [{"id": 771900009001, "login": "qzmarker-login-01", "roles": []},'
        ' {"id": 771900009001, "login": "qzmarker-login-02", "roles": []}]}',
        '{"benchmark_versions": {"qzmarker": {"builders": [771900009001]}}}',
        '{"canaries": {"key": "qzmarker-canary-key-0123456789", "digests": ["qzmarker"]}}',
        "qzmarker: &a [771900009001]\nb: *a\n",
        "{qzmarker",
    ],
)
def test_a_broken_closed_file_is_not_quoted(
    kept: Kept, capsys: pytest.CaptureFixture[str], tmp_path: Path, what: str, broken: str
) -> None:
    """The message says that the file is wrong and where, and repeats nothing of it."""
    path = tmp_path / "closed.yaml"
    path.write_text(broken)
    arguments = ["decide", "--repo", str(kept.folder / "registry.git"), "--base", "main", "--head", "refs/pull/1/head"]
    arguments += ["--pull", str(kept.folder / "pulls" / "1.json"), f"--{what}", str(path)]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, leaks(err)) == ("", [])
    assert str(path) in err or err.startswith("registrar: roster:")


def test_a_canary_is_found_and_not_quoted() -> None:
    """That one was found is told; which, and where, is not."""
    facts = to_ledger({"canaries": {"key": KEY, "digests": [DIGEST]}})
    decision = decided(NEW_STANDARD, append("README.md", f"\n{CANARY}\n"), by=["maintainer"], ledger=facts)
    assert any(finding.rule.startswith("BND-") for finding in decision.findings)
    text = " ".join(text for _, text in outputs(decision) if _ != "repr")
    assert leaks(text) == []


def test_answers_to_commands_name_nobody() -> None:
    """What people are answered depends on roster and ledger, and says nothing of them."""
    people = roster_with(acceptor={"parties": [PARTY], "institution": INSTITUTION})
    lines = ("/dispute It is wrong.", "/vote uphold It stands.", "/vote", "/recheck")
    said = [
        comment(who, line, minute=60 + index, number=1000 + index)
        for index, (who, line) in enumerate(
            (who, line) for who in ("reviewer", "newcomer", "acceptor") for line in lines
        )
    ]
    answers = command_answers(snapshot(NEW_STANDARD, request=pull(comments=tuple(said)), roster=people))
    assert len(answers) == len(said)
    assert not leaks(repr(answers))
    assert not re.search(r"example-person|90[0-9]{2}\b", repr(answers))


def test_snapshots_do_not_show_closed_facts() -> None:
    """What a traceback might print of a decision's inputs leaves them out."""
    shot = snapshot(
        NEW_STANDARD,
        roster=roster_with(acceptor={"institution": INSTITUTION}),
        ledger=ledger("bm-example-handover@0.3.0", holdout_parties=[PARTY]),
    )
    assert leaks(repr(shot)) == []


def test_one_bit_and_no_more() -> None:
    """Ledgers that differ in their facts and agree in the answers give the same output to the letter."""
    reviews = (review("acceptor", number=1), review("maintainer", number=2))
    base = LEDGER["benchmark_versions"]["bm-example-handover@0.3.0"]
    told = set()
    for builders, experts in (
        (["builder"], base["key_experts"]),
        (["data steward"], ids("second expert", "first expert")),
    ):
        facts = ledger("bm-example-handover@0.3.0", builders=ids(*builders), key_experts=experts)
        told.add(decision_json(decided(*FREEZE, request=pull(*reviews), ledger=facts, reference_authors=AUTHORS)))
    assert len(told) == 1
    refused = set()
    for builders in (["acceptor"], ["first expert"], ["second expert", "builder"]):
        facts = ledger("bm-example-handover@0.3.0", builders=ids(*builders), acceptors=ids("acceptor", "first expert"))
        request = pull(review("second maintainer", number=1), reviews[1])
        decision = decided(*FREEZE, request=request, ledger=facts, reference_authors=AUTHORS)
        refused.add(decision_json(decision))
    assert len(refused) == 1
