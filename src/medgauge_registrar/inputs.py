"""The files a person hands over: pull request, roster, ledger. Whatever is wrong in one is a `PolicyError`."""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.model.ledger import Ledger, SubjectFacts, VersionFacts
from medgauge_registrar.model.pull import (
    Comment,
    Commit,
    DeletedComment,
    EarlierHead,
    Issue,
    Move,
    Pull,
    Review,
    ReviewState,
    User,
)
from medgauge_registrar.model.roster import Person, Role, Roster, Term
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.registry.characters import shown
from medgauge_registrar.registry.reader import LIMITS, Syntax, read_document
from medgauge_registrar.registry.schemas import shipped_schemas

MAX_INPUT_BYTES = 64 * 1024 * 1024
# A pull file quotes people's own words: any character, and as many as GitHub takes. Roster and ledger are held to records.
PULL_LIMITS = replace(LIMITS, foreign_text=True, scalar_characters=300_000, json_bytes=MAX_INPUT_BYTES)
_TIME = lazy_pattern(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
# Times nearer to the first or last year could leave the calendar when a zone or a period is added.
_FIRST_YEAR, _LAST_YEAR = 1000, 9000


_Made = TypeVar("_Made")


@frozen
class Inputs:
    """
    What was handed over.

    Attributes:
        pull: Public facts of the pull request.
        pull_sha256: Digest of their canonical form.
        roster: Who holds which role; empty if none was given.
        roster_digest: Keyed digest, or null without a key.
        ledger: Closed facts; empty if none was given.
        ledger_digest: Keyed digest, or null without a key.
    """

    pull: Pull
    pull_sha256: str
    roster: Roster = field(repr=False)
    roster_digest: str | None
    ledger: Ledger = field(repr=False)
    ledger_digest: str | None


def read_inputs(pull: Path, roster: Path | None, ledger: Path | None, *, digest_key: bytes | None) -> Inputs:
    """
    Read the files of one decision.

    Args:
        pull: The pull file.
        roster: The roster; null: nobody holds a role.
        ledger: The ledger; null: nothing closed is known.
        digest_key: Key of the digests of roster and ledger; null: they are left out.

    Raises:
        PolicyError: A file is absent, cannot be read or breaks its schema.
    """
    return inputs_of(load_pull(pull), roster, ledger, digest_key=digest_key, source=pull)


def load_pull(path: Path) -> dict[str, Any]:
    """
    Read a pull file and hold it against its schema.

    Raises:
        PolicyError: It is absent, cannot be read or breaks its schema.
    """
    return _load(path, "pull")


def inputs_of(
    pull: dict[str, Any], roster: Path | None, ledger: Path | None, *, digest_key: bytes | None, source: Path
) -> Inputs:
    """
    Join the facts of a pull request with the closed files.

    Args:
        pull: A value that keeps `pull.schema.json`.
        roster: The roster; null: nobody holds a role.
        ledger: The ledger; null: nothing closed is known.
        digest_key: Key of the digests of roster and ledger; null: they are left out.
        source: File that the facts are from, for messages.

    Raises:
        PolicyError: A file is absent, cannot be read or breaks its schema.
    """
    roster_value = _load(roster, "roster") if roster is not None else None
    ledger_value = _load(ledger, "ledger") if ledger is not None else None
    names = (f"pull file `{source}`", f"roster file `{roster}`")
    return _joined(pull, roster_value, ledger_value, digest_key=digest_key, names=names)


def inputs_from(
    pull: dict[str, Any], roster: bytes | None, ledger: bytes | None, *, digest_key: bytes | None
) -> Inputs:
    """
    Join facts that were read elsewhere; the same facts in files give the same inputs, digests included.

    Args:
        pull: A value that should keep `pull.schema.json`.
        roster: Contents of the roster; null: nobody holds a role.
        ledger: Contents of the ledger; null: nothing closed is known.
        digest_key: Key of the digests of roster and ledger; null: they are left out.

    Raises:
        PolicyError: One of them breaks its schema.
    """
    if problems := shipped_schemas().problems("pull", cast(Any, pull)):
        raise PolicyError(f"pull request at `{problems[0].pointer or '/'}`: {problems[0].message}")
    roster_value = _parsed(roster, "roster", "roster") if roster is not None else None
    ledger_value = _parsed(ledger, "ledger", "ledger") if ledger is not None else None
    return _joined(pull, roster_value, ledger_value, digest_key=digest_key, names=("pull request", "roster"))


def read_roster(path: Path) -> Roster:
    """
    Read a roster alone.

    Raises:
        PolicyError: The file is absent, cannot be read or breaks its schema.
    """
    return _named(f"roster file `{path}`", to_roster, _load(path, "roster"))


def roster_from(data: bytes) -> Roster:
    """
    Read a roster that was fetched from elsewhere.

    Raises:
        PolicyError: It breaks its schema.
    """
    return _named("roster", to_roster, _parsed(data, "roster", "roster"))


def ledger_from(data: bytes) -> Ledger:
    """
    Hold the contents of a ledger against its schema.

    Raises:
        PolicyError: They break it; nothing of them is repeated.
    """
    return to_ledger(_parsed(data, "ledger", "ledger"))


def parse_time(text: str) -> datetime:
    """
    Read an RFC 3339 time of this age.

    Raises:
        PolicyError: It is none.
    """
    try:
        moment = datetime.fromisoformat(text) if _TIME.fullmatch(text) else None
    except ValueError:
        moment = None
    if moment is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise PolicyError(f"{shown(text)} is no time; expected RFC 3339 in UTC such as 2026-11-29T12:00:00Z")
    return moment.astimezone(UTC)


def to_pull(value: dict[str, Any]) -> Pull:
    """Build the facts of a pull request from a value that keeps `pull.schema.json`."""
    return Pull(
        number=value["number"],
        title=value["title"],
        body=value["body"] or "",
        draft=value["draft"],
        labels=tuple(value["labels"]),
        created_at=parse_time(value["created_at"]),
        base_ref=value["base"]["ref"],
        base_repo=value["base"]["repo"],
        head_ref=value["head"]["ref"],
        head_repo=value["head"]["repo"],
        seen_at=_time(value["head"]["seen_at"]),
        pushed_by=_user(value["head"]["pushed_by"]),
        earlier_heads=(
            tuple(
                EarlierHead(sha=item["sha"], seen_at=parse_time(item["seen_at"])) for item in value["head"]["earlier"]
            )
            if "earlier" in value["head"]
            else None
        ),
        moves=_moves(value["head"].get("moves", [])),
        author=_user(value["author"]),
        triggered_by=_user(value["triggered_by"]),
        commits=tuple(
            Commit(
                sha=item["sha"],
                author=_user(item["author"]),
                committer=_user(item["committer"]),
                co_authors=tuple(_user(user) for user in item["co_authors"]),
            )
            for item in value["commits"]
        ),
        reviews=tuple(
            Review(
                id=item["id"],
                user=_user(item["user"]),
                state=ReviewState(item["state"]),
                commit=item["commit"],
                submitted_at=_time(item["submitted_at"]),
                body=item["body"] or "",
                dismissed_state=ReviewState(item["dismissed_state"]) if item.get("dismissed_state") else None,
                dismissed_by=_user(item.get("dismissed_by")),
            )
            for item in value["reviews"]
        ),
        comments=tuple(
            Comment(
                id=item["id"],
                user=_user(item["user"]),
                body=item["body"] or "",
                created_at=parse_time(item["created_at"]),
                edited=item["edited"],
                edited_at=_time(item.get("edited_at")),
                edited_by=_user(item.get("edited_by")),
            )
            for item in value["comments"]
        ),
        deleted_comments=tuple(
            DeletedComment(
                user=_user(item["user"]),
                deleted_at=parse_time(item["deleted_at"]),
                deleted_by=_user(item["deleted_by"]),
            )
            for item in value.get("deleted_comments", [])
        ),
        issues=tuple(
            Issue(
                number=item["number"],
                title=item["title"],
                body=item["body"] or "",
                labels=tuple(item["labels"]),
                user=_user(item["user"]),
                created_at=parse_time(item["created_at"]),
                edited_at=None if item.get("edited_at") is None else parse_time(item["edited_at"]),
                state=item["state"],
            )
            for item in value["issues"]
        ),
    )


def to_roster(value: dict[str, Any]) -> Roster:
    """
    Build the roster from a value that keeps `roster.schema.json`.

    Raises:
        PolicyError: One account stands in it twice.
    """
    people = tuple(
        Person(
            id=item["id"],
            login=item["login"],
            roles=tuple(Role(role) for role in item["roles"]),
            institution=item.get("institution"),
            parties=tuple(item.get("parties", [])),
            terms=tuple(
                Term(
                    role=Role(term["role"]),
                    from_day=date.fromisoformat(term["from"]),
                    until=date.fromisoformat(term["until"]) if term.get("until") else None,
                )
                for term in item.get("terms", [])
            ),
        )
        for item in value["people"]
    )
    # The message names neither the account nor its roles: it may end up in a public log.
    if _repeated(person.id for person in people) or _repeated(person.login.casefold() for person in people):
        raise PolicyError("one account stands in it twice; join its entries")
    return Roster(people=people)


def to_ledger(value: dict[str, Any]) -> Ledger:
    """Build the ledger from a value that keeps `ledger.schema.json`."""
    canaries = value.get("canaries", {"key": "", "digests": []})
    return Ledger(
        benchmark_versions={
            version: VersionFacts(
                builders=frozenset(facts["builders"]),
                key_experts=frozenset(facts["key_experts"]),
                acceptors=frozenset(facts["acceptors"]),
                package_sha256=facts["package_sha256"],
                holdout_parties=frozenset(facts["holdout_parties"]),
                baseline_experts=frozenset(facts["baseline_experts"]) if "baseline_experts" in facts else None,
            )
            for version, facts in value.get("benchmark_versions", {}).items()
        },
        subjects={
            subject: SubjectFacts(submitters=frozenset(facts["submitters"]), party=facts["party"])
            for subject, facts in value.get("subjects", {}).items()
        },
        tested_by_builders={
            reference: frozenset(facts["tested_by_builders"])
            for reference, facts in value.get("references", {}).items()
        },
        canary_key=canaries["key"].encode(),
        canary_digests=frozenset(canaries["digests"]),
    )


def _joined(
    pull: dict[str, Any],
    roster: dict[str, Any] | None,
    ledger: dict[str, Any] | None,
    *,
    digest_key: bytes | None,
    names: tuple[str, str],
) -> Inputs:
    """Make inputs of values that keep their schemas; `names` are what messages call the first two."""
    of_pull, of_roster = names
    return Inputs(
        pull=_named(of_pull, to_pull, pull),
        pull_sha256=hashlib.sha256(canonical_json(cast(Any, pull))).hexdigest(),
        roster=_named(of_roster, to_roster, roster) if roster is not None else Roster(),
        roster_digest=_keyed(roster, digest_key),
        ledger=to_ledger(ledger) if ledger is not None else Ledger(),
        ledger_digest=_keyed(ledger, digest_key),
    )


def _named(what: str, make: Callable[[dict[str, Any]], _Made], value: dict[str, Any]) -> _Made:
    """Name what a value is from, where its schema could not tell that it is wrong."""
    try:
        return make(value)
    except PolicyError as error:
        raise PolicyError(f"{what}: {error}") from None


def _load(path: Path, schema: str) -> dict[str, Any]:
    """Read one file and hold it against its schema."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise PolicyError(
            f"{schema} file `{path}`: {error.strerror or 'cannot be read'}; give a file that exists"
        ) from None
    return _parsed(data, f"{schema} file `{path}`", schema, suffix=path.suffix)


def _parsed(data: bytes, name: str, schema: str, suffix: str = "") -> dict[str, Any]:
    """Hold contents against their schema. Values of closed files are never repeated in a message."""
    closed = schema != "pull"
    if len(data) > MAX_INPUT_BYTES:
        raise PolicyError(f"{name}: larger than {MAX_INPUT_BYTES} bytes")
    is_json = suffix == ".json" or (suffix not in {".yaml", ".yml"} and data.lstrip()[:1] in {b"{", b"["})
    limits = LIMITS if closed else PULL_LIMITS
    document = read_document(data, syntax=Syntax.JSON if is_json else Syntax.YAML, limits=limits)
    if document.faults:
        fault = document.faults[0]
        place = f":{fault.position.line}:{fault.position.column}" if fault.position else ""
        what = "not readable as strict YAML or JSON" if closed else f"{fault.message}; {fault.help}"
        raise PolicyError(f"{name}{place}: {what}")
    problems = shipped_schemas().problems(schema, document.value)
    if problems:
        first = problems[0]
        position = document.position(first.pointer)
        place = f":{position.line}:{position.column}" if position else ""
        what = f"breaks `{first.keyword}` of its schema" if closed else f"{first.message}; {first.help}"
        where = "" if closed else f" at `{first.pointer or '/'}`"
        raise PolicyError(f"{name}{place}:{where} {what}")
    return cast(dict[str, Any], document.value)


def _keyed(value: dict[str, Any] | None, key: bytes | None) -> str | None:
    if value is None or not key:
        return None
    return hmac.new(key, canonical_json(cast(Any, value)), hashlib.sha256).hexdigest()


def _user(value: dict[str, Any] | None) -> User | None:
    return None if value is None else User(id=value["id"], login=value["login"], type=value["type"])


def _moves(value: list[dict[str, Any]] | None) -> tuple[Move, ...] | None:
    if value is None or any(item["by"] is None for item in value):
        return None
    return tuple(Move(by=User(**item["by"]), before=item["before"], after=item["after"]) for item in value)


def _time(value: str | None) -> datetime | None:
    return None if value is None else parse_time(value)


def _repeated(items: Iterable[object]) -> bool:
    every = list(items)
    return len(set(every)) < len(every)
