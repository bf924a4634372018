"""One row of the decision table, judged without the checks of records: seats, separation and evidence alone."""

from collections.abc import Mapping
from typing import Any

from medgauge_registrar.classify.classify import classify
from medgauge_registrar.decide import Snapshot
from medgauge_registrar.inputs import to_ledger, to_roster
from medgauge_registrar.model.decision import EvidenceState, Row
from medgauge_registrar.model.ledger import Ledger
from medgauge_registrar.model.pull import User
from medgauge_registrar.model.roster import Roster
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.requirements.approvals import seat_rows
from medgauge_registrar.requirements.disputes import Proceedings, proceedings
from medgauge_registrar.requirements.matters import measured_in
from medgauge_registrar.requirements.opinions import collect_opinions
from medgauge_registrar.requirements.providers import PROVIDERS
from medgauge_registrar.requirements.rows import Scene, ask, evaluate
from medgauge_registrar.sandbox.cast import LEDGER, account, roster
from medgauge_registrar.sandbox.edits import Edit
from support.snapshots import person, snapshot

AUTHORS: Mapping[str, tuple[User | None, ...]] = {"gr-example-dose": (person("author of references"),)}


def ids(*names: str) -> list[int]:
    """Account ids of some of the cast."""
    return [account(name)["id"] for name in names]


def ledger(version: str | None = None, **facts: Any) -> Ledger:
    """The ledger of the demonstration, with some facts of one version, or whole parts of it, changed."""
    value: dict[str, Any] = dict(LEDGER)
    if version is not None:
        versions = LEDGER["benchmark_versions"]
        value["benchmark_versions"] = {**versions, version: {**versions[version], **facts}}
    else:
        value.update(facts)
    return to_ledger(value)


def roster_with(**fields: Mapping[str, Any]) -> Roster:
    """The roster of the demonstration with fields of some people changed; `first_expert` is the `first expert`."""
    changes = {account(name.replace("_", " "))["id"]: dict(more) for name, more in fields.items()}
    people = [{**entry, **changes.get(entry["id"], {})} for entry in roster()["people"]]
    return to_roster({"people": people})


def scene_of(shot: Snapshot) -> Scene:
    """What the rows of a pull request are judged by."""
    layout = shot.policy.layout
    base, head = (Registry(tree, layout, shot.schemas) for tree in (shot.base, shot.merged))
    changes = classify(shot.changes, base=base, head=head, table=shot.policy.table)
    return Scene(
        pull=shot.pull,
        base=base,
        head=head,
        changes=changes,
        settings=shot.policy.settings,
        roster=shot.roster,
        ledger=shot.ledger,
        reference_authors=shot.reference_authors,
        subject_authors=shot.subject_authors,
        approvals=collect_opinions(shot.pull, shot.head_sha).approvals,
        proceedings=proceedings_of(shot, base, head, changes),
        trial=(),
        merges=True,
        providers=PROVIDERS,
        now=shot.now,
    )


def proceedings_of(shot: Snapshot, base: Registry, head: Registry, changes: Any) -> Proceedings:
    """What becomes of disputes on a pull request."""
    return proceedings(
        shot.pull,
        shot.roster,
        measured_in(changes, base, head, shot.ledger),
        publishes=any(item.change.kind == "dispute" for item in changes),
    )


def judged(name: str, *edits: Edit, **fields: Any) -> Row:
    """
    One row of a pull request that makes these edits.

    Args:
        name: Id of the row.
        edits: What the branch does.
        fields: `request` and `base` as for `snapshot`, and other fields of it.
    """
    shot = snapshot(*edits, **{"reference_authors": AUTHORS, **fields})
    scene = scene_of(shot)
    row = shot.policy.table.rows[name]
    need, rules = ask(row, scene)
    seating = seat_rows(shot.pull, shot.head_sha, shot.roster, shot.now, [need], voters=scene.proceedings.voters)
    return evaluate(row, seating.rows[0], rules, (), scene)


def state(row: Row, rule: str) -> EvidenceState:
    """State of one piece of evidence or rule of separation; evidence goes first."""
    return next((item.state for item in row.evidence if item.id == rule), None) or next(
        item.state for item in row.separation if item.rule == rule
    )


def message(row: Row, rule: str) -> str:
    """Words of one piece of evidence."""
    return next(item.message for item in row.evidence if item.id == rule)
