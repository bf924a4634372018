"""Problems from the red lines of `data/content.yml`, one file at a time."""

from collections.abc import Iterator
from functools import lru_cache

from medgauge_registrar.checks.framework import Problem
from medgauge_registrar.content.redlines import Hit, KeyLine, keyed, said, tabled
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.document import Position
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.characters import shown

# Words of a passage that a message repeats, from a little before the phrase.
_BEFORE_CHARACTERS, _SHOWN_CHARACTERS = 25, 60
# Places of one rule told for one file; the rest are counted.
MAX_PLACES = 20


def crossed_lines(file: TextFile, rule: str) -> Iterator[Problem]:
    """A problem for every place of a file that crosses a red line of a rule."""
    if hits := [hit for hit in _hits(file) if hit.line.rule == rule]:
        yield from capped(_problem(hit) for hit in hits)


def capped(problems: Iterator[Problem]) -> Iterator[Problem]:
    """The first problems of one rule in one file; the last of them says how many more there are."""
    told = list(problems)
    yield from told[:MAX_PLACES]
    if len(told) > MAX_PLACES:
        left_out = len(told) - MAX_PLACES
        yield Problem(
            message=f"{left_out:,} more places of this kind are not listed",
            help="Mend the ones above first; the next run lists the rest.",
            severity=max(told, key=lambda problem: problem.severity is Severity.ERROR).severity,
        )


@lru_cache(maxsize=4)
def _hits(file: TextFile) -> tuple[Hit, ...]:
    """All hits in a file: every rule asks for its own, one after another."""
    return (*said(file), *keyed(file.nodes, file.kind), *tabled(file.markdown.tables, file.kind))


def _problem(hit: Hit) -> Problem:
    line = hit.line
    if isinstance(line, KeyLine):
        position = Position(line=hit.passage.line, column=1) if hit.passage.line else None
        return Problem(
            message=f"{shown(hit.passage.text)} {line.say}", help=line.help, pointer=hit.pointer, position=position
        )
    start = max(0, hit.offset - _BEFORE_CHARACTERS)
    words = " ".join(hit.passage.text[start : start + _SHOWN_CHARACTERS].split())
    return Problem(
        message=f"{shown(words)} {line.say}",
        help=line.help,
        pointer=hit.pointer,
        position=Position(line=hit.passage.line_of(hit.offset), column=1) if hit.passage.line else None,
        severity=line.severity,
    )
