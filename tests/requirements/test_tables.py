"""The tables of what is imported on demand name what is there."""

from importlib import import_module

from medgauge_registrar.policy.load import shipped_table
from medgauge_registrar.requirements.providers import ANSWERED, PROVIDERS
from medgauge_registrar.requirements.separation import SEPARATORS, separators_of


def test_each_table_answers_for_the_rules_it_is_listed_with() -> None:
    """In the same words on both sides, and no rule twice."""
    for (module, name), rules in ANSWERED.items():
        table = getattr(import_module(f"medgauge_registrar.requirements.{module}"), name)
        assert set(table) == set(rules)
        assert all(PROVIDERS[rule] is table[rule] for rule in rules)
    assert len(PROVIDERS) == sum(map(len, ANSWERED.values())) == len(list(PROVIDERS))


def test_rules_of_separation_are_functions_of_known_rows() -> None:
    """Each is found under its name."""
    assert SEPARATORS.keys() <= shipped_table().rows.keys()
    assert all(callable(separator) for row in SEPARATORS for separator in separators_of(row))
    assert separators_of("M9") == ()
