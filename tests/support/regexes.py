"""What a regular expression can cost: a lint of its structure, and a matcher that counts its steps."""

import re
from collections.abc import Callable, Iterator
from re import _constants as c  # type: ignore[attr-defined]  # the only way to a pattern's parsed form
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MAX_NESTED = 4_000
Parsed = Any


class TooManyStepsError(Exception):
    """A search took more steps than it may."""


def faults(pattern: re.Pattern[str]) -> Iterator[str]:
    """Structural reasons why a pattern could cost more than its input is long."""
    yield from _faults(_parser.parse(pattern.pattern, pattern.flags), 1, repeated=False)


def _faults(items: Parsed, times: int, *, repeated: bool) -> Iterator[str]:
    for op, argument in items:
        if op in {c.MAX_REPEAT, c.MIN_REPEAT}:
            _, most, inner = argument
            if most == c.MAXREPEAT:
                yield "repeats without a bound"
            elif times * most > MAX_NESTED:
                yield f"repeats a repetition {times * most} times"
            else:
                yield from _faults(inner, times * max(1, most), repeated=repeated or most > 1)
        elif op is c.BRANCH:
            branches = argument[1]
            if repeated and not _disjoint([_beginning(branch) for branch in branches]):
                yield "chooses between branches that begin alike under a repetition"
            for branch in branches:
                yield from _faults(branch, times, repeated=repeated)
        elif op is c.SUBPATTERN:
            yield from _faults(argument[3], times, repeated=repeated)
        elif op in {c.ASSERT, c.ASSERT_NOT}:
            yield from _faults(argument[1], times, repeated=repeated)


def _beginning(items: Parsed) -> str | None:
    """The plain letters that a branch begins with, of which the empty branch has none; null where they are not plain."""
    letters = ""
    for op, argument in items:
        if op is c.LITERAL:
            letters += chr(argument).lower()
        elif op is c.SUBPATTERN and len(argument[3]) == 1 and not letters:
            return _beginning(argument[3])
        else:
            return letters or None
    return letters


def _disjoint(beginnings: list[str | None]) -> bool:
    """Whether no branch begins with another one; what does not begin plainly is judged by the counting matcher alone."""
    plain = [beginning for beginning in beginnings if beginning is not None]
    return not any(one.startswith(other) for i, one in enumerate(plain) for j, other in enumerate(plain) if i != j)


def steps(pattern: re.Pattern[str], text: str, limit: int) -> int:
    """
    Steps of a backtracking search over a whole text, from every place of it.

    Raises:
        TooManyStepsError: It takes more than the limit.
    """
    count = [0]
    flags = pattern.flags
    items = list(_parser.parse(pattern.pattern, flags))

    def tick() -> None:
        count[0] += 1
        if count[0] > limit:
            raise TooManyStepsError(f"more than {limit} steps for `{pattern.pattern[:80]}`")

    def run(sequence: list[Any], place: int, then: Callable[[int], bool]) -> bool:
        tick()
        if not sequence:
            return then(place)
        (op, argument), rest = sequence[0], sequence[1:]
        if op in {c.LITERAL, c.NOT_LITERAL, c.IN, c.ANY}:
            return place < len(text) and _fits(op, argument, text[place], flags) and run(rest, place + 1, then)
        if op is c.SUBPATTERN:
            return run(list(argument[3]), place, lambda end: run(rest, end, then))
        if op is c.BRANCH:
            return any(run(list(branch), place, lambda end: run(rest, end, then)) for branch in argument[1])
        if op in {c.MAX_REPEAT, c.MIN_REPEAT}:
            least, most, inner = argument
            return repeat(list(inner), least, most, 0, place, lambda end: run(rest, end, then), lazy=op is c.MIN_REPEAT)
        if op in {c.ASSERT, c.ASSERT_NOT}:
            direction, inner = argument
            starts = [place] if direction > 0 else range(max(0, place - _width(inner)), place + 1)
            end_of = (lambda _: True) if direction > 0 else (lambda end: end == place)
            found = any(run(list(inner), start, end_of) for start in starts)
            return found is (op is c.ASSERT) and run(rest, place, then)
        if op is c.GROUPREF:
            # Taken as a single character, which it is wherever it is used here.
            return place < len(text) and run(rest, place + 1, then)
        if op is c.AT:
            return run(rest, place, then)  # a boundary taken for granted can only cost more
        raise NotImplementedError(op)

    def repeat(
        inner: list[Any], least: int, most: int, done: int, place: int, then: Callable[[int], bool], *, lazy: bool
    ) -> bool:
        tick()

        def more() -> bool:
            return done < most and run(
                inner,
                place,
                lambda end: end > place and repeat(inner, least, most, done + 1, end, then, lazy=lazy),
            )

        if done < least:
            return more()
        return (then(place) or more()) if lazy else (more() or then(place))

    for start in range(len(text) + 1):
        run(items, start, lambda _: False)
    return count[0]


def _width(items: Parsed) -> int:
    return int(items.getwidth()[1])


def _fits(op: Any, argument: Any, character: str, flags: int) -> bool:
    key = (id(argument) if op is c.IN else argument, str(op), flags & (re.I | re.S), character)
    if key not in _ANSWERS:
        _KEPT.append(argument)
        _ANSWERS[key] = _asked(op, argument, character, flags)
    return _ANSWERS[key]


def _asked(op: Any, argument: Any, character: str, flags: int) -> bool:
    source = {
        c.LITERAL: lambda: re.escape(chr(argument)),
        c.NOT_LITERAL: lambda: f"[^{re.escape(chr(argument))}]",
        c.ANY: lambda: ".",
        c.IN: lambda: _set(argument),
    }[op]()
    return _compiled(source, flags & (re.I | re.S)).fullmatch(character) is not None


_CACHE: dict[tuple[str, int], re.Pattern[str]] = {}
_ANSWERS: dict[tuple[Any, ...], bool] = {}
# Parsed parts are known by their identity, so none may be forgotten.
_KEPT: list[Any] = []


def _compiled(source: str, flags: int) -> re.Pattern[str]:
    if (source, flags) not in _CACHE:
        _CACHE[source, flags] = re.compile(source, flags)
    return _CACHE[source, flags]


_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d", c.CATEGORY_NOT_DIGIT: r"\D", c.CATEGORY_SPACE: r"\s", c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w", c.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def _set(items: Any) -> str:
    parts, negated = [], ""
    for op, argument in items:
        if op is c.NEGATE:
            negated = "^"
        elif op is c.LITERAL:
            parts.append(re.escape(chr(argument)))
        elif op is c.RANGE:
            parts.append(f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}")
        else:
            parts.append(_CATEGORIES[argument])
    return f"[{negated}{''.join(parts)}]"
