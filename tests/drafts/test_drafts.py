"""Drafts: the files that would satisfy what is missing, and nothing else moved in files that are edited."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge_registrar.comparability.steps import Step
from medgauge_registrar.drafts.change_log import raised_version
from medgauge_registrar.drafts.dispute_outcome import dispute_outcome
from medgauge_registrar.drafts.lifecycle import Marks, lifecycle
from medgauge_registrar.drafts.notice import missing_notices
from medgauge_registrar.drafts.redirect import redirect
from medgauge_registrar.drafts.situation import shown
from medgauge_registrar.drafts.yaml_edit import edited_yaml
from medgauge_registrar.inputs import Inputs
from medgauge_registrar.model.decision import State
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import Comment, Issue, Pull
from medgauge_registrar.registry.methodology_text import read_text
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.sandbox.cases_changes import NEW_FIELD, NEW_TEST, RULE, SITE_NOTICE, VOID, WORDING, raised
from medgauge_registrar.sandbox.edits import Edit, append, copy, drop, put, swap
from medgauge_registrar.sandbox.material import (
    CARD,
    FREEZE,
    HARNESS,
    NEW_HARNESS,
    NEW_STANDARD,
    SIDECAR,
    TEXT,
    TODAY,
)
from medgauge_registrar.starter import starter_files
from support.fuzz import fuzz
from support.situations import putting, situation
from support.snapshots import approvals, at, cast_roster, decided, edited, person, pull

DAY = date.fromisoformat(TODAY)
ARCHIVE = "methodology/versions/0.1.0.md"
LEVELS = "methodology/level-rules/0.1.0.yaml"
WHAT = "Words for the log."


def draft_log(*edits: Edit, step: Step | None = None, base: tuple[Edit, ...] = ()) -> Mapping[str, str]:
    """Another version for what these edits change."""
    return raised_version(situation(*edits, base=base), DAY, step=step, what=WHAT)


@cache
def request() -> Pull:
    """A pull request with two maintainers and a request for comment behind it."""
    made = pull(*approvals("maintainer", "second maintainer"))
    issue = Issue(
        number=5,
        title="Methodology",
        body="Sections 5.4 and 1, schemas, levels, algorithms.",
        labels=("request-for-comment",),
        user=person("newcomer"),
        created_at=made.created_at - timedelta(days=30),
        state="open",
    )
    return pull(*approvals("maintainer", "second maintainer"), issues=(issue,))


def valid(path: str, text: str, schema: str) -> bool:
    """Whether a text is a record that keeps a schema."""
    document = read_document(text.encode(), syntax=Syntax.YAML)
    assert not document.faults, (path, document.faults)
    return shipped_schemas().is_valid(schema, document.value)


# What is drafted satisfies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edits",
    [(WORDING,), (RULE,), (NEW_FIELD,), (NEW_TEST,), (RULE, NEW_TEST)],
    ids=["words", "rule", "schema", "test", "both"],
)
def test_drafts_are_all_that_was_missing(edits: tuple[Edit, ...]) -> None:
    """The version first, the notices after it: with both, the pull request is approved."""
    versioned = (*edits, putting(draft_log(*edits)))
    notices = missing_notices(situation(*versioned), DAY)
    found = decided(*versioned, putting(notices), request=request())
    assert found.state is State.APPROVED, [(row.id, row.state) for row in found.rows]


def test_every_notice_is_drafted_once() -> None:
    """Notices that are there without fault are left alone; causes of one version share a notice."""
    assert missing_notices(situation(*FREEZE), DAY) == {}
    assert missing_notices(situation(NEW_STANDARD), DAY) == {}
    assert list(missing_notices(situation(*FREEZE[:-1], VOID), DAY)) == [
        f"notices/{TODAY}-example-handover-0-3-0.yaml",
        f"notices/{TODAY}-example-handover-0-1-0.yaml",
    ]
    both = missing_notices(situation(RULE, NEW_TEST, raised("0.2.0", WHAT)), DAY)
    assert list(both) == [f"notices/{TODAY}-methodology-0-2-0.yaml"]
    assert missing_notices(situation(RULE, raised("0.2.0", WHAT), SITE_NOTICE), DAY) == {}


def test_a_wanting_notice_is_drafted_anew_where_it_stands() -> None:
    """What leaves out a board is written again under its own name."""
    wanting = swap(f"notices/{TODAY}-methodology-0-2-0.yaml", ", bm-example-handover@0.2.0", "")
    drafts = missing_notices(situation(RULE, raised("0.2.0", WHAT), SITE_NOTICE, wanting), DAY)
    (text,) = drafts.values()
    assert list(drafts) == [f"notices/{TODAY}-methodology-0-2-0.yaml"]
    assert valid("notice", text, "notice")
    assert "bm-example-handover@0.2.0" in text


def test_a_notice_waits_for_a_version() -> None:
    """Without another version there is nothing that a notice could lead from and to."""
    with pytest.raises(PolicyError, match="raises the version of the methodology first"):
        missing_notices(situation(RULE), DAY)


# Versions --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edits", "step", "version"),
    [
        ((WORDING,), None, "0.1.1"),
        ((WORDING,), Step.MINOR, "0.2.0"),
        ((WORDING,), Step.MAJOR, "1.0.0"),
        ((RULE,), None, "0.2.0"),
        ((NEW_TEST,), None, "0.2.0"),
        ((NEW_FIELD,), None, "0.1.1"),
        ((raised("0.3.0", "Log."), swap(TEXT, "version 0.3.0 (2026)", "version 0.1.0 (2026)")), None, "0.3.0"),
    ],
)
def test_version_is_raised_as_far_as_needed(edits: tuple[Edit, ...], step: Step | None, version: str) -> None:
    """Title, citation and log agree on it; a version that the head raised already is completed."""
    text = read_text(draft_log(*edits, step=step)[TEXT])
    assert (text.version, text.cited_version, text.logged_version) == (version, version, version)
    assert text.date == TODAY


def test_version_stands_everywhere() -> None:
    """Schemas carry it in their address, new level rules name it, the old text is kept; nothing else is touched."""
    drafts = draft_log(WORDING, base=(drop(ARCHIVE),))
    former = {path: data.decode() for path, data in starter_files().items() if path in drafts}
    assert drafts[ARCHIVE] == former[TEXT]
    assert {path for path in drafts if not path.startswith("schemas/")} == {
        TEXT,
        ARCHIVE,
        "methodology/level-rules/0.1.1.yaml",
    }
    for path in [path for path in drafts if path.startswith("schemas/")]:
        assert drafts[path] == former[path].replace("/schemas/0.1.0/", "/schemas/0.1.1/")
    levels = starter_files()[LEVELS].decode()
    assert drafts["methodology/level-rules/0.1.1.yaml"] == levels.replace(": 0.1.0", ": 0.1.1")
    assert valid("lvl", drafts["methodology/level-rules/0.1.1.yaml"], "level-rules")


def test_the_row_goes_where_the_newest_stands() -> None:
    """A log that begins with its newest row gets the next one on top."""
    second = (
        raised("0.1.1", "Second."),
        swap(TEXT, "| 0.1.0 | 2026-10-29 | Stand-in text for a new registry. |\n", ""),
        append(TEXT, "| 0.1.0 | 2026-10-29 | Stand-in text for a new registry. |\n"),
    )
    rows = read_text(draft_log(WORDING, base=second)[TEXT]).change_log
    assert [row.version for row in rows] == ["0.1.2", "0.1.1", "0.1.0"]


def test_nothing_to_raise() -> None:
    """A review, or records alone, take no version."""
    assert draft_log(append(TEXT, f"| 0.1.0 | {TODAY} | No change. |\n")) == {}
    assert draft_log(NEW_STANDARD) == {}


@pytest.mark.parametrize(
    ("edits", "step", "words"),
    [
        ((RULE,), Step.PATCH, "`patch` is too short a step; expected at least `minor`"),
        ((swap(TEXT, "Version 0.1.0 ·", "Version ·"),), None, "no title line"),
        ((put(TEXT, ""),), None, "no title line"),
        ((WORDING, swap(TEXT, "| Version | Date | Change |", "| A | B | C |")), None, "no change log"),
    ],
)
def test_what_cannot_be_raised(edits: tuple[Edit, ...], step: Step | None, words: str) -> None:
    """A text without a version, or a step shorter than the change asks for, is refused with the reason."""
    with pytest.raises(PolicyError, match=words.replace("`", "`")):
        draft_log(*edits, step=step)


# Redirects -------------------------------------------------------------------------------------------------------------

NEW_CARD = "registry/benchmarks/bm-example-shift/card.yaml"
RENAMED = copy(
    CARD, NEW_CARD, ("id: bm-example-handover", "id: bm-example-shift"), ("version: 0.3.0", "version: 0.4.0")
)
NAMES = ("bm-example-handover", "bm-example-shift")


def test_redirect_of_a_renamed_benchmark() -> None:
    """The pair is entered, and the old card retired under a higher version; comments and order stay."""
    drafts = redirect(situation(RENAMED), DAY, NAMES)
    assert drafts["registry/redirects.yaml"] == (
        "# yaml-language-server: $schema=../schemas/redirects.schema.json\n"
        f"redirects:\n- old: bm-example-handover\n  new: bm-example-shift\n  date: {TODAY}\n"
    )
    former = starter_files()[CARD].decode()
    expected = former.replace("status: active", "status: retired").replace("version: 0.3.0", "version: 0.4.0", 1)
    assert drafts[CARD] == expected.replace("last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}")
    assert valid(CARD, drafts[CARD], "benchmark-card")


def test_redirects_grow_at_their_end() -> None:
    """Entries that were there stay as they were, in their own style."""
    former = "# A list.\nredirects:\n  - {old: bm-a, new: bm-b, date: 2026-11-01}  # first\n"
    drafts = redirect(situation(RENAMED, put("registry/redirects.yaml", former)), DAY, NAMES)
    assert drafts["registry/redirects.yaml"].startswith(former)
    assert valid("redirects", drafts["registry/redirects.yaml"], "redirects")


@pytest.mark.parametrize("edits", [(RENAMED, drop(CARD)), (RENAMED, swap(CARD, "status: active", "status: retired"))])
def test_the_rename_is_found(edits: tuple[Edit, ...]) -> None:
    """One card that goes or is retired, and one that comes, need no names; a card that was taken away comes back."""
    drafts = redirect(situation(*edits), DAY, None)
    assert "old: bm-example-handover" in drafts["registry/redirects.yaml"]
    assert (CARD in drafts) is ("retired" not in edited(*edits).files.get(CARD, b"").decode())


@pytest.mark.parametrize(
    ("edits", "names", "words"),
    [
        ((), None, "0 benchmark cards go and 0 come"),
        ((), NAMES, "add the card under its new name first"),
        ((RENAMED,), ("bm-example-none", "bm-example-shift"), "is not there, and was not"),
        (
            (
                RENAMED,
                put(
                    "registry/redirects.yaml",
                    "redirects:\n  - {old: bm-example-handover, new: bm-x, date: 2026-11-01}\n",
                ),
            ),
            NAMES,
            "redirected already",
        ),
        ((RENAMED, put("registry/redirects.yaml", "redirects: [\n")), NAMES, "cannot be edited"),
        ((RENAMED, put("registry/redirects.yaml", "- a\n")), NAMES, "cannot be edited"),
    ],
)
def test_what_cannot_be_redirected(edits: tuple[Edit, ...], names: tuple[str, str] | None, words: str) -> None:
    """What cannot be told or edited is refused with the reason."""
    with pytest.raises(PolicyError, match=words):
        redirect(situation(*edits), DAY, names)


# Life cycle ------------------------------------------------------------------------------------------------------------

HARNESS_SIDECAR = "registry/lifecycle/hx/hx-example-loop@0.2.0.yaml"


@pytest.mark.parametrize(
    ("name", "marks", "path", "lines"),
    [
        ("gr-example-dose@0.2.0", Marks(listing="listed"), SIDECAR, ["listing: listed"]),
        (
            "hx-example-loop@0.2.0",
            Marks(status="active", calibration="bm-example-handover@0.2.0"),
            HARNESS_SIDECAR,
            [
                "status: active",
                f"adapter_check: {{outcome: full-marks, date: {TODAY}, calibration: bm-example-handover@0.2.0}}",
            ],
        ),
        (
            "hx-example-loop@0.2.0",
            Marks(ground="maintainer-request"),
            HARNESS_SIDECAR,
            ["status: deprecated", f"deprecation: {{ground: maintainer-request, date: {TODAY}}}"],
        ),
        (
            "gr-example-unit@0.1.0",
            Marks(check_date="2026-11-27", alternative="example-3"),
            "registry/lifecycle/gr/gr-example-unit@0.1.0.yaml",
            ["check_date: 2026-11-27", "conformant_alternative: {record_ref: example-3, date: 2026-11-27}"],
        ),
        ("bm-example-handover@0.2.0", Marks(), "registry/lifecycle/bm/bm-example-handover@0.2.0.yaml", []),
    ],
)
def test_lifecycle_of_a_version(name: str, marks: Marks, path: str, lines: list[str]) -> None:
    """The marks are made, the day of the review is today's, and every other line is as it was."""
    ((drafted, text),) = lifecycle(situation(), DAY, name, marks).items()
    assert drafted == path
    assert valid(path, text, "lifecycle")
    former = starter_files()[path].decode().split("\n")
    new = [line for line in text.split("\n") if line not in former]
    assert sorted(new) == sorted(
        [*lines, f"last_reviewed: {TODAY}"] if f"last_reviewed: {TODAY}" not in former else lines
    )
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        line for line in former if line.startswith("#")
    ]


