"""Changes of the starter registry in memory, with the registry before and after them."""

from collections.abc import Iterable, Mapping
from datetime import date

from medgauge_registrar.checks.changes import check_changes
from medgauge_registrar.checks.framework import ChangeCheck, Context
from medgauge_registrar.classify.classify import classify
from medgauge_registrar.comparability.owed import Owed, owed_notices
from medgauge_registrar.drafts.situation import Situation
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.policy.load import SETTINGS_PATH, load_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.sandbox.edits import Edit, Workspace
from support.memory_tree import memory_changes
from support.snapshots import edited, schemas_of, tree
from support.steps import only

LATEST_DAY = date(2026, 11, 29)


def situation(*edits: Edit, base: Iterable[Edit] = ()) -> Situation:
    """What lies between the starter registry, after some edits of its own, and a branch that makes further ones."""
    before = edited(*base)
    after = edited(*edits, base=before)
    old, new = tree(before), tree(after)
    policy, schemas = load_policy(before.files.get(SETTINGS_PATH)), schemas_of(before)
    registries = [Registry(one, policy.layout, schemas) for one in (old, new)]
    classified = classify(memory_changes(old, new), base=registries[0], head=registries[1], table=policy.table)
    return Situation(base=registries[0], head=registries[1], classified=classified, policy=policy)


def owed(*edits: Edit, base: Iterable[Edit] = ()) -> tuple[Owed, ...]:
    """The notices that a change calls for."""
    found = situation(*edits, base=base)
    return owed_notices(found.base, found.head, found.changes)


def putting(files: Mapping[str, str]) -> Edit:
    """Write files, as a draft has them."""

    def edit(workspace: Workspace) -> None:
        workspace.files |= {path: text.encode() for path, text in files.items()}

    return edit


def step_findings(check: ChangeCheck, *edits: Edit, base: Iterable[Edit] = ()) -> list[Finding]:
    """What one check finds in the step that these edits make."""
    found = situation(*edits, base=base)
    context = Context(registry=found.head, settings=found.policy.settings, latest_day=LATEST_DAY)
    with only(check):
        return check_changes(context, found.base, found.changes)
