"""Numbers of the methodology that a text names: sections, appendices, axioms, general rules, dimensions, labels, constraints."""

import re
from collections.abc import Iterator
from functools import lru_cache

from medgauge_registrar.content.markdown import parse_markdown
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

# What version 0.1.0 defines; used for a series that the text at hand does not spell out (as a short stand-in does not).
_AXIOMS, _RULES, _DIMENSIONS, _LABELS, _CONSTRAINTS, _GATES = 7, 8, 10, 10, 10, 11
_HEADING_NUMBER = lazy_pattern(r"(?:section )?(\d{1,2}(?:\.\d{1,2}){0,2})(?:\.|\b)", re.I)
_HEADING_APPENDIX = lazy_pattern(
    r"[Aa]ppendix ([A-Z](?:\.\d{1,2})?)(?=[\s.:\u2014\u2013-]|$)|([A-Z]\.\d{1,2})(?=[\s.:]|$)"
)
_RUN_IN = lazy_pattern(r"(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?) [A-Z]")
_AXIOM = lazy_pattern(r"\bAxiom (\d{1,2})(?= ?[(:])")
_RULE = lazy_pattern(r"\bG(\d{1,2})(?= ?[(:])")
_DIMENSION = lazy_pattern(r"\bM(\d{1,2})\b")
_LABEL = lazy_pattern(r"\bT(\d{1,2})\b")

_NUMBER = r"\d{1,2}(?:\.\d{1,2}){0,2}"
_MANY = rf"({_NUMBER}(?:(?:,(?: and)? | and | or | to |[\u2013-]){_NUMBER}){{0,8}})"
# A section of something else: of a standard, a schema, an Act, a file.
_ELSEWHERE = lazy_pattern(
    r"(?:\s{0,2}\([^)\n]{0,40}\))?,? (?:of|in|to|from) (?!(?:this|the) (?:methodology|text)\b)"
    r"(?:the |that |its |an |a )?[A-Za-z<\"'(\u201c]",
    re.IGNORECASE,
)
_SECTIONS = lazy_pattern(rf"\b[Ss]ections? {_MANY}")
_SIGNS = lazy_pattern(rf"\u00a7{{1,2}} ?{_MANY}")
_APPENDICES = lazy_pattern(r"\b(?:[Aa]ppendix|App\.?) ([A-Z](?:\.\d{1,2})?)\b")
_AXIOMS_NAMED = lazy_pattern(rf"\b[Aa]xioms? {_MANY}")
_RULES_NAMED = lazy_pattern(
    r"\b(?:general )?rules? G(\d{1,2})\b|\(G(\d{1,2})\)|\bG(\d{1,2})\b(?=[,;) ]{1,2}(?:and )?G\d)", re.I
)
_DIMENSIONS_NAMED = lazy_pattern(r"\bdimensions? M(\d{1,2})(?:\s?[\u2013-]\s?M?(\d{1,2}))?\b", re.I)
_LABELS_NAMED = lazy_pattern(r"\b(?:task )?labels? T(\d{1,2})(?:\s?[\u2013-]\s?T?(\d{1,2}))?\b", re.I)
_CONSTRAINTS_NAMED = lazy_pattern(r"\b(?:constraints?|veto(?:es)?|capabilit(?:y|ies)) X\.(\d{1,2})\b", re.I)
_GATES_NAMED = lazy_pattern(r"\bgates? (\d{1,2})\b", re.I)
# Fragments of which a text that cites must hold one.
_CITING = ("ection", "\u00a7", "ppendix", "App", "xiom", " G", "(G", "imension", "abel", "onstraint", "eto", "apabilit")
# Wider than all patterns of a citation together: what does not match it cites nothing.
_CITATION = lazy_pattern(
    r"(?:sections? |\u00a7{1,2} ?|axioms? |\bG|dimensions? M|labels? T|(?:constraints?|veto(?:es)?|capabilit(?:y|ies)) X\.)\d"
    r"|\b(?:appendix|App\.?) [A-Z]",
    re.I,
)
# In the methodology itself the bare codes are its own.
_BARE_RULE, _BARE_DIMENSION, _BARE_LABEL, _BARE_CONSTRAINT = (
    lazy_pattern(rf"(?<![\w.-]){letter}(\d{{1,2}})(?![\w%]|\.\d)") for letter in ("G", "M", "T", r"X\.")
)


