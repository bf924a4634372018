"""What two results are to one another: the same runs told twice, or a component and its control (SCHEMA-RES-03, 05)."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from medgauge_registrar.checks.fields import mapping, texts
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.registry.records import Record, Registry

_SAME = ("model", "snapshot_fingerprint", "harness", "benchmark_version")
_TOOLS = "tool_permissions_and_list"
# Kinds of component that a harness offers to the model as tools, so that the list of tools differs without them.
_LISTED_AS_TOOLS = frozenset({"tool", "tool-server"})


@record_check("SCHEMA-RES-03", section="10.3", kinds={Kind.RES}, reach=Reach.FAMILY)
def repeated_identity(record: Record, context: Context) -> Iterator[Problem]:
    """
    No two results are about one subject on one benchmark version under the same seven conditions.

    Every task is run three times and never again; a second record of the same would be a re-run, and somebody could keep the
    better one. Only a record that corrects the other may say the same. Change nothing but the record that is wrong, and name
    the other one in `corrects`.

    Passes: two results that differ in reasoning_setting
    Fails: two results that differ in nothing but their runs
    """
    folder = record.path.rpartition("/")[0]
    same = _by_identity(context.registry, folder).get(_identity(record), ())
    corrected = _corrections(same, context.registry)
    for path in same:
        if path != record.path and not _linked(record.path, path, corrected):
            yield Problem(
                message=f"`{path}` has the same subject, benchmark version and conditions",
                help="Withdraw the new record; if it corrects the other one, name that one in `corrects`.",
                pointer="/fixed_conditions",
            )
            return


@record_check(
    "SCHEMA-RES-05",
    section="10.2",
    kinds={Kind.RES},
    reach=Reach.REFERENCES,
    watches={
        *((Kind.RES, field) for field in ("components", "fixed_conditions", *_SAME)),
        (Kind.TL, "kind"),
    },
)
def unequal_pair(record: Record, context: Context) -> Iterator[Problem]:
    """
    A component's result names a control on the same version that differs from it by that one component alone.

    Whatever else differs between the two could be the cause of the effect. Conditions are equal but for what the component
    itself forces: a tool or tool server stands in the list of tools and may need permissions of its own. Pair the record with
    the run that was made without the component and otherwise alike.

    Passes: components: [tl-example-skill@0.1.0], paired with a record without components
    Fails: the same, paired with a record of another model
    """
    name = record["paired_with"]
    if not isinstance(name, str):
        return
    identifier, _, version = str(record["benchmark_version"]).partition("@")
    path = context.registry.path_of(Kind.RES, bm=identifier, version=version, res=name)
    control = context.registry.valid_record(path)
    if control is None:
        if not context.registry.has(path):
            yield Problem(
                message=f"there is no result `{name}` on `{record['benchmark_version']}`",
                help=f"Name the control run on the same benchmark version; it stands at `{path}`.",
                pointer="/paired_with",
            )
        return
    with_it, without_it = frozenset(texts(record["components"])), frozenset(texts(control["components"]))
    added = sorted(with_it - without_it)
    if len(added) != 1 or without_it - with_it:
        yield Problem(
            message=f"components are {_listed(with_it)} here and {_listed(without_it)} in `{name}`, expected one more here",
            help="Pair the record with the run that lacks exactly one of its components.",
            pointer="/components",
        )
        return
    for field in _SAME:
        if record[field] != control[field]:
            yield Problem(
                message=f"`{field}` is `{record[field]}`, and `{control[field]}` in the control `{name}`",
                help="Pair the record with a run of the same subject.",
                pointer=f"/{field}",
            )
    yield from _unequal_conditions(record, control, added[0], context.registry)


def _unequal_conditions(record: Record, control: Record, component: str, registry: Registry) -> Iterator[Problem]:
    here, there = mapping(record["fixed_conditions"]), mapping(control["fixed_conditions"])
    for name in sorted(here.keys() | there.keys()):
        if here.get(name) == there.get(name) or (name == _TOOLS and _forced(here, there, component, registry)):
            continue
        yield Problem(
            message=f"`{name}` differs from that of the control `{control.place.id}`",
            help="Pair the record with a run under the same conditions.",
            pointer=f"/fixed_conditions/{name}",
        )


def _forced(here: Mapping[str, Json], there: Mapping[str, Json], component: str, registry: Registry) -> bool:
    """Whether two lists of tools and permissions differ only by what a component brings, or its record is broken."""
    identifier, _, version = component.partition("@")
    path = registry.path_of(Kind.TL, tl=identifier, version=version)
    tool = registry.valid_record(path)
    if tool is None:
        return registry.has(path)
    if tool["kind"] not in _LISTED_AS_TOOLS:
        return False
    one, other = mapping(here.get(_TOOLS)), mapping(there.get(_TOOLS))
    tools, fewer = set(texts(one.get("tools"))), set(texts(other.get("tools")))
    permissions, narrower = set(texts(one.get("permissions"))), set(texts(other.get("permissions")))
    return fewer <= tools and tools - fewer <= {component} and narrower <= permissions


# A registry never changes, and a folder of results is asked about once for each result in it.
@lru_cache(maxsize=8)
def _by_identity(registry: Registry, folder: str) -> Mapping[bytes, tuple[str, ...]]:
    """Paths of the valid results in a folder by what makes them what they are, in the order of their names."""
    found: dict[bytes, tuple[str, ...]] = {}
    for name, _ in registry.names(folder):
        path = f"{folder}/{name}"
        if registry.layout.place(path).kind is not Kind.RES:
            continue
        result = registry.valid_record(path)
        if result is not None:
            key = _identity(result)
            found[key] = (*found.get(key, ()), path)
    return found


def _identity(record: Record) -> bytes:
    """Digest of the seven conditions, the benchmark version and the components; the order of lists plays no part."""
    conditions = dict(mapping(record["fixed_conditions"]))
    tools = mapping(conditions.get(_TOOLS))
    conditions[_TOOLS] = {name: list[Json](sorted(texts(entries))) for name, entries in tools.items()}
    whole = [conditions, record["benchmark_version"], sorted(texts(record["components"]))]
    return hashlib.sha256(canonical_json(whole)).digest()


def _corrections(paths: Sequence[str], registry: Registry) -> Mapping[str, str]:
    """Which of some results in one folder corrects which other, by path."""
    found: dict[str, str] = {}
    for path in paths if len(paths) > 1 else ():
        result = registry.record(path)
        if result is not None and isinstance(result["corrects"], str):
            found[path] = f"{path.rpartition('/')[0]}/{result['corrects']}.json"
    return found


def _linked(one: str, other: str, corrected: Mapping[str, str]) -> bool:
    """Whether two results are links of one chain of corrections."""
    return _first(one, corrected) == _first(other, corrected)


def _first(path: str, corrected: Mapping[str, str]) -> str:
    """The record that a chain of corrections began with."""
    seen = {path}
    while (earlier := corrected.get(path)) is not None and earlier not in seen:
        seen.add(earlier)
        path = earlier
    return path


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "none"
