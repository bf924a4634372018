"""
Whether task keys are as opaque as they must be (ID-11).

No program can prove that a key means nothing. What is looked for here is what people do: words, counters, common stems,
and digests of numbered names. Each pattern is so unlikely in keys drawn at random that a hit is taken for intent; among
1,000 random keys of twelve characters a false alarm has a chance below one in 1,000.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache

from medgauge_registrar.patterns import lazy_pattern

_KEY_PREFIX = "tk-"
# Shorter words turn up in random keys too often.
_WORD_CHARACTERS = 5
_FIXED_WORDS = ("holdout", "calib", "defect", "control", "answer", "sample")
_SAME_CHARACTER = lazy_pattern(r"(.)\1{5}")
# Two random keys share this many characters at one end with a chance of one in 36 to this power.
_SHARED_CHARACTERS = 8
_STEM_CHARACTERS, _STEM_KEYS = 4, 3
_STEMS = ("", "task", "task-", "task_", "tk", "tk-", "item-", "dev-", "holdout-", "calibration-")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512", "blake2b")


def revealing_keys(keys: Mapping[str, str], *, family: str, version: str) -> Iterator[tuple[str, str]]:
    """
    Find keys that say something.

    Args:
        keys: Task keys (`tk-…@x.y.z`) by JSON Pointer; the parent of a pointer tells the subset.
        family: Benchmark id.
        version: Benchmark version.

    Returns:
        Pointer of each telling key, and why it tells something.

    Source:
        Methodology, sections 2 and 12.1 (opaque task key); the patterns are inferred.
    """
    bodies = {pointer: key.partition("@")[0].removeprefix(_KEY_PREFIX) for pointer, key in keys.items()}
    words = _words(family)
    guessable = _guessable_digests(family, version) if bodies else frozenset()
    for pointer, body in bodies.items():
        if word := next((word for word in words if word in body), None):
            yield pointer, f"contains the word `{word}`"
        elif _SAME_CHARACTER.search(body):
            yield pointer, "repeats one character six times, as padded counters do"
        elif body in guessable:
            yield pointer, "is the plain digest of a numbered name, which anybody can recompute"
    yield from _neighbours(bodies)
    yield from _stems(bodies)


def _words(family: str) -> tuple[str, ...]:
    parts = family.partition("-")[2].split("-")
    return tuple(word for word in (*parts, *_FIXED_WORDS) if len(word) >= _WORD_CHARACTERS)


def _neighbours(bodies: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Keys that agree with an earlier one in all but a few characters, as counters do."""
    first: dict[tuple[str, str], str] = {}
    for pointer, body in bodies.items():
        for end, part in (("beginning", body[:_SHARED_CHARACTERS]), ("end", body[-_SHARED_CHARACTERS:])):
            other = first.setdefault((end, part), body)
            if other != body:
                yield pointer, f"has the same {end} as `{_KEY_PREFIX}{other}`, as counted keys do"


def _stems(bodies: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Subsets whose keys all begin or end alike."""
    subsets: dict[str, dict[str, str]] = {}
    for pointer, body in bodies.items():
        subsets.setdefault(pointer.rpartition("/")[0], {})[pointer] = body
    for subset in subsets.values():
        stems = {
            "begin": {body[:_STEM_CHARACTERS] for body in subset.values()},
            "end": {body[-_STEM_CHARACTERS:] for body in subset.values()},
        }
        for where, parts in stems.items():
            # Keys that share even more were named one by one already.
            longer = len({body[:_SHARED_CHARACTERS] for body in subset.values()}) < len(subset)
            if len(subset) >= _STEM_KEYS and len(parts) == 1 and not longer:
                yield next(iter(subset)), f"is one of a subset whose keys all {where} with `{parts.pop()}`"


def _guessable_digests(family: str, version: str) -> frozenset[str]:
    """What a key would be, had it been made from the first number of a series by a common digest without a secret."""
    short = family.partition("-")[2]
    stems = (short, f"{short}-", f"{short}_", f"{family}-", f"{family}@{version}-", f"{family}@{version}/")
    return frozenset().union(*(_digests(stem) for stem in (*_STEMS, *stems)))


@lru_cache(maxsize=4096)
def _digests(stem: str) -> frozenset[str]:
    """Beginnings of the digests of a stem with the number one behind it."""
    digests = (
        hashlib.new(algorithm, f"{stem}{number}".encode(), usedforsecurity=False).digest()
        for number in ("1", "01", "001", "0001")
        for algorithm in _ALGORITHMS
    )
    return frozenset(
        text[:12] for digest in digests for text in (digest.hex(), base64.b32encode(digest).decode().lower())
    )
