"""Tokens, keys and passwords, found by the detectors of detect-secrets (used as a library: no files, no network)."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from medgauge_registrar.patterns import lazy_pattern

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

# Without one of these signs no detector can find anything, and none is loaded.
_SIGNS = (
    "secret", "passw", "pwd", "token", "api_key", "api-key", "apikey", "private", "credential", "auth", "bearer", "contrase",
    "aws", "akia", "xox", "hooks.slack", "sk_live", "rk_live", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "eyj", "sg.",
    "npm_", "aiza", "pypi-", "sk-", "discord", "telegram", "key",
)  # fmt: skip
# Bounds of what the detectors' own patterns are run on.
MAX_LINE_CHARACTERS = 1_000
MAX_PIECES = 4_000
_OVERLAP_CHARACTERS = 100
# Detectors of shapes that stand in every honest record: digests, and addresses that have a rule of their own.
_LEFT_OUT = frozenset(
    {"HexHighEntropyString", "IPPublicDetector", "SoftlayerDetector", "IbmCosHmacDetector", "IbmCloudIamDetector"}
)
_PLACEHOLDER = lazy_pattern(
    r"[<{\[$%].{0,80}|.{0,80}[>}\]%]|x{3,80}|\*{3,80}|\.{3,80}"
    r"|(?:your|my|the|an|a|example|sample|dummy|fake|null|none|true|false|required)\b.{0,80}",
    re.IGNORECASE,
)
# A path, an identifier or a list of words: each of its parts is letters alone, digits alone, or `v` and digits.
_PART_END = lazy_pattern(r"[-_./=+]")
_KNOWN_PART = lazy_pattern(r"[A-Za-z]{0,200}|[0-9]{1,200}|v[0-9]{1,6}|[0-9a-f]{7,200}")
_TOKEN = lazy_pattern(r"(?:sha512-|sha384-|sha256-)?[A-Za-z0-9+/_=-]{24,200}")
_PROSE_VALUE = lazy_pattern(r"[a-z]{1,20}[.,;:]?", re.I)


def has_secret(text: str) -> bool:
    """
    Whether a text holds something shaped like a credential.

    The detectors' filters are not used: one of them lets any line silence the scan by a comment.

    Source:
        Yelp detect-secrets 1.5, plugins.
    """
    if not _is_suspicious(text):
        return False
    return next(_found(text), None) is not None


def _is_suspicious(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _SIGNS) or not all(map(_is_known, _TOKEN.findall(text)))


def _found(text: str) -> Iterator[str]:
    pieces = 0
    for line in text.split("\n"):
        for start in range(0, max(1, len(line)), MAX_LINE_CHARACTERS):
            piece = line[max(0, start - _OVERLAP_CHARACTERS) : start + MAX_LINE_CHARACTERS]
            if not _is_suspicious(piece):
                continue
            pieces += 1
            if pieces > MAX_PIECES:
                yield "more suspicious text than is scanned"
                return
            for plugin in _detectors():
                yield from (secret for secret in _secrets(plugin, piece) if not _is_harmless(secret))


def _secrets(plugin: "BasePlugin", piece: str) -> Iterator[str]:
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString
    from detect_secrets.plugins.keyword import CONFIG_DENYLIST_REGEX_TO_GROUP, KeywordDetector

    if isinstance(plugin, Base64HighEntropyString):
        for token in _TOKEN.findall(piece):
            if (
                not _is_known(token)
                and _is_mixed(token)
                and plugin.calculate_shannon_entropy(token) > plugin.entropy_limit
            ):
                yield token
    elif isinstance(plugin, KeywordDetector):
        for secret in plugin.analyze_string(piece, CONFIG_DENYLIST_REGEX_TO_GROUP):
            # In prose the word after "token:" or "password:" is a word.
            if not _PROSE_VALUE.fullmatch(secret) and " " not in secret.strip() and len(secret) >= 6:
                yield secret
    else:
        yield from plugin.analyze_string(piece)


def _is_known(token: str) -> bool:
    return all(_KNOWN_PART.fullmatch(part) for part in _PART_END.split(token))


def _is_mixed(token: str) -> bool:
    return any(c.isdigit() for c in token) and any(c.islower() for c in token) and any(c.isupper() for c in token)


def _is_harmless(secret: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(secret)) or "example" in secret.casefold()


@cache
def _detectors() -> "tuple[BasePlugin, ...]":
    # Imported on first use: only changed files with a suspicious sign in them pay for it.
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: list[type[BasePlugin]] = list(get_mapping_from_secret_type_to_class().values())
    return tuple(made() for made in sorted(classes, key=lambda made: made.__name__) if made.__name__ not in _LEFT_OUT)
