"""Plain decisions and findings for tests of the reports; every value is synthetic."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from medgauge_registrar.model.change import Change, Kind, Status, Transition
from medgauge_registrar.model.decision import (
    Decision,
    Digests,
    Dispute,
    Evidence,
    EvidenceState,
    NextStep,
    Row,
    RowState,
    Seat,
    SeatState,
    Separation,
    SetAside,
    SetAsideReview,
    State,
)
from medgauge_registrar.model.finding import Finding, Severity

PULL_URL = "https://github.com/example-organisation/registry/pull/42"
REFERENCE = "registry/references/gr-example/0.1.0.yaml"


def finding(**fields: Any) -> Finding:
    """An unresolved reference, with the given fields changed."""
    made = Finding(
        rule="ID-06",
        severity=Severity.ERROR,
        message="`standard` names `std-beta`, which is not in the registry",
        help="add `registry/standards/std-beta.yaml` in this pull request, or correct the name",
        source="section 18",
        path=REFERENCE,
        line=12,
        column=11,
        pointer="/standard",
    )
    return replace(made, **fields)


def change(**fields: Any) -> Change:
    """A new dataset card, with the given fields changed."""
    made = Change(
        path="registry/datasets/ds-example.yaml",
        status=Status.ADDED,
        kind=Kind.DS,
        object="ds-example",
        transition=Transition.CREATE,
        rows=("M1",),
        before=None,
        after=None,
    )
    return replace(made, **fields)


def seats(**states: SeatState) -> tuple[Seat, ...]:
    """One seat a keyword; `results_reviewer` is the role `results-reviewer`."""
    return tuple(Seat(role=role.replace("_", "-"), state=state) for role, state in states.items())


def evidence(state: EvidenceState, *ids: str, message: str = "", by_author: bool = False) -> tuple[Evidence, ...]:
    """Evidence of these ids in one state."""
    return tuple(Evidence(id=one, state=state, message=message, by_author=by_author) for one in ids)


def row(**fields: Any) -> Row:
    """The satisfied row of a dataset card, with the given fields changed."""
    made = Row(
        id="M1",
        state=RowState.SATISFIED,
        because="A record of the reference work needs valid content and one maintainer.",
        source="22",
        seats=seats(maintainer=SeatState.FILLED),
        evidence=evidence(EvidenceState.SATISFIED, "ENT-02", "ID-06"),
        separation=(Separation(rule="DEC-15", state=EvidenceState.SATISFIED),),
    )
    return replace(made, **fields)


def decision(**fields: Any) -> Decision:
    """An approved dataset card, with the given fields changed."""
    made = Decision(
        state=State.APPROVED,
        pull=42,
        base_sha="b" * 40,
        head_sha="a" * 40,
        merge_base="b" * 40,
        merge_tree="c" * 40,
        digests=Digests(policy="d" * 64, roster="e" * 64, ledger=None, inputs="f" * 64),
        decided_at=datetime(2026, 11, 29, 10, 30, tzinfo=UTC),
        registrar_version="0.1.0",
        changes=(change(),),
        rows=(row(),),
        findings=(),
        set_aside=(),
        dispute=None,
        next_steps=(),
    )
    return replace(made, **fields)


def approved() -> Decision:
    """Nothing is missing."""
    return decision()


def pending() -> Decision:
    """A result record waits for two people, one of its pieces of evidence cannot be known yet."""
    result = "registry/results/bm-example/0.1.0/res-bm-example-0-1-0-alpha.json"
    return decision(
        state=State.PENDING,
        changes=(
            change(path="registry/models/vendor-alpha.yaml", kind=Kind.MODEL, object="vendor-alpha"),
            change(path=result, kind=Kind.RES, object="res-bm-example-0-1-0-alpha", rows=("M4",)),
        ),
        rows=(
            row(),
            row(
                id="M4",
                state=RowState.PENDING,
                because="A result comes from a site run, passes the review checklist, and is recomputed.",
                source="22, 25.4",
                seats=seats(results_reviewer=SeatState.OPEN, maintainer=SeatState.OPEN),
                evidence=(
                    *evidence(EvidenceState.SATISFIED, "RESULT-01", "RESULT-03", "CHK-01", "CHK-02", "CHK-03"),
                    *evidence(
                        EvidenceState.MISSING,
                        "CHK-10",
                        message="the results reviewer has not applied the checklist yet",
                    ),
                ),
                separation=(
                    Separation(rule="DEC-15", state=EvidenceState.SATISFIED),
                    Separation(rule="ROLE-04", state=EvidenceState.UNDECIDED),
                ),
            ),
        ),
        set_aside=(
            SetAsideReview(review=2_100_000_001, reason=SetAside.NOT_ON_HEAD),
            SetAsideReview(review=2_100_000_002, reason=SetAside.AUTHOR),
            SetAsideReview(review=2_100_000_003, reason=SetAside.NOT_ON_HEAD),
        ),
        next_steps=(
            NextStep(who="results-reviewer", do="apply the review checklist and approve this head"),
            NextStep(who="maintainer", do=f"approve this head, or renew an approval with `/confirm {'a' * 40}`"),
        ),
    )


def blocked() -> Decision:
    """Errors in three files, a request for comment that the author owes, and a finding on closed material."""
    return decision(
        state=State.BLOCKED,
        changes=(
            change(path="registry/capabilities/A.7.yaml", kind=Kind.CAP, object="A.7", rows=("M6",)),
            change(path=REFERENCE, kind=Kind.GR, object="gr-example@0.1.0"),
        ),
        rows=(
            row(state=RowState.PENDING, seats=seats(maintainer=SeatState.OPEN)),
            row(
                id="M6",
                state=RowState.BLOCKED,
                because="A capability is added only after a request for comment.",
                seats=(Seat(role="maintainer", state=SeatState.OPEN), Seat(role="maintainer", state=SeatState.FILLED)),
                evidence=(
                    *evidence(
                        EvidenceState.MISSING, "RFC-02", message="no issue labelled `rfc` is linked", by_author=True
                    ),
                    *evidence(EvidenceState.FAILED, "SCHEMA-CAP-03", message="`anchor` is empty"),
                ),
            ),
        ),
        findings=(
            finding(
                rule="BND-02",
                message="a file in this pull request has the shape of closed material",
                help="remove it from every commit of the branch and report it in private",
                source="section 12.1",
                path=None,
                line=None,
                column=None,
                pointer=None,
            ),
            finding(
                rule="ENT-02",
                message="`domain` is `G`; expected one of `A`, `B`, `C`, `D`, `E`, `X`",
                help="correct the domain",
                path="registry/capabilities/A.7.yaml",
                line=4,
                column=9,
                pointer="/domain",
            ),
            finding(),
            finding(
                rule="VER-05",
                message="`introduced` is `2026-12-31`, later than `last_reviewed`, `2026-11-29`",
                help="give the date on which the entry came in",
                source="section 16",
                line=5,
                column=13,
            ),
            finding(
                rule="BLD-03",
                severity=Severity.WARNING,
                message="the link `other.md` leads nowhere",
                help="correct the link",
                path="articles/example.md",
                line=3,
                column=None,
                pointer=None,
            ),
        ),
        next_steps=(
            NextStep(who="author", do="mend the 4 errors listed below"),
            NextStep(who="author", do="link a request for comment with its three parts"),
            NextStep(who="maintainer", do="approve this head"),
        ),
    )


def error() -> Decision:
    """GitHub did not answer."""
    return decision(
        state=State.ERROR,
        base_sha=None,
        merge_base=None,
        merge_tree=None,
        changes=(),
        rows=(),
        next_steps=(NextStep(who="maintainer", do="run again: GitHub answered 502 on the second page of reviews"),),
    )


def empty() -> Decision:
    """The merge result equals the base."""
    return decision(changes=(), rows=())


def conflict() -> Decision:
    """There is no merge result."""
    return decision(
        state=State.BLOCKED,
        merge_tree=None,
        rows=(row(state=RowState.PENDING, seats=seats(maintainer=SeatState.OPEN)),),
        next_steps=(NextStep(who="author", do="merge the base branch and settle the conflict"),),
    )


def draft() -> Decision:
    """All is there, yet the author has not asked for a decision."""
    return decision(
        state=State.PENDING, next_steps=(NextStep(who="author", do="mark the pull request as ready for review"),)
    )


def objection() -> Decision:
    """Somebody whose role is needed asked for changes."""
    return decision(
        state=State.BLOCKED,
        rows=(row(state=RowState.BLOCKED),),
        next_steps=(NextStep(who="author", do="answer the requested changes, and ask for another look"),),
    )


def disputed() -> Decision:
    """A dispute is open."""
    return decision(
        state=State.PENDING,
        dispute=Dispute(state="open", votes=1, outcome=None),
        next_steps=(NextStep(who="maintainer", do="collect two more independent votes and publish the outcome"),),
    )


def settled() -> Decision:
    """A dispute came to an end."""
    return decision(dispute=Dispute(state="settled", votes=3, outcome="upheld"))


def crowded(findings: int = 500, paths: int = 300) -> Decision:
    """Far more findings and paths than fit; the only error sits in the last file."""
    many = [
        finding(
            severity=Severity.WARNING,
            path=f"registry/results/bm-example/0.1.0/res-{number // 3:04}.json",
            line=number,
            message=f"`runs[{number}].status` is `unknown`; " + "expected one of `passed`, `failed`, `error`, " * 3,
        )
        for number in range(1, findings)
    ]
    return decision(
        state=State.BLOCKED,
        changes=tuple(
            change(path=f"registry/results/bm-example/0.1.0/res-{number:04}.json", object=f"res-{number:04}")
            for number in range(paths)
        ),
        rows=(row(state=RowState.PENDING, seats=seats(maintainer=SeatState.OPEN)),),
        findings=(*many, finding(path="registry/zz-last.yaml", line=7)),
        next_steps=(NextStep(who="author", do="mend the error listed below"),),
    )


HOSTILE = (
    "a`b``c\n# x\r\n| y | <img src=x onerror=alert(1)> <!-- [l](javascript:x) ![i](http://evil.example) "
    "@someone @org/team #1 GH-2 fixes #3 owner/name#4 deadbeefdeadbeef www.evil.example https://evil.example "
    ":tada: $x$ \u202egnp.exe \u200bz\udc80\x1b[31m ::error::x ##[error]x %0A *b* _i_ ~~s~~ &lt; \\"
)


def hostile(text: str = HOSTILE) -> Decision:
    """The same foreign text in every field that can hold any."""
    return decision(
        state=State.BLOCKED,
        registrar_version=text,
        changes=(change(path=text, previous_path=text, object=text, rows=("M1", text), status=Status.RENAMED),),
        rows=(
            row(
                id=text,
                state=RowState.BLOCKED,
                because=text,
                source=text,
                seats=(Seat(role=text, state=SeatState.OPEN),),
                evidence=(
                    *evidence(EvidenceState.FAILED, text, message=text),
                    *evidence(EvidenceState.MISSING, text, message=text, by_author=True),
                    *evidence(EvidenceState.SATISFIED, text),
                ),
                separation=(Separation(rule=text, state=EvidenceState.UNDECIDED),),
            ),
        ),
        findings=(finding(rule=text, message=text, help=text, source=text, path=text, pointer=text),),
        dispute=Dispute(state=text, votes=1, outcome=text),
        next_steps=(NextStep(who=text, do=text),),
    )
