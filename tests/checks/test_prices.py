"""Rules of price tables: one rate a use, and none for what has no vendor's price."""

from typing import Any

import pytest

from medgauge_registrar.checks import prices
from medgauge_registrar.model.finding import Severity
from support.cases import Edit, as_is, fails, passes
from support.registries import MODEL, PRICES, Files, base_registry, copied, edited, run_check, without
from support.steps import run_step

NEW_TABLE = "registry/price-tables/0.2.0.yaml"


def rate(**changes: Any) -> Edit:
    """Add a rate to the table."""
    entry = {"kind": "model", "name": "Example Model A", "unit": "input-token", "per": 1000, "amount": 2, **changes}
    return lambda files: edited(files, PRICES, {"/rates/-": entry})


def new_table(files: Files) -> Files:
    """Add a table, which prices the model that is listed."""
    return copied(files, PRICES, NEW_TABLE, {"/version": "0.2.0"})


def listed(**changes: Any) -> Edit:
    """Add a table, and list the model otherwise."""
    return lambda files: edited(new_table(files), MODEL, {f"/{name}": value for name, value in changes.items()})


@pytest.mark.parametrize(
    "edit",
    [
        passes("SCHEMA-PRICE-02", "one rate a use", as_is),
        passes("SCHEMA-PRICE-02", "another unit of the same model", rate(unit="request")),
        passes("SCHEMA-PRICE-02", "the same unit of another model", rate(name="Example Model B")),
    ],
)
def test_rate_is_let_pass(edit: Edit) -> None:
    """Rates for different uses stand side by side."""
    assert run_check(prices.second_rate, edit(base_registry()), PRICES) == []


@pytest.mark.parametrize(
    ("rule", "edit"),
    [
        fails("SCHEMA-PRICE-02", "another amount for the same use", rate()),
        fails("SCHEMA-PRICE-02", "the same use under another kind", rate(kind="service", amount=1.5, per=1000000)),
    ],
)
def test_second_rate_is_refused(rule: str, edit: Edit) -> None:
    """A second rate for a use is found at its place."""
    (found,) = run_check(prices.second_rate, edit(base_registry()), PRICES)
    assert (found.rule, found.severity, found.path, found.pointer) == (rule, Severity.ERROR, PRICES, "/rates/3")
    assert "`Example Model A` has a rate for `input-token` already, at `/rates/0`" in found.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("SCHEMA-PRICE-03", "a closed model behind an interface", as_is, new_table),
        passes(
            "SCHEMA-PRICE-03",
            "a model that is not listed yet",
            lambda files: without(files, MODEL),
            lambda files: without(new_table(files), MODEL),
        ),
        passes("SCHEMA-PRICE-03", "weights that were opened after the table", new_table, listed(weights="open")),
        passes("SCHEMA-PRICE-03", "a table that leaves", new_table, as_is),
    ],
)
def test_table_is_let_in(before: Edit, after: Edit) -> None:
    """A table is judged when it comes in, by the models that are listed then."""
    assert run_step(prices.price_without_vendor, before(base_registry()), after(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "edit", "words"),
    [
        fails("SCHEMA-PRICE-03", "open weights", listed(weights="open"), "`Example Model A` has open weights"),
        fails(
            "SCHEMA-PRICE-03", "self-hosted", listed(access_route="self-hosted"), "`Example Model A` is self-hosted, as"
        ),
        fails(
            "SCHEMA-PRICE-03",
            "a service that is a model",
            lambda files: edited(
                listed(weights="open")(files), NEW_TABLE, {"/rates/0/kind": "service", "/rates/1/kind": "service"}
            ),
            "`Example Model A` has open weights",
        ),
        fails(
            "SCHEMA-PRICE-03",
            "a model whose record breaks its schema",
            lambda files: edited(new_table(files), MODEL, {"/weights": "perhaps"}),
            "breaks its schema or cannot be read, so whether `Example Model A` may have a price is not known",
        ),
        fails(
            "SCHEMA-PRICE-03",
            "a model whose record cannot be read",
            lambda files: new_table(files) | {MODEL: "{"},
            "so whether `Example Model A` may have a price is not known",
        ),
    ],
)
def test_table_is_refused(rule: str, edit: Edit, words: str) -> None:
    """Each rate of such a model is found, in the pull request that brings the table."""
    found = run_step(prices.price_without_vendor, base_registry(), edit(base_registry()))
    assert [(one.rule, one.severity, one.path, one.pointer) for one in found] == [
        (rule, Severity.ERROR, NEW_TABLE, pointer) for pointer in ("/rates/0/name", "/rates/1/name")
    ]
    assert all(words in one.message for one in found)
