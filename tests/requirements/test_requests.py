"""Requests for comment: which count, what they must hold, and what is only told (RFC-01…05)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from medgauge_registrar.classify.classify import classify
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.model.pull import Issue, User
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.headings import plain, sections
from medgauge_registrar.requirements.requests import request_notices
from medgauge_registrar.sandbox.edits import Edit, Workspace, append, mode, put, swap
from medgauge_registrar.sandbox.material import (
    CAPABILITY,
    CAPABILITY_PARTS,
    NEW_CAPABILITY,
    NEW_STANDARD,
    SETTINGS,
    TEXT,
)
from support.governance import judged, message, state
from support.snapshots import approvals, at, person, pull, snapshot

BODY = "\n".join(f"### {heading}\n\n{text}\n" for heading, text in CAPABILITY_PARTS)
MAINTAINERS = approvals("maintainer", "second maintainer")


def issue(**changes: Any) -> Issue:
    """A request as the form writes it, opened three weeks before the pull request."""
    made = Issue(
        number=3,
        title="Capability: D.2",
        body=BODY,
        labels=("request-for-comment",),
        user=person("contributor"),
        created_at=at(-60) - timedelta(days=21),
        state="open",
    )
    return replace(made, **changes)


def added(*issues: Issue, edits: tuple[Edit, ...] = (NEW_CAPABILITY,), row: str = "M6", **fields: Any) -> Any:
    body = fields.pop("body", "")
    return judged(row, *edits, request=pull(*MAINTAINERS, issues=issues, body=body), **fields)


# Which requests count -------------------------------------------------------------------------------------------------


@pytest.mark.rule("RFC-01", "passes")
@pytest.mark.rule("RFC-02", "passes")
@pytest.mark.rule("DEC-08", "passes")
def test_an_issue_that_a_person_opened_before() -> None:
    """Marked, linked, opened before, with its three parts."""
    row = added(issue())
    assert (row.state, state(row, "RFC-01"), state(row, "RFC-02")) == ("satisfied", "satisfied", "satisfied")


BOT = User(id=77, login="example[bot]", type="Bot")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"user": BOT}, "#3 was not opened by a person", marks=pytest.mark.rule("RFC-01", "fails")),
        ({"user": None}, "#3 was not opened by a person"),
        ({"user": replace(person("contributor"), type="Organization")}, "#3 was not opened by a person"),
        ({"created_at": at(-60)}, "#3 was not opened before this pull request"),
        ({"created_at": at(10)}, "#3 was not opened before this pull request"),
        ({"edited_at": at(-60)}, "#3 was edited after this pull request was opened"),
        ({"labels": ("documentation",)}, "#3 carries neither the label `request-for-comment`"),
        ({"labels": ()}, "nor a heading that says so"),
    ],
)
@pytest.mark.rule("DEC-08", "fails")
def test_an_issue_that_is_no_request(changes: dict[str, Any], words: str) -> None:
    """It is refused with its reason, and the pull request is blocked."""
    row = added(issue(**changes))
    assert (row.state, state(row, "RFC-01"), state(row, "RFC-02")) == ("blocked", "missing", "missing")
    assert words in message(row, "RFC-01")


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": ("Request-For-Comment",)},
        {"labels": (), "body": f"# Request for comment\n\n{BODY}"},
        {"labels": (), "body": f"RFC\n===\n\n{BODY}"},
        {"user": person("newcomer")},
        {"state": "closed"},
        {"edited_at": at(-61)},
    ],
)
def test_other_forms_of_a_request(changes: dict[str, Any]) -> None:
    """A heading marks it as well as the label does; anybody may open one; a closed one was open."""
    assert state(added(issue(**changes)), "RFC-01") == "satisfied"


@pytest.mark.parametrize(
    "body", ["Request for comment: #3", "The request was made.", "rfcs/9-missing.md", "xrfcs/2-a.md"]
)
def test_what_the_author_writes_is_no_request(body: str) -> None:
    """Words in the description link nothing and prove nothing."""
    assert state(added(body=body), "RFC-01") == "missing"


def test_nothing_linked() -> None:
    """Without any request the message says what to do."""
    row = added()
    assert message(row, "RFC-01") == "link the request for comment that a person opened before this pull request"


FILE = put("rfcs/2-example.md", f"# D.2\n\n{BODY}")
LINK = "https://example.org/example/registry/blob/main/rfcs/2-example.md"


def named_by_record(link: str) -> Edit:
    """A capability whose own field names the request."""
    return swap("registry/capabilities/D.2.yaml", "https://example.org/requests/3", link)


def unreadable(workspace: Workspace) -> None:
    """A file that is no UTF-8."""
    workspace.files["rfcs/2-example.md"] = b"\xff\xfe"


@pytest.mark.parametrize(
    ("base", "head", "body", "expected"),
    [
        ((FILE,), (), "See rfcs/2-example.md.", "satisfied"),
        ((FILE,), (), LINK, "satisfied"),
        ((FILE,), (named_by_record("rfcs/2-example.md"),), "", "satisfied"),
        ((), (FILE,), "See rfcs/2-example.md.", "missing"),
        ((FILE,), (), "", "missing"),
        ((FILE,), (), "rfcs/2-example.mdx", "missing"),
        ((FILE,), (named_by_record("rfcs/3-example.md"),), "", "missing"),
        ((unreadable,), (), "See rfcs/2-example.md.", "missing"),
        ((FILE, mode("rfcs/2-example.md", "120000")), (), "See rfcs/2-example.md.", "missing"),
    ],
)
def test_a_request_as_a_file(base: Any, head: Any, body: str, expected: str) -> None:
    """It counts once the base branch holds it, and the pull request or the capability names it."""
    row = added(edits=(NEW_CAPABILITY, *head), body=body, base=base)
    assert (state(row, "RFC-01"), state(row, "RFC-02")) == (expected, expected)


def test_another_label_of_the_settings() -> None:
    """The registry names its label, and how long a request should have been open."""
    settings = load_policy(
        b"labels: {request_for_comment: proposal}\nperiods: {request_for_comment_days: 30, methodology_review_months: 6}\n"
    ).settings
    assert (settings.request_label, settings.request_days, settings.review_months) == ("proposal", 30, 6)
    assert load_policy(None).settings == Settings(
        request_label="request-for-comment", request_days=14, review_months=12
    )
    base = (swap(SETTINGS, "  request_for_comment: request-for-comment", "  request_for_comment: proposal"),)
    assert state(added(issue(), base=base), "RFC-01") == "missing"
    assert state(added(issue(labels=("Proposal",)), base=base), "RFC-01") == "satisfied"


# What a request about a capability holds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(
            BODY.replace("An example study that measures the same.", "_No response_"), "`Outside anchor` is empty",
            marks=pytest.mark.rule("RFC-02", "fails"),
        ),
        (BODY.replace("An example study that measures the same.", "<!-- words nobody sees -->"), "`Outside anchor` is empty"),
        (BODY.replace("An example study that measures the same.", "- \n- …"), "`Outside anchor` is empty"),
        (BODY.replace("An example study that measures the same.", "n/a"), "`Outside anchor` is empty"),
        (BODY.replace("### Outside anchor", "Outside anchor"), "`Outside anchor` is missing"),
        (BODY.replace("### Outside anchor", "```\n### Outside anchor"), "`Outside anchor` is missing"),
        (BODY.replace("### Form of the evidence", "### Evidence"), "`Form of the evidence` is missing"),
        ("Words.", "`Outline of a gradable task` is missing; the part `Form of the evidence` is missing"),
    ],
)  # fmt: skip
def test_a_part_that_is_missing_or_empty(body: str, words: str) -> None:
    """Each part is named; a request without them does not do for a capability."""
    row = added(issue(body=body))
    assert (state(row, "RFC-01"), state(row, "RFC-02"), row.state) == ("satisfied", "missing", "blocked")
    assert words in message(row, "RFC-02")


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("###", "##"),
        BODY.replace("### Outside anchor", "#### 3. **Outside anchor**:"),
        BODY.replace("### Outside anchor", "External anchor\n---------------"),
        BODY.replace("Form of the evidence", "Evidence form").replace(
            "Outline of a gradable task", "Gradable task summary"
        ),
        BODY.replace("\n", "\r\n"),
        BODY.replace("An example study that measures the same.", "#### Study\n\nAn example."),
    ],
)
def test_other_ways_to_write_the_parts(body: str) -> None:
    """Level, numbering, emphasis and the words of section 22 are all understood."""
    assert state(added(issue(body=body)), "RFC-02") == "satisfied"


def test_the_best_of_several_requests_counts() -> None:
    """One request with its parts is enough, whatever others are linked."""
    row = added(issue(number=1, body="Words."), issue(number=9))
    assert (state(row, "RFC-02"), message(row, "RFC-02")) == ("satisfied", "#9 has the three parts")


MEANING = (swap(CAPABILITY, "layer: capability", "layer: role-bound"),)


@pytest.mark.rule("DEC-30", "passes")
def test_another_meaning_is_asked_for_like_an_addition() -> None:
    """A changed layer needs the request and two maintainers."""
    assert added(issue(), edits=MEANING, row="M6a").state == "satisfied"


@pytest.mark.rule("DEC-30", "fails")
def test_another_meaning_without_a_request() -> None:
    """It is blocked, as an addition is."""
    assert added(edits=MEANING, row="M6a").state == "blocked"


# One request for several rows -----------------------------------------------------------------------------------------

BOTH = (NEW_CAPABILITY, swap(TEXT, "What a system produces is measured", "What systems produce is measured"))


@pytest.mark.rule("RFC-05", "passes")
@pytest.mark.parametrize(
    ("title", "text"), [("D.2 and the methodology", BODY), ("Capability: D.2", BODY + "Section 2 changes as well.")]
)
def test_one_request_that_names_both(title: str, text: str) -> None:
    """A request that names the capability and the text serves both."""
    found = issue(title=title, body=text)
    assert [state(added(found, edits=BOTH, row=row), "RFC-05") for row in ("M6", "M8")] == ["satisfied", "satisfied"]


@pytest.mark.rule("RFC-05", "fails")
def test_one_request_that_names_one_of_both() -> None:
    """The other lacks its request."""
    found = issue(title="Capability: D.2", body=BODY)
    row = added(found, edits=BOTH, row="M8")
    assert (state(row, "RFC-01"), state(row, "RFC-05"), row.state) == ("satisfied", "missing", "blocked")
    assert "`methodology/text.md`" in message(row, "RFC-05")
    assert state(added(found, edits=BOTH, row="M6"), "RFC-05") == "satisfied"
    assert (
        state(added(found, issue(number=8, title="Methodology", body="Words."), edits=BOTH, row="M8"), "RFC-05")
        == "satisfied"
    )


@pytest.mark.parametrize(
    ("body", "expected"), [("D.20", "missing"), ("D.2", "satisfied"), ("D.2.", "satisfied"), ("XD.2", "missing")]
)
def test_a_number_is_named_whole(body: str, expected: str) -> None:
    """`D.2` is not named by `D.20`."""
    found = issue(title="The methodology", body=body)
    assert state(added(found, edits=BOTH, row="M6"), "RFC-05") == expected


# What is only told ----------------------------------------------------------------------------------------------------


def notices(*issues: Issue, edits: tuple[Edit, ...] = (NEW_CAPABILITY,)) -> list[tuple[str, Severity, str]]:
    shot = snapshot(*edits, request=pull(issues=issues))
    layout = shot.policy.layout
    base, head = (Registry(tree, layout, shot.schemas) for tree in (shot.base, shot.merged))
    changes = classify(shot.changes, base=base, head=head, table=shot.policy.table)
    found = request_notices(shot.pull, shot.policy.settings, base, head, changes)
    return [(one.rule, one.severity, one.message) for one in found]


@pytest.mark.rule("RFC-03", "passes")
@pytest.mark.rule("RFC-04", "passes")
def test_nothing_to_tell() -> None:
    """The request names what changes and was open for three weeks; without a request, and without a row, nothing is told."""
    assert notices(issue()) == []
    assert notices() == []
    assert notices(issue(), edits=(NEW_STANDARD,)) == []


@pytest.mark.rule("RFC-03", "fails")
def test_a_request_that_names_something_else() -> None:
    """It is told, and blocks nothing."""
    other = issue(title="Capability: E.1", body=BODY.replace("D.2", "E.1"))
    assert notices(other) == [("RFC-03", Severity.NOTICE, "no request for comment names `D.2`")]
    assert added(other).state == "satisfied"


@pytest.mark.rule("RFC-04", "fails")
def test_a_request_of_yesterday() -> None:
    """A short time for comments is told, and blocks nothing."""
    young = issue(created_at=at(-60) - timedelta(days=13, hours=23))
    assert [found[0] for found in notices(young)] == ["RFC-04"]
    assert notices(issue(created_at=at(-60) - timedelta(days=14))) == []
    assert added(young).state == "satisfied"


# Headings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Outside anchor", "outside anchor"),
        ("  **Outside**  anchor:  ", "outside anchor"),
        ("3. Outside anchor", "outside anchor"),
        ("3.1 Outside anchor", "outside anchor"),
        ("c) Outside anchor", "outside anchor"),
        ("A gradable task", "a gradable task"),
        ("", ""),
    ],
)
def test_plain_titles(title: str, expected: str) -> None:
    """Numbering and emphasis play no part; words do."""
    assert plain(title) == expected


def test_sections_hold_what_is_below_them() -> None:
    """A section ends at the next heading of its level or above; code and comments hold no headings."""
    text = "# One\na\n## Two\nb\n```\n# no\n```\n<!--\n# no\n-->\n### Three\nc\n# Four #\n- d\n---\n"
    found = {section.title: section.text for section in sections(text)}
    assert list(found) == ["one", "two", "three", "four"]
    assert "c" in found["one"]
    assert "c" in found["two"]
    assert found["three"] == "c"
    assert "d" in found["four"]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("```\n# no\n```\n# Yes\n", ["yes"]),
        ("~~~\n```\n# no\n~~~\n# Yes\n", ["yes"]),
        ("````\n# no\n```\n# no\n````\n# Yes\n", ["yes"]),
        ("```\n# no\n", []),
        ("``` a ` b\n# Yes\n", ["yes"]),
    ],
)
def test_headings_in_code_are_none(text: str, titles: list[str]) -> None:
    """A block of code ends with a fence of its own kind and length, or with the text."""
    assert [section.title for section in sections(text)] == titles


def test_an_open_comment_hides_the_rest() -> None:
    """What a reader never sees is no heading."""
    assert [section.title for section in sections("# One\n<!--\n# Two\n")] == ["one"]


def test_hostile_text_is_no_fault() -> None:
    """Any text is taken apart."""
    for text in ("#" * 100_000, "\x00# a", "# " + "a" * 100_000, "`" * 9999, "# a\n" * 2000, "<!--" * 5000):
        assert isinstance(sections(text), tuple)


def test_changes_outside_the_rows_need_no_request() -> None:
    """A readme changes without one."""
    assert judged("M19", append("README.md", "\nWords.\n"), request=pull(*MAINTAINERS)).state == "satisfied"
