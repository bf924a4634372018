"""Frozen values are what dataclasses would be: equal by content, unchangeable, and silent about what is not to be shown."""

from dataclasses import FrozenInstanceError, field, replace

import pytest

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern


@frozen
class Example:
    name: str
    hidden: str = field(default="closed", repr=False)
    note: str = field(default="", compare=False)


@frozen
class Twin:
    name: str
    hidden: str = "closed"
    note: str = ""


@frozen
class Empty:
    pass


def test_equal_content_is_equal() -> None:
    """Of one class, by the fields that count; the hash goes with it."""
    one = Example(name="a", note="first")
    assert one == Example(name="a", note="second")
    assert hash(one) == hash(Example(name="a", note="second"))
    assert one != Example(name="b")
    assert one != Example(name="a", hidden="other")
    assert one != Twin(name="a")
    assert len({one, Example(name="a"), Example(name="b")}) == 2
    assert Empty() == Empty()


def test_nothing_changes() -> None:
    """No field is set again, taken away or added."""
    one = Example(name="a")
    with pytest.raises(FrozenInstanceError, match="`name`"):
        one.name = "b"
    with pytest.raises(FrozenInstanceError, match="`name`"):
        del one.name
    with pytest.raises(AttributeError):
        one.other = "b"
    assert one == Example(name="a")
    assert replace(one, name="b") == Example(name="b")


def test_closed_fields_are_not_shown() -> None:
    """Neither in a message nor in a log."""
    assert repr(Example(name="a")) == "Example(name='a', note='')"


def test_fields_are_named() -> None:
    """Nobody has to count them."""
    with pytest.raises(TypeError):
        Example("a")


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    """One that is none shows at its first use; one that is behaves like any other, the second time too."""
    wrong = lazy_pattern("(")
    with pytest.raises(Exception, match="unterminated subpattern"):
        wrong.search("a")
    pattern = lazy_pattern(r"(?P<letter>[a-z])\d")
    for _ in range(2):
        assert pattern.findall("a1 b2") == ["a", "b"]
    assert pattern.groupindex == {"letter": 1}
    assert lazy_pattern(rb"\d").sub(b"0", b"a1") == b"a0"
