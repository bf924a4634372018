"""Bytes to text, under one rule for both syntaxes."""

from medgauge_registrar.model.document import Fault, Position
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.characters import CONTROLS, UNSEEN, named
from medgauge_registrar.registry.limits import Limits, Syntax
from medgauge_registrar.registry.survey import FaultLog, Lines

_CONTROL = lazy_pattern(f"[{CONTROLS}]")
# By syntax, and whether the text is foreign. JSON may set a tab between tokens; YAML readers disagree about tabs, and
# libyaml takes NEL, LS and PS for line ends, so these stay out even of foreign text.
_UNFIT = {
    (Syntax.YAML, False): lazy_pattern(f"[\t{CONTROLS}{UNSEEN}]"),
    (Syntax.JSON, False): lazy_pattern(f"[{CONTROLS}{UNSEEN}]"),
    (Syntax.YAML, True): lazy_pattern(f"[\t{CONTROLS}\u2028\u2029\ufeff\ufffe\uffff]"),
    (Syntax.JSON, True): lazy_pattern("[\x00-\x08\x0b-\x1f]|\\A\ufeff"),
}
_PLAIN_ASCII = {Syntax.YAML: bytes(range(0x20, 0x7F)) + b"\n", Syntax.JSON: bytes(range(0x20, 0x7F)) + b"\n\t"}
_LFS_POINTER = lazy_pattern(rb"version https://(?:git-lfs|hawser)\.github\.com/spec/")
_WIDE_MARKS = (
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\xfe\xff", "UTF-16"),
    (b"\xff\xfe", "UTF-16"),
)


def decode(data: bytes, syntax: Syntax, limits: Limits) -> tuple[str, tuple[Fault, ...]]:
    """
    Read bytes as text: UTF-8 without a byte order mark, line ends of LF, nothing hidden, tabs in JSON only.

    Returns:
        The text, and every fault in it; it is fit to be parsed only if there are none.

    Source:
        RFC 8259, section 8.1; YAML 1.2.2, section 5.
    """
    whole = _fault_of_whole(data, syntax, limits)
    if whole is not None:
        return "", (whole,)
    if data.isascii() and not data.translate(None, _PLAIN_ASCII[syntax]):
        return data.decode("ascii"), ()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return "", (_not_utf8(data, error.start),)
    return text, _unfit_characters(text, syntax, limits)


def _fault_of_whole(data: bytes, syntax: Syntax, limits: Limits) -> Fault | None:
    start = Position(line=1, column=1)
    limit_bytes = limits.yaml_bytes if syntax is Syntax.YAML else limits.json_bytes
    if len(data) > limit_bytes:
        return Fault(
            message=f"the file has {len(data):,} bytes; expected at most {limit_bytes:,} in {syntax}",
            help="split the record, or keep bulky material elsewhere and refer to it",
        )
    if not data or data.isspace():
        return Fault(
            message="the file is empty; expected a record", help="write the record, or remove the file", position=start
        )
    if _LFS_POINTER.match(data):
        return Fault(
            message="the file is a Git LFS pointer; expected the record itself",
            help="take the path out of LFS in `.gitattributes` (`git lfs untrack`), then add the file again",
            position=start,
        )
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return Fault(
                message=f"the file is written in {encoding}; expected UTF-8",
                help="save the file as UTF-8 without a byte order mark",
                position=start,
            )
    return None


def _not_utf8(data: bytes, offset: int) -> Fault:
    line_start = data.rfind(b"\n", 0, offset) + 1
    return Fault(
        message=f"byte {offset} of the file is 0x{data[offset]:02X}, which is no UTF-8 here; expected UTF-8",
        help="save the file as UTF-8, or write this character anew",
        position=Position(
            line=data.count(b"\n", 0, offset) + 1, column=len(data[line_start:offset].decode("utf-8", "replace")) + 1
        ),
    )


def _unfit_characters(text: str, syntax: Syntax, limits: Limits) -> tuple[Fault, ...]:
    log = FaultLog(limits.fault_count)
    lines = Lines(text)
    carriage_return_seen = False
    for found in _UNFIT[syntax, limits.foreign_text].finditer(text):
        if found[0] == "\r":
            if carriage_return_seen:
                continue
            carriage_return_seen = True
        if log.is_full:
            log.leave_out()
        else:
            log.add(*_unfit_character(text, found.start()), lines.position(found.start()))
    return log.faults()


def _unfit_character(text: str, offset: int) -> tuple[str, str]:
    """Message and remedy for one character of the raw text."""
    character = text[offset]
    if character == "\r":
        return (
            f"carriage returns (CR) stand in the file, {text.count(character):,} in all, the first one here; expected "
            "line ends of LF alone",
            "save the file with LF line ends; `* text=auto eol=lf` in `.gitattributes` keeps them",
        )
    if character == "\ufeff" and not offset:
        return "the file begins with a byte order mark; expected none", "save the file as UTF-8 without BOM"
    if character == "\t":
        return (
            "a tab stands here; expected spaces, since YAML readers disagree about tabs",
            'write spaces; where a text needs a tab, write `\\t` inside double quotes (`"a\\tb"`)',
        )
    if _CONTROL.match(character):
        return (
            f"the control character {named(character)} stands here, at byte {len(text[:offset].encode())}; "
            "expected visible text",
            "remove the character",
        )
    return (
        f"the character {named(character)} stands here; expected only characters that are seen, for this one draws "
        "nothing or turns the text around it",
        "remove the character",
    )
