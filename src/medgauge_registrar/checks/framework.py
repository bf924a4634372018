"""
What a check is.

A check looks at one record (or one change, or the whole tree) and yields `Problem`s. It names its rule, its section and
its reach; the runner adds the place and turns problems into findings.

Where the state of one record rests on another that stands in the tree and is broken, a check yields nothing for it: the
broken record has an error of its own, either in this run or in the one that would have let it in, and that error keeps the
gate shut. A check of a change gets no second chance once the change is in, so it takes what it cannot read as not shown.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from medgauge_registrar.content.canaries import Canaries
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.model.change import Change, Kind, Status
from medgauge_registrar.model.document import Fault, Position
from medgauge_registrar.model.finding import Finding, Severity
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import FILE_MODES, Entry
from medgauge_registrar.policy.settings import Settings
from medgauge_registrar.registry.layout import Place
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.words import sections


class Reach(StrEnum):
    """
    How far a check of one record looks, and so which changes can alter its outcome.

    `record`: the record alone. `references`: the records it names, and whether they exist. `family`: the other files of
    its family (a benchmark's card, versions, voids, results; the versions and sidecars of one reference, harness or tool).
    """

    RECORD = "record"
    REFERENCES = "references"
    FAMILY = "family"


@frozen
class Problem:
    """
    One fault as a check sees it.

    Attributes:
        message: The value found and what was expected.
        help: The next step.
        pointer: JSON Pointer of the place inside the record; null if the fault lies in no place of it, but in its path.
        path: Another file than the record's own, if the fault lies there.
        position: Place in the file, where the pointer cannot tell it.
        severity: How much it weighs.
    """

    message: str
    help: str
    pointer: str | None = ""
    path: str | None = None
    position: Position | None = None
    severity: Severity = Severity.ERROR


def problem_of(fault: Fault, path: str | None = None) -> Problem:
    """What a reader found wrong with a file, as a problem; `path` names a file other than the record's own."""
    return Problem(
        message=fault.message,
        help=f"{fault.help[:1].upper()}{fault.help[1:]}.",
        pointer=fault.pointer or "",
        path=path,
        position=fault.position,
    )


@frozen
class Context:
    """
    What a check may know besides the record.

    Attributes:
        registry: The tree it stands in.
        settings: Settings of the registry.
        latest_day: A day that is not in the future anywhere (UTC+14).
        canaries: The closed list of canary strings, by keyed digest; empty where it is not known.
    """

    registry: Registry
    settings: Settings
    latest_day: date
    canaries: Canaries = field(default=Canaries(), repr=False)


RecordFunction: TypeAlias = Callable[[Record, Context], Iterable[Problem]]
ChangeFunction: TypeAlias = Callable[["ChangedRecord", Context], Iterable[Problem]]
TreeFunction: TypeAlias = Callable[[Context], Iterable[Problem]]
PathFunction: TypeAlias = Callable[[Place, Entry], Iterable[Problem]]
# A folder, the names in it, and whether a path came with the change that is checked.
FolderFunction: TypeAlias = Callable[[str, Iterable[str], Callable[[str], bool]], Iterable[Problem]]
FileFunction: TypeAlias = Callable[[TextFile, Context], Iterable[Problem]]
BranchFunction: TypeAlias = Callable[[Branch, Context], Iterable[Problem]]
# Registry after the change, registry before it, changes: files whose outcome the changes can have altered.
RevisitFunction: TypeAlias = Callable[[Registry, Registry, Sequence[Change]], Iterable[str]]


@frozen
class ChangedRecord:
    """
    A change with what stood there before and what stands there after it.

    Attributes:
        before: Record at the base; null if absent or unreadable.
        after: Record in the merge result; null if absent or unreadable.
        base: The registry at the base.
        changes: All changes of the pull request.
    """

    change: Change
    before: Record | None
    after: Record | None
    base: Registry
    changes: tuple[Change, ...]

    @property
    def old_path(self) -> str:
        """Path at the base; the path itself where nothing was moved."""
        return self.change.previous_path or self.change.path

    @property
    def old_place(self) -> Place:
        """What the path at the base stands for."""
        return self.base.layout.place(self.old_path)

    @property
    def place(self) -> Place:
        """What the path after the change stands for."""
        return self.base.layout.place(self.change.path)

    @property
    def enters(self) -> bool:
        """Whether something comes to stand at the path: added, or moved there."""
        return self.change.status in {Status.ADDED, Status.RENAMED}

    @property
    def leaves(self) -> bool:
        """Whether nothing stands at the old path any more: removed, or moved away."""
        return self.change.status in {Status.REMOVED, Status.RENAMED}

    @property
    def rewritten(self) -> bool:
        """Whether the path stays and what stands there is not the same bytes in a regular file."""
        before, after = self.change.before, self.change.after
        if self.change.status is not Status.MODIFIED or before is None or after is None:
            return False
        return before.oid != after.oid or (before.mode in FILE_MODES) != (after.mode in FILE_MODES)


class _Described:
    """What every check can say of itself, from the documentation of its function."""

    __slots__ = ()
    run: Callable[..., Iterable[Problem]]
    informs: bool

    @property
    def state(self) -> str:
        """`informs` for a check whose findings never block, else `enforced`."""
        return "informs" if self.informs else "enforced"

    @property
    def summary(self) -> str:
        """First line of the check's documentation: what is asked."""
        return (self.run.__doc__ or "").strip().split("\n", 1)[0]


@frozen
class RecordCheck(_Described):
    """
    A check of the state of one record.

    Attributes:
        needs_valid: Run only on records that keep their schema; otherwise on every record that could be read.
        watches: Fields of other kinds that the check reads.
    """

    rule: str
    section: str
    reach: Reach
    kinds: frozenset[Kind]
    run: RecordFunction
    needs_valid: bool = True
    watches: frozenset[tuple[Kind, str]] = frozenset()
    informs: bool = False


@frozen
class ChangeCheck(_Described):
    """A check of one change: what was, what is, and whether the step between them is allowed."""

    rule: str
    section: str
    kinds: frozenset[Kind]
    run: ChangeFunction
    informs: bool = False


@frozen
class TreeCheck(_Described):
    """A check of the tree as a whole; runs when a path of one of its kinds changed, and always in a whole-tree run."""

    rule: str
    section: str
    kinds: frozenset[Kind]
    run: TreeFunction
    informs: bool = False


@frozen
class PathCheck(_Described):
    """A check of a path and its mode; the content plays no part."""

    rule: str
    section: str
    run: PathFunction
    informs: bool = False


@frozen
class FolderCheck(_Described):
    """A check of the names in one folder (files and folders alike)."""

    rule: str
    section: str
    run: FolderFunction
    informs: bool = False


@frozen
class FileCheck(_Described):
    """
    A check of what one file says or holds, record or not.

    Attributes:
        closed: What it finds stays closed: its findings carry no path, line or value.
        revisit: Files beyond the changed ones that a change can have put in the wrong; null: none.
    """

    rule: str
    section: str
    kinds: frozenset[Kind]
    run: FileFunction
    informs: bool = False
    closed: bool = False
    revisit: RevisitFunction | None = None


@frozen
class BranchCheck(_Described):
    """A check of what a branch has shown besides the merge result; all that it finds stays closed."""

    rule: str
    section: str
    run: BranchFunction
    informs: bool = False


Check: TypeAlias = RecordCheck | ChangeCheck | TreeCheck | PathCheck | FolderCheck | FileCheck | BranchCheck


def record_check(
    rule: str,
    *,
    section: str,
    kinds: Iterable[Kind],
    reach: Reach = Reach.RECORD,
    needs_valid: bool = True,
    watches: Iterable[tuple[Kind, str]] = (),
    informs: bool = False,
) -> Callable[[RecordFunction], RecordCheck]:
    """
    Make a function a check of one record's state.

    Args:
        rule: Rule id.
        section: Section of the methodology it rests on.
        kinds: Kinds of record it applies to.
        reach: How far it looks.
        needs_valid: Run only on records that keep their schema.
        informs: Its findings never block.
        watches: For reach `references`: the fields of other kinds that it reads, beyond their existence. A change of one of
            them makes the records that mention the changed one be checked again.
    """

    def register(function: RecordFunction) -> RecordCheck:
        return RecordCheck(
            rule=rule,
            section=section,
            reach=reach,
            kinds=frozenset(kinds),
            run=function,
            needs_valid=needs_valid,
            watches=frozenset(watches),
            informs=informs,
        )

    return register


def change_check(
    rule: str, *, section: str, kinds: Iterable[Kind], informs: bool = False
) -> Callable[[ChangeFunction], ChangeCheck]:
    """Make a function a check of one change."""

    def register(function: ChangeFunction) -> ChangeCheck:
        return ChangeCheck(rule=rule, section=section, kinds=frozenset(kinds), run=function, informs=informs)

    return register


def tree_check(
    rule: str, *, section: str, kinds: Iterable[Kind], informs: bool = False
) -> Callable[[TreeFunction], TreeCheck]:
    """Make a function a check of the whole tree."""

    def register(function: TreeFunction) -> TreeCheck:
        return TreeCheck(rule=rule, section=section, kinds=frozenset(kinds), run=function, informs=informs)

    return register


def file_check(
    rule: str,
    *,
    section: str,
    kinds: Iterable[Kind] = frozenset(Kind),
    informs: bool = False,
    closed: bool = False,
    revisit: RevisitFunction | None = None,
) -> Callable[[FileFunction], FileCheck]:
    """Make a function a check of one file's bytes."""

    def register(function: FileFunction) -> FileCheck:
        return FileCheck(
            rule=rule,
            section=section,
            kinds=frozenset(kinds),
            run=function,
            informs=informs,
            closed=closed,
            revisit=revisit,
        )

    return register


def branch_check(rule: str, *, section: str) -> Callable[[BranchFunction], BranchCheck]:
    """Make a function a check of what a branch has shown."""

    def register(function: BranchFunction) -> BranchCheck:
        return BranchCheck(rule=rule, section=section, run=function)

    return register


def path_check(rule: str, *, section: str) -> Callable[[PathFunction], PathCheck]:
    """Make a function a check of one path and its mode."""

    def register(function: PathFunction) -> PathCheck:
        return PathCheck(rule=rule, section=section, run=function)

    return register


def folder_check(rule: str, *, section: str) -> Callable[[FolderFunction], FolderCheck]:
    """Make a function a check of the names in one folder."""

    def register(function: FolderFunction) -> FolderCheck:
        return FolderCheck(rule=rule, section=section, run=function)

    return register


def findings(check: Check, problems: Iterable[Problem], record: Record | None, path: str | None) -> Iterator[Finding]:
    """Give problems their place, their rule and its source."""
    for problem in problems:
        own = record is not None and problem.path in {None, record.path}
        position = problem.position
        if position is None and own and record is not None and problem.pointer is not None:
            position = record.document.position(problem.pointer)
        yield Finding(
            rule=check.rule,
            severity=problem.severity,
            message=problem.message,
            help=problem.help,
            source=sections(check.section),
            path=problem.path or path,
            line=position.line if position else None,
            column=position.column if position else None,
            pointer=problem.pointer if own else None,
        )
