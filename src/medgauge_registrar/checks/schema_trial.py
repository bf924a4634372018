"""What the schemas of a branch would refuse among the records that stand (ENT-05)."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from medgauge_registrar.checks.framework import Context, Problem, findings, tree_check
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.schemas import SCHEMA_NAMES, SUFFIX
from medgauge_registrar.registry.sources import FOLDER, tree_schemas


@tree_check("ENT-05", section="16, 32", kinds={Kind.SCHEMA})
def broken_records(context: Context) -> Iterator[Problem]:
    """
    A change of schemas leaves every record valid that is in the registry.

    A record that its schema no longer admits would vanish from the site, frozen versions and old results among them.
    Loosen the new rule, or make it hold only for records that name the new methodology version.

    Passes: a new optional field
    Fails: a new required field that existing records lack
    """
    registry = context.registry
    for published in registry.schemas.names:
        try:
            registry.schemas.compile(published)
        except PolicyError as error:
            yield Problem(message=str(error), help="Correct the schema.", path=f"{FOLDER}/{published}{SUFFIX}")
            return
    records = [(place, entry) for place, entry in registry.places() if place.is_record and entry.mode in FILE_MODES]
    stream = registry.tree.read_many((place.path, entry) for place, entry in records)
    for path, data in stream:
        record = registry.parse(registry.layout.place(path), data)
        name = SCHEMA_NAMES.get(record.kind)
        if not record.readable or name is None:
            continue
        if name not in registry.schemas:
            yield Problem(
                message=f"no schema `{name}{SUFFIX}` would be left to hold this record against",
                help="Keep the schema.",
                path=path,
            )
            continue
        if problem := registry.schemas.first_breach(name, record.document.value):
            position = record.document.position(problem.pointer)
            yield Problem(
                message=f"this record would no longer keep its schema: at `{problem.pointer or '/'}` {problem.message}",
                help="Loosen the new rule, or bind it to records of the new methodology version.",
                path=path,
                position=position,
                pointer=problem.pointer,
            )


def trial_findings(repository: Path, base_sha: str, head_sha: str) -> list[Finding]:
    """
    Run `broken_records` on the merge result of two commits with the schemas that stand in it.

    Raises:
        ReadError: The repository could not be read whole.
    """
    with Repository.open(repository) as opened:
        merge = opened.merge(base_sha, head_sha)
        if merge.tree_oid is None:
            return []
        tree = opened.tree(merge.tree_oid)
        policy = tree_policy(opened.tree(base_sha))
        registry = Registry(tree, policy.layout, tree_schemas(tree))
        context = Context(registry=registry, settings=policy.settings, latest_day=date.max)
        return sorted(findings(broken_records, broken_records.run(context), None, None), key=lambda item: item.order)
