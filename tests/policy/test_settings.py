"""`.github/registrar.yml`: what a registry may tune, within bounds, and nothing else."""

import re
from typing import Any

import pytest
import yaml

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import MAX_SETTINGS_BYTES, SETTINGS_PATH, load_policy, tree_policy
from medgauge_registrar.policy.settings import ClosedSource, Settings
from medgauge_registrar.starter import starter_files
from support.memory_tree import MemoryTree


def load(settings: dict[str, Any]) -> Settings:
    """The settings of a registry that says this."""
    return load_policy(yaml.safe_dump(settings).encode()).settings


def test_without_settings_nothing_is_open() -> None:
    """A registry that says nothing has no roster, no site identities and no open submissions."""
    assert load_policy(None).settings == Settings()
    assert (Settings().roster.kind, Settings().submissions_open, Settings().site_identities) == (
        "none",
        False,
        frozenset(),
    )


def test_the_starter_settings_are_the_defaults() -> None:
    """What `init` writes shows every key and changes nothing."""
    assert load_policy(starter_files()[SETTINGS_PATH]).settings == Settings()


def test_settings_are_taken_over() -> None:
    """Each key arrives."""
    assert load(
        {
            "status_context": "gate",
            "roster": {"source": "secret"},
            "site_identities": [9012],
            "submissions_open": True,
            "medical_practice_capabilities": ["D.1", "D.2"],
            "private_channel": "https://example.org/report",
        }
    ) == Settings(
        status_context="gate",
        roster=ClosedSource(kind="secret"),
        site_identities=frozenset({9012}),
        submissions_open=True,
        medical_practice_capabilities=frozenset({"D.1", "D.2"}),
        private_channel="https://example.org/report",
    )


def test_the_digest_is_of_all_that_decides() -> None:
    """Another byte in the settings, a comment even, is another policy."""
    digests = {
        load_policy(data).sha256 for data in (None, b"submissions_open: false\n", b"submissions_open: false\n# a\n")
    }
    assert len(digests) == 3
    assert load_policy(None).sha256 == load_policy(None).sha256


# What decides is not tunable: rows and their people, evidence, exclusions, rulings marked as inferences.
FIXED: list[dict[str, Any]] = [
    *(
        {key: value}
        for key, value in {
            "rows": {"M1": {"seats": []}},
            "row": {},
            "seats": {"M17": []},
            "triggers": [],
            "evidence": [],
            "separation": [],
            "combinations": [],
            "approvals": {"update_from_base_keeps_approvals": {"value": False}},
            "update_from_base_keeps_approvals": False,
            "allow_authors": True,
            "authors_may_approve": True,
            "allow_co_authors": True,
            "bots_may_approve": True,
            "ignore_committers": True,
            "ignored_paths": ["registry/**"],
            "ignore": ["M17"],
            "skip": ["ENT-09"],
            "rules": {"ENT-09": "off"},
            "severity": {"IMM-01": "warning"},
            "bypass_label": "skip-gate",
            "schemas": "none",
            "strict": False,
            "methodology": "0.1.0",
            "DEC-13": "sum",
            "dec_15": False,
            "ROLE-13": False,
            "IMM-01": False,
            "M20": "allow",
            "mergeable": True,
            "extends": "example-organisation/settings",
        }.items()
    ),
    *(
        {"layout": {kind: ["x/{rest}"]}}
        for kind in ("meth", "charter", "schema", "infra", "other", "unclassified", "registry")
    ),
    {"layout": {"except": {"infra": [".github/{rest}"]}}},
    {"layout": {"anywhere": {}}},
    {"roster": {"source": "none", "people": []}},
    {"roster": {"source": "none", "people": [{"id": 1, "login": "example-person-1", "roles": ["maintainer"]}]}},
    {"roster": {"source": "teams", "teams": {"owner": "example"}}},
    {"periods": {"waiting_hours": 0}},
    {"labels": {"bypass": "example"}},
]


@pytest.mark.parametrize("settings", FIXED, ids=lambda settings: "-".join(str(settings)[2:50].split("'")))
def test_what_decides_is_no_setting(settings: dict[str, Any]) -> None:
    """An unknown key is refused with its name and place, never passed over."""
    with pytest.raises(PolicyError, match=rf"^{re.escape(SETTINGS_PATH)}:\d+:\d+: at `/.*is not known here"):
        load(settings)


BOUNDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # Just within, and just without.
    ({"status_context": "a" * 60}, {"status_context": "a" * 61}),
    ({"status_context": "a"}, {"status_context": ""}),
    ({"status_context": "gate (x)".replace(" (x)", ".x/y_z-1")}, {"status_context": "gate\n"}),
    ({"status_context": "a b"}, {"status_context": " a"}),
    ({"site_identities": list(range(1, 21))}, {"site_identities": list(range(1, 22))}),
    ({"site_identities": [1]}, {"site_identities": [0]}),
    ({"site_identities": [2**53 - 1]}, {"site_identities": [2**53]}),
    ({"site_identities": [1, 2]}, {"site_identities": [1, 1]}),
    ({"site_identities": [1]}, {"site_identities": ["1"]}),
    ({"site_identities": []}, {"site_identities": 1}),
    ({"submissions_open": True}, {"submissions_open": "true"}),
    ({"submissions_open": False}, {"submissions_open": 0}),
    ({"medical_practice_capabilities": ["D.1"]}, {"medical_practice_capabilities": ["D.0"]}),
    ({"medical_practice_capabilities": []}, {"medical_practice_capabilities": ["D.1", "D.1"]}),
    ({"private_channel": "x" * 300}, {"private_channel": "x" * 301}),
    ({"private_channel": "x"}, {"private_channel": ""}),
    ({"periods": {"request_for_comment_days": 0}}, {"periods": {"request_for_comment_days": -1}}),
    ({"periods": {"request_for_comment_days": 365}}, {"periods": {"request_for_comment_days": 366}}),
    ({"periods": {"methodology_review_months": 1}}, {"periods": {"methodology_review_months": 0}}),
    ({"periods": {"methodology_review_months": 12}}, {"periods": {"methodology_review_months": 13}}),
    ({"labels": {"request_for_comment": "x" * 100}}, {"labels": {"request_for_comment": "x" * 101}}),
    ({"labels": {"request_for_comment": "x"}}, {"labels": {"request_for_comment": ""}}),
    ({"roster": {"source": "none"}}, {"roster": {}}),
    ({"roster": {"source": "secret"}}, {"roster": {"source": "public"}}),
    ({"roster": {"source": "file", "path": "x"}}, {"roster": {"source": "file"}}),
    (
        {"roster": {"source": "repository", "path": "x", "repository": "a/b"}},
        {"roster": {"source": "repository", "path": "x"}},
    ),
    (
        {"roster": {"source": "repository", "path": "x", "repository": "a/b", "ref": "main"}},
        {"roster": {"source": "repository", "path": "x", "repository": "a/b/c"}},
    ),
    ({"roster": {"source": "teams", "teams": {"maintainer": "a"}}}, {"roster": {"source": "teams"}}),
    ({"layout": {"article": ["a/{rest}"]}}, {"layout": {"article": []}}),
    ({"layout": {"std": ["a/{std}.yaml"]}}, {"layout": {"std": "a/{std}.yaml"}}),
    ({"layout": {"std": [f"{'a' * 289}/{{std}}.yaml"]}}, {"layout": {"std": [f"{'a' * 290}/{{std}}.yaml"]}}),
]


@pytest.mark.parametrize(("within", "without"), BOUNDS)
def test_settings_have_bounds(within: dict[str, Any], without: dict[str, Any]) -> None:
    """What is just within is taken, and what is just beyond is refused with its place."""
    load(within)
    with pytest.raises(PolicyError, match=rf"^{re.escape(SETTINGS_PATH)}:\d+:\d+: "):
        load(without)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected a record"),
        (b"# only words\n", "expected a record"),
        (b"[]\n", "found an empty list, expected a mapping"),
        (b"status_context: a\nstatus_context: b\n", ":2:1:"),
        (b"status_context: &a gate\n", ":1:17:"),
        (b"submissions_open: yes\n", ":1:19:"),
        (b"status_context: \xff\n", "UTF-8"),
        (b"a: b: c\n", SETTINGS_PATH),
        (b"{}\n---\n{}\n", SETTINGS_PATH),
        (b"# " + b"x" * MAX_SETTINGS_BYTES, f"larger than {MAX_SETTINGS_BYTES} bytes"),
    ],
)
def test_settings_are_read_strictly(data: bytes, words: str) -> None:
    """Whatever two readers could take differently is refused."""
    with pytest.raises(PolicyError, match=re.escape(words)) as caught:
        load_policy(data)
    assert str(caught.value).startswith(SETTINGS_PATH)


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_settings_that_are_no_file_are_no_settings(mode: str) -> None:
    """A link or a submodule in their place stops everything rather than counting as absent."""
    tree = MemoryTree({SETTINGS_PATH: "a1" * 20}, {SETTINGS_PATH: mode})
    with pytest.raises(PolicyError, match=f"expected a regular file, found mode {mode}"):
        tree_policy(tree)


def test_settings_that_are_a_folder_are_no_settings() -> None:
    """A folder of that name is no better."""
    with pytest.raises(PolicyError, match="found mode 040000"):
        tree_policy(MemoryTree({f"{SETTINGS_PATH}/x": ""}))
    assert tree_policy(MemoryTree({"README.md": ""})).settings == Settings()
    assert tree_policy(MemoryTree({SETTINGS_PATH: "{}\n"}, {SETTINGS_PATH: "100755"})).settings == Settings()


def test_every_kind_keeps_its_path() -> None:
    """Each kind that may move is one that the layout has, and the rest of the kinds cannot move."""
    fixed = {Kind.METH, Kind.CHARTER, Kind.SCHEMA, Kind.INFRA, Kind.OTHER, Kind.UNCLASSIFIED}
    for kind in Kind:
        if kind not in fixed:
            patterns = load_policy(None).layout.templates[kind]
            assert load_policy(yaml.safe_dump({"layout": {kind.value: list(patterns)}}).encode()).layout.templates
