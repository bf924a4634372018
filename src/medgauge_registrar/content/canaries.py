"""Canary strings, known only by their keyed digests (BND-10)."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import field

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern

# Runs of characters that can be a whole canary, from the widest reading to the narrowest.
_CANDIDATES = (
    lazy_pattern(r"\S{8,300}"),
    lazy_pattern(r"[A-Za-z0-9_.:/@+=-]{8,300}"),
    lazy_pattern(r"[A-Za-z0-9_-]{8,300}"),
    lazy_pattern(r"[A-Za-z0-9]{8,300}"),
)
MAX_LINE_CHARACTERS = 1_000
# What a planted marker calls itself, whatever its string.
_MARKER = lazy_pattern(
    r"\bcanary (?:GUID|UUID|string|token)\b.{0,20}[0-9a-f]{8}-[0-9a-f]{4}-|benchmark data should never appear in training",
    re.I,
)
_SIGNS = ("canary", "never appear in training")


@frozen
class Canaries:
    """
    The closed list, as far as it is known here.

    Attributes:
        key: Key of the digests.
        digests: HMAC-SHA-256 of each string under the key, hexadecimal.
    """

    key: bytes = field(default=b"", repr=False)
    digests: frozenset[str] = field(default=frozenset(), repr=False)

    def in_text(self, text: str) -> bool:
        """Whether a text holds a canary: a listed one as a word or a whole line, or one that calls itself so."""
        lowered = text.lower()
        if any(sign in lowered for sign in _SIGNS) and _MARKER.search(text):
            return True
        if not self.digests:
            return False
        return any(self._digest(candidate) in self.digests for candidate in _candidates(text))

    def _digest(self, candidate: str) -> str:
        return hmac.new(self.key, candidate.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _candidates(text: str) -> Iterator[str]:
    seen: set[str] = set()
    for line in text.split("\n"):
        whole = line.strip().strip("\"'`#/*- ")
        if 8 <= len(whole) <= MAX_LINE_CHARACTERS and whole not in seen:
            seen.add(whole)
            yield whole
    for pattern in _CANDIDATES:
        for candidate in pattern.findall(text):
            if candidate not in seen:
                seen.add(candidate)
                yield candidate
