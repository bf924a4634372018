"""The enforcement surface: settings that still work, and no roster in the open."""

import pytest

from medgauge_registrar.sandbox.edits import mode, put
from support.snapshots import decided, errors

ROSTER = "people:\n  - {id: 9101, login: example-person-01, roles: [maintainer]}\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("team.yaml", ROSTER, marks=pytest.mark.rule("ROLE-15", "fails"), id="a roster"),
        pytest.param(
            "team.yml", ROSTER + "\t# a tab\n", marks=pytest.mark.rule("ROLE-15", "fails"), id="one with a tab"
        ),
        pytest.param("a/team.json", '{"people": [{"login": "x", "role": "acceptor"}]}', id="JSON"),
        pytest.param("a/team.json", '{"people": [{"login": "x", "role": "acceptor"},]}', id="broken JSON"),
        pytest.param("docs/CODEOWNERS", "* @example-person-01\n", id="a person who owns"),
        pytest.param("CODEOWNERS", "* example@example.invalid\n", id="an address that owns"),
    ],
)
def test_people_with_roles_are_refused(path: str, text: str) -> None:
    """A file that ties accounts to roles does not enter, however it is written."""
    assert "ROLE-15" in errors(decided(put(path, text)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("CODEOWNERS", "* @example-organisation/team\n", marks=pytest.mark.rule("ROLE-15", "passes")),
        pytest.param("notes.yaml", "roles: [maintainer, reviewer]\n"),
        pytest.param("notes.yml", "anchors: &a [maintainer]\n"),
    ],
)
def test_teams_and_role_names_pass(path: str, text: str) -> None:
    """Teams may own files, and roles may be spoken of."""
    assert "ROLE-15" not in errors(decided(put(path, text)))


@pytest.mark.rule("DEC-31", "fails")
def test_settings_must_stay_usable() -> None:
    """Settings that nothing could be decided by do not enter."""
    assert "DEC-31" in errors(decided(put(".github/registrar.yml", "rows: {}\n")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "status_context: gate\nrows: {}\nsubmissions_open: perhaps\n",
            [(2, "`/rows`: `rows` is not known here"), (3, "`/submissions_open`: found `perhaps`, expected `true` or `false`")],
        ),
        ("status_context: no\n", [(1, "`no` is `false` to YAML 1.1 readers")]),
        ("", [(1, "the file is empty; expected a record")]),
        ("layout:\n  article: ['registry/standards/{rest}']\n", [(None, "layout: `registry/standards/{std}.yaml` (std) and")]),
        ("# " + "x" * 70_000 + "\n", [(None, "larger than 65536 bytes")]),
    ],
    ids=["schema", "syntax", "empty", "layout", "too large"],
)  # fmt: skip
def test_each_fault_of_the_settings_has_its_place(text: str, told: list[tuple[int | None, str]]) -> None:
    """Every fault is a finding of its own, in its line, and the message does not repeat the path."""
    decision = decided(put(".github/registrar.yml", text))
    found = [finding for finding in decision.findings if finding.rule == "DEC-31"]
    assert [(finding.path, finding.line) for finding in found] == [(".github/registrar.yml", line) for line, _ in told]
    for finding, (_, words) in zip(found, told, strict=True):
        assert finding.message.startswith(words)
        assert finding.help[0].isupper()
        assert finding.help.endswith(".")


def test_settings_that_are_a_link_are_refused() -> None:
    """What is no regular file can hold no settings."""
    found = decided(put(".github/registrar.yml", "x"), mode(".github/registrar.yml", "120000")).findings
    assert [item.message for item in found if item.rule == "DEC-31"] == [
        "expected a regular file, found mode 120000; put the settings themselves there"
    ]


@pytest.mark.rule("DEC-31", "passes")
def test_usable_settings_pass() -> None:
    """A tuned setting is let in."""
    assert "DEC-31" not in errors(decided(put(".github/registrar.yml", "status_context: gate\n")))