def test_lifecycle_of_new_versions() -> None:
    """Every new version without a record gets one that says how it begins."""
    drafts = lifecycle(situation(NEW_HARNESS, NEW_STANDARD), DAY, None, Marks())
    ((path, text),) = drafts.items()
    assert path == "registry/lifecycle/hx/hx-example-loop@0.3.0.yaml"
    assert valid(path, text, "lifecycle")
    assert "status: registered\n" in text
    assert lifecycle(situation(NEW_HARNESS, putting(drafts)), DAY, None, Marks()) == {}


@pytest.mark.parametrize(
    ("edits", "name", "marks", "words"),
    [
        ((), "std-example-guideline", Marks(), "has no lifecycle record"),
        ((), "hx-example-loop", Marks(), "has no lifecycle record"),
        ((), "hx-example-loop@0.2.0", Marks(listing="listed"), "has no `listing`"),
        ((put(HARNESS_SIDECAR, "{"),), "hx-example-loop@0.2.0", Marks(), "cannot be edited"),
    ],
)
def test_what_has_no_lifecycle(edits: tuple[Edit, ...], name: str, marks: Marks, words: str) -> None:
    """A mark that is not for a kind, or a record that cannot be read, is refused with the reason."""
    with pytest.raises(PolicyError, match=words):
        lifecycle(situation(*edits), DAY, name, marks)


