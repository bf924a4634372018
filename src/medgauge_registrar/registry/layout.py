"""Path to kind, identifier and version, and back: the layout of a registry, as data."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, unquote_to_bytes

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.patterns import lazy_pattern

VERSION = r"(?:0|[1-9][0-9]{0,8})\.(?:0|[1-9][0-9]{0,8})\.(?:0|[1-9][0-9]{0,8})"
_WORDS = r"[a-z0-9]+(?:-[a-z0-9]+)*"
TYPE_CODES = ("bm", "gr", "hx", "tl", "ds", "std", "res", "rp", "lo", "rm")
_FIELDS: Mapping[str, str] = {
    **{code: rf"{code}-{_WORDS}" for code in TYPE_CODES},
    "cap": r"[ABCDEX]\.[1-9][0-9]?",
    "model": r"(?:[A-Za-z0-9_-]|%[0-9A-F]{2})(?:[A-Za-z0-9._-]|%[0-9A-F]{2})*",
    "name": _WORDS,
    "version": VERSION,
    "rest": r"[^/](?:.*[^/])?",
}
_PLACEHOLDER = lazy_pattern(r"\{([a-z]+)\}")
# Kinds whose file is a record that a schema describes; the others are prose, code or anything else.
RECORD_KINDS = frozenset(Kind) - {
    Kind.METH, Kind.CHARTER, Kind.SCHEMA, Kind.INFRA, Kind.OTHER, Kind.UNCLASSIFIED, Kind.ARTICLE,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """
    What a path stands for.

    Attributes:
        id: Identifier the path carries; null where the kind has none.
        version: Version the path carries; null where it carries none.
        template: The layout pattern that matched; null for `other` and `unclassified`.
    """

    path: str
    kind: Kind
    id: str | None = None
    version: str | None = None
    template: str | None = None

    @property
    def object(self) -> str:
        """Identifier or versioned reference of the object; the path where there is neither."""
        if self.id and self.version:
            return f"{self.id}@{self.version}"
        return self.id or self.path

    @property
    def is_record(self) -> bool:
        """Whether the file is a record with a schema."""
        return self.kind in RECORD_KINDS and not self.path.endswith(".md")


class Layout:
    """
    The places of all kinds.

    Args:
        templates: Patterns a kind.
        exceptions: Patterns taken out of a kind again.
        anywhere: File names that belong to a kind in any folder outside the registry, whatever pattern matches there.
        registry: Folder whose every file must be of a known kind.

    Raises:
        PolicyError: A kind has no pattern, two patterns of different kinds can match one path, a pattern can match no path
            of a repository, or a placeholder is unknown or misplaced.
    """

    def __init__(
        self,
        *,
        templates: Mapping[Kind, Sequence[str]],
        exceptions: Mapping[Kind, Sequence[str]],
        anywhere: Mapping[Kind, Sequence[str]],
        registry: str,
    ) -> None:
        self.registry = registry
        self.templates = {kind: tuple(patterns) for kind, patterns in templates.items()}
        self._anywhere = {name: kind for kind, names in anywhere.items() for name in names}
        self._exceptions = [pattern for patterns in exceptions.values() for pattern in patterns]
        self._prove()
        # Patterns are filed under their first folder, so that a look-up tries, and compiles, only a handful.
        self._by_root: dict[str, list[tuple[str, Kind]]] = {}
        for kind, patterns in self.templates.items():
            for pattern in patterns:
                self._by_root.setdefault(pattern.split("/", 1)[0], []).append((pattern, kind))
        self._exceptions_by_root: dict[str, list[str]] = {}
        for pattern in self._exceptions:
            self._exceptions_by_root.setdefault(pattern.split("/", 1)[0], []).append(pattern)
        self._by_fold: dict[str, list[str]] = {}
        for root, filed in self._by_root.items():
            self._by_fold.setdefault(_fold(root), []).extend(template for template, _ in filed)
        self._anywhere_folded = frozenset(map(_fold, self._anywhere))

    def place(self, path: str) -> Place:
        """Tell what a path stands for; never raises. Look-alikes of governed paths are `unclassified` (DEC-19)."""
        exact = self._exact(path)
        if exact.kind is not Kind.OTHER:
            return exact
        # A path that a case-folding file system would take for a governed one is refused, not waved through.
        twin = self._exact_folded(_fold(path))
        return Place(path=path, kind=Kind.UNCLASSIFIED) if twin else exact

    def _exact(self, path: str) -> Place:
        # Such a file governs its folder, so it goes before the pattern that claims the folder.
        kind_anywhere = self._anywhere.get(path.rsplit("/", 1)[-1])
        if kind_anywhere and not path.startswith(self.registry + "/"):
            return Place(path=path, kind=kind_anywhere)
        root = path.split("/", 1)[0]
        for template, kind in self._by_root.get(root, ()):
            if path.startswith(template.partition("{")[0]) and (match := _compile(template).fullmatch(path)):
                if any(_compile(exception).fullmatch(path) for exception in self._exceptions_by_root.get(root, ())):
                    return Place(path=path, kind=Kind.OTHER)
                return _place(path, kind, template, match)
        if path == self.registry or path.startswith(self.registry + "/"):
            return Place(path=path, kind=Kind.UNCLASSIFIED)
        return Place(path=path, kind=Kind.OTHER)

    def _exact_folded(self, folded: str) -> bool:
        if folded == self.registry or folded.startswith(self.registry + "/"):
            return True
        if folded.rsplit("/", 1)[-1] in self._anywhere_folded:
            return True
        return any(
            re.fullmatch(_compile(template).pattern, folded, re.IGNORECASE | re.DOTALL) and not self._excepted(folded)
            for template in self._by_fold.get(folded.split("/", 1)[0], ())
        )

    def _excepted(self, folded: str) -> bool:
        return any(
            re.fullmatch(_compile(exception).pattern, folded, re.IGNORECASE | re.DOTALL)
            for exception in self._exceptions
        )

    def path(self, kind: Kind, **fields: str) -> str:
        """Build the path of an object from the fields of its pattern (`bm`, `version`, …)."""
        for template in self.templates[kind]:
            if _names(template) == fields.keys():
                return template.format_map(fields)
        raise KeyError(f"{kind}: no pattern takes {sorted(fields)}")

    def folder(self, kind: Kind) -> str:
        """Longest folder that all patterns of a kind share."""
        heads = [_PLACEHOLDER.split(template)[0].rpartition("/")[0] for template in self.templates[kind]]
        shared = heads[0].split("/")
        for head in heads[1:]:
            parts = head.split("/")
            shared = [a for a, b in zip(shared, parts, strict=False) if a == b]
        return "/".join(shared)

    def _prove(self) -> None:
        for kind in Kind:
            if kind in {Kind.OTHER, Kind.UNCLASSIFIED}:
                continue
            if not self.templates.get(kind):
                raise PolicyError(f"layout: kind `{kind}` has no path; give it at least one pattern")
        every = [(kind, pattern) for kind, patterns in self.templates.items() for pattern in patterns]
        for template in [pattern for _, pattern in every] + self._exceptions:
            _known_fields(template)
            _prove_pattern(template)
        for index, (kind, pattern) in enumerate(every):
            for other_kind, other in every[index + 1 :]:
                if kind is not other_kind and _may_overlap(pattern, other):
                    raise PolicyError(
                        f"layout: `{pattern}` ({kind}) and `{other}` ({other_kind}) can match the same path; "
                        "a path must have one kind"
                    )


def encode_model_name(name: str) -> str:
    """File name of a model (ID-04): letters, digits, `.`, `_` and `-` stand for themselves, any other byte is `%XX`."""
    encoded = quote(name, safe="").replace("~", "%7E")
    return "%2E" + encoded[1:] if encoded.startswith(".") else encoded


def decode_model_name(encoded: str) -> str | None:
    """Model name behind a file name; null if its bytes are no UTF-8, so that it is the name of none."""
    try:
        return unquote_to_bytes(encoded).decode("utf-8")
    except UnicodeDecodeError:
        return None


def fold(path: str) -> str:
    """Key under which two paths are the same on a file system that folds letter case and composition (hazard B9)."""
    return _fold(path)


def _fold(path: str) -> str:
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", path).casefold())


def _place(path: str, kind: Kind, template: str, match: re.Match[str]) -> Place:
    fields = match.groupdict()
    version = fields.pop("version", None)
    for rest in ("rest",):
        fields.pop(rest, None)
    if kind is Kind.MODEL:
        name = decode_model_name(fields["model"])
        if name is None or encode_model_name(name) != fields["model"]:
            return Place(path=path, kind=Kind.UNCLASSIFIED)
        return Place(path=path, kind=kind, id=name, template=template)
    identifier = fields.get("res") or next(iter(fields.values()), None)
    if kind is Kind.RES:
        version = None
    if kind is Kind.DFN:
        identifier = "difficulty-function"
    if kind is Kind.LVL:
        identifier = "level-rules"
    if kind is Kind.PRICE:
        identifier = "price-table"
    if kind is Kind.METH:
        identifier = "methodology" if version else None
    return Place(path=path, kind=kind, id=identifier, version=version, template=template)


def _known_fields(template: str) -> None:
    """Refuse a pattern with an unknown field, or with one that stands twice."""
    names = _PLACEHOLDER.findall(template)
    if {"{", "}"} & set(_PLACEHOLDER.sub("", template)):
        raise PolicyError(f"layout: `{template}` has a brace that belongs to no field; take it out")
    for name in names:
        if name not in _FIELDS:
            raise PolicyError(f"layout: `{template}` uses `{{{name}}}`; known fields are {', '.join(sorted(_FIELDS))}")
        if names.count(name) > 1:
            raise PolicyError(f"layout: `{template}` uses `{{{name}}}` twice")


@cache
def _names(template: str) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(template))


@cache
def _compile(template: str) -> re.Pattern[str]:
    pattern, cursor = "", 0
    for match in _PLACEHOLDER.finditer(template):
        name = match.group(1)
        pattern += re.escape(template[cursor : match.start()]) + f"(?P<{name}>{_FIELDS[name]})"
        cursor = match.end()
    return lazy_pattern(pattern + re.escape(template[cursor:]), re.DOTALL)


def _prove_pattern(template: str) -> None:
    """Refuse a pattern that could match no path, or of which it could not be told what it shares with others."""
    parts = template.split("/")
    if "{" in parts[0] or not {"", ".", "..", ".git"}.isdisjoint(parts):
        raise PolicyError(f"layout: `{template}` is no path in a repository; begin with the name of a file or folder")
    if "{rest}" in template and (parts[-1] != "{rest}" or template.count("{rest}") > 1):
        raise PolicyError(f"layout: `{template}` uses `{{rest}}` within it; it stands alone after the last `/`")


def shape(template: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    """
    What must not differ between two patterns of a kind, since paths are taken apart and put together by it.

    The fields in each folder or name, from the first that has any; and the ending, which tells how the file is read. So
    `registry/standards/{std}.yaml` and `norms/{std}.yaml` agree, and `norms/{name}.yaml` agrees with neither.
    """
    fields = [tuple(_PLACEHOLDER.findall(part)) for part in template.split("/")]
    first = next((index for index, names in enumerate(fields) if names), len(fields))
    ending = _literal_tail(template.rsplit("/", 1)[-1])
    return tuple(fields[first:]), ending[ending.rfind(".") :] if "." in ending else ""


def _may_overlap(one: str, two: str) -> bool:
    """Whether two patterns could match one path; says yes when it cannot be ruled out."""
    left, right = one.split("/"), two.split("/")
    for a, b in zip(left, right, strict=False):
        if "{rest}" in (a, b):
            return True
        if not _segments_may_meet(a, b):
            return False
    return len(left) == len(right)


def _segments_may_meet(a: str, b: str) -> bool:
    if "{" not in a and "{" not in b:
        return a == b
    if "{" not in a:
        return _compile(b).fullmatch(a) is not None
    if "{" not in b:
        return _compile(a).fullmatch(b) is not None
    heads, tails = (_literal_head(a), _literal_head(b)), (_literal_tail(a), _literal_tail(b))
    return _agree(*heads) and _agree(tails[0][::-1], tails[1][::-1])


def _literal_head(segment: str) -> str:
    literal, placeholder, _ = segment.partition("{")
    name = segment[len(literal) + 1 :].partition("}")[0]
    return literal + (f"{name}-" if placeholder and name in TYPE_CODES else "")


def _literal_tail(segment: str) -> str:
    return segment.rpartition("}")[2]


def _agree(a: str, b: str) -> bool:
    return a.startswith(b) or b.startswith(a)


def expand(templates: Mapping[str, Sequence[str]]) -> Iterator[tuple[Kind, tuple[str, ...]]]:
    """Turn the names of a layout file into kinds."""
    for name, patterns in templates.items():
        try:
            kind = Kind(name)
        except ValueError:
            raise PolicyError(f"layout: `{name}` is no kind; kinds are {', '.join(Kind)}") from None
        yield kind, tuple(patterns)
