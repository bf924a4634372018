"""Read the decision table, the layout and a registry's settings; whatever is wrong in them is a `PolicyError`."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, cast

from medgauge_registrar.classify.transitions import POSSIBLE
from medgauge_registrar.data import FOLDER
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.document import Document, Fault, Json, Position
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.roster import Role
from medgauge_registrar.model.tree import FILE_MODES, Tree
from medgauge_registrar.policy.prove import prove
from medgauge_registrar.policy.settings import ClosedSource, ContentException, Settings
from medgauge_registrar.policy.table import (
    Combination,
    DecisionTable,
    EvidenceNeed,
    ExtraSeat,
    Selector,
    TableRow,
    Trigger,
)
from medgauge_registrar.registry.layout import Layout, expand, shape
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas

SETTINGS_PATH = ".github/registrar.yml"
# A settings file may not be larger than this; it is read before anything else is.
MAX_SETTINGS_BYTES = 65_536


@frozen
class Policy:
    """Everything that decides, apart from people: table, layout, settings, and the SHA-256 over their sources."""

    table: DecisionTable
    layout: Layout
    settings: Settings
    sha256: str


def load_policy(settings_file: bytes | None) -> Policy:
    """
    Join the shipped decision table and layout with the settings of the base branch.

    Args:
        settings_file: Contents of `.github/registrar.yml` at the base; null if there is none.

    Raises:
        PolicyError: The table or the settings cannot be read, break their schema, or do not hold together.
    """
    sources = (_shipped("policy.yml"), _shipped("layout.yml"), settings_file or b"")
    digest = hashlib.sha256(b"".join(hashlib.sha256(source).digest() for source in sources)).hexdigest()
    settings = _settings(settings_file) if settings_file is not None else {}
    usual = Settings()
    periods, labels = (cast(dict[str, Any], settings.get(name, {})) for name in ("periods", "labels"))
    overrides = cast(Mapping[str, Sequence[str]], settings.get("layout", {}))
    return Policy(
        table=shipped_table(),
        layout=_layout(overrides),
        settings=Settings(
            status_context=str(settings.get("status_context", usual.status_context)),
            roster=_closed(settings.get("roster")),
            ledger=_closed(settings.get("ledger")),
            site_identities=frozenset(cast(list[int], settings.get("site_identities", []))),
            gate_account=cast(int | None, settings.get("gate_account")),
            submissions_open=settings.get("submissions_open", False) is True,
            medical_practice_capabilities=frozenset(cast(list[str], settings.get("medical_practice_capabilities", []))),
            private_channel=cast(str | None, settings.get("private_channel")),
            content_exceptions=tuple(
                map(_exception, cast(list[dict[str, str]], settings.get("content_exceptions", [])))
            ),
            request_label=labels.get("request_for_comment", usual.request_label),
            request_days=periods.get("request_for_comment_days", usual.request_days),
            review_months=periods.get("methodology_review_months", usual.review_months),
        ),
        sha256=digest,
    )


def tree_policy(tree: Tree) -> Policy:
    """
    Join the shipped decision table and layout with the settings that a tree holds.

    Raises:
        PolicyError: See `load_policy`; or the settings are there and are no regular file, so that nobody can say what holds.
        ReadError: The tree could not be read.
    """
    entry = tree.entry(SETTINGS_PATH)
    if entry is not None and entry.mode not in FILE_MODES:
        raise PolicyError(
            f"{SETTINGS_PATH}: expected a regular file, found mode {entry.mode}; put the settings themselves there"
        )
    return load_policy(tree.read(SETTINGS_PATH))


def settings_faults(tree: Tree) -> tuple[Fault, ...]:
    """
    Everything that keeps the settings of a tree from being used, in file order; empty if nothing does.

    Raises:
        ReadError: The tree could not be read.
    """
    entry = tree.entry(SETTINGS_PATH)
    if entry is None:
        return ()
    data = tree.read(SETTINGS_PATH) if entry.mode in FILE_MODES else None
    document = read_document(data, syntax=Syntax.YAML) if data is not None and len(data) <= MAX_SETTINGS_BYTES else None
    if document is not None and document.faults:
        return document.faults
    problems = shipped_schemas().problems("registrar", document.value) if document is not None else ()
    if document is not None and problems:
        return tuple(
            Fault(
                message=f"`{problem.pointer}`: {problem.message}" if problem.pointer else problem.message,
                help="correct the settings; `schemas/registrar.schema.json` describes every key",
                position=document.position(problem.pointer),
                pointer=problem.pointer,
            )
            for problem in problems
        )
    try:
        tree_policy(tree)
    except PolicyError as error:
        return (
            Fault(
                message=str(error).removeprefix(f"{SETTINGS_PATH}: "),
                help="correct the settings; without sound ones nothing can be decided any more",
            ),
        )
    return ()


@cache
def shipped_table() -> DecisionTable:
    """Load and prove the decision table that ships with the package."""
    return read_table(_shipped("policy.yml"))


def read_table(data: bytes) -> DecisionTable:
    """
    Read a decision table and prove it whole.

    Raises:
        PolicyError: It cannot be read, breaks its schema, or fails the proof.
    """
    source = _checked(data, "policy.yml", "policy")
    rows = cast(dict[str, dict[str, Any]], source["rows"])
    approvals, disputes = (cast(dict[str, dict[str, Any]], source[name]) for name in ("approvals", "disputes"))
    table = DecisionTable(
        rows={row_id: _row(row_id, row) for row_id, row in rows.items()},
        combinations=tuple(_combination(item) for item in cast(list[dict[str, Any]], source["combinations"])),
        update_from_base_keeps_approvals=approvals["update_from_base_keeps_approvals"]["value"],
        own_accord=frozenset(approvals["bots_of_their_own_accord"]["value"]),
        filed_by_the_site=frozenset(map(Kind, approvals["filed_by_the_site"]["value"])),
        voter=Role(disputes["voter"]["value"]),
        overturned_is_refused=disputes["overturned_is_refused"]["value"],
    )
    prove(table, POSSIBLE)
    return table


def _row(row_id: str, row: Mapping[str, Any]) -> TableRow:
    return TableRow(
        id=row_id,
        title=row["title"],
        section=row["section"],
        basis=row["basis"],
        because=row["because"],
        triggers=tuple(
            Trigger(
                kind=Kind(item["kind"]),
                transitions=frozenset(Transition(name) for name in item["transitions"]),
                facet=item.get("facet"),
            )
            for item in row["triggers"]
        ),
        seats=tuple(Role(name) for name in row["seats"]),
        extra_seats=tuple(
            ExtraSeat(role=Role(item["role"]), facets=frozenset(item["for"])) for item in row.get("extra_seats", [])
        ),
        evidence=tuple(
            EvidenceNeed(id=item["id"], by_author=item.get("by") == "author", facets=frozenset(item.get("for", [])))
            for item in row["evidence"]
        ),
        separation=tuple(row["separation"]),
        refused=row.get("refused", False),
    )


def _combination(item: Mapping[str, Any]) -> Combination:
    return Combination(
        id=item["id"],
        rule=item["rule"],
        section=item["section"],
        because=item["because"],
        one=tuple(_selector(name) for name in item["one"]),
        other=tuple(_selector(name) for name in item["other"]),
        same_version=item.get("same_version", False),
        help=item["help"],
    )


def _selector(name: str) -> Selector:
    kind, _, transition = name.partition(":")
    try:
        return Selector(kind=Kind(kind), transition=Transition(transition) if transition else None)
    except ValueError:
        raise PolicyError(f"policy.yml: `{name}` is no kind, or no transition of one") from None


def _layout(overrides: Mapping[str, Sequence[str]]) -> Layout:
    source = _layout_source()
    shipped, moved = dict(expand(source["kinds"])), dict(expand(overrides))
    try:
        for kind, patterns in moved.items():
            _same_shapes(kind, shipped[kind], patterns)
        return Layout(
            templates={**shipped, **moved},
            exceptions=dict(expand(source["except"])),
            anywhere=dict(expand(source["anywhere"])),
            registry=source["registry"],
        )
    except PolicyError as error:
        raise PolicyError(f"{SETTINGS_PATH if overrides else 'layout.yml'}: {error}") from None


def _same_shapes(kind: Kind, shipped: Sequence[str], moved: Sequence[str]) -> None:
    """A moved kind keeps its fields and endings, so that every object has one path, and every path one object."""
    wanted, found = [shape(pattern) for pattern in shipped], [shape(pattern) for pattern in moved]
    # Where the path itself is the name, a kind may lie in several folders.
    if found != wanted and not all(pattern == wanted[0] == ((("rest",),), "") for pattern in found):
        usual = ", ".join(f"`{pattern}`" for pattern in shipped)
        raise PolicyError(
            f"layout: `{kind}` needs a pattern for each usual one ({usual}), in this order; from the first field on they keep "
            "their folders, fields and ending"
        )


@cache
def _layout_source() -> dict[str, Any]:
    return cast(dict[str, Any], _parsed(_shipped("layout.yml"), "layout.yml").value)


def _closed(value: Any) -> ClosedSource:
    if value is None:
        return ClosedSource()
    return ClosedSource(
        kind=value["source"],
        path=value.get("path", ""),
        repository=value.get("repository", ""),
        ref=value.get("ref"),
        teams=tuple(sorted(value.get("teams", {}).items())),
    )


def _exception(item: Mapping[str, str]) -> ContentException:
    return ContentException(
        rule=item["rule"],
        path=item["path"],
        line_sha256=item["line_sha256"],
        until=date.fromisoformat(item["until"]),
    )


def _settings(data: bytes) -> dict[str, Json]:
    if len(data) > MAX_SETTINGS_BYTES:
        raise PolicyError(f"{SETTINGS_PATH}: larger than {MAX_SETTINGS_BYTES} bytes")
    return _checked(data, SETTINGS_PATH, "registrar")


def _checked(data: bytes, name: str, schema: str) -> dict[str, Json]:
    document = _parsed(data, name)
    if problems := shipped_schemas().problems(schema, document.value):
        place = _at(document.position(problems[0].pointer))
        told = "; ".join(f"at `{problem.pointer or '/'}`: {problem.message}" for problem in problems)
        raise PolicyError(f"{name}{place}: {told}")
    return cast(dict[str, Json], document.value)


def _parsed(data: bytes, name: str) -> Document:
    document = read_document(data, syntax=Syntax.YAML)
    if document.faults:
        fault = document.faults[0]
        raise PolicyError(f"{name}{_at(fault.position)}: {fault.message}; {fault.help}")
    return document


def _at(position: Position | None) -> str:
    return f":{position.line}:{position.column}" if position else ""


@cache
def _shipped(name: str) -> bytes:
    return (FOLDER / name).read_bytes()
