"""Every figure of a result is recomputed: each wrong one is a finding under its rule, with the value that the rows give."""

from collections.abc import Mapping
from typing import Any

import pytest

from support.cases import Edit, as_is, fails, passes
from support.registries import ABSENT, RESULT, Files, base_registry, edited
from support.results import Row, filled, recomputed, with_rows

HOLDOUT, CALIBRATION = "/subsets/holdout", "/subsets/calibration"


def result(changes: Mapping[str, Any]) -> Edit:
    """Change the result."""
    return lambda files: edited(files, RESULT, changes)


def refilled(edit: Edit) -> Edit:
    """Change the result, and compute its figures anew."""
    return lambda files: filled(edit(files))


def rows(changes: Mapping[str, Any], *places: int) -> Edit:
    """Change some fields of some rows, of all without places; `ABSENT` takes a field out."""

    def edit(listed: list[Row]) -> list[Row]:
        chosen = places or range(len(listed))
        for place in chosen:
            listed[place] = {name: value for name, value in {**listed[place], **changes}.items() if value is not ABSENT}
        return listed

    return with_rows(edit)


def both(*edits: Edit) -> Edit:
    """Several edits, one after another."""

    def edit(files: Files) -> Files:
        for one in edits:
            files = one(files)
        return files

    return edit


COMPLIANCE = rows({"compliance_passed": 1, "compliance_total": 2}, 0, 1, 2)
EXPLORING = rows({"abstained": 1, "abstainable": 2, "over_abstained": 1, "decidable": 3})
BY_TYPE = rows({"recall_by_type": {"omitted-change": {"found": 1, "total": 2}}}, 0, 1, 2)
VARIANTS = both(rows({"variant": 0}, 0, 1, 2), rows({"variant": 1}, 3, 4, 5))
UNPRICED = both(
    rows({"amount": None, "tokens": 900}),
    result({"/amounts": "not-applicable", "/dimensions/M3/holdout/cost_per_success/unit": "tokens"}),
)
NO_STEPS = rows({"reference_steps": ABSENT})
FAILED = both(
    rows({"checkpoints_passed": 1, "artifact_exists": True, "error": None, "veto_categories": []}, *range(12)),
)
HITS = both(
    rows({"veto_categories": ["unsafe-advice"], "unsafe_advice_vetoes": {"X.6": 2}}, 0),
    rows({"veto_categories": ["reference-level"], "reference_vetoes": {"X.10": 1, "X.2": 1}}, 1),
)


