"""The marker that ties a case to the rule it shows, so that no rule goes without a case on either side."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "rule(id, outcome): a case of a rule; the outcome is `passes` or `fails`")