# Disputes --------------------------------------------------------------------------------------------------------------


def said(*comments: tuple[str, str]) -> tuple[Comment, ...]:
    """Comments one minute after the other."""
    return tuple(
        Comment(id=900 + index, user=person(by), body=body, created_at=at(60 + index), edited=False)
        for index, (by, body) in enumerate(comments)
    )


def inputs(*comments: tuple[str, str]) -> Inputs:
    """A pull request with these comments, the roster of the demonstration and no closed facts."""
    return Inputs(
        pull=pull(comments=said(*comments)),
        pull_sha256="0" * 64,
        roster=cast_roster(),
        roster_digest=None,
        ledger=Ledger(),
        ledger_digest=None,
    )


DISPUTED = ("reviewer", "/dispute The source is outdated.")
VOTES = (
    ("maintainer", "/vote uphold The source was confirmed."),
    ("second maintainer", "/vote overturn A newer edition\u202e is `there`."),
    ("third maintainer", '/vote uphold I agree: "fine".'),
)


def test_outcome_of_a_dispute() -> None:
    """Counts, outcome and reasons follow from the votes; no voter is named."""
    ((path, text),) = dispute_outcome(situation(NEW_STANDARD), inputs(DISPUTED, *VOTES)).items()
    assert path == "disputes/pull-7.yaml"
    assert valid(path, text, "dispute-outcome")
    assert "votes: {uphold: 2, overturn: 1}\noutcome: upheld\n" in text
    assert "object: std-example-new\n" in text
    assert "example-person" not in text
    assert "\u202e" not in text
    assert "In favour of the change: The source was confirmed." in text


