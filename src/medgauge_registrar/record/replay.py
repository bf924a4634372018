"""A recorded decision made anew from what it was made of, and held against the record byte for byte."""

from collections.abc import Mapping
from hmac import compare_digest
from pathlib import Path
from typing import Any, cast

from medgauge_registrar.git.landing import first_parents
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.inputs import MAX_INPUT_BYTES, PULL_LIMITS, Inputs, inputs_of, load_pull, parse_time
from medgauge_registrar.model.decision import Decision, State
from medgauge_registrar.model.errors import PolicyError, ReadError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.landing import Landing, landing_of
from medgauge_registrar.model.replayed import Replayed
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.record.compare import differences
from medgauge_registrar.record.note import Note, note_bytes, parse_note
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas
from medgauge_registrar.report.document import decision_json


@frozen
class Replay:
    """
    What to decide anew, and with what.

    Attributes:
        file: A decision note, or what `decide --format json` printed.
        repository: Holds the commits.
        pull: The pull file of a decision; null for a note, which holds its own facts.
        roster: The roster, where one was used.
        ledger: The ledger, where one was used.
        digest_key: Key of their digests.
    """

    file: Path
    repository: Path
    pull: Path | None
    roster: Path | None
    ledger: Path | None
    digest_key: bytes | None


def replay(asked: Replay) -> Replayed:
    """
    Decide anew what a file records.

    Raises:
        PolicyError: An argument or a file is absent or wrong.
        ReadError: The repository could not be read whole, facts are left out of the note, or a closed file is not shown to be
            the one that was used.
    """
    data = _contents(asked.file)
    note = _read(data)
    decision = note.decision if isinstance(note, Note) else note
    inputs = _inputs(asked, note)
    for name, digest, given in (
        ("roster", inputs.roster_digest, asked.roster),
        ("ledger", inputs.ledger_digest, asked.ledger),
    ):
        _same_digest(name, decision["digests"][name], digest, given)
    found = _decide(asked, decision, inputs)
    if isinstance(note, Note):
        recomputed = note_bytes(_landing(asked.repository, note), note.pull, found)
    else:
        recomputed = decision_json(found).encode()
    places = tuple(differences(_value(data), _value(recomputed)))
    return Replayed(recorded=decision, differences=places, spelling=not places and recomputed != data)


def _contents(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise PolicyError(f"`{path}`: {error.strerror or 'cannot be read'}; give a note or a decision file") from None
    if len(data) > MAX_INPUT_BYTES:
        raise PolicyError(f"`{path}`: larger than {MAX_INPUT_BYTES} bytes")
    return data


def _read(data: bytes) -> Note | Mapping[str, Any]:
    """A note, or the decision of a decision file."""
    value = _value(data)
    if isinstance(value, dict) and "landed" in value:
        note = parse_note(data)
        if isinstance(note, str):
            raise PolicyError(f"the file is no decision note: {note}; write it with `git notes --ref=registrar show`")
        return note
    problems = shipped_schemas().problems("decision", value)
    if problems:
        raise PolicyError(
            f"the file is neither a decision note nor a decision: at `{problems[0].pointer or '/'}`: {problems[0].message}"
        )
    return cast(Mapping[str, Any], value)


def _value(data: bytes) -> Any:
    document = read_document(data, syntax=Syntax.JSON, limits=PULL_LIMITS)
    if document.faults:
        raise PolicyError(f"the file is not readable as strict JSON: {document.faults[0].message}")
    return document.value


def _inputs(asked: Replay, note: Note | Mapping[str, Any]) -> Inputs:
    if isinstance(note, Note):
        if asked.pull is not None:
            raise PolicyError("--pull was given for a decision note, which holds its own facts; leave it out")
        if note.pull is None:
            raise ReadError(
                "the note leaves the facts of the pull request out, since they could repeat closed material"
            )
        facts, source = dict(note.pull), asked.file
    elif asked.pull is None:
        raise PolicyError("a decision file does not hold the facts of the pull request: give them with --pull")
    else:
        facts, source = load_pull(asked.pull), asked.pull
    return inputs_of(facts, asked.roster, asked.ledger, digest_key=asked.digest_key, source=source)


def _same_digest(name: str, recorded: str | None, found: str | None, given: Path | None) -> None:
    """Hold a closed file against its keyed digest; the message says nothing of what is in it."""
    if recorded is None and given is not None:
        raise ReadError(
            f"the decision keeps no digest of a {name}, so the one given cannot be shown to be the one that was used; "
            f"leave --{name} out if none was, and set the key of the digests where decisions are made"
        )
    if recorded is not None and given is None:
        raise ReadError(f"the decision was made with a {name}: give it again with --{name}")
    if recorded is not None and found is None:
        raise ReadError("the key of the digests is missing: set REGISTRAR_DIGEST_KEY to the one that was used")
    if recorded is not None and found is not None and not compare_digest(recorded, found):
        raise ReadError(f"the {name} given, or the key of the digests, is not the one that the decision was made with")


def _decide(asked: Replay, decision: Mapping[str, Any], inputs: Inputs) -> Decision:
    base, head = decision["base_sha"], decision["head_sha"]
    if base is None or head is None:
        raise ReadError("the record names no base and head, since these could not be read; it cannot be made anew")
    found = decide_question(
        Question(
            repository=asked.repository, base=base, head=head, inputs=inputs, now=parse_time(decision["decided_at"])
        )
    )
    if found.state is State.ERROR and decision["state"] != State.ERROR:
        raise ReadError(f"the decision could not be made anew: {found.next_steps[0].do}")
    return found


def _landing(path: Path, note: Note) -> Landing:
    """How the commits of a note stand in the history, as git has it."""
    commits, base = note.landed["commits"], note.landed["base"]
    with Repository.open(path) as repository:
        steps = first_parents(repository, commits[-1], base, most=len(commits))
    return landing_of(steps[::-1], note.decision["head_sha"])