@frozen
class Inventory:
    """The numbers that a methodology text defines."""

    sections: frozenset[str]
    appendices: frozenset[str]
    axioms: frozenset[int]
    rules: frozenset[int]
    dimensions: frozenset[int]
    labels: frozenset[int]

    def names(self) -> frozenset[str]:
        """Every number in one set, each as a text would write it."""
        return frozenset(
            {
                *self.sections,
                *(f"Appendix {name}" for name in self.appendices),
                *(f"xiom {number}" for number in self.axioms),
                *(f"G{number}" for number in self.rules),
                *(f"M{number}" for number in self.dimensions),
                *(f"T{number}" for number in self.labels),
            }
        )


@frozen
class Mention:
    """A number that a text names and the methodology does not define: as written, and where."""

    written: str
    offset: int


@lru_cache(maxsize=8)
def inventory(text: str) -> Inventory:
    """The numbers that a methodology text defines; a series it does not spell out is that of version 0.1.0."""
    markdown = parse_markdown(text)
    sections: set[str] = set()
    appendices: set[str] = set()
    headings = {heading for passage in markdown.passages for heading in passage.headings}
    for heading in headings:
        if found := _HEADING_NUMBER.match(heading):
            sections.add(found[1])
        elif found := _HEADING_APPENDIX.match(heading):
            appendices.add(found[1] or found[2])
    for passage in markdown.passages:
        if found := _RUN_IN.match(passage.text):
            sections.add(found[1])
    words = "\n".join(passage.text for passage in markdown.passages)
    return Inventory(
        sections=frozenset(sections),
        appendices=frozenset(appendices),
        axioms=_series(_AXIOM, words, _AXIOMS),
        rules=_series(_RULE, words, _RULES),
        dimensions=_series(_DIMENSION, "\n".join(headings), _DIMENSIONS),
        labels=_series(_LABEL, "\n".join(headings), _LABELS, whole=True),
    )


def cites(text: str) -> bool:
    """Whether a text can cite anything by number at all."""
    return any(sign in text for sign in _CITING) and _CITATION.search(text) is not None


def unknown_numbers(text: str, known: Inventory, *, own: bool, signs_only: bool = False) -> Iterator[Mention]:
    """
    Numbers in a text that the methodology does not define.

    Args:
        text: The text.
        known: What the methodology defines.
        own: The text is the methodology, where bare codes such as `M3` are its own.
        signs_only: The text also cites other documents, so a bare `section 3` may be theirs.
    """
    if not own and not cites(text):
        return
    for pattern in (_SIGNS,) if signs_only else (_SECTIONS, _SIGNS):
        for found in pattern.finditer(text):
            if not own and _ELSEWHERE.match(text, found.end()):
                continue
            yield from _unknown(found, re.findall(_NUMBER, found[1]), known.sections, "section ")
    if not signs_only:
        for found in _APPENDICES.finditer(text):
            if not _ELSEWHERE.match(text, found.end()):
                yield from _unknown(found, [found[1]], known.appendices, "Appendix ")
    for found in _AXIOMS_NAMED.finditer(text):
        yield from _unknown(found, re.findall(r"\d{1,2}", found[1]), {str(number) for number in known.axioms}, "Axiom ")
    series = (
        (_BARE_RULE if own else _RULES_NAMED, known.rules, "G"),
        (_BARE_DIMENSION if own else _DIMENSIONS_NAMED, known.dimensions, "M"),
        (_BARE_LABEL if own else _LABELS_NAMED, known.labels, "T"),
        (_BARE_CONSTRAINT if own else _CONSTRAINTS_NAMED, frozenset(range(1, _CONSTRAINTS + 1)), "X."),
    )
    for pattern, numbers, code in series:
        for found in pattern.finditer(text):
            yield from _unknown(found, [group for group in found.groups() if group], {str(n) for n in numbers}, code)
    if own:
        for found in _GATES_NAMED.finditer(text):
            yield from _unknown(found, [found[1]], {str(number) for number in range(1, _GATES + 1)}, "gate ")


def _unknown(
    found: re.Match[str], numbers: list[str], known: frozenset[str] | set[str], code: str
) -> Iterator[Mention]:
    for number in numbers:
        if number not in known and number.rstrip(".0") not in known:
            yield Mention(written=f"{code}{number}", offset=found.start())


def _series(pattern: re.Pattern[str], text: str, usual: int, *, whole: bool = False) -> frozenset[int]:
    found = {int(number) for number in pattern.findall(text)}
    if whole and found:
        found = set(range(1, max(found) + 1))
    return frozenset(found) if found else frozenset(range(1, usual + 1))
