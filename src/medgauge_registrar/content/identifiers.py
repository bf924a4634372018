"""
Identifiers of people that a rule can find (NEV-05): of the eighteen categories those with a shape, a check digit or a context.

A scan that finds nothing has only found nothing: names, portraits and unusual traits have no shape.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from medgauge_registrar.content import digits

Proof = Callable[[re.Match[str]], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """
    One sort of identifier.

    Attributes:
        name: What it is, for tests and for people; never printed beside a hit.
        category: Number in the list of eighteen (45 CFR 164.514(b)(2)(i), A to R as 1 to 18).
        trigger: A cheap sign without which the pattern cannot match.
        pattern: Its shape.
        proof: What must hold of a match besides.
    """

    name: str
    category: int
    trigger: re.Pattern[str]
    pattern: re.Pattern[str]
    proof: Proof


# Addresses that belong to a function and not to a person, and domains set aside for examples (RFC 2606, RFC 6761).
_ROLE_BOXES = frozenset({
    "abuse", "admin", "board", "conduct", "contact", "editor", "editors", "enquiries", "feedback", "git", "hello", "help", "helpdesk",
    "info", "inquiries", "legal", "library", "licensing", "maintainers", "media", "news", "no-reply", "noreply", "office", "permissions",
    "postmaster", "press", "privacy", "publications", "registry", "security", "service", "standards", "support", "team", "webmaster",
})  # fmt: skip
_EXAMPLE_DOMAIN = re.compile(r"(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|invalid|test|localhost|users\.noreply\.github\.com)$")
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY = (
    r"(?:(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? (?:19|20)\d{{2}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d{{2}})"
)
_NAME = r"[A-Z][a-z'\u00c0-\u017e-]{1,20}"


def _always(_: re.Match[str]) -> bool:
    return True


def _plain(text: str) -> str:
    return re.sub(r"[\s.-]", "", text)


def _person_box(found: re.Match[str]) -> bool:
    box, domain = found[1].casefold(), found[2].casefold()
    return box.split("+")[0] not in _ROLE_BOXES and not _EXAMPLE_DOMAIN.search(domain)


def _person_domain(found: re.Match[str]) -> bool:
    return not re.search(r"\bexample\b|\binvalid\b", found[0], re.I)


def _public_ipv4(found: re.Match[str]) -> bool:
    try:
        address = IPv4Address(found[1])
    except AddressValueError:
        return False
    return address.is_global


def _public_ipv6(found: re.Match[str]) -> bool:
    try:
        address = IPv6Address(found[1])
    except AddressValueError:
        return False
    return address.is_global and found[1].count(":") >= 4


def _card(found: re.Match[str]) -> bool:
    number = _plain(found[0])
    return 13 <= len(number) <= 19 and digits.luhn(number)


def _us_social(found: re.Match[str]) -> bool:
    area, group, serial = found[1], found[2], found[3]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _in_words(function: Callable[[str], bool]) -> Proof:
    return lambda found: function(_plain(found[1]))


def _phone(found: re.Match[str]) -> bool:
    number = re.sub(r"\D", "", found[0])
    # Numbers that no exchange gives out (555-01xx) stand in examples.
    return 8 <= len(number) <= 15 and "55501" not in number and len(set(number)) > 2


def _rule(name: str, category: int, trigger: str, pattern: str, proof: Proof = _always, *, flags: int = re.I) -> Rule:
    return Rule(
        name=name, category=category, trigger=re.compile(trigger, re.I), pattern=re.compile(pattern, flags), proof=proof
    )


_BESIDE = r"(?:no\.?|nr\.?|number|num|id|identifier|#)?\s{0,2}(?:is\s{1,2})?[:=#]?\s{0,2}"
RULES: tuple[Rule, ...] = (
    _rule("name of a patient", 1, "patient|name of", rf"\b(?i:patient(?:'s)?(?: full)? name|name of (?:the )?patient)\s{{0,2}}(?:(?i:is)|[:=])\s{{0,2}}[\"']?({_NAME} {_NAME})\b", _person_domain, flags=0),
    _rule("patient by title and name", 1, r"\b(?:mr|mrs|ms|miss)\b", rf"\b(?:Mr|Mrs|Ms|Miss)\.? ({_NAME})(?: {_NAME})?,? (?:(?:is|was) )?(?:a |an )?(?:aged )?\d{{1,3}}(?:[- ]years?[- ]old| ?y/?o)?\b", flags=0),
    _rule("street address", 2, r"street|avenue|road|lane|boulevard|drive|\bst\b|\bave\b|\brd\b", rf"\b\d{{1,5}} (?:{_NAME} ){{1,3}}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Boulevard|Blvd|Drive)\b\.?,? (?:(?:Apt|Flat|Unit|Suite)\.? ?\w{{1,5}},? )?(?:{_NAME} ?){{1,3}},? (?:[A-Z]{{2}} \d{{5}}(?:-\d{{4}})?|[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}}|\d{{4,6}})\b", flags=0),
    _rule("coordinates of a place", 2, r"\d\.\d{4}", r"\b(?:lat(?:itude)?|gps|coordinates?)\s{0,2}[:=]?\s{0,2}[-+]?\d{1,2}\.\d{4,8}[,;\s]{1,3}(?:lon(?:g(?:itude)?)?\s{0,2}[:=]?\s{0,2})?[-+]?\d{1,3}\.\d{4,8}\b"),
    _rule("date of birth", 3, r"birth|\bdob\b|\bborn\b", rf"\b(?:date of birth|birth ?date|d\.?o\.?b\.?|born(?: on)?)\b[\"']?\s{{0,2}}(?:is|was)?\s{{0,2}}[:=(]?\s{{0,2}}[\"']?({_DAY})"),
    _rule("full date beside a patient", 3, r"admi|discharg|died|death|deceased", rf"\b(?:patient|she|he|mr|mrs|ms)\b[^.\n]{{0,60}}\b(?:was |were )?(?:admitted|discharged|died|deceased)\b(?: to [a-z ]{{1,30}})?(?: on| at)? ({_DAY})"),
    _rule("age over eighty-nine", 3, r"year", r"\b(?:9\d|1[0-2]\d)[-\s](?:years?|yrs?)[-\s]old (?:man|woman|male|female|patient|lady|gentleman)\b"),
    _rule("telephone number", 4, r"\+\d|\(\d{3}\)", r"(?<![\w+/=.@-])(?:\+\d{1,3}[\s.-]?(?:\(\d{1,4}\)[\s.-]?)?\d{1,4}(?:[\s.-]?\d{2,4}){2,4}|\(\d{3}\) ?\d{3}[-.\s]\d{4})(?![\w.-]?\d)", _phone),
    _rule("telephone number in words", 4, r"phone|\btel\b|mobile|\bcall\b|\bfax\b", r"\b(?:tele)?(?:phone|tel|mobile|cell|fax|call)\.?\s{0,2}(?:no\.?|number|#)?\s{0,2}[:=]?\s{0,2}(\(?\d{2,5}\)?(?:[\s.-]\d{2,5}){1,4})(?!\d)", _phone),
    _rule("electronic mail address", 6, "@", r"(?<![\w.@/:+-])([a-z0-9][a-z0-9._%+-]{0,63})@([a-z0-9](?:[a-z0-9-]{0,62}\.){1,8}[a-z]{2,24})\b(?![/\w])", _person_box),
    _rule("obfuscated mail address", 6, r"\bat\b|\(at\)|\[at\]", r"(?<![\w.])([a-z0-9][a-z0-9._-]{1,40})\s{0,2}(?:\[at\]|\(at\)|\{at\})\s{0,2}([a-z0-9-]{1,40}(?:(?:\.|\s{0,2}(?:\[dot\]|\(dot\)|\{dot\})\s{0,2})[a-z]{2,20}){1,4})\b", _person_domain),
    _rule("social security number", 7, r"\d{3}-\d{2}-\d{4}", r"(?<![\w-])(\d{3})-(\d{2})-(\d{4})(?![\w-])", _us_social),
    _rule("NHS number", 7, "nhs", rf"\bNHS\s{{0,2}}{_BESIDE}(\d{{3}}[\s-]?\d{{3}}[\s-]?\d{{4}})(?!\d)", _in_words(digits.nhs)),
    _rule("resident identity number", 7, r"\d{17}", r"(?<![\w-])([1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])(?![\w-])", _in_words(digits.resident_identity)),
    _rule("Aadhaar number", 7, r"\d{4}[\s-]\d{4}[\s-]\d{4}|aadhaar", r"(?<![\w-])([2-9]\d{3}([\s-])\d{4}\2\d{4})(?![\w-]|[\s-]\d{4})", _in_words(digits.verhoeff)),
    _rule("Spanish identity number", 7, r"\d{7,8}-?[a-z]\b", r"(?<![\w-])((?:\d{8}|[XYZ]\d{7})-?[TRWAGMYFPDXBNJZSQVHLCKE])(?![\w-])", lambda found: digits.spanish_identity(_plain(found[1])), flags=0),
    _rule("French insurance number", 7, r"\d{13}|\d \d{2} \d{2}", r"(?<![\w-])([12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2})(?![\w-])", _in_words(digits.french_insurance)),
    _rule("Brazilian taxpayer number", 7, r"\d{3}\.\d{3}\.\d{3}-\d{2}", r"(?<!\w)(\d{3}\.\d{3}\.\d{3}-\d{2})(?!\w)", _in_words(digits.brazilian_taxpayer)),
    _rule("national number in context", 7, "passport|national id|identity card|social security|insurance number", rf"\b(?:passport|national id(?:entity)?|identity card|social security|national insurance)\s{{0,2}}{_BESIDE}(?=[A-Z0-9]{{0,12}}\d)([A-Z0-9]{{6,14}})\b"),
    _rule("medical record number", 8, r"\bmrn\b|record n|patient (?:id|n)|hospital n|chart n|case n", rf"\b(?:MRN|medical record|patient|hospital|chart|case|encounter|accession)\s{{0,2}}(?:no\.?|nr\.?|number|num|id|identifier|#)\s{{0,2}}(?:is\s{{1,2}})?[:=#]?\s{{0,2}}[\"']?(?=[A-Z-]{{0,6}}\d)([A-Z]{{0,4}}-?\d{{5,12}})\b"),
    _rule("medical record number, short", 8, r"\bmrn\b", r"\bMRN\s{0,2}[:=#]?\s{0,2}[\"']?([A-Z]{0,4}-?\d{5,12})\b"),
    _rule("number of a health plan", 9, "member|beneficiary|subscriber|medicare|medicaid|policy", rf"\b(?:member|beneficiary|subscriber|medicare|medicaid|policy ?holder|insurance policy)\s{{0,2}}(?:no\.?|number|num|id|identifier|#)\s{{0,2}}(?:is\s{{1,2}})?[:=#]?\s{{0,2}}(?=[A-Z0-9-]{{0,14}}\d)([A-Z0-9][A-Z0-9-]{{6,14}})\b"),
    _rule("payment card", 10, r"\d{4}[\s-]?\d{4}", r"(?<![\w.-])(?:3[47]\d{2}[\s-]?\d{6}[\s-]?\d{5}|(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2}|6(?:011|5\d{2}))(?:[\s-]?\d{4}){3})(?![\w.-]?\d)", _card),
    _rule("bank account", 10, r"\b[a-z]{2}\d{2}", r"(?<![\w-])([A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4})(?![\w-])", lambda found: 15 <= len(_plain(found[1])) <= 34 and digits.iban(_plain(found[1])), flags=0),
    _rule("licence number", 11, r"licen[cs]e|\bdea\b|\bnpi\b|\bgmc\b", rf"\b(?:driv(?:er'?s|ing) licen[cs]e|medical licen[cs]e|licen[cs]e plate|DEA|NPI|GMC)\s{{0,2}}(?:no\.?|number|num|#)?\s{{0,2}}[:=#]?\s{{0,2}}(?=[A-Z]{{0,4}}-?\d)([A-Z]{{0,4}}-?\d{{6,12}})\b"),
    _rule("vehicle", 12, r"\bvin\b|vehicle", r"\b(?:VIN|vehicle identification number)\s{0,2}[:=#]?\s{0,2}([A-HJ-NPR-Z0-9]{17})\b", _in_words(digits.vehicle)),
    _rule("device address", 13, r"[0-9a-f]{2}[:-][0-9a-f]{2}[:-]", r"(?<![\w:-])(?!(?:00[:-]){5}00)(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![\w:-])"),
    _rule("device serial number", 13, "serial|implant|pacemaker|device", rf"\b(?:implant|pacemaker|device|ICD|pump|stent)\s{{0,2}}serial\s{{0,2}}{_BESIDE}(?=[A-Z0-9-]{{0,14}}\d)([A-Z0-9][A-Z0-9-]{{5,14}})\b"),
    _rule("address with credentials", 14, "://", r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/@:<>\"'`]{1,64}:[^\s/@<>\"'`]{2,100}@[a-z0-9.-]{1,100}"),
    _rule("page of a person", 14, "linkedin|facebook|instagram|patient", r"\bhttps?://(?:www\.)?(?:linkedin\.com/in|facebook\.com|instagram\.com)/[a-z0-9._-]{3,60}"),
    _rule("internet address", 15, r"\d\.\d", r"(?<![\w./@-])(?<!version )(?<!v)(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w/-]|\.\d)(?=[^\n]{0,40})", _public_ipv4),
    _rule("internet address, long", 15, r"[0-9a-f]:[0-9a-f]{0,4}:", r"(?<![\w:.])([0-9a-f]{1,4}(?::{1,2}[0-9a-f]{1,4}){4,7})(?![\w:])", _public_ipv6),
)  # fmt: skip

# Lines of a commit message that name its authors, as git itself writes them.
TRAILER = re.compile(r"^[ \t]{0,4}(?:[A-Z][a-z]{1,20}-){1,3}by:[^\n]{0,300}$", re.M)
# An address in context alone: four-part versions look the same.
_ADDRESS_WORDS = re.compile(r"\b(?:ip|address|addr|host|server|client|from|login|logged|ping|ssh|connect\w{0,4}|network|proxy|gateway)\b", re.I)


def identifiers(text: str) -> Iterator[str]:
    """
    Names of the sorts of identifiers that a text holds; neither the values nor their places.

    Source:
        45 CFR 164.514(b)(2)(i), the eighteen categories; methodology, section 11.2.
    """
    for rule in RULES:
        if not rule.trigger.search(text):
            continue
        for found in rule.pattern.finditer(text):
            if rule.proof(found) and _in_context(rule, text, found):
                yield rule.name
                break


def has_identifier(text: str) -> bool:
    """Whether a text holds any identifier that a rule can find."""
    return next(identifiers(text), None) is not None


def _in_context(rule: Rule, text: str, found: re.Match[str]) -> bool:
    if rule.name != "internet address":
        return True
    line_start = text.rfind("\n", 0, found.start()) + 1
    return _ADDRESS_WORDS.search(text, max(line_start, found.start() - 60), found.start()) is not None