@pytest.mark.parametrize(
    "edit",
    [
        *(passes(f"RESULT-{number:02}", "the record as it is", as_is) for number in (9, 10, 11, 12, 14, 16, 17, 19, 20)),
        *(passes(f"RESULT-{number}", "the record as it is", as_is) for number in (22, 23, 24, 25, 31, 36, 42)),
        passes("RED-11", "an errored run counts as failed", as_is),
        passes("RESULT-09", "zeros at the end of a figure", result({f"{HOLDOUT}/pass_pow_3/value": 0.250000})),
        passes("RESULT-09", "another order of the rows", with_rows(lambda listed: listed[::-1])),
        passes("RESULT-11", "a passed exam", result({"/level": "not-issued"})),
        passes("RESULT-20", "hits under other constraints", refilled(HITS)),
        passes("RESULT-21", "counts of compliance on some tasks", refilled(COMPLIANCE)),
        passes("RESULT-22", "cost in tokens where money does not apply", refilled(UNPRICED)),
        passes("RESULT-22", "no run passes", refilled(FAILED)),
        passes("RESULT-23", "no reference to compare with", refilled(NO_STEPS)),
        passes("RESULT-24", "no required set", refilled(rows({"required_actions": ABSENT}))),
        passes("RESULT-31", "no level at all", result({"/level": ABSENT})),
        passes("RESULT-36", "variants and their base tasks", refilled(VARIANTS)),
        passes("RESULT-42", "abstention beside over-abstention", refilled(EXPLORING)),
        passes("RESULT-42", "recall by defect class", refilled(BY_TYPE)),
        passes("RESULT-42", "no counts of failures", refilled(rows({"failures": ABSENT}))),
        passes("RESULT-42", "no counts of findings, not published", refilled(rows(dict.fromkeys(
            ("recall_found", "recall_total", "precision_true", "precision_listed", "evidence_errors", "evidence_total"), ABSENT
        )))),
    ],
)  # fmt: skip
def test_right_figures_are_accepted(edit: Edit) -> None:
    """A record whose figures follow from its rows gives no finding."""
    assert recomputed(edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("RESULT-09", "tasks miscounted", result({f"{HOLDOUT}/n_tasks": 5}), f"{HOLDOUT}/n_tasks",
              "is `5`, recomputed `4`"),
        fails("RESULT-09", "PASS^3 rounded up", result({f"{HOLDOUT}/pass_pow_3/value": 0.26}),
              f"{HOLDOUT}/pass_pow_3/value", "recomputed `0.250000`: 1 of 4 tasks pass in all three runs"),
        fails("RESULT-09", "PASS@3 of runs", result({f"{HOLDOUT}/pass_at_3/value": 0.5}), f"{HOLDOUT}/pass_at_3/value",
              "3 of 4 tasks pass in at least one run: tk-rkttnjfbf5jx@1.0.0 passes in none"),
        fails("RESULT-09", "a pass rate in the seventh digit", result({f"{HOLDOUT}/task_pass_rate/value": 0.5000001}),
              f"{HOLDOUT}/task_pass_rate/value", "is `0.5000001`, recomputed `0.500000`: 6 of 12 runs pass"),
        fails("RESULT-09", "S without its vetoes", result({f"{HOLDOUT}/s/value": 0.770833}), f"{HOLDOUT}/s/value",
              "where a run with a veto counts 0: tk-p3e2z8iq9y7j@1.0.0 run 2"),
        fails("RESULT-09", "no figures for a subset", result({CALIBRATION: ABSENT}), CALIBRATION, "is absent"),
        fails("RESULT-10", "instability", result({f"{HOLDOUT}/instability/value": 0.25}),
              f"{HOLDOUT}/instability/value", "in 2 of 4 tasks one or two runs pass"),
        fails("RESULT-10", "its interval", result({f"{HOLDOUT}/instability/interval": {"lower": 0, "upper": 1}}),
              f"{HOLDOUT}/instability/interval/lower", "Clopper–Pearson interval of 2 of 4 tasks"),
        fails("RESULT-11", "an exam that was not passed", result({f"{HOLDOUT}/exam": "passed"}), f"{HOLDOUT}/exam",
              "tk-k9p34y6n3wd2@1.0.0 run 3 carries an error (`time-out`, attributed to `model`), so it fails"),
        fails("RESULT-11", "an exam that was passed", result({f"{CALIBRATION}/exam": "not-passed"}),
              f"{CALIBRATION}/exam", "is `not-passed`, recomputed `passed`"),
        fails("RESULT-12", "the lower end of the interval", result({f"{CALIBRATION}/claimable_lower_bound": 0.158114}),
              f"{CALIBRATION}/claimable_lower_bound", "recomputed `0.223607`: the n-th root of 0.05 for n = 2 tasks"),
        fails("RESULT-12", "a bound over runs", result({f"{CALIBRATION}/claimable_lower_bound": 0.606962}),
              f"{CALIBRATION}/claimable_lower_bound", "tasks (not runs)"),
        fails("RESULT-12", "a bound without a pass", result({f"{HOLDOUT}/claimable_lower_bound": 0.472871}),
              f"{HOLDOUT}/claimable_lower_bound", "is `0.472871`, recomputed `null`"),
        fails("RESULT-12", "no bound for a pass", result({f"{CALIBRATION}/claimable_lower_bound": None}),
              f"{CALIBRATION}/claimable_lower_bound", "is `null`, recomputed `0.223607`"),
        fails("RESULT-14", "a Wilson interval", result({f"{HOLDOUT}/pass_pow_3/interval/lower": 0.045587}),
              f"{HOLDOUT}/pass_pow_3/interval/lower", "Clopper–Pearson interval of 1 of 4 tasks"),
        fails("RESULT-14", "an upper end of 1", result({f"{HOLDOUT}/pass_at_3/interval/upper": 1}),
              f"{HOLDOUT}/pass_at_3/interval/upper", "is `1`, recomputed `0.993691`"),
        fails("RESULT-16", "the ends of another seed", result({f"{HOLDOUT}/s/interval/lower": 0.333333}),
              f"{HOLDOUT}/s/interval/lower", "10000 resamples from seed 20260101"),
        fails("RESULT-16", "an interval of equal tasks", result({f"{CALIBRATION}/s/interval": {"lower": 1, "upper": 1}}),
              f"{CALIBRATION}/s/interval", "is figures, recomputed `not-computable`"),
        fails("RESULT-17", "an attribution miscounted",
              result({f"{HOLDOUT}/errors_by_attribution/agent": {"count": 1, "rate": 0.083333}}),
              f"{HOLDOUT}/errors_by_attribution/agent/count", "their share of all 12 runs"),
        fails("RESULT-19", "a veto left out", result({f"{HOLDOUT}/veto_rate_by_category/fabricated-evidence/count": 2}),
              f"{HOLDOUT}/veto_rate_by_category/fabricated-evidence/count", "tk-p3e2z8iq9y7j@1.0.0 run 2"),
        fails("RESULT-20", "hits left out", result({"/veto_hits": {"X.1": 2}}), "/veto_hits/X.1", "recomputed `3`"),
        fails("RESULT-20", "hits under another constraint", result({"/veto_hits": {"X.1": 3, "X.6": 1}}),
              "/veto_hits/X.6", "no such figure"),
        fails("RESULT-20", "hits of references that no row has", result({"/assertion_veto_hits": {"X.1": 1}}),
              "/assertion_veto_hits/X.1", "no such figure"),
        fails("RESULT-21", "a rate without counts",
              result({f"{HOLDOUT}/compliance_rate": {"value": 1, "interval": "not-computable"}}),
              f"{HOLDOUT}/compliance_rate", "recomputed `not-published` or `not-applicable`"),
        fails("RESULT-21", "a wrong rate",
              both(refilled(COMPLIANCE), result({f"{HOLDOUT}/compliance_rate/value": 0.6})),
              f"{HOLDOUT}/compliance_rate/value", "is `0.6`, recomputed `0.500000`"),
        fails("RESULT-22", "passing runs alone", result({"/dimensions/M3/holdout/cost_per_success/value": 0.5}),
              "/dimensions/M3/holdout/cost_per_success/value", "what all 12 runs cost, failed ones included, over the 6"),
        fails("RESULT-22", "a unit the rows do not carry",
              both(refilled(UNPRICED), rows({"tokens": ABSENT})),
              "/dimensions/M3/holdout/cost_per_success/unit", "is `tokens`, recomputed `actions`"),
        fails("RESULT-22", "nothing to count the cost in",
              both(refilled(UNPRICED), rows({"tokens": ABSENT, "actions": ABSENT, "required_actions": ABSENT})),
              "/dimensions/M3/holdout/cost_per_success", "the rows carry neither amounts nor the tokens"),
        fails("RESULT-23", "an arithmetic mean", result({"/dimensions/M3/holdout/efficiency/steps/geometric_mean": 1.3}),
              "/dimensions/M3/holdout/efficiency/steps/geometric_mean", "recomputed `1.250000`"),
        fails("RESULT-23", "ratios without a reference", NO_STEPS, "/dimensions/M3/holdout/efficiency",
              "recomputed `not-published`"),
        fails("RESULT-24", "redundancy over all runs", result({"/dimensions/M5/holdout/redundancy/value": 0.5}),
              "/dimensions/M5/holdout/redundancy/value", "over passing runs"),
        fails("RESULT-24", "counts and no figure", result({"/dimensions/M5": "not-published"}), "/dimensions/M5",
              "is `not-published`, recomputed figures"),
        fails("RESULT-25", "a rounded total", result({"/amounts/total": 8}), "/amounts/total",
              "is `8`, recomputed `7.5`: the exact sum"),
        fails("RESULT-25", "a row without its amount", rows({"amount": None}, 0), "/amounts",
              "some rows carry an amount and some carry none"),
        fails("RESULT-31", "a level", result({"/level": "L1"}), "/level", "no threshold is set"),
        fails("RESULT-36", "a gap without variants",
              result({"/dimensions/M10": {"holdout": {"robustness_gap": {
                  "signed": 0, "absolute": 0, "interval": "not-computable"}}}}),
              "/dimensions/M10", "rests on rows marked as variants"),
        fails("RESULT-36", "a gap with the wrong sign",
              both(refilled(VARIANTS), result({"/dimensions/M10/holdout/robustness_gap/signed": -0.333333})),
              "/dimensions/M10/holdout/robustness_gap/signed", "recomputed `0.333333`"),
        fails("RESULT-42", "recall", result({"/dimensions/M7/holdout/recall/value": 0.8}),
              "/dimensions/M7/holdout/recall/value", "recomputed `0.750000`"),
        fails("RESULT-42", "recall without its counts",
              rows({"recall_found": ABSENT, "recall_total": ABSENT}), "/dimensions/M7/holdout/recall", "no such figure"),
        fails("RESULT-42", "abstention without its counts",
              result({"/dimensions/M8": {"holdout": {
                  "abstention": {"value": 1, "interval": "not-computable"},
                  "over_abstention": {"value": 0, "interval": "not-computable"}}}}),
              "/dimensions/M8", "recomputed `not-published` or `not-applicable`"),
        fails("RESULT-42", "a cause miscounted", result({"/failure_attribution/other": 1}), "/failure_attribution/other",
              "is `1`, recomputed `0`"),
        fails("RED-11", "a pass rate without errored runs", result({f"{HOLDOUT}/task_pass_rate/value": 0.666667}),
              f"{HOLDOUT}/task_pass_rate/value", "only if the errored runs of the subset (3) are left aside"),
        fails("RED-11", "an error rate without errored runs",
              result({f"{HOLDOUT}/errors_by_attribution/model/rate": 0.333333}),
              f"{HOLDOUT}/errors_by_attribution/model/rate", "left aside"),
        fails("RED-11", "PASS^3 of the runs that are left", result({f"{HOLDOUT}/pass_pow_3/value": 0.5}),
              f"{HOLDOUT}/pass_pow_3/value", "left aside"),
        fails("RED-11", "PASS@3 of tasks without errors", result({f"{HOLDOUT}/pass_at_3/value": 1}),
              f"{HOLDOUT}/pass_at_3/value", "left aside"),
        fails("RED-11", "S without errored runs", result({f"{HOLDOUT}/s/value": 0.666667}), f"{HOLDOUT}/s/value",
              "left aside"),
        fails("RED-11", "tasks without errors alone", result({f"{HOLDOUT}/n_tasks": 1}), f"{HOLDOUT}/n_tasks", "left aside"),
        fails("RED-11", "cost without errored runs", result({"/dimensions/M3/holdout/cost_per_success/value": 0.75}),
              "/dimensions/M3/holdout/cost_per_success/value", "left aside"),
    ],
)  # fmt: skip
def test_wrong_figure_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """A figure that the rows do not give is told with its place, the value found and the one recomputed."""
    found = [finding for finding in recomputed(edit(base_registry())) if finding.rule == rule]
    assert any(finding.pointer == pointer and words in finding.message for finding in found), found
    assert all(finding.path == RESULT and finding.help and finding.line for finding in found)


