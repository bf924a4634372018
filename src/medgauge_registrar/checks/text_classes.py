"""Changes of the methodology text beside the version their author gave them (CHG-06, 09…11, DISP-06)."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, tree_check
from medgauge_registrar.classify.text_change import ChangeClass, TextChange
from medgauge_registrar.classify.transitions import changed_fields
from medgauge_registrar.comparability.log import latest_day, log_growth
from medgauge_registrar.comparability.owed import text_change
from medgauge_registrar.comparability.review import review_reasons
from medgauge_registrar.comparability.steps import Step, declared_step, needed_step, next_version
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json, Position
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.methodology_text import MethodologyText, methodology_of, text_path
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.records import Registry, version_key
from medgauge_registrar.registry.sources import FOLDER

_SHOWN_REASONS = 4
_SHOWN_OUTCOMES = 20
# Where descriptions of a schema say which sections it rests on: `(section 16)`, `(sections 15 and 16, Appendix B)`.
_SECTIONS = lazy_pattern(rb"\((?:[^()]{0,60}, )?sections? ([0-9][^()\"]{0,80})\)")
_NUMBER = lazy_pattern(r"[0-9]+(?:\.[0-9]+)*")


@change_check("CHG-06", section="30", kinds={Kind.METH})
def understated_change(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The version step of the text is no smaller than its change: a patch leaves requirements, numbers and formulas alone.

    Whoever reads a patch version expects nothing new. The class is computed from the wording: a number, must, never or may, a
    sentence with one of them, a formula, a cell of a table or an item of a list make a minor version; any word of a rule of
    aggregation breaks comparison. Raise the version further, or take the change out.

    Passes: 0.1.0 to 0.1.1 with a word put right
    Fails: 0.1.0 to 0.1.1 with three runs become four
    """
    if changed.place.path != text_path(context.registry.layout):
        return
    found = text_change(changed.base, context.registry, changed.changes)
    before, after = (methodology_of(one.tree, one.layout) for one in (changed.base, context.registry))
    if found is None or before.version is None or after.version is None:
        return
    declared, needed = declared_step(before.version, after.version), needed_step(found.change_class, before.version)
    told = f"computed class: {found.change_class}{_why(found)}; declared: {_declared(declared, before, after)}"
    if declared.length >= needed.length and declared is not Step.LOWERED:
        if found.change_class is not ChangeClass.NONE:
            yield Problem(
                message=told, help="Nothing has to be done.", severity=Severity.NOTICE, position=_at(after.title_line)
            )
        return
    wanted = next_version(before.version, needed)
    yield Problem(
        message=f"{told}, expected at least `{wanted}`",
        help=f"Raise the version to `{wanted}` or above wherever it stands, or take the change out of the text.",
        position=_at(found.reasons[0].line if found.reasons and not found.reasons[0].is_gone else after.title_line),
    )


@tree_check("CHG-09", section="31", kinds={Kind.METH, Kind.ROUND, Kind.RES, Kind.BM_VERSION}, informs=True)
def overdue_review(context: Context) -> Iterator[Problem]:
    """
    The methodology is reviewed after every holdout round, and in any case within the period that the settings give.

    Each review ends in a row of the change log, which may say that nothing changes. Open a request for comment for the review.

    Passes: a row of the change log that is a month old
    Fails: a newest row that is thirteen months old
    """
    registry = context.registry
    months = context.settings.review_months
    for reason in review_reasons(registry, months=months, today=context.latest_day):
        yield Problem(
            message=f"a review of the methodology is due: {reason}",
            help="Review it, and enter the outcome in the change log; a row that says `no change` needs no new version.",
            path=text_path(registry.layout),
            severity=Severity.NOTICE,
        )


