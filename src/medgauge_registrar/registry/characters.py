"""Characters that no record may hold, and how a message shows what it must not repeat."""

import re

from medgauge_registrar.patterns import lazy_pattern

CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""Class of the control characters, without tab and LF."""

# Line separators, every format character, every other character that draws nothing, and noncharacters. Written out,
# because the tables of Python grow from release to release and a verdict must not.
# Source: Unicode 16: general categories Cf, Zl, Zp; Default_Ignorable_Code_Point; Noncharacter_Code_Point.
UNSEEN = (
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
) + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
"""Class of the characters that draw nothing or turn the text around them."""

_SURROGATES = "\ud800-\udfff"
_SURROGATE = lazy_pattern(f"[{_SURROGATES}]")
_UNFIT = lazy_pattern(f"[{CONTROLS}{_SURROGATES}{UNSEEN}]")
_UNSHOWN = lazy_pattern(f"[\t\n{CONTROLS}{_SURROGATES}{UNSEEN}]")
_SHOWN_CHARACTERS = 60


def unfit_in_value(*, foreign_text: bool) -> re.Pattern[str]:
    """Pattern of the characters that no key or text may hold, however they are written."""
    return _SURROGATE if foreign_text else _UNFIT


def named(character: str) -> str:
    """Name a character without writing it: `U+200B`."""
    return f"U+{ord(character):04X}"


def shown(value: str) -> str:
    """Show a value of a file in a message: short, on one line, nothing hidden."""
    cut = _UNSHOWN.sub(lambda found: f"<{named(found[0])}>", value[:_SHOWN_CHARACTERS])
    return f"`{cut}`" if len(value) <= _SHOWN_CHARACTERS else f"`{cut}…` ({len(value):,} characters)"
