"""Regular expressions that cost nothing until they are used."""

import re
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """
    Give a pattern that is compiled at its first use.

    Hundreds stand in this package, a pull request needs a few of them, and compiling all would take longer than deciding.
    A source that is no pattern raises `re.error` at first use, not here.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(source, flags))


class _Lazy:
    """Stands for a pattern; after the first use its methods are the pattern's own."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