@change_check("DISP-06", section="31", kinds={Kind.METH}, informs=True)
def disputes_to_review(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A review of the methodology takes in the disputes that were settled since the last one.

    Each review ends in a row of the change log; where one comes, the outcomes dated after the rows before it are listed as
    input. Look through them, and answer in the text or in the row what they raise.

    Passes: a row of the change log, and no outcome of later than the row before it
    Fails: a row of the change log, and an outcome of the week before (a notice)
    """
    if changed.place.path != text_path(context.registry.layout):
        return
    before, after = (methodology_of(one.tree, one.layout) for one in (changed.base, context.registry))
    growth = log_growth(before, after)
    last = latest_day(growth.former) if growth is not None and growth.added else None
    if growth is None or last is None:
        return
    since = sorted(path for path, day in _outcomes(context.registry) if day > last)
    if since:
        shown = ", ".join(f"`{path}`" for path in since[:_SHOWN_OUTCOMES])
        more = f" and {len(since) - _SHOWN_OUTCOMES} more" if len(since) > _SHOWN_OUTCOMES else ""
        yield Problem(
            message=f"disputes settled since the last review, of `{last}`: {shown}{more}",
            help="Take them in; nothing has to be done where they raise nothing.",
            position=_at(growth.added[0].line),
            severity=Severity.NOTICE,
        )


@change_check("CHG-10", section="Preamble", kinds={Kind.METH}, informs=True)
def schemas_left_behind(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A section that changes in more than its wording may call for a change of the schemas that rest on it.

    Schemas follow from the text; each of their descriptions names its section. Look through the schemas that are named, and
    change them in the same pull request where they no longer say what the text says.

    Passes: section 16 and a schema of section 16 change together
    Fails: section 16 asks for another field, and no schema changes
    """
    if changed.place.path != text_path(context.registry.layout):
        return
    found = text_change(changed.base, context.registry, changed.changes)
    chapters = {chapter for chapter in found.chapters if _NUMBER.fullmatch(chapter)} if found is not None else set()
    if not chapters:
        return
    resting = {name for name, own in _sections_of_schemas(changed.base) if own & chapters}
    if resting and not any(_says_otherwise(name, changed.base, context.registry) for name in resting):
        yield Problem(
            message=(
                f"more than wording changes in section {', '.join(sorted(chapters, key=version_key))}, and nothing in the schemas"
                f" that rest on it: {', '.join(f'`{name}`' for name in sorted(resting))}"
            ),
            help="See whether they still say what the text says; nothing has to be done if they do.",
            severity=Severity.NOTICE,
        )


@change_check("CHG-11", section="App D", kinds={Kind.METH})
def misdated_log_row(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    A new row of the change log is dated on a day that has come, and no earlier than the rows before it.

    The log tells what held when. Give the day on which the change is published.

    Passes: a row of today after one of last month
    Fails: a row of last year after one of last month
    """
    if changed.place.path != text_path(context.registry.layout):
        return
    before, after = (methodology_of(one.tree, one.layout) for one in (changed.base, context.registry))
    growth = log_growth(before, after)
    if growth is None:
        return
    first = growth.added and growth.added[0].line < min((row.line for row in growth.former), default=0)
    latest = max((row.date for row in growth.former if row.date is not None), default="")
    for row in reversed(growth.added) if first else growth.added:
        day = row.date
        if day is None or day > context.latest_day.isoformat():
            yield Problem(
                message="the new row has no day"
                if day is None
                else f"the new row is of `{day}`, a day that has begun nowhere",
                help="Write the day of publication as `YYYY-MM-DD`.",
                position=_at(row.line),
            )
        elif day < latest:
            yield Problem(
                message=f"the new row is of `{day}`, and a row before it of `{latest}`",
                help="Write the day of publication; corrections of old rows are rows of their own.",
                position=_at(row.line),
            )
        latest = max(latest, day or "")


def _outcomes(registry: Registry) -> Iterator[tuple[str, str]]:
    """Every published outcome of a dispute with its day."""
    for path, _ in registry.tree.walk(registry.layout.folder(Kind.DISPUTE)):
        record = registry.valid_record(path) if registry.layout.place(path).kind is Kind.DISPUTE else None
        if record is not None:
            yield path, str(record["date"])


def _why(found: TextChange) -> str:
    """The first reasons for a class, with their lines."""
    shown = [f"line {one.line}{' of the former text' if one.is_gone else ''}: {one.words}" for one in found.reasons]
    more = len(found.reasons) - _SHOWN_REASONS + found.left_out
    told = "; ".join(shown[:_SHOWN_REASONS]) + (f"; {more} more" if more > 0 else "")
    return f" ({told})" if told else ""


def _declared(step: Step, before: MethodologyText, after: MethodologyText) -> str:
    return f"{step} (`{before.version}` to `{after.version}`)"


def _sections_of_schemas(registry: Registry) -> Iterator[tuple[str, frozenset[str]]]:
    """Every schema with the numbers of the sections that its descriptions name."""
    for name, _ in registry.tree.names(FOLDER):
        data = registry.tree.read(f"{FOLDER}/{name}") or b""
        numbers = {
            number for match in _SECTIONS.findall(data) for number in _NUMBER.findall(match.decode("utf-8", "replace"))
        }
        yield name, frozenset(numbers)


def _says_otherwise(name: str, base: Registry, head: Registry) -> bool:
    """Whether a schema differs in more than its address; one that cannot be read counts as different."""
    before, after = (_schema(name, registry) for registry in (base, head))
    if not isinstance(before, dict) or not isinstance(after, dict):
        return before != after
    return bool(changed_fields(before, after) - {"$id"})


def _schema(name: str, registry: Registry) -> Json:
    return read_document(registry.tree.read(f"{FOLDER}/{name}") or b"", syntax=Syntax.JSON).value


def _at(line: int | None) -> Position | None:
    return None if line is None else Position(line=line, column=1)
