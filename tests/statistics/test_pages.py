"""The pages of the algorithms: every vector and every worked number is read back and computed again."""

import json
import re
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from medgauge_registrar.statistics import bca_0_1_0, normal, pcg64
from medgauge_registrar.statistics.algorithms import (
    DifficultyFunction,
    Intervals,
    LetterDisplay,
    PairedTest,
    RowOrder,
    algorithm,
)
from medgauge_registrar.statistics.difficulty_function_0_1_0 import Components
from medgauge_registrar.statistics.efficiency import efficiency
from medgauge_registrar.statistics.paired_test_0_1_0 import two_sided
from medgauge_registrar.statistics.row_order_0_1_0 import Place
from medgauge_registrar.statistics.values import Column, Estimate, Figure

PAGES = Path(__file__).parents[2] / "docs" / "algorithms"


def page(pin: str) -> str:
    return (PAGES / f"{pin.replace('@', '-')}.md").read_text("utf-8")


def vectors(pin: str, group: str) -> list[dict[str, Any]]:
    """One group of vectors of a page; an empty or missing group fails."""
    (block,) = re.findall(r"^```json vectors\n(.*?)^```$", page(pin), re.DOTALL | re.MULTILINE)
    found = json.loads(block)[group]
    assert found
    return found


def shown(figure: Figure) -> str:
    """A figure as the pages write it: all its digits, or the reason."""
    return str(figure.why_not if figure.value is None else figure.value)


def ends(estimate: Estimate) -> dict[str, str]:
    return {"value": shown(estimate.value), "low": shown(estimate.low), "high": shown(estimate.high)}


INTERVALS = algorithm("intervals@0.1.0", Intervals)


def test_groups_of_vectors() -> None:
    """No page gains or loses a group without a test that reads it."""
    groups = {}
    for path in PAGES.glob("*.md"):
        (block,) = re.findall(r"^```json vectors\n(.*?)^```$", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        groups[path.stem] = set(json.loads(block))
    assert groups == {
        "intervals-0.1.0": {
            "proportion",
            "lower_bound",
            "claimable_lower_bound",
            "reaches",
            "generator",
            "rates",
            "efficiency",
        },
        "paired-test-0.1.0": {"two_sided", "boards"},
        "letter-display-0.1.0": {"displays"},
        "row-order-0.1.0": {"boards"},
        "difficulty-function-0.1.0": {"tasks"},
    }


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "proportion"), ids=str)
def test_proportions(vector: dict[str, Any]) -> None:
    assert ends(INTERVALS.proportion(vector["passed"], vector["n"])) == {k: vector[k] for k in ("value", "low", "high")}


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "lower_bound"), ids=str)
def test_lower_bounds(vector: dict[str, Any]) -> None:
    assert shown(INTERVALS.lower_bound(vector["passed"], vector["n"])) == vector["bound"]


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "claimable_lower_bound"), ids=str)
def test_claimable_bounds(vector: dict[str, Any]) -> None:
    assert shown(INTERVALS.claimable_lower_bound(vector["n"])) == vector["bound"]
    assert shown(INTERVALS.claimable_lower_bound(vector["n"], 3)) == vector["shown"]


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "reaches"), ids=str)
def test_thresholds(vector: dict[str, Any]) -> None:
    assert INTERVALS.bound_reaches(vector["n"], Fraction(vector["threshold"])) is vector["reaches"]


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "generator"), ids=str)
def test_generator(vector: dict[str, Any]) -> None:
    state, increment = pcg64.seeded(f"{bca_0_1_0.SEED_PREFIX}{vector['seed']}")
    assert (f"{state:032x}", f"{increment:032x}") == (vector["state"], vector["increment"])
    assert [f"{word:016x}" for word in islice(pcg64.words(state, increment), 3)] == vector["words"]


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "rates"), ids=str)
def test_rates(vector: dict[str, Any]) -> None:
    column = Column(numerators=tuple(vector["numerators"]), denominators=tuple(vector["denominators"]))
    assert ends(INTERVALS.rates([column], vector["seed"])[0]) == {k: vector[k] for k in ("value", "low", "high")}


@pytest.mark.parametrize("vector", vectors("intervals@0.1.0", "efficiency"), ids=str)
def test_efficiency(vector: dict[str, Any]) -> None:
    found = efficiency([Fraction(ratio) for ratio in vector["ratios"]], INTERVALS.digits)
    figures = ("geometric_mean", "lower_quartile", "median", "upper_quartile")
    assert {name: shown(getattr(found, name)) for name in figures} == {name: vector[name] for name in figures}


