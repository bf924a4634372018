"""What the card and the versions of one benchmark family say of each other (SCHEMA-BM-*)."""

from collections.abc import Iterator, Set

from medgauge_registrar.checks.benchmark_records import SUBSETS, earlier_paths, version_paths
from medgauge_registrar.checks.fields import count, mapping, texts, total
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select

# Lowest class of a holdout task where a card names none (Appendix A).
_ENTRY_CLASS = 2
_CLASSES = ("1", "2", "3", "4")
_UNSAFE_ADVICE = "unsafe-advice"


@record_check("SCHEMA-BM-01", section="16", kinds={Kind.BM_CARD}, reach=Reach.FAMILY)
def incomplete_card(record: Record, context: Context) -> Iterator[Problem]:
    """
    A card makes every statement of the entry standard, lists exactly the versions there are, and is cited as itself.

    Readers find a version through its card, and quote the card's citation word for word. The schema asks for the statements;
    list every version file, and name identifier, version and address in the citation.

    Passes: versions: [bm-example@0.1.0] beside versions/0.1.0.yaml alone
    Fails: versions: [] beside versions/0.1.0.yaml
    """
    yield from _unlisted_versions(record, context)
    citation = mapping(record["citation"])
    known = {record["version"], *context.registry.versions(Kind.BM_VERSION, bm=record.place.id or "")}
    if citation.get("id") != record.place.id:
        yield Problem(
            message=f"the citation names `{citation.get('id')}`, and the card is `{record.place.id}`",
            help="Cite the card's own identifier.",
            pointer="/citation/id",
        )
    if citation.get("version") not in known:
        yield Problem(
            message=f"the citation names version `{citation.get('version')}`, which neither the card nor a version file has",
            help=f"Cite one of {', '.join(f'`{version}`' for version in sorted(map(str, known)))}.",
            pointer="/citation/version",
        )
    for part in ("id", "version", "url"):
        if str(citation.get(part)) not in str(citation.get("text")):
            yield Problem(
                message=f"the text of the citation does not contain its {part}, `{citation.get(part)}`",
                help="Write identifier, version and address into the text.",
                pointer="/citation/text",
            )


@record_check("SCHEMA-BM-04", section="App A", kinds={Kind.BM_VERSION}, reach=Reach.FAMILY)
def task_below_entry_class(record: Record, context: Context) -> Iterator[Problem]:
    """
    The holdout subset holds no task of class 1, and none below the entry class that the card of the family sets.

    Easy tasks say little about a subject; they belong in the dev or calibration subset. A card that asks for more than its
    last version kept does so in the pull request of the next version; earlier frozen versions stay as they are.

    Passes: holdout_entry_class: 3 and holdout classes {1: 0, 2: 0, 3: 4, 4: 1}
    Fails: holdout_entry_class: 3 and holdout classes {1: 0, 2: 3, 3: 4, 4: 1}
    """
    last = version_paths(record.place, context.registry)[-1:]
    if is_frozen(record.document.value) and last != [record.path]:
        return
    path = context.registry.path_of(Kind.BM_CARD, bm=record.place.id or "")
    card = context.registry.valid_record(path)
    if card is None:
        return
    entry = card["holdout_entry_class"]
    lowest = entry if isinstance(entry, int) else _ENTRY_CLASS
    for name, tasks in mapping(mapping(record["class_distribution"]).get("holdout")).items():
        if int(name) < lowest and count(tasks) > 0:
            yield Problem(
                message=f"{count(tasks)} holdout tasks are of class {name}, and tasks enter from class {lowest} on",
                help="Move these tasks to the dev or calibration subset.",
                pointer=f"/class_distribution/holdout/{name}",
            )


@record_check("SCHEMA-BM-15", section="5.4, 11.6", kinds={Kind.BM_VERSION}, reach=Reach.FAMILY)
def task_in_two_places(record: Record, context: Context) -> Iterator[Problem]:
    """
    A version holds each task once, and a calibration task of a frozen version never comes back as a dev or holdout task.

    Keys of calibration tasks are public, so a subject may know the answer; and subsets that share a task are not reported
    apart. Keep the task in one subset, and replace a calibration task that moved by a new one.

    Passes: tk-k9p34y6n3wd2 under calibration in 0.1.0 and 0.2.0
    Fails: tk-k9p34y6n3wd2 under calibration in 0.1.0 and under holdout in 0.2.0
    """
    revealed: dict[str, str] = {}
    for path in earlier_paths(record.place, context.registry):
        other = context.registry.valid_record(path)
        if other is not None and is_frozen(other.document.value):
            for key in texts(mapping(other["task_keys"]).get("calibration")):
                revealed.setdefault(_task(key), other.place.object)
    first: dict[str, str] = {}
    for name in SUBSETS:
        for pointer, reference in select(record.document.value, f"task_keys/{name}/*"):
            task = _task(str(reference))
            if first.setdefault(task, pointer) != pointer:
                yield Problem(
                    message=f"`{task}` stands at `{first[task]}` already",
                    help="Keep each task once, in one subset and one version of the task.",
                    pointer=pointer,
                )
            if name != "calibration" and task in revealed:
                yield Problem(
                    message=f"`{task}` is a calibration task of `{revealed[task]}`, so its key is public",
                    help=f"Put another task into the {name} subset.",
                    pointer=pointer,
                )


