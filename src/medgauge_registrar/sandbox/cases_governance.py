"""Pull requests about freezes, listings, life cycles, requests for comment and disputes: passing ones beside failing ones."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.sandbox.case import Case, Linked, Review, Said
from medgauge_registrar.sandbox.cast import LEDGER, account
from medgauge_registrar.sandbox.edits import copy, put, swap
from medgauge_registrar.sandbox.material import (
    APART,
    CAPABILITY,
    CAPABILITY_PARTS,
    CAPABILITY_REQUEST,
    DRAFT,
    FIRST_FROZEN,
    FREEZE,
    FROZEN,
    HARNESS_SIDECAR,
    LISTED,
    MAINTAINER,
    MEANING_REQUEST,
    NEW_CAPABILITY,
    NEW_STANDARD,
    PACKAGE_ONLY,
    SIDECAR,
    TODAY,
    TWO,
    request,
)

_FROZEN_VERSION, _NEW_VERSION = "bm-example-handover@0.2.0", "bm-example-handover@0.3.0"
_ENGINEER, _REVIEWER, _ACCEPTOR = Review(by="reference engineer"), Review(by="reviewer"), Review(by="acceptor")
_SIGNED = (Review(by="acceptor", body=PACKAGE_ONLY), Review(by="maintainer", body=APART))
_OTHER_PACKAGE = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
_OLD_CAPABILITY = "registry/capabilities/A.5.yaml"


def _ledger(version: str = _NEW_VERSION, **facts: Any) -> Mapping[str, Any]:
    """The ledger with some facts of one version changed."""
    versions = LEDGER["benchmark_versions"]
    return {**LEDGER, "benchmark_versions": {**versions, version: {**versions[version], **facts}}}


def _ids(*names: str) -> list[int]:
    return [account(name)["id"] for name in names]


LISTING: tuple[Case, ...] = (
    Case(
        title="List a reference; a maintainer who reviews attests the separation",
        rows=("M2",),
        commits=(LISTED,),
        reviews=(
            _ENGINEER,
            Review(
                by="maintainer",
                body="/attest separation bm-example-handover@0.1.0 "
                "2f46ce0b9a7687bd4a2dbe01ef2d898456dd68b8be367191431d65a413fc15ed\n"
                "/attest separation bm-example-handover@0.2.0 "
                "0ff4484dc346164693bfec6d05e1f93a042910af87baa21cd10d4739acc7e9e2",
            ),
        ),
        expected=State.APPROVED,
    ),
    Case(
        title="List a reference that no frozen version uses",
        rows=("M2",),
        commits=(
            (
                swap(SIDECAR, "listing: unlisted", "listing: listed"),
                swap(SIDECAR, "last_reviewed: 2026-11-18", f"last_reviewed: {TODAY}"),
            ),
        ),
        reviews=(_ENGINEER, _REVIEWER),
        ledger=LEDGER,
        expected=State.BLOCKED,
        unsatisfied=("DEC-04",),
    ),
    Case(
        title="The author of a reference checks its clause",
        rows=("M2",),
        commits=(LISTED,),
        reviews=(Review(by="author of references"), _REVIEWER),
        ledger=LEDGER,
        expected=State.PENDING,
        set_aside=(SetAside.NOT_COUNTED,),
        unsatisfied=("ROLE-11",),
    ),
    Case(
        title="List a reference whose author builds a task that tests it",
        rows=("M2",),
        commits=(LISTED,),
        reviews=(_ENGINEER, _REVIEWER),
        ledger={**LEDGER, "references": {"gr-example-dose": {"tested_by_builders": _ids("author of references")}}},
        expected=State.BLOCKED,
        unsatisfied=("ROLE-02",),
    ),
    Case(
        title="List a reference while nobody knows who builds the tasks",
        rows=("M2",),
        commits=(LISTED,),
        reviews=(_ENGINEER, _REVIEWER),
        expected=State.PENDING,
        unsatisfied=("ROLE-02",),
    ),
)

FREEZING: tuple[Case, ...] = (
    Case(
        title="Freeze a version that the ledger knows; nobody has to attest",
        rows=("M3", "M16"),
        commits=(FREEZE,),
        reviews=(_ACCEPTOR, MAINTAINER),
        ledger=LEDGER,
        expected=State.APPROVED,
    ),
    Case(
        title="Freeze with approvals that attest nothing",
        rows=("M3",),
        commits=(FREEZE,),
        reviews=(_ACCEPTOR, MAINTAINER),
        expected=State.PENDING,
        unsatisfied=("ROLE-01", "ROLE-06", "GATE-06", "GATE-09", "GATE-12"),
    ),
    Case(
        title="Freeze with an attestation for another package",
        rows=("M3",),
        commits=(FREEZE,),
        reviews=(
            Review(by="acceptor", body=f"/attest package-only {_NEW_VERSION} {_OTHER_PACKAGE}"),
            Review(by="maintainer", body=APART),
        ),
        expected=State.PENDING,
        unsatisfied=("ROLE-06", "GATE-12"),
    ),
    Case(
        title="The ledger shows one person on two sides of a freeze",
        rows=("M3",),
        commits=(FREEZE,),
        reviews=_SIGNED,
        ledger=_ledger(builders=_ids("builder", "first expert")),
        expected=State.BLOCKED,
        unsatisfied=("ROLE-01", "GATE-09"),
    ),
    Case(
        title="Whoever built the version accepts it",
        rows=("M3",),
        commits=(FREEZE,),
        reviews=(Review(by="second acceptor", body=PACKAGE_ONLY), Review(by="maintainer", body=APART)),
        ledger=_ledger(builders=_ids("builder", "second acceptor")),
        expected=State.PENDING,
        set_aside=(SetAside.NOT_COUNTED,),
        unsatisfied=("ROLE-06", "GATE-06"),
    ),
    Case(
        title="A measured party gave holdout tasks",
        rows=("M3",),
        commits=(FREEZE,),
        reviews=_SIGNED,
        ledger=_ledger(holdout_parties=["example vendor"]),
        expected=State.BLOCKED,
        unsatisfied=("ROLE-03",),
    ),
    Case(
        title="Freeze before the acceptance came after all gates",
        rows=("M3",),
        commits=((*FREEZE, swap(DRAFT, "date: 2026-11-28}", "date: 2026-11-17}")),),
        reviews=_SIGNED,
        ledger=LEDGER,
        expected=State.BLOCKED,
        unsatisfied=("GATE-13",),
    ),
)

LATE_FIELDS: tuple[Case, ...] = (
    Case(
        title="Add the expert baseline; the acceptor attests the separation of its experts",
        rows=("M18",),
        commits=(
            (
                swap(
                    FIRST_FROZEN,
                    "expert_baseline: null",
                    "expert_baseline:\n  median_minutes: 24.5\n  pass_rate: 0.866667\n  experts: 2\n"
                    "  measured_on: 2026-11-26\n  record_ref: example-baseline-1",
                ),
            ),
        ),
        reviews=(
            MAINTAINER,
            Review(
                by="acceptor",
                body="/attest separation bm-example-handover@0.1.0 "
                "2f46ce0b9a7687bd4a2dbe01ef2d898456dd68b8be367191431d65a413fc15ed",
            ),
        ),
        expected=State.APPROVED,
    ),
    Case(
        title="Add the expert baseline without the acceptor's word",
        rows=("M18",),
        commits=(
            (
                swap(
                    FIRST_FROZEN,
                    "expert_baseline: null",
                    "expert_baseline:\n  median_minutes: 24.5\n  pass_rate: 0.866667\n  experts: 2\n"
                    "  measured_on: 2026-11-26\n  record_ref: example-baseline-1",
                ),
            ),
        ),
        reviews=(MAINTAINER, _ACCEPTOR),
        expected=State.PENDING,
        unsatisfied=("ROLE-08", "ROLE-10"),
    ),
    Case(
        title="Write a baseline a second time",
        rows=("M18",),
        commits=((swap(FROZEN, "median_minutes: 22.5", "median_minutes: 21"),),),
        reviews=(MAINTAINER, _ACCEPTOR),
        expected=State.BLOCKED,
        errors=("IMM-03",),
    ),
)

LIFE_CYCLE: tuple[Case, ...] = (
    Case(
        title="Deprecate a harness version at its maintainer's request",
        rows=("M5a",),
        commits=(
            (
                swap(HARNESS_SIDECAR, "status: registered", "status: deprecated"),
                swap(HARNESS_SIDECAR, "last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}"),
                swap(
                    HARNESS_SIDECAR,
                    "deprecation: null",
                    f"deprecation: {{ground: maintainer-request, date: {TODAY}}}",
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="Deprecate a harness version for want of results, too early",
        rows=("M5a",),
        commits=(
            (
                swap(HARNESS_SIDECAR, "status: registered", "status: deprecated"),
                swap(HARNESS_SIDECAR, "last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}"),
                swap(
                    HARNESS_SIDECAR,
                    "deprecation: null",
                    f"deprecation: {{ground: no-result-in-two-versions, date: {TODAY}}}",
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("IMM-15",),
    ),
    Case(
        title="Activate a harness before its adapter check",
        rows=("M5a",),
        commits=(
            (
                swap(HARNESS_SIDECAR, "status: registered", "status: active"),
                swap(HARNESS_SIDECAR, "last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-02",),
    ),
)

_PARTS = dict(CAPABILITY_PARTS)
_MERGED = (
    swap(_OLD_CAPABILITY, "version: 0.1.0", "version: 0.2.0"),
    swap(_OLD_CAPABILITY, "last_reviewed: 2026-10-29", f"last_reviewed: {TODAY}"),
    swap(
        _OLD_CAPABILITY,
        "status: active",
        f"status: retired\nretirement:\n  ground: merged\n  reason: Part of A.4 from now on.\n  date: {TODAY}\n"
        "  merged_into: A.4",
    ),
)
_MERGE_REQUEST = request(5, "Capability: merge A.5 into A.4", ("Capabilities concerned", "A.5"), *CAPABILITY_PARTS[1:])

CAPABILITIES: tuple[Case, ...] = (
    Case(
        title="Merge a capability into another",
        rows=("M6",),
        commits=(_MERGED,),
        reviews=TWO,
        issues=(_MERGE_REQUEST,),
        expected=State.APPROVED,
    ),
    Case(
        title="Add a capability under a request that lies on the base branch as a file",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=TWO,
        body="Request for comment: rfcs/2-example-competence.md",
        expected=State.APPROVED,
    ),
    Case(
        title="Add a capability under a request with an empty part",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=TWO,
        issues=(request(3, "Capability: D.2", *{**_PARTS, "Outside anchor": "_No response_"}.items()),),
        expected=State.BLOCKED,
        unsatisfied=("RFC-02",),
    ),
    Case(
        title="Add a capability under a request that a bot opened",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=TWO,
        issues=(
            Linked(
                number=3,
                title=CAPABILITY_REQUEST.title,
                body=CAPABILITY_REQUEST.body,
                by="bot",
            ),
        ),
        expected=State.BLOCKED,
        unsatisfied=("RFC-01",),
    ),
    Case(
        title="Say in the description that a request was made",
        rows=("M6",),
        commits=((NEW_CAPABILITY,),),
        reviews=TWO,
        body="Request for comment: done, see #3.",
        expected=State.BLOCKED,
        unsatisfied=("RFC-01", "RFC-02"),
    ),
    Case(
        title="Change what a capability means, the request following later",
        rows=("M6a",),
        commits=(
            (
                swap(CAPABILITY, "version: 0.1.0", "version: 0.2.0"),
                swap(CAPABILITY, "input: The records of one stay", "input: The records of several stays"),
            ),
        ),
        reviews=TWO,
        issues=(Linked(number=4, title=MEANING_REQUEST.title, body=MEANING_REQUEST.body, days_before=-1),),
        expected=State.BLOCKED,
        unsatisfied=("RFC-01", "RFC-02"),
    ),
    Case(
        title="Change what a capability means, with one maintainer",
        rows=("M6a",),
        commits=(
            (
                swap(CAPABILITY, "version: 0.1.0", "version: 0.2.0"),
                swap(CAPABILITY, "layer: capability", "layer: role-bound"),
            ),
        ),
        reviews=(MAINTAINER,),
        issues=(MEANING_REQUEST,),
        expected=State.PENDING,
    ),
)

_DISPUTED = Said(by="reviewer", body="/dispute The publisher has withdrawn this standard.")
_VOTES = (
    Said(by="second maintainer", body="/vote uphold The withdrawal is of another edition."),
    Said(by="third maintainer", body="/vote overturn The cited edition is withdrawn as well."),
    Said(by="acceptor", body="/vote uphold The publisher still lists the edition that is cited."),
)


def _outcome(number: int, uphold: int, overturn: int, outcome: str) -> str:
    return (
        f"# Synthetic.\nid: example-dispute-{number}\nobject: registry/standards/std-example-new.yaml\n"
        f"pull_request: {number}\nvotes: {{uphold: {uphold}, overturn: {overturn}}}\noutcome: {outcome}\n"
        f"reasons: The edition that is cited is still published.\ndate: {TODAY}\n"
    )


def disputes(first: int) -> tuple[Case, ...]:
    """
    Cases of disputes, whose outcomes name the number of their own pull request.

    Args:
        first: Number of the first of them.
    """
    upheld, differing, overturned = first + 3, first + 4, first + 5
    return (
        Case(
            title="A dispute is open",
            rows=("M1",),
            commits=((NEW_STANDARD,),),
            reviews=(MAINTAINER,),
            comments=(_DISPUTED, *_VOTES[:2]),
            expected=State.PENDING,
        ),
        Case(
            title="A dispute is settled, and its outcome is not published",
            rows=("M1",),
            commits=((NEW_STANDARD,),),
            reviews=(MAINTAINER,),
            comments=(_DISPUTED, *_VOTES),
            expected=State.PENDING,
        ),
        Case(
            title="An approver votes, and a comment is edited",
            rows=("M1",),
            commits=((NEW_STANDARD,),),
            reviews=(MAINTAINER,),
            comments=(
                _DISPUTED,
                *_VOTES[:2],
                Said(by="maintainer", body="/vote uphold I have approved it."),
                Said(by="acceptor", body="/vote uphold The edition stands.", edited=True),
            ),
            expected=State.PENDING,
        ),
        Case(
            title="A dispute ends in favour of the change, and its outcome is published",
            rows=("M1", "M10"),
            commits=((NEW_STANDARD, put(f"disputes/example-dispute-{upheld}.yaml", _outcome(upheld, 2, 1, "upheld"))),),
            reviews=(MAINTAINER,),
            comments=(_DISPUTED, *_VOTES),
            expected=State.APPROVED,
        ),
        Case(
            title="An outcome that says something else than the votes",
            rows=("M1", "M10"),
            commits=(
                (NEW_STANDARD, put(f"disputes/example-dispute-{differing}.yaml", _outcome(differing, 3, 0, "upheld"))),
            ),
            reviews=(MAINTAINER,),
            comments=(_DISPUTED, *_VOTES),
            expected=State.BLOCKED,
            unsatisfied=("DISP-04",),
        ),
        Case(
            title="A dispute goes against the change",
            rows=("M1", "M10"),
            commits=(
                (
                    NEW_STANDARD,
                    put(f"disputes/example-dispute-{overturned}.yaml", _outcome(overturned, 0, 3, "overturned")),
                ),
            ),
            reviews=(MAINTAINER,),
            comments=(
                _DISPUTED,
                *(Said(by=said.by, body="/vote overturn The edition is withdrawn.") for said in _VOTES),
            ),
            expected=State.BLOCKED,
            errors=("DISP-01",),
        ),
        Case(
            title="Publish an outcome on which two have voted",
            rows=("M10", "M16"),
            commits=(
                (
                    copy(
                        "disputes/example-dispute-1.yaml",
                        "disputes/example-dispute-2.yaml",
                        ("example-dispute-1", "example-dispute-2"),
                        ("pull_request: 7", "pull_request: 8"),
                        ("date: 2026-11-08", "date: 2026-11-28"),
                    ),
                ),
            ),
            reviews=(MAINTAINER,),
            comments=_VOTES[:2],
            expected=State.PENDING,
            unsatisfied=("DISP-02", "DISP-03", "DISP-04"),
        ),
    )


GOVERNANCE: tuple[Case, ...] = LISTING + FREEZING + LATE_FIELDS + LIFE_CYCLE + CAPABILITIES
