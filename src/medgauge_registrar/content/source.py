"""The reviewed file behind the content checks."""

from functools import cache
from typing import Any, cast

from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.registry.reader import Syntax, read_document


@cache
def content_source() -> dict[str, Any]:
    """
    Read `data/content.yml`.

    Raises:
        PolicyError: It cannot be read.
    """
    document = read_document((FOLDER / "content.yml").read_bytes(), syntax=Syntax.YAML)
    if document.faults:
        raise PolicyError(f"content.yml: {document.faults[0].message}")
    return cast(dict[str, Any], document.value)