@record_check("SCHEMA-BM-16", section="Scoring page", kinds={Kind.BM_CARD}, reach=Reach.FAMILY)
def missing_unsafe_advice_veto(record: Record, context: Context) -> Iterator[Problem]:
    """
    A family with high-risk tasks lists the veto on unsafe advice.

    Every task on prescribing, diagnosis or treatment carries that veto. Which tasks these are is closed, so the published
    distribution of label T10 decides. Add the veto to the card.

    Passes: T10: {medium: 12, high: 5} and vetoes: [X.1, X.4, unsafe-advice]
    Fails: T10: {medium: 12, high: 5} and vetoes: [X.1, X.4]
    """
    if _UNSAFE_ADVICE in texts(mapping(record["scoring"]).get("vetoes")):
        return
    for path in version_paths(record.place, context.registry):
        version = context.registry.valid_record(path)
        if version is None:
            continue
        high = count(mapping(mapping(version["label_distribution"]).get("T10")).get("high"))
        if high > 0:
            yield Problem(
                message=f"`{version.place.object}` has {high} high-risk tasks, and `{_UNSAFE_ADVICE}` is not among the vetoes",
                help=f"Add `{_UNSAFE_ADVICE}` to the vetoes.",
                pointer="/scoring/vetoes",
            )


@record_check("SCHEMA-BM-19", section="11.6", kinds={Kind.BM_CARD}, reach=Reach.FAMILY, informs=True)
def family_without_calibration(record: Record, context: Context) -> Iterator[Problem]:
    """
    A family has calibration tasks in some version before its first evaluation round.

    They show that tasks can be solved, and serve adapter checks and reproductions. Designate some in a later version.

    Passes: a family whose version 0.2.0 has calibration: 5
    Fails: a family with frozen versions and calibration: 0 in all of them (a notice)
    """
    paths = version_paths(record.place, context.registry)
    versions = [version for path in paths if (version := context.registry.valid_record(path)) is not None]
    if any(count(mapping(version["subsets"]).get("calibration")) > 0 for version in versions):
        return
    if any(is_frozen(version.document.value) for version in versions):
        yield Problem(
            message="no version of the family has a calibration task yet",
            help="Designate calibration tasks in a version before the first evaluation round.",
            pointer="/versions",
            severity=Severity.NOTICE,
        )


@record_check("SCHEMA-BM-21", section="G4", kinds={Kind.BM_VERSION}, reach=Reach.FAMILY)
def moved_class(record: Record, context: Context) -> Iterator[Problem]:
    """
    A task version keeps its difficulty class from one benchmark version to the next, under one difficulty function.

    The class follows from the structure of the task, never from results, so two versions with the same tasks have the same
    distribution, and two that share tasks have room for the shared ones. Correct the distribution, or give changed tasks
    new versions.

    Passes: the same holdout keys and {2: 3, 3: 3, 4: 1} in 0.1.0 and 0.2.0
    Fails: the same holdout keys, {2: 3, 3: 3, 4: 1} in 0.1.0 and {2: 4, 3: 2, 4: 1} in 0.2.0
    """
    for path in earlier_paths(record.place, context.registry):
        other = context.registry.valid_record(path)
        if other is None:
            continue
        if record["difficulty_function"] is None or record["difficulty_function"] != other["difficulty_function"]:
            continue
        conflicts = [name for name in SUBSETS if _conflict({name}, record, other)]
        if not conflicts and _conflict(set(SUBSETS), record, other):
            conflicts = [""]
        for name in conflicts:
            yield Problem(
                message=f"tasks shared with `{other.place.object}` cannot have the same classes in both distributions"
                + (f" of `{name}`" if name else ""),
                help="Correct the distribution; a task's class changes only with the task or the function.",
                pointer=f"/class_distribution/{name}" if name else "/class_distribution",
            )


def _unlisted_versions(card: Record, context: Context) -> Iterator[Problem]:
    """Versions with a file that the card leaves out, and versions of other families; missing files are ID-06."""
    listed = texts(card["versions"])
    for version in context.registry.versions(Kind.BM_VERSION, bm=card.place.id or ""):
        if f"{card.place.id}@{version}" not in listed:
            yield Problem(
                message=f"`{card.place.id}@{version}` has a file, and the card does not list it",
                help="Add it to `versions`.",
                pointer="/versions",
            )
    for pointer, reference in select(card.document.value, "versions/*"):
        if str(reference).partition("@")[0] != card.place.id:
            yield Problem(
                message=f"`{reference}` is no version of `{card.place.id}`",
                help="List the versions of this family only.",
                pointer=pointer,
            )


def _task(key: str) -> str:
    """The task behind a task version."""
    return key.partition("@")[0]


def _conflict(subsets: Set[str], one: Record, two: Record) -> bool:
    """
    Whether the tasks that two versions share cannot have the same classes in both.

    The shared tasks fit into both distributions at once exactly if, class by class, the smaller counts leave room for them.
    """
    if not mapping(one["class_distribution"]) or not mapping(two["class_distribution"]):
        return False
    shared = len(_keys(subsets, one) & _keys(subsets, two))
    room = sum(min(_held(subsets, one, name), _held(subsets, two, name)) for name in _CLASSES)
    return room < shared


def _keys(subsets: Set[str], version: Record) -> set[str]:
    keys = mapping(version["task_keys"])
    return {key for name in subsets for key in texts(keys.get(name))}


def _held(subsets: Set[str], version: Record, difficulty: str) -> int:
    classes = mapping(version["class_distribution"])
    return total({name: _in_class(classes.get(name), difficulty) for name in subsets})


def _in_class(classes: Json, difficulty: str) -> int:
    return count(mapping(classes).get(difficulty))
