"""Settings of a registry are tried on the pull requests of the demonstration."""

from pathlib import Path

import pytest

from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.demo import run_demo
from medgauge_registrar.sandbox.settings_trial import settings_on_trial

OWN = b"""\
status_context: registrar
# Where the roster is kept.
roster:
  source: secret
site_identities: [9001]
periods:
  request_for_comment_days: 14
content_exceptions:
  - rule: CLM-01
    path: articles/a.md
    line_sha256: abababababababababababababababababababababababababababababababab
    reason: It quotes.
    until: 2027-03-31
"""


def test_what_is_tried_comes_in_and_people_stay() -> None:
    tried = b"roster: {source: none}\nsite_identities: [1, 2]\nsubmissions_open: true\nprivate_channel: https://example.org/x\n"
    settings = load_policy(settings_on_trial(OWN, tried)).settings
    assert (settings.private_channel, settings.submissions_open) == ("https://example.org/x", True)
    assert (settings.roster.kind, settings.site_identities) == ("secret", {9001})
    assert len(settings.content_exceptions) == 1


def test_what_is_not_said_falls_back_to_its_default() -> None:
    own = OWN.replace(b"_days: 14", b"_days: 30")
    assert load_policy(own).settings.request_days == 30
    assert load_policy(settings_on_trial(own, b"status_context: registrar\n")).settings.request_days == 14


def test_lines_that_stay_the_same_do_not_move() -> None:
    """A pull request of the demonstration that edits the settings has to merge with what is tried."""
    tried = OWN.replace(b"_days: 14", b"_days: 30") + b"submissions_open: true\n"
    made = settings_on_trial(OWN, tried)
    assert set(OWN.splitlines()) - set(made.splitlines()) == {b"  request_for_comment_days: 14"}
    assert made.splitlines()[-1] == OWN.splitlines()[-1]


def test_settings_that_no_registry_could_use_are_refused() -> None:
    with pytest.raises(PolicyError, match="status_contexts"):
        settings_on_trial(OWN, b"status_contexts: gate\n")


@pytest.mark.parametrize(
    ("label", "said"),
    [("request-for-comment", "0 of 1 pull requests are decided otherwise"), ("other", "1 of 1 pull requests")],
)
def test_a_trial_shows_what_would_be_decided_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], label: str, said: str
) -> None:
    settings = tmp_path / "registrar.yml"
    settings.write_text(f"labels:\n  request_for_comment: {label}\n")
    (number,) = [number for number, case in enumerate(CASES, start=1) if case.title == "Add a capability"]
    assert run_demo(only=number, keep=None, serve=False, settings=settings) == 0
    shown = capsys.readouterr().out
    assert said in shown
    assert ("Add a capability" in shown) == (label == "other")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"absent\.yml` cannot be read"):
        run_demo(only=1, keep=None, serve=False, settings=tmp_path / "absent.yml")
