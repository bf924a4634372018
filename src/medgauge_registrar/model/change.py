"""What a pull request changes: raw paths first, then kinds and transitions."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.tree import Entry


class Status(StrEnum):
    """GitHub's words for the status of a changed file."""

    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    RENAMED = "renamed"


@frozen
class PathChange:
    """
    One changed path, before it is known what it means.

    Attributes:
        path: Name after the change; the old name for a removal.
        previous_path: Old name of a renamed file.
        status: What happened to it.
        before: Mode and object at the base, null if absent.
        after: Mode and object in the merge result, null if absent.
    """

    path: str
    status: Status
    before: Entry | None
    after: Entry | None
    previous_path: str | None = None


class Kind(StrEnum):
    """What a path holds; the values are those of the decision document."""

    BM_CARD = "bm-card"
    BM_VERSION = "bm-version"
    GR = "gr"
    HX = "hx"
    TL = "tl"
    CAP = "cap"
    STD = "std"
    DS = "ds"
    MODEL = "model"
    RES = "res"
    RP = "rp"
    LO = "lo"
    RM = "rm"
    PRICE = "price"
    VOID = "void"
    LIFECYCLE = "lifecycle"
    REDIRECTS = "redirects"
    NOTICE = "notice"
    ROUND = "round"
    DISPUTE = "dispute"
    ARTICLE = "article"
    METH = "meth"
    DFN = "dfn"
    ALG = "alg"
    LVL = "lvl"
    CHARTER = "charter"
    SCHEMA = "schema"
    INFRA = "infra"
    OTHER = "other"
    UNCLASSIFIED = "unclassified"


class Transition(StrEnum):
    """What a change does to its object; the values are those of the decision document."""

    CREATE = "create"
    EDIT = "edit"
    REVIEW_DATE = "review-date"
    FREEZE = "freeze"
    LATE_FIELD = "late-field"
    LIST = "list"
    ACTIVATE = "activate"
    DEPRECATE = "deprecate"
    RETIRE = "retire"
    MERGE = "merge"
    REMOVE = "remove"
    RENAME = "rename"


@frozen
class Change:
    """
    One changed path with its meaning.

    Attributes:
        path: Name after the change; the old name for a removal.
        previous_path: Old name of a renamed file.
        status: What happened to the path.
        kind: What the path holds.
        object: Identifier, or versioned reference, of the object; the path where there is none.
        transition: What the change does to the object.
        rows: Ids of the decision rows it triggers, sorted by their number.
        before: Mode and object at the base, null if absent.
        after: Mode and object in the merge result, null if absent.
    """

    path: str
    status: Status
    kind: Kind
    object: str
    transition: Transition
    rows: tuple[str, ...]
    before: Entry | None
    after: Entry | None
    previous_path: str | None = None
