"""Every rule that is enforced is known, documented and shown by a case on either side."""

from collections import Counter

import pytest

from medgauge_registrar.catalogue import STATES, RuleEntry, entries, explain, summaries
from medgauge_registrar.checks import catalogue as checks
from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.requirements.catalogue import DECISION_RULES
from support.rule_marks import Marks, labels_of_refused_records, marks, schemas_with_valid_records

TABLES = (
    checks.READING_CHECKS, checks.RECORD_CHECKS, checks.CHANGE_CHECKS, checks.TREE_CHECKS, checks.TRIAL_CHECKS,
    checks.PATH_CHECKS, checks.FOLDER_CHECKS, checks.FILE_CHECKS, checks.BRANCH_CHECKS,
)  # fmt: skip
EVERY_CHECK = [check for table in TABLES for check in table]
IN_CODE = {
    "a check": checks.RULES_BY_CHECK,
    "a schema": checks.RULES_BY_SCHEMA,
    "other rules": frozenset(checks.COVERED_BY),
    "the decision": frozenset(DECISION_RULES),
}
SHOWN = {entry.id: entry for entry in entries()}
# What holds because other rules do is shown by the cases of those.
NEEDS_CASES = [
    rule for rule, entry in SHOWN.items() if entry.state in {"enforced", "informs"} and rule not in checks.COVERED_BY
]


@pytest.fixture(scope="module")
def cases(request: pytest.FixtureRequest) -> Marks:
    """Rules with an outcome, of all tests and of all labelled records."""
    shown = {
        *marks(request.session),
        *((rule, "fails") for rule in labels_of_refused_records()),
        *((rule, "passes") for rule, by in checks.SCHEMA_RULES.items() if by.schema in schemas_with_valid_records()),
    }
    return frozenset(shown)


def test_a_rule_is_held_in_one_way() -> None:
    """No rule stands in two tables, and none has two checks of a state or two of a step."""
    counts = Counter(rule for rules in IN_CODE.values() for rule in rules)
    assert [rule for rule, count in counts.items() if count > 1] == []
    changes = {id(check) for check in (*checks.CHANGE_CHECKS, *checks.BRANCH_CHECKS)}
    for of_step in (False, True):
        rules = Counter(check.rule for check in EVERY_CHECK if (id(check) in changes) is of_step)
        assert [rule for rule, count in rules.items() if count > 1] == []


def test_rules_in_code_are_those_of_the_list() -> None:
    """What code enforces is listed, and the list knows which of its rules code enforces."""
    in_code = frozenset().union(*IN_CODE.values())
    assert in_code <= SHOWN.keys()
    decided = {rule for rule, entry in SHOWN.items() if entry.state in {"enforced", "informs"}}
    assert decided <= in_code
    told_otherwise = {rule for rule in in_code - decided if rule not in checks.COVERED_BY}
    assert {SHOWN[rule].state for rule in told_otherwise} <= {"outside"}


def test_carriers_of_other_rules_are_rules() -> None:
    """A rule that holds because others do names rules that there are, and not itself."""
    for rule, covered in checks.COVERED_BY.items():
        assert set(covered.by) <= SHOWN.keys(), rule
        assert rule not in covered.by
        assert covered.because.endswith(".")


def test_the_decision_table_names_known_rules() -> None:
    """Evidence, separation and refused combinations go by rules of the list."""
    table = shipped_table()
    named = {need.id for row in table.rows.values() for need in row.evidence}
    named |= {rule for row in table.rows.values() for rule in row.separation}
    named |= {combination.rule for combination in table.combinations}
    assert named <= SHOWN.keys()


def test_schema_rules_name_a_schema() -> None:
    """Each rule that a schema decides names one that is shipped."""
    for rule, by in checks.SCHEMA_RULES.items():
        assert by.schema in shipped_schemas(), rule


@pytest.mark.parametrize("check", EVERY_CHECK, ids=lambda check: f"{check.rule}-{check.run.__name__}")
def test_a_check_documents_itself(check: checks.Check) -> None:
    """One sentence of what is asked, and an example of either side."""
    text = (check.run.__doc__ or "").strip()
    first, _, rest = text.partition("\n")
    assert first.endswith(".")
    assert 20 <= len(first) <= 140
    lines = [line.strip() for line in rest.splitlines()]
    for part in ("Passes: ", "Fails: "):
        assert sum(line.startswith(part) for line in lines) == 1, part
        assert next(line for line in lines if line.startswith(part)) != part.strip()
    assert check.section
    assert check.summary == first


@pytest.mark.parametrize("rule", sorted(DECISION_RULES))
def test_a_rule_of_the_decision_documents_itself(rule: str) -> None:
    """It says what is asked and gives an example of either side."""
    decided = DECISION_RULES[rule]
    assert decided.line.endswith(".")
    assert decided.state in STATES
    told = explain(rule)
    if decided.state == "enforced":
        assert "Passes: " in told
        assert "Fails: " in told


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.id)
def test_what_blocks_is_explained(entry: RuleEntry) -> None:
    """Every rule has a sentence and a section; one that can block says more."""
    assert entry.line.endswith(".")
    assert entry.section
    assert entry.state in STATES
    assert summaries()[entry.id] == entry.line
    assert entry.guide or entry.state != "enforced"


@pytest.mark.parametrize("outcome", ["passes", "fails"])
def test_every_enforced_rule_is_shown(cases: Marks, outcome: str) -> None:
    """The tests have a case in which the rule is kept, and one in which it is broken."""
    missing = [rule for rule in NEEDS_CASES if (rule, outcome) not in cases]
    assert not missing, f"{len(missing)} rules without a case that {outcome}: {', '.join(missing)}"


def test_marks_are_of_known_rules(cases: Marks) -> None:
    """A case of a rule that is not there shows nothing."""
    assert {rule for rule, _ in cases} - SHOWN.keys() == set()
    assert {outcome for _, outcome in cases} <= {"passes", "fails"}
