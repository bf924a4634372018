"""An attestation is one line of an approval that holds, and speaks for one package of one version."""

import pytest

from medgauge_registrar.model.pull import ReviewState
from medgauge_registrar.requirements.attestations import Attestation, Claim, attestations
from medgauge_registrar.requirements.opinions import collect_opinions
from requirements.build import HEAD, OLD, pull, review

SHA = "0f" * 32
VERSION = "bm-example-family@1.0.0"
LINE = f"/attest separation {VERSION} {SHA}"
SEPARATION = Attestation(claim=Claim.SEPARATION, version=VERSION, package_sha256=SHA)
PACKAGE_ONLY = Attestation(claim=Claim.PACKAGE_ONLY, version=VERSION, package_sha256=SHA)


def attested(body: str, **options: object) -> frozenset[Attestation]:
    given = pull(review(1, 5, body=body, **options))  # type: ignore[arg-type]  # review's options
    return attestations(collect_opinions(given, HEAD).approvals).get(5, frozenset())


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (LINE, {SEPARATION}),
        (f"Looks right.\r\n\r\n{LINE}\r\n", {SEPARATION}),
        (LINE.replace("separation", "package-only"), {PACKAGE_ONLY}),
        (f"{LINE}\n{LINE.replace('separation', 'package-only')}", {SEPARATION, PACKAGE_ONLY}),
        (f"I {LINE}", set()),
        (f"> {LINE}", set()),
        (f"```\n{LINE}\n```", set()),
        (f"<!--\n{LINE}\n-->", set()),
        (f"{LINE} really", set()),
        (LINE.replace("separation", "Separation"), set()),
        (LINE.replace("separation", "independence"), set()),
        (LINE.replace("/attest", "/confirm"), set()),
        (LINE.replace("@1.0.0", "@1.0"), set()),
        (LINE.replace("@1.0.0", "@01.0.0"), set()),
        (LINE.replace("@1.0.0", ""), set()),
        (LINE.replace("bm-", "gr-"), set()),
        (LINE[:-1], set()),
        (LINE.replace("0f", "0F"), set()),
        ("", set()),
    ],
)
def test_lines(body: str, given: set[Attestation]) -> None:
    """Only the exact form attests anything."""
    assert attested(body) == given


def test_only_approvals_that_hold_attest() -> None:
    """Not a stale one, not an objection, not an author's, not a dismissed one."""
    assert attested(LINE) == {SEPARATION}
    assert attested(LINE, commit=OLD) == frozenset()
    assert attested(LINE, minute=-1) == frozenset()
    for state in (ReviewState.CHANGES_REQUESTED, ReviewState.DISMISSED, ReviewState.COMMENTED):
        assert attested(LINE, state=state) == frozenset()
    by_author = pull(review(1, 1, body=LINE))
    assert attestations(collect_opinions(by_author, HEAD).approvals) == {}


def test_each_account_for_itself() -> None:
    """Who attests nothing is absent."""
    given = pull(
        review(1, 5, body=LINE),
        review(2, 6, body="fine"),
        review(3, 7, body=LINE.replace("separation", "package-only")),
    )
    assert attestations(collect_opinions(given, HEAD).approvals) == {
        5: frozenset({SEPARATION}),
        7: frozenset({PACKAGE_ONLY}),
    }
