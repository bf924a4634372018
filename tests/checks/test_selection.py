"""What is imported for some kinds of path is what the catalogue lists for them."""

from itertools import combinations

import pytest

from medgauge_registrar.checks import catalogue
from medgauge_registrar.checks.content_catalogue import CONTENT_CHANGE_CHECKS, CONTENT_RECORD_CHECKS
from medgauge_registrar.checks.selection import (
    MODULES,
    WATCHED,
    change_checks,
    file_checks,
    record_checks,
    rules_checked,
    tree_checks,
)
from medgauge_registrar.model.change import Kind


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_gets_the_checks_that_are_listed_for_it(kind: Kind) -> None:
    """No more, no fewer, and none twice."""
    alone = frozenset({kind})
    for selected, listed in (
        (record_checks(kind), catalogue.RECORD_CHECKS),
        (file_checks(kind), catalogue.FILE_CHECKS),
        (change_checks(alone), catalogue.CHANGE_CHECKS),
        (tree_checks(alone), catalogue.TREE_CHECKS),
    ):
        assert sorted(map(id, selected)) == sorted(id(check) for check in listed if kind in check.kinds)


def test_two_kinds_get_the_checks_of_both() -> None:
    """A file that moves from one kind to another is judged as either."""
    for pair in combinations(Kind, 2):
        kinds = frozenset(pair)
        assert set(change_checks(kinds)) == {check for check in catalogue.CHANGE_CHECKS if check.kinds & kinds}


def test_a_module_is_for_the_kinds_of_its_checks() -> None:
    """Said for more kinds, it would be imported for nothing."""
    content = {*CONTENT_RECORD_CHECKS, *CONTENT_CHANGE_CHECKS}
    served: dict[str, set[Kind]] = {}
    for check in (*catalogue.RECORD_CHECKS, *catalogue.CHANGE_CHECKS, *catalogue.TREE_CHECKS):
        if check not in content:
            served.setdefault(check.run.__module__.rpartition(".")[2], set()).update(check.kinds)
    everywhere = {name for name, kinds in MODULES.items() if kinds == frozenset(Kind)}
    assert served.keys() == MODULES.keys()
    assert {name: kinds for name, kinds in served.items() if name not in everywhere} == {
        name: kinds for name, kinds in MODULES.items() if name not in everywhere
    }


def test_watched_fields_are_those_that_checks_name() -> None:
    """A field that is missing here would leave records unchecked that read it."""
    watched: dict[Kind, set[str]] = {}
    for check in catalogue.RECORD_CHECKS:
        for kind, field in check.watches:
            watched.setdefault(kind, set()).add(field)
    assert watched == WATCHED


def test_rules_of_all_kinds() -> None:
    """Only what runs elsewhere is not among them: the branch, and the trial of schemas."""
    elsewhere = {check.rule for check in (*catalogue.BRANCH_CHECKS, *catalogue.TRIAL_CHECKS)}
    assert rules_checked(frozenset(Kind)) == catalogue.RULES_BY_CHECK - elsewhere
