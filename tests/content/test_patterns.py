"""The patterns of the content checks: their own examples hold, and none can cost more than its input is long."""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator

import pytest

import medgauge_registrar.content
from medgauge_registrar.content.identifiers import IdentifierRule, has_identifier, identifier_rules, identifiers
from medgauge_registrar.content.passages import Passage
from medgauge_registrar.content.redlines import KeyLine, Phrase, keyed, red_lines, said_in
from medgauge_registrar.content.textfile import walk
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.reader import Syntax, read_document
from support.regexes import TooManyStepsError, faults, steps

# What one character of input may cost in steps of a backtracking matcher, for the worst input tried.
STEPS_PER_CHARACTER = 6_000
LENGTH = 100


def kind_of(line: Phrase | KeyLine) -> Kind:
    usual = (Kind.ARTICLE, Kind.OTHER, Kind.METH, *Kind)
    return next(kind for kind in usual if kind in line.scope)


def module_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for found in pkgutil.iter_modules(medgauge_registrar.content.__path__):
        module = importlib.import_module(f"medgauge_registrar.content.{found.name}")
        for name, value in vars(module).items():
            values = value if isinstance(value, tuple) else (value,)
            for index, one in enumerate(values):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    yield f"{found.name}.{name}[{index}]", one


def every_pattern() -> dict[str, re.Pattern[str]]:
    found = dict(module_patterns())
    for phrase in red_lines().phrases:
        for part in ("patterns", "needs", "unless"):
            found |= {f"{phrase.id}.{part}[{i}]": one for i, one in enumerate(getattr(phrase, part))}
    for rule in identifier_rules():
        found[f"{rule.name}.pattern"] = rule.pattern
        if rule.trigger is not None:
            found[f"{rule.name}.trigger"] = rule.trigger
    return found


PATTERNS = every_pattern()


@pytest.mark.parametrize("phrase", red_lines().phrases, ids=lambda phrase: phrase.id)
def test_phrase_keeps_its_examples(phrase: Phrase) -> None:
    """Each phrase finds its own examples and lets its counter-examples pass."""
    kind = kind_of(phrase)
    for text in phrase.hit:
        assert list(said_in(Passage(text=text), [phrase], kind)), text
        assert any(word in text.lower() for word in phrase.words), text
    for text in phrase.miss:
        assert not list(said_in(Passage(text=text), [phrase], kind)), text


@pytest.mark.parametrize("line", red_lines().keys, ids=lambda line: line.id)
def test_key_keeps_its_examples(line: KeyLine) -> None:
    """Each key line finds its own examples and lets its counter-examples pass."""

    def found(text: str) -> bool:
        document = read_document(text.encode(), syntax=Syntax.YAML)
        assert document.faults == ()
        return any(hit.line is line for hit in keyed(tuple(walk(document.value)), kind_of(line)))

    assert [text for text in line.hit if not found(text)] == []
    assert [text for text in line.miss if found(text)] == []


@pytest.mark.parametrize("rule", identifier_rules(), ids=lambda rule: rule.name)
def test_identifier_keeps_its_examples(rule: IdentifierRule) -> None:
    """Each rule finds its own examples; in its counter-examples no rule finds anything."""
    assert [text for text in rule.hit if rule.name not in set(identifiers(text))] == []
    assert [text for text in rule.miss if has_identifier(text)] == []


def test_examples_are_there() -> None:
    """Every line of the reviewed file has examples on both sides, a known section and a help."""
    for line in (*red_lines().phrases, *red_lines().keys):
        assert line.hit, line.id
        assert line.miss, line.id
        assert line.section, line.id
        assert line.help.endswith("."), line.id
    ids = [line.id for line in (*red_lines().phrases, *red_lines().keys)]
    assert len(set(ids)) == len(ids)
    assert all(rule.hit and rule.miss for rule in identifier_rules())


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_pattern_is_bounded(name: str) -> None:
    """No pattern repeats without a bound, or a repetition too often, or chooses ambiguously under a repetition."""
    assert list(faults(PATTERNS[name])) == []


def hostile(pattern: re.Pattern[str]) -> Iterator[str]:
    """Inputs made to be slow: what the pattern is about, over and over, and never to its end."""
    literal = re.sub(r"\\[bBdDsSwW]|[\\(){}\[\]?*+|^$]", " ", pattern.pattern)
    words = [word for word in literal.split() if word.isalpha()][:4] or ["ab"]
    for unit in (" ".join(words) + " ", "a", "a ", "1 ", "1-", ".", " ", "<a "):
        yield (unit * LENGTH)[:LENGTH]


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_pattern_stays_linear(name: str) -> None:
    """A matcher that counts its steps stays below a fixed number for each character, whatever the input."""
    sys.setrecursionlimit(20_000)
    for text in hostile(PATTERNS[name]):
        assert steps(PATTERNS[name], text, STEPS_PER_CHARACTER * LENGTH) > 0


@pytest.mark.parametrize("source", [r"(a+)+$", r"(?:a|ab){1,50}c", r"\s*x\s*", r"(?:[a-z]{1,90}){1,90}x"])
def test_lint_finds_what_it_is_for(source: str) -> None:
    """Patterns known to be slow are refused by the lint."""
    assert list(faults(re.compile(source)))


def test_counting_finds_what_it_is_for() -> None:
    """A pattern known to explode passes any number of steps."""
    with pytest.raises(TooManyStepsError):
        steps(re.compile(r"(?:a{1,30}){1,30}b"), "a" * 60, 100_000)
