"""Evidence that a change of the method has its version and its row in the change log (CHG-02, 05, 08)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.classify.text_change import ChangeClass
from medgauge_registrar.comparability.figures import moved_boards
from medgauge_registrar.comparability.log import has_description, log_growth
from medgauge_registrar.comparability.notices import breaks_comparison
from medgauge_registrar.comparability.owed import text_change
from medgauge_registrar.comparability.steps import Step, declared_step, needed_step, next_version
from medgauge_registrar.model.decision import EvidenceState, Suggestion
from medgauge_registrar.registry.methodology_text import LogRow, MethodologyText, methodology_of, text_path
from medgauge_registrar.requirements.announcements import changes_of, owed_by
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider
from medgauge_registrar.requirements.requests import request_named

_MEND = "`registrar draft change-log` writes every place"


def logged(view: EvidenceView) -> Answer:
    """
    Whether the change log gained a row with version, day and words, and one of the new version if there is one (CHG-02).

    Source:
        Section 30 and Appendix D; a row of a review needs no new version (section 31).
    """
    before, after = _texts(view)
    growth = log_growth(before, after)
    if growth is None:
        return Answer(
            state=EvidenceState.FAILED, message="rows that the change log had are no longer there as they were"
        )
    if not growth.added:
        version = _planned_version(view, before)
        row = f"| {version} | {view.now.date().isoformat()} | (what changes, in one sentence) |"
        path = text_path(view.head.layout)
        return Answer(
            state=EvidenceState.MISSING,
            message=f"add a row to the table of Appendix D in `{path}`, such as `{version}` with today's date; {_MEND}",
            suggestion=Suggestion(path=path, how="add to the table of Appendix D", text=f"{row}\n"),
        )
    wrong = next(_row_faults(growth.added, before, after), None)
    if wrong is not None:
        return Answer(state=EvidenceState.FAILED, message=wrong)
    return Answer(state=EvidenceState.SATISFIED, message=f"entered in the change log, line {growth.added[-1].line}")


def raised_enough(view: EvidenceView) -> Answer:
    """
    Whether a change that breaks comparison raises at least the minor version, from 1.0.0 on the major one (CHG-05).

    Source:
        Abstract and section 30; from 1.0.0 on it is an inference.
    """
    breaking = [one.what for one in owed_by(view) if breaks_comparison(one)]
    if moved := moved_boards(view.base, view.head).why:
        breaking.append(moved)
    if not breaking:
        return Answer(state=EvidenceState.SATISFIED, message="nothing here breaks comparison")
    before, after = _texts(view)
    if before.version is None or after.version is None:
        return Answer(state=EvidenceState.UNDECIDED, message="the version of the text cannot be read before or after")
    declared = declared_step(before.version, after.version)
    needed = needed_step(ChangeClass.NON_COMPARABLE, before.version)
    if declared is not Step.LOWERED and declared.length >= needed.length:
        return Answer(state=EvidenceState.SATISFIED, message=f"raised from `{before.version}` to `{after.version}`")
    return Answer(
        state=EvidenceState.MISSING,
        message=(
            f"raise the version of the text from `{before.version}` to `{next_version(before.version, needed)}` or above, since"
            f" comparison does not survive {breaking[0]}; {_MEND}"
        ),
    )


def raised_with_schemas(view: EvidenceView) -> Answer:
    """
    Whether schemas and validator rules change together with the version of the text (CHG-08).

    That every address then carries that version is VER-06, that the level rules do is VER-07.

    Source:
        Section 29.
    """
    before, after = _texts(view)
    if before.version is None or after.version is None:
        return Answer(state=EvidenceState.UNDECIDED, message="the version of the text cannot be read before or after")
    declared = declared_step(before.version, after.version)
    if declared.length > Step.NONE.length:
        return Answer(state=EvidenceState.SATISFIED, message=f"raised from `{before.version}` to `{after.version}`")
    return Answer(
        state=EvidenceState.MISSING,
        message=(
            f"raise the version of the text from `{before.version}` to `{next_version(before.version, Step.PATCH)}` or above, in"
            f" its title, its citation, its change log, the `$id` of every schema and new level rules; {_MEND}"
        ),
    )


CHANGE_CLASSES: Mapping[str, Provider] = {
    # Every change of the text enters by request, a patch included, so it is the same question as RFC-01.
    "CHG-01": request_named,
    "CHG-02": logged,
    "CHG-05": raised_enough,
    "CHG-08": raised_with_schemas,
}


def _texts(view: EvidenceView) -> tuple[MethodologyText, MethodologyText]:
    before, after = (methodology_of(registry.tree, registry.layout) for registry in (view.base, view.head))
    return before, after


def _planned_version(view: EvidenceView, before: MethodologyText) -> str:
    """The version that a row should name: that of the head if it was raised, else the least that the change asks for."""
    _, after = _texts(view)
    old = before.version or "0.0.0"
    if after.version is not None and after.version != old:
        return after.version
    found = text_change(view.base, view.head, changes_of(view))
    computed = ChangeClass.PATCH if found is None else found.change_class
    if any(breaks_comparison(one) for one in owed_by(view)):
        computed = ChangeClass.NON_COMPARABLE
    return next_version(old, needed_step(computed, old))


def _row_faults(added: tuple[LogRow, ...], before: MethodologyText, after: MethodologyText) -> Iterator[str]:
    for row in added:
        if row.version is None or row.date is None:
            yield f"the new row in line {row.line} has no {'version' if row.version is None else 'date'}"
        elif not has_description(row):
            yield f"the new row in line {row.line} does not say what changed"
        elif row.version != after.version:
            yield f"the new row in line {row.line} is of `{row.version}`, and the text of `{after.version}`"
        elif after.version != before.version and row.date != after.date:
            yield f"the new row in line {row.line} is of `{row.date}`, and the title line of `{after.date}`"
