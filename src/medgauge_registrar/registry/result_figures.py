"""The figures of a result as its record writes them: one way from computed values to record fields, for all who need it."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.statistics.summary import ResultSummary, SubsetSummary
from medgauge_registrar.statistics.values import Difference, Estimate, Exam, Figure, RunRow, Share, Tally, WhyNot

NOT_APPLICABLE, NOT_PUBLISHED = "not-applicable", "not-published"
NOT_DEFINED, NOT_COMPUTABLE = "not-defined", "not-computable"
MONEY = "money"
CAUSES = ("missed_findings", "over_reporting", "fabricated_evidence", "format", "step_limit", "other")
# Categories of veto by their constraint; the last two involve any.
CATEGORIES = (
    "fabricated-evidence",
    "inputs-modified",
    "corrected-value",
    "injected-instruction",
    "unsafe-advice",
    "reference-level",
)
# Units of a cost per success where money does not apply, the one to be preferred first (sections 3.2 and 14.3).
UNITS = ("tokens", "actions", "seconds")


@frozen
class OneOf:
    """A field that may hold any of some words, because the rows cannot tell which is true; a draft takes the first."""

    words: tuple[str, ...]


@frozen
class Impossible:
    """A field that no value would be right for, and why."""

    why: str


Expected: TypeAlias = "int | Decimal | str | OneOf | Impossible | dict[str, Expected] | None"

_NO_COUNTS = frozenset({WhyNot.NO_COUNTS, WhyNot.COUNTS_INCOMPLETE, WhyNot.NO_TASKS})
_UNSUPPORTED = OneOf(words=(NOT_PUBLISHED, NOT_APPLICABLE))


def result_figures(summary: ResultSummary, rows: Sequence[RunRow], units: Mapping[str, Json]) -> dict[str, Expected]:
    """
    Every field of a record that its rows decide, but for the effect of a component.

    Args:
        summary: Computed from the rows.
        rows: The rows.
        units: Unit that the record gives for the cost per success, by subset; followed where the rows allow it.

    Returns:
        `subsets`, `dimensions` (those that the rows decide), `veto_hits`, `assertion_veto_hits`, `failure_attribution` and
        `amounts`, shaped as in the record. A subset without a counted task is left out.
    """
    subsets = [subset for subset in summary.subsets if subset.n_tasks]
    money = any(row.amount is not None for row in rows)
    return {
        "subsets": {subset.subset.value: subset_figures(subset) for subset in subsets},
        "dimensions": {
            "M3": {
                subset.subset.value: {
                    "cost_per_success": _cost(subset, money=money, stated=units.get(subset.subset.value)),
                    "efficiency": _efficiency(subset),
                }
                for subset in subsets
            },
            "M5": _by_subset(subsets, _optimality),
            "M7": _by_subset(subsets, _quality_control),
            "M8": _by_subset(subsets, _exploration),
            "M10": _by_subset(subsets, _robustness),
        },
        "veto_hits": dict(summary.veto_hits),
        "assertion_veto_hits": dict(summary.assertion_veto_hits),
        "failure_attribution": _failures(summary, rows),
        "amounts": _amounts(summary.amount),
    }


def subset_figures(subset: SubsetSummary) -> dict[str, Expected]:
    """Fields of one subset under `subsets`."""
    return {
        "n_tasks": subset.n_tasks,
        "exam": "passed" if subset.exam is Exam.PASSED else "not-passed",
        "claimable_lower_bound": subset.claimable_lower_bound.value,
        "pass_at_3": estimate(subset.pass_at_3),
        "pass_pow_3": estimate(subset.pass_pow_3),
        "instability": estimate(subset.instability),
        "task_pass_rate": estimate(subset.task_pass_rate),
        "s": estimate(subset.s),
        "errors_by_attribution": {share.name: _share(share) for share in subset.errors_by_attribution},
        "veto_rate_by_category": {
            share.name: _share(share) for share in sorted(subset.veto_rate_by_category, key=_constraint_order)
        },
        "compliance_rate": _compliance(subset.rates[Tally.COMPLIANCE]),
    }


def _constraint_order(share: Share) -> tuple[int, str]:
    return (CATEGORIES.index(share.name) if share.name in CATEGORIES else len(CATEGORIES), share.name)


def estimate(found: Estimate) -> dict[str, Expected]:
    """A figure with its interval; without a value it is not defined."""
    return {"value": NOT_DEFINED if found.value.value is None else found.value.value, "interval": _interval(found)}


def _interval(found: Estimate) -> Expected:
    if found.low.value is None or found.high.value is None:
        return NOT_COMPUTABLE
    return {"lower": found.low.value, "upper": found.high.value}


def _share(share: Share) -> dict[str, Expected]:
    return {"count": share.count, "rate": share.rate.value}


def _compliance(found: Estimate) -> Expected:
    if found.value.why_not in _NO_COUNTS:
        return _UNSUPPORTED
    return NOT_APPLICABLE if found.value.value is None else estimate(found)


def _cost(subset: SubsetSummary, *, money: bool, stated: Json) -> Expected:
    units = (MONEY,) if money else tuple(unit for unit in UNITS if _is_known(subset.cost_per_success[unit]))
    if not units:
        return Impossible(why="the rows carry neither amounts nor the tokens, actions or seconds of every run")
    unit = stated if isinstance(stated, str) and stated in units else units[0]
    found = subset.cost_per_success[unit]
    if not _is_known(found):
        return {"value": Impossible(why="some rows carry an amount and some carry none"), "unit": unit}
    return {"value": NOT_DEFINED if found.value is None else found.value, "unit": unit}


def _is_known(found: Figure) -> bool:
    """Whether a cost can be stated: as a number, or as not defined because no run passes."""
    return found.why_not in {None, WhyNot.NO_PASSING_RUN}


def _efficiency(subset: SubsetSummary) -> Expected:
    found: dict[str, Expected] = {
        quantity.value: {
            "geometric_mean": summary.geometric_mean.value,
            "median": summary.median.value,
            "quartiles": {"lower": summary.lower_quartile.value, "upper": summary.upper_quartile.value},
        }
        for quantity, summary in subset.efficiency.items()
        if summary.median.value is not None
    }
    if found:
        return found
    reasons = {summary.median.why_not for summary in subset.efficiency.values()}
    if WhyNot.NO_PASSING_RUN in reasons:
        return OneOf(words=(NOT_DEFINED, NOT_PUBLISHED))
    return NOT_DEFINED if WhyNot.RATIO_NOT_POSITIVE in reasons else NOT_PUBLISHED


def _by_subset(
    subsets: Sequence[SubsetSummary], fields: Callable[[SubsetSummary], dict[str, Expected] | None]
) -> Expected:
    found: dict[str, Expected] = {}
    for subset in subsets:
        own = fields(subset)
        if own is not None:
            found[subset.subset.value] = own
    return found or _UNSUPPORTED


def _optimality(subset: SubsetSummary) -> dict[str, Expected] | None:
    return _rates({"redundancy": subset.redundancy})


def _quality_control(subset: SubsetSummary) -> dict[str, Expected] | None:
    found = _rates(
        {
            "recall": subset.rates[Tally.RECALL],
            "precision": subset.rates[Tally.PRECISION],
            "evidence_error_rate": subset.rates[Tally.EVIDENCE_ERROR],
        }
    )
    by_type = _rates(subset.recall_by_type)
    return {**(found or {}), "recall_by_type": by_type} if by_type else found


def _exploration(subset: SubsetSummary) -> dict[str, Expected] | None:
    return _rates(
        {
            "abstention": subset.rates[Tally.ABSTENTION],
            "over_abstention": subset.rates[Tally.OVER_ABSTENTION],
        }
    )


def _rates(found: Mapping[str, Estimate]) -> dict[str, Expected] | None:
    """Rates that rest on counts of the rows; null if none does."""
    return {name: estimate(rate) for name, rate in found.items() if rate.value.why_not not in _NO_COUNTS} or None


def _robustness(subset: SubsetSummary) -> dict[str, Expected] | None:
    gap: Difference = subset.robustness_gap
    if gap.signed.value is None:
        return None
    return {
        "robustness_gap": {
            "signed": gap.signed.value,
            "absolute": gap.absolute.value,
            # Rows do not say which variant belongs to which base task, so the pinned algorithm gives no interval.
            "interval": NOT_COMPUTABLE,
        }
    }


def _failures(summary: ResultSummary, rows: Sequence[RunRow]) -> Expected:
    if summary.failure_attribution is None or all(row.failures is None for row in rows):
        return NOT_PUBLISHED
    return {cause: summary.failure_attribution.get(cause, 0) for cause in CAUSES}


def _amounts(total: Figure) -> Expected:
    if total.value is not None:
        return {"total": total.value}
    if total.why_not is WhyNot.NO_AMOUNTS:
        return NOT_APPLICABLE
    return Impossible(why="some rows carry an amount and some carry none")
