"""
Identifiers of people that a rule can find (NEV-05): of the eighteen categories those with a shape, a check digit or a context.

The shapes stand in `data/content.yml`. A scan that finds nothing has only found nothing: names, portraits and unusual traits
have no shape.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any, cast

from medgauge_registrar.content import digits
from medgauge_registrar.content.source import content_source
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

Proof = Callable[[re.Match[str]], bool]

# Addresses that belong to a function and not to a person, and domains set aside for examples (RFC 2606, RFC 6761).
_ROLE_BOXES = frozenset({
    "abuse", "admin", "board", "conduct", "contact", "editor", "editors", "enquiries", "feedback", "git", "hello", "help",
    "helpdesk", "info", "inquiries", "legal", "library", "licensing", "maintainers", "media", "news", "no-reply", "noreply",
    "office", "permissions", "postmaster", "press", "privacy", "publications", "registry", "security", "service",
    "standards", "support", "team", "webmaster",
})  # fmt: skip
_EXAMPLE_DOMAIN = lazy_pattern(
    r"(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|invalid|test|localhost|users\.noreply\.github\.com)$"
)
_EXAMPLE_WORD = lazy_pattern(r"\b(?:example|invalid)\b", re.IGNORECASE)
_SKELETON = {
    **{ord(digit): "0" for digit in "123456789"},
    **{ord(space): " " for space in "\t\n\r\v\f\x1c\x1d\x1e\x1f"},
}
_DIGIT, _SPACE = lazy_pattern(r"\d"), lazy_pattern(r"\s")
_BETWEEN = lazy_pattern(r"[\s.-]")
# A four-part version looks like an address, so an address counts only beside one of these words.
_ADDRESS_WORDS = lazy_pattern(
    r"\b(?:ip|address|addr|host|server|client|from|login|logged|ping|ssh|connect\w{0,4}|network|proxy|gateway)\b",
    re.IGNORECASE,
)
_ADDRESS_REACH_CHARACTERS = 60
# Lines of a commit message that name its authors, as git itself writes them.
TRAILER = lazy_pattern(r"^[ \t]{0,4}(?:[A-Za-z]{1,20}-){1,3}by:[^\n]{0,300}$", re.MULTILINE)


@frozen
class IdentifierRule:
    """
    One sort of identifier.

    Attributes:
        name: What it is, for tests and for people; never printed beside a hit.
        category: Number in the list of eighteen.
        signs: Lower-case fragments of which a text must hold one for the pattern to match; empty: none is needed.
        digits: Fragments of which it must hold one once every digit is written 0 and all space as blanks; empty: none is needed.
        trigger: A cheap shape that it must hold besides; null: none is needed.
        pattern: Its shape.
        proof: What must hold of a match besides.
    """

    name: str
    category: int
    signs: tuple[str, ...]
    digits: tuple[str, ...]
    trigger: re.Pattern[str] | None
    pattern: re.Pattern[str]
    proof: Proof
    hit: tuple[str, ...]
    miss: tuple[str, ...]


def identifiers(text: str) -> Iterator[str]:
    """
    Names of the sorts of identifiers that a text holds; neither the values nor their places.

    Source:
        45 CFR 164.514(b)(2)(i), the eighteen categories; methodology, section 11.2.
    """
    lowered, skeleton = text.lower(), _skeleton(text)
    for rule in identifier_rules():
        if rule.signs and not any(sign in lowered for sign in rule.signs):
            continue
        if rule.digits and not any(shape in skeleton for shape in rule.digits):
            continue
        if rule.trigger is not None and not rule.trigger.search(text):
            continue
        if any(rule.proof(found) for found in rule.pattern.finditer(text)):
            yield rule.name


def has_identifier(text: str) -> bool:
    """Whether a text holds any identifier that a rule can find."""
    return next(identifiers(text), None) is not None


@cache
def identifier_rules() -> tuple[IdentifierRule, ...]:
    """
    Load the shipped rules.

    Raises:
        PolicyError: The file is unreadable.
    """
    return tuple(map(_rule, cast(list[dict[str, Any]], content_source()["identifiers"])))


def _rule(item: Mapping[str, Any]) -> IdentifierRule:
    return IdentifierRule(
        name=item["name"],
        category=item["category"],
        signs=tuple(item.get("signs", ())),
        digits=tuple(item.get("digits", ())),
        trigger=lazy_pattern(item["trigger"]) if "trigger" in item else None,
        pattern=lazy_pattern(item["pattern"], re.NOFLAG if item.get("exact", False) else re.IGNORECASE),
        proof=_PROOFS[item.get("proof", "none")],
        hit=tuple(item["hit"]),
        miss=tuple(item["miss"]),
    )


def _skeleton(text: str) -> str:
    """A text with every digit written 0 and every space as a blank."""
    return text.translate(_SKELETON) if text.isascii() else _SPACE.sub(" ", _DIGIT.sub("0", text))


def _plain(text: str) -> str:
    return _BETWEEN.sub("", text)


def _person_box(found: re.Match[str]) -> bool:
    box, domain = found[1].casefold(), found[2].casefold()
    return box.split("+")[0] not in _ROLE_BOXES and not _EXAMPLE_DOMAIN.search(domain)


def _public_address(found: re.Match[str]) -> bool:
    try:
        public = IPv4Address(found[1]).is_global
    except AddressValueError:
        return False
    text = found.string
    line_start = text.rfind("\n", 0, found.start()) + 1
    reach = max(line_start, found.start() - _ADDRESS_REACH_CHARACTERS)
    return public and _ADDRESS_WORDS.search(text, reach, found.start()) is not None


def _public_address_6(found: re.Match[str]) -> bool:
    try:
        return IPv6Address(found[1]).is_global
    except AddressValueError:
        return False


def _card(found: re.Match[str]) -> bool:
    number = _plain(found[0])
    return 13 <= len(number) <= 19 and digits.luhn(number)


def _us_social(found: re.Match[str]) -> bool:
    area, group, serial = found[1], found[2], found[3]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _phone(found: re.Match[str]) -> bool:
    number = "".join(character for character in found[0] if character.isdigit())
    # Numbers that no exchange gives out (555-01xx) stand in examples.
    return 8 <= len(number) <= 15 and "55501" not in number and len(set(number)) > 2


def _iban(found: re.Match[str]) -> bool:
    number = _plain(found[1])
    return 15 <= len(number) <= 34 and digits.iban(number)


def _checked(function: Callable[[str], bool]) -> Proof:
    return lambda found: function(_plain(found[1]))


_PROOFS: Mapping[str, Proof] = {
    "none": lambda _: True,
    "not-example": lambda found: not _EXAMPLE_WORD.search(found[0]),
    "person-box": _person_box,
    "public-address": _public_address,
    "public-address-6": _public_address_6,
    "card": _card,
    "us-social": _us_social,
    "phone": _phone,
    "iban": _iban,
    "nhs": _checked(digits.nhs),
    "resident-identity": _checked(digits.resident_identity),
    "verhoeff": _checked(digits.verhoeff),
    "spanish-identity": _checked(digits.spanish_identity),
    "french-insurance": _checked(digits.french_insurance),
    "brazilian-taxpayer": _checked(digits.brazilian_taxpayer),
    "vehicle": _checked(digits.vehicle),
    "polish-identity": _checked(digits.polish_identity),
    "finnish-identity": lambda found: digits.finnish_identity(found[1]),
    "dutch-service": _checked(digits.dutch_service),
}
