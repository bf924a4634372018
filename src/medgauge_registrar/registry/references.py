"""Which other objects a record names, and at which path each of them must stand (ID-06)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.layout import Layout, Place, encode_model_name
from medgauge_registrar.registry.records import Record

_RESULT = lazy_pattern(r"res-(?=(?P<rest>[a-z0-9-]+)$)")
_VERSION_INSIDE = lazy_pattern(r"(?<![a-z0-9])(?P<x>[0-9]+)-(?P<y>[0-9]+)-(?P<z>[0-9]+)-(?=[a-z0-9])")


@frozen
class Reference:
    """
    One mention of another object.

    Attributes:
        pointer: JSON Pointer of the mention.
        text: The mention as written.
        kind: Kind of the object that is meant.
        paths: Where the object may stand; it resolves if a file stands at any of them.
    """

    pointer: str
    text: str
    kind: Kind
    paths: tuple[str, ...]


Resolver = Callable[[Layout, str], tuple[str, ...]]


def _by_id(kind: Kind, field: str) -> Resolver:
    return lambda layout, text: (layout.path(kind, **{field: text}),)


def _by_version(kind: Kind, field: str) -> Resolver:
    def resolve(layout: Layout, text: str) -> tuple[str, ...]:
        identifier, _, version = text.partition("@")
        return (layout.path(kind, **{field: identifier, "version": version}),)

    return resolve


def _bare_version(kind: Kind) -> Resolver:
    return lambda layout, text: (layout.path(kind, version=text.rpartition("@")[2]),)


def _model(layout: Layout, text: str) -> tuple[str, ...]:
    return (layout.path(Kind.MODEL, model=encode_model_name(text)),)


def _result(layout: Layout, text: str) -> tuple[str, ...]:
    return tuple(
        layout.path(Kind.RES, bm=benchmark, version=version, res=text) for benchmark, version in result_versions(text)
    )


def _round(layout: Layout, text: str) -> tuple[str, ...]:
    return (layout.path(Kind.ROUND, name=text),)


_RESOLVERS: Mapping[str, tuple[Kind, Resolver]] = {
    "cap": (Kind.CAP, _by_id(Kind.CAP, "cap")),
    "std": (Kind.STD, _by_id(Kind.STD, "std")),
    "bm": (Kind.BM_CARD, _by_id(Kind.BM_CARD, "bm")),
    "bm@": (Kind.BM_VERSION, _by_version(Kind.BM_VERSION, "bm")),
    "gr@": (Kind.GR, _by_version(Kind.GR, "gr")),
    "hx@": (Kind.HX, _by_version(Kind.HX, "hx")),
    "tl@": (Kind.TL, _by_version(Kind.TL, "tl")),
    "dfn@": (Kind.DFN, _bare_version(Kind.DFN)),
    "alg@": (Kind.ALG, _by_version(Kind.ALG, "name")),
    "price": (Kind.PRICE, _bare_version(Kind.PRICE)),
    "model": (Kind.MODEL, _model),
    "res": (Kind.RES, _result),
    "round": (Kind.ROUND, _round),
    "notice": (Kind.NOTICE, _by_id(Kind.NOTICE, "name")),
}

_ALGORITHM_FIELDS = ("intervals", "paired_test", "letter_display")
_CONDITION_FIELDS = (
    ("model_and_version/model", "model"),
    ("tool_permissions_and_list/tools/*", "tl@"),
    ("harness", "hx@"),
)
# Where each kind of record names others: a path of field names, `*` for every item of a list, and what is named there.
FIELDS: Mapping[Kind, Sequence[tuple[str, str]]] = {
    Kind.BM_CARD: (
        ("capabilities/*", "cap"),
        ("grading_references/*", "gr@"),
        ("checks/*/provenance", "gr@"),
        ("versions/*", "bm@"),
    ),
    Kind.BM_VERSION: (
        ("id", "bm"),
        ("algorithms/intervals", "alg@"),
        ("algorithms/letter_display", "alg@"),
        ("algorithms/paired_test", "alg@"),
        ("difficulty_function", "dfn@"),
        ("reference_summary/*/grading_reference", "gr@"),
        ("checks/*/provenance", "gr@"),
        ("notice", "notice"),
    ),
    Kind.GR: (("standard", "std"), ("sources/*/standard", "std"), ("capabilities/*", "cap")),
    Kind.CAP: (
        ("dependencies/*", "cap"),
        ("composed_of/*", "cap"),
        ("vetoes/*", "cap"),
        ("retirement/merged_into", "cap"),
    ),
    Kind.HX: (("tool_components/*", "tl@"),),
    Kind.TL: (("skill_validation/specification", "std"),),
    Kind.STD: (("adoption_of", "std"),),
    Kind.DS: (("capabilities/*", "cap"),),
    Kind.LIFECYCLE: (("adapter_check/calibration", "bm@"),),
    Kind.REDIRECTS: (("redirects/*/new", "bm"), ("redirects/*/old", "bm")),
    Kind.RES: (
        ("benchmark_version", "bm@"),
        ("model", "model"),
        ("harness", "hx@"),
        ("components/*", "tl@"),
        ("paired_with", "res"),
        ("corrects", "res"),
        ("round", "round"),
        ("amounts/price_table", "price"),
        *((f"algorithms/{field}", "alg@") for field in _ALGORITHM_FIELDS),
        *((f"fixed_conditions/{field}", what) for field, what in _CONDITION_FIELDS),
    ),
    Kind.RP: (("benchmark_version", "bm@"), ("harness", "hx@"), ("model", "model")),
    Kind.LO: (("benchmark_version", "bm@"), ("harness", "hx@"), ("model", "model"), ("capability", "cap")),
    Kind.VOID: (("benchmark_version", "bm@"), ("voided/*/replaced_in", "bm@")),
    Kind.NOTICE: (("affected/*", "bm@"),),
    # A protocol comes before its results, and a model is listed only beside one, so the models of a protocol are not followed.
    # Nor is what a dispute was about, which need not have been merged, and what a price table prices.
    Kind.ROUND: (
        ("subjects/*/harness", "hx@"),
        ("subjects/*/components/*", "tl@"),
        ("price_table", "price"),
        ("benchmark_versions/*/benchmark_version", "bm@"),
        ("benchmark_versions/*/difficulty_function", "dfn@"),
        *((f"benchmark_versions/*/algorithms/{field}", "alg@") for field in _ALGORITHM_FIELDS),
        *((f"subjects/*/fixed_conditions/{field}", what) for field, what in _CONDITION_FIELDS if what != "model"),
    ),
}


def references(record: Record, layout: Layout) -> tuple[Reference, ...]:
    """Every mention in a record that keeps its schema."""
    return record.once("references", layout, lambda: tuple(_references(record, layout)))


def _references(record: Record, layout: Layout) -> Iterator[Reference]:
    for field, what in FIELDS.get(record.kind, ()):
        kind, resolve = _RESOLVERS[what]
        for pointer, value in select(record.document.value, field):
            if isinstance(value, str):
                yield Reference(pointer=pointer, text=value, kind=kind, paths=resolve(layout, value))
    if record.kind is Kind.LIFECYCLE and (described := described_path(record.place, layout)):
        yield Reference(pointer="/object", text=record.place.object, kind=described[0], paths=(described[1],))


def described_path(sidecar: Place, layout: Layout) -> tuple[Kind, str] | None:
    """Kind and path of the versioned object that a lifecycle sidecar is about."""
    code = (sidecar.id or "").partition("-")[0]
    if f"{code}@" not in _RESOLVERS:
        return None
    kind, resolve = _RESOLVERS[f"{code}@"]
    return kind, resolve(layout, sidecar.object)[0]


def select(value: Json, field: str) -> Iterator[tuple[str, Json]]:
    """Values below a record that a path of names and `*` leads to, each with its JSON Pointer."""
    pointer = ""
    for depth, part in enumerate(parts := field.split("/")):
        if part == "*":
            if isinstance(value, list):
                rest = "/".join(parts[depth + 1 :])
                for index, item in enumerate(value):
                    if rest:
                        yield from ((f"{pointer}/{index}{below}", found) for below, found in select(item, rest))
                    else:
                        yield f"{pointer}/{index}", item
            return
        if not isinstance(value, dict) or part not in value:
            return
        value = value[part]
        pointer += f"/{part}"
    yield pointer, value


def result_versions(identifier: str) -> Iterator[tuple[str, str]]:
    """
    Benchmark id and version that a result id can mean.

    A family may end in numbers itself, so `res-a-1-0-1-0-x` reads as version 1.0.1 of `bm-a` and as 0.1.0 of `bm-a-1`.
    """
    if not _RESULT.match(identifier):
        return
    rest = identifier.removeprefix("res-")
    for start in range(len(rest)):
        match = _VERSION_INSIDE.match(rest, start)
        if match and start > 1 and rest[start - 1] == "-":
            yield f"bm-{rest[: start - 1]}", ".".join(match.group("x", "y", "z"))


def mention_words(place: Place) -> tuple[str, ...]:
    """
    Texts that any file naming an object must contain.

    Of a name with spaces it is the longest word, since YAML may fold the name over two lines. A backslash is among them: a
    quoted text may spell a name with escapes, so files with a backslash are always looked at.
    """
    bare = place.kind in {Kind.PRICE, Kind.RES, Kind.ROUND, Kind.NOTICE}
    name = (place.version or place.id or "") if bare else place.object
    word = max(name.split(), key=len, default="")
    return (word, "\\") if word else ("\\",)