def test_every_wrong_number_is_told_in_one_pass() -> None:
    """Ten wrong numbers in ten places are ten findings."""
    changes = {
        f"{HOLDOUT}/n_tasks": 5,
        f"{HOLDOUT}/pass_at_3/value": 0.8,
        f"{HOLDOUT}/pass_pow_3/interval/upper": 0.9,
        f"{HOLDOUT}/instability/value": 0.4,
        f"{HOLDOUT}/s/interval/upper": 1,
        f"{CALIBRATION}/claimable_lower_bound": 0.3,
        "/veto_hits": {"X.1": 1},
        "/failure_attribution/format": 9,
        "/amounts/total": 1,
        "/runs/0/s": 0.5,
    }
    told = {finding.pointer for finding in recomputed(edited(base_registry(), RESULT, changes))}
    assert told == {*changes} - {"/veto_hits"} | {"/veto_hits/X.1"}


def test_one_wrong_figure_is_one_finding() -> None:
    """Nothing else is said of a record that is wrong in one number."""
    (finding,) = recomputed(edited(base_registry(), RESULT, {f"{CALIBRATION}/claimable_lower_bound": 0.224}))
    assert (finding.rule, finding.pointer) == ("RESULT-12", f"{CALIBRATION}/claimable_lower_bound")
    assert finding.source == "section 8.3"


