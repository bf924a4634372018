"""How many cases a property tries: a few on every run, many where `REGISTRAR_FUZZ` is `long` or `hunt`."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

LONG = os.environ.get("REGISTRAR_FUZZ") in {"long", "hunt"}


def fuzz(cases: int, *, usual: int | None = None) -> Callable[[Any], Any]:
    """
    Mark a property whose inputs are hostile, or too many for every run.

    Args:
        cases: How many the long profiles try. Hostile bytes for the reader, trees for the classifier and paths for the layout
            get 50,000 a property; all properties together have to end within a quarter of an hour on two cores.
        usual: How many every other run tries; null: as many as its profile says.
    """

    def mark(test: Any) -> Any:
        tried = cases if LONG else usual
        return pytest.mark.fuzz(test if tried is None else settings(max_examples=tried)(test))

    return mark
