"""Evidence of a result record that no single check shows: that it was recomputed as a whole, and who reviewed it (row M4)."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.checklist import item
from medgauge_registrar.checks.recompute import judgement, version_path
from medgauge_registrar.checks.recompute_family import missing_tasks
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.decision import EvidenceState, SeatState
from medgauge_registrar.model.roster import Role
from medgauge_registrar.registry.records import Record
from medgauge_registrar.requirements.evidence import Answer, EvidenceView, Provider


def recomputed(view: EvidenceView) -> Answer:
    """Whether every figure was recomputed; what came out wrong is told by findings, which are asked first."""
    n_rows = 0
    for path in _paths(view):
        found = judgement(view.head, path)
        if not found.complete:
            return _failed("not every figure could be recomputed; the findings say what stands in the way")
        n_rows += found.n_rows
    return _satisfied(f"recomputed from {n_rows} run rows") if n_rows else _failed("there is no result record")


def every_run(view: EvidenceView) -> Answer:
    """Whether each task of the version has its three runs; that an error has its attribution is for the schema (CHK-03)."""
    runs = 0
    for record in _records(view):
        version = None if record is None else view.head.valid_record(version_path(record, view.head))
        if record is None or version is None:
            return _failed("the record or its benchmark version cannot be judged")
        found = judgement(view.head, record.path)
        if found.of("RESULT-01") or missing_tasks(record, version):
            return _failed("a run is missing or one too many; the findings name the tasks")
        runs += found.n_rows
    return _satisfied(f"{runs} runs, each error with its attribution") if runs else _failed("there is no result record")


def priced(view: EvidenceView) -> Answer:
    """Whether amounts name a price table of the registry, or the subject is marked as without amounts (CHK-06)."""
    told = []
    for record in _records(view):
        amounts = None if record is None else record["amounts"]
        if amounts == "not-applicable":
            told.append("amounts do not apply")
            continue
        version = str(amounts.get("price_table")) if isinstance(amounts, dict) else ""
        if view.head.valid_record(view.head.path_of(Kind.PRICE, version=version)) is None:
            return _failed("the amounts rest on no price table that could be read")
        told.append(f"price table {version}")
    return _satisfied(", ".join(sorted(set(told)))) if told else _failed("there is no result record")


def no_canary(view: EvidenceView) -> Answer:
    """Whether the record states that no output contained a canary (CHK-08)."""
    stated = [record is not None and item(record, "CHK-08").get("holds") is True for record in _records(view)]
    return _satisfied("stated for every output") if stated and all(stated) else _failed("it is not stated")


def applied(view: EvidenceView) -> Answer:
    """Whether a results reviewer approved the record as it stands (CHK-10)."""
    seats = [seat.state for seat in view.seated.seats if seat.role == Role.RESULTS_REVIEWER]
    if seats and all(state is SeatState.FILLED for state in seats):
        return _satisfied("a results reviewer approved the record as it stands")
    return Answer(state=EvidenceState.MISSING, message="the approval of a results reviewer, given on this head")


RESULT_PROVIDERS: Mapping[str, Provider] = {
    **dict.fromkeys(
        ("RESULT-09", "RESULT-11", "RESULT-12", "RESULT-14", "RESULT-16", "RESULT-42", "RED-11"), recomputed
    ),
    "CHK-03": every_run,
    "CHK-06": priced,
    "CHK-08": no_canary,
    "CHK-10": applied,
}


def _paths(view: EvidenceView) -> list[str]:
    return [own.change.path for own in view.own if own.change.kind is Kind.RES]


def _records(view: EvidenceView) -> Iterator[Record | None]:
    """The result records of the row; null for one that is gone or breaks its schema."""
    return (view.head.valid_record(path) for path in _paths(view))


def _satisfied(message: str) -> Answer:
    return Answer(state=EvidenceState.SATISFIED, message=message)


def _failed(message: str) -> Answer:
    return Answer(state=EvidenceState.FAILED, message=message)