def test_worked_interval() -> None:
    """Each row of the example of `intervals@0.1.0`."""
    text = page("intervals@0.1.0")
    passing, n = (3, 3, 3, 2, 1, 0, 3, 3, 2, 3, 3, 1, 3), 13
    column = Column(numerators=passing, denominators=(3,) * n)
    seed = f"{bca_0_1_0.SEED_PREFIX}20261129"
    sums = pcg64.resampled_sums([passing], seed=seed, resamples=10_000)[0]
    ordered = sorted(sums)
    state, increment = pcg64.seeded(seed)
    words = list(islice(pcg64.words(state, increment), 7))
    picks = [half * n >> 32 for word in words for half in (word & 0xFFFFFFFF, word >> 32)][:n]
    below, equal = sum(s < 30 for s in sums), sum(s == 30 for s in sums)
    influences = [e // 3 for e in bca_0_1_0._influences(column)]
    bias, acceleration = bca_0_1_0._bias(ordered, 30), bca_0_1_0._acceleration(influences)
    levels = [bca_0_1_0._level(bias, acceleration, z) for z in (-normal.Z_975, normal.Z_975)]
    ranks = [bca_0_1_0._rank(10_000, level) for level in levels]
    low, high = INTERVALS.rates([column], 20261129)[0].low, INTERVALS.rates([column], 20261129)[0].high
    for words_of_the_page in (
        f"| SHA-256 of `{seed}` | `{sha256(seed.encode()).hexdigest()}` |",
        f"| increment | `{increment:032x}` |",
        f"| first words | {', '.join(f'`{word:016x}`' for word in words[:3])} |",
        f"| first resample, indices | {' '.join(map(str, picks))} |",
        f"| first sums of c | {', '.join(map(str, sums[:3]))}; the sample's is {sum(passing)} |",
        f"| resamples below, equal | {below:,} and {equal:,}, so q = {(below + equal / 2) / 10_000} |",
        f"| z0 | −{str(-bias)[:12]}… |",
        f"{sum(e * e for e in influences):,} and −{-sum(e**3 for e in influences):,} |",
        f"| acceleration | −{str(-acceleration)[:12]}… |",
        f"| levels | {levels[0]} and {levels[1]} |",
        f"| ranks | {ranks[0]} and {ranks[1]:,} |",
        f"| sums at these ranks | {ordered[ranks[0] - 1]} and {ordered[ranks[1] - 1]} |",
        f"| ends | {ordered[ranks[0] - 1]}/39 = {low.value} and {ordered[ranks[1] - 1]}/39 = {high.value} |",
        f"({equal:,} of 10,000 in the example)",
        f"{str(normal.Z_975)[:17]}…",
    ):
        assert words_of_the_page in text


def test_numbers_about_equivalence() -> None:
    """The two shares that the page gives as an example fit the two task counts under its assumptions."""
    for n, share in ((309, 0.09), (734, 0.214)):
        assert abs(8.564 * share / 0.0025 - n) < 1
    assert "8.564 · d / 0.0025" in page("intervals@0.1.0")
    assert abs(float(normal.quantile(Fraction(19, 20)) + normal.quantile(Fraction(9, 10))) ** 2 - 8.564) < 0.001


@pytest.mark.parametrize("vector", vectors("paired-test@0.1.0", "two_sided"), ids=str)
def test_pairs(vector: dict[str, Any]) -> None:
    assert two_sided(vector["b"], vector["c"]) == Fraction(vector["p"])


@pytest.mark.parametrize("vector", vectors("paired-test@0.1.0", "boards"), ids=lambda v: str(v["rows"]))
def test_boards_of_pairs(vector: dict[str, Any]) -> None:
    bits = [sum(1 << i for i, task in enumerate(row) if task == "x") for row in vector["rows"]]
    pairs = algorithm("paired-test@0.1.0", PairedTest).compare(bits, len(vector["rows"][0]))
    assert [
        {
            "first": pair.first,
            "second": pair.second,
            "p": str(pair.p),
            "adjusted": str(pair.adjusted),
            "different": pair.different,
        }
        for pair in pairs
    ] == vector["pairs"]


@pytest.mark.parametrize("vector", vectors("letter-display@0.1.0", "displays"), ids=lambda v: str(v["letters"]))
def test_displays(vector: dict[str, Any]) -> None:
    found = algorithm("letter-display@0.1.0", LetterDisplay).letters(
        vector["rows"], [tuple(p) for p in vector["different"]]
    )
    assert [" ".join(row) for row in found] == vector["letters"]


@pytest.mark.parametrize("vector", vectors("row-order@0.1.0", "boards"), ids=lambda v: str(v["order"]))
def test_orders(vector: dict[str, Any]) -> None:
    order = algorithm("row-order@0.1.0", RowOrder)
    places = [
        Place(
            id=row["id"],
            pass_pow_3=Fraction(row["pass_pow_3"]),
            letters=tuple(row["letters"].split()),
            cost=None if row["cost"] is None else Fraction(row["cost"]),
            price_table=row["price_table"],
        )
        for row in vector["rows"]
    ]
    assert [place.id for place in order.by_cost(order.primary(places))] == vector["order"]


@pytest.mark.parametrize("vector", vectors("difficulty-function@0.1.0", "tasks"), ids=str)
def test_classes(vector: dict[str, Any]) -> None:
    classify = algorithm("difficulty-function@0.1.0", DifficultyFunction).classify
    components = Components(**{name: value for name, value in vector.items() if name not in ("score", "class")})
    if vector["score"] is None:
        with pytest.raises(ValueError, match="the lowest count with a meaning"):
            classify(components)
    else:
        found = classify(components)
        assert (found.score, found.difficulty_class) == (vector["score"], vector["class"])
