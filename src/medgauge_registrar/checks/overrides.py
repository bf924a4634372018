"""Level overrides: none is let in as long as no level is issued (SCHEMA-LO-01, 02)."""

import hashlib
from collections.abc import Iterator

from medgauge_registrar.checks.fields import mapping
from medgauge_registrar.checks.framework import Context, Problem, record_check, tree_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.canonical import canonical_json
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import select

# Level L5 rests on L4, and each level on those below it.
_LEVELS = ("L1", "L2", "L3", "L4")


@tree_check("SCHEMA-LO-01", section="5.7, App B", kinds={Kind.LO, Kind.LVL})
def groundless_override(context: Context) -> Iterator[Problem]:
    """
    An override raises a subject that holds level L4, and nobody holds a level while the level rules set no threshold.

    A level whose threshold is not set is not issued, nor is any level above it. Take the record out; it can come back once
    thresholds are set and L4 is derived for its four-tuple.

    Passes: a registry without overrides
    Fails: an override beside level rules in which a threshold is null
    """
    registry = context.registry
    folder = registry.layout.folder(Kind.LO)
    paths = [path for path, _ in registry.tree.walk(folder) if registry.layout.place(path).kind is Kind.LO]
    if not paths:
        return
    unset = _unset_levels(registry)
    if unset:
        why = (
            f"the level rules set no threshold for {', '.join(f'`{level}`' for level in unset)}, so no level is issued"
        )
    else:
        why = "whether its four-tuple holds `L4` is not derived by this version of the registrar"
    for path in paths:
        yield Problem(
            message=f"an override rests on level `L4`, and {why}",
            help="Take the record out of this pull request.",
            path=path,
        )


@record_check("SCHEMA-LO-02", section="5.7, App B", kinds={Kind.LO})
def signature_over_other_content(record: Record, _: Context) -> Iterator[Problem]:
    """
    A detached signature was made over this very record, without its signatures.

    A signature over other content would vouch for words that its signer never saw. The digest is SHA-256 of the record as
    canonical JSON without `signatures`; sign again after every change.

    Passes: signed_sha256 equal to the digest of the record
    Fails: a record that changed after it was signed
    """
    content = {name: value for name, value in record.fields.items() if name != "signatures"}
    digest = hashlib.sha256(canonical_json(content)).hexdigest()
    for pointer, signature in select(record.document.value, "signatures/*"):
        signed = mapping(signature).get("signed_sha256")
        if signed is not None and signed != digest:
            yield Problem(
                message=f"`signed_sha256` is `{signed}`, and the digest of the record is `{digest}`",
                help="Sign the record as it stands now.",
                pointer=f"{pointer}/signed_sha256",
            )


def _unset_levels(registry: Registry) -> tuple[str, ...]:
    """Levels without a threshold in the newest level rules; all of them where there are no valid rules."""
    versions = registry.versions(Kind.LVL)
    rules = registry.valid_record(registry.path_of(Kind.LVL, version=versions[-1])) if versions else None
    levels = mapping(rules["levels"]) if rules is not None else {}
    return tuple(level for level in _LEVELS if mapping(levels.get(level)).get("threshold") is None)