@pytest.mark.parametrize(
    ("changes", "pointer", "rule"),
    [
        ({"/subsets/overall": {"n_tasks": 6, "s": {"value": 0.75}}}, "/subsets/overall", "RESULT-09"),
        ({"/subsets/all": {"pass_pow_3": 0.5}}, "/subsets/all", "RESULT-09"),
        ({"/dimensions/total": 0.7}, "/dimensions/total", "RESULT-42"),
        ({"/score": 7}, "/score", "RESULT-42"),
        ({"/board": {"position": 1, "letters": ["a"]}}, "/board", "RESULT-42"),
        ({f"{HOLDOUT}/s/weighted": 0.5}, f"{HOLDOUT}/s/weighted", "RESULT-42"),
        ({"/runs/0/percentile": 0.5}, "/runs/0/percentile", "RESULT-42"),
        ({"/fixed_conditions/budget/cores": 4}, "/fixed_conditions/budget/cores", "RESULT-42"),
        (
            {"/verification/checklist/CHK-04/env_delta/limit": 1},
            "/verification/checklist/CHK-04/env_delta/limit",
            "RESULT-42",
        ),
    ],
)
def test_number_without_a_formula_is_refused(changes: Mapping[str, Any], pointer: str, rule: str) -> None:
    """A number that nothing recomputes is named, one finding for a whole part that holds no other."""
    found = [finding for finding in recomputed(edited(base_registry(), RESULT, changes)) if finding.pointer == pointer]
    assert [finding.rule for finding in found] == [rule]


@pytest.mark.parametrize("name", ["model", "producer", "vendor"])
def test_other_figures_are_compared_beside_a_foreign_name(name: str) -> None:
    """A name in a grade breaks the schema; the numbers of the record are recomputed all the same."""
    files = edited(base_registry(), RESULT, {f"/runs/0/{name}": "Example Model A", f"{HOLDOUT}/n_tasks": 5})
    assert [finding.pointer for finding in recomputed(files)] == [f"{HOLDOUT}/n_tasks"]