@pytest.mark.parametrize(
    ("comments", "words"),
    [
        ((), "nobody disputes"),
        ((DISPUTED,), "0 of 3 votes"),
        ((DISPUTED, *VOTES[:2]), "2 of 3 votes"),
        ((DISPUTED, VOTES[0], VOTES[0], VOTES[0]), "1 of 3 votes"),
    ],
)
def test_a_dispute_that_is_not_settled(comments: tuple[tuple[str, str], ...], words: str) -> None:
    """There is no outcome before the third vote."""
    with pytest.raises(PolicyError, match=words):
        dispute_outcome(situation(NEW_STANDARD), inputs(*comments))


# Showing, and edits that keep everything ---------------------------------------------------------------------------------


def test_new_files_are_shown_whole_and_edits_as_a_patch() -> None:
    """A new file is ready to be pasted, a change ready to be applied."""
    found = situation(WORDING)
    text = shown({HARNESS: "a: b\n", "notices/new.yaml": "c: d\n"}, found.head)
    assert "# notices/new.yaml\nc: d\n" in text
    assert f"--- a/{HARNESS}\n+++ b/{HARNESS}\n" in text
    assert shown({}, found.head) == "Nothing is missing.\n"
    assert "\\ No newline at end of file" in shown({HARNESS: "a: b"}, found.head)


def test_every_file_of_the_starter_keeps_its_bytes() -> None:
    """An edit that changes nothing changes nothing: comments, quotes, order and indentation stay."""
    files = [
        (path, data.decode())
        for path, data in starter_files().items()
        if path.endswith(".yaml") and path.startswith("reg")
    ]
    assert len(files) > 40
    for path, text in files:
        assert edited_yaml(text, lambda _: None) == text, path


@fuzz(5_000)
@given(st.text(alphabet="ab:{}[]#-\n \"'|>&*!%@`,0.1", max_size=30))
def test_any_file_is_edited_or_refused(text: str) -> None:
    """Whatever stands in a file, it is edited or refused with a plain error."""
    try:
        edited_yaml(text, lambda fields: fields.update({"new": "value"}))
    except (ValueError, TypeError, AttributeError):
        return
    except Exception as error:
        raise AssertionError(f"{text!r}: {error!r}") from error
