"""Grading references: one clause of one public standard, checked on the original (SCHEMA-GR-*)."""

from collections.abc import Iterator

from medgauge_registrar.checks.benchmark_records import version_paths
from medgauge_registrar.checks.fields import lies_ahead, mapping, texts
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, Reach, change_check, record_check
from medgauge_registrar.classify.transitions import is_frozen
from medgauge_registrar.model.change import Kind, Transition
from medgauge_registrar.model.finding import Severity
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.registry.records import Record, Registry
from medgauge_registrar.registry.references import described_path, select

# Fields in which a reference speaks in words.
_WORDS = (
    "condition",
    "rule",
    "locator",
    "declared_role",
    "jurisdiction_statement",
    "sources/*/position",
    "sources/*/locator",
)
# Marks by which a person can be found: an address, an account, an ORCID number.
_ORIGIN = lazy_pattern(
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
    r"|(?<![\w@])@[A-Za-z][A-Za-z0-9-]{1,38}\b"
    r"|\b[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]\b"
)
# Quoted words and words of a rule beyond which a reference reads like a copy of its clause.
_QUOTED_CHARACTERS, _RULE_CHARACTERS = 80, 600
_QUOTED = lazy_pattern(rf"[\"“„«][^\"“”„«»]{{{_QUOTED_CHARACTERS},}}[\"”“»]")
_ADVISORY = frozenset({"should", "should-not"})


@record_check(
    "SCHEMA-GR-03", section="Axiom 7", kinds={Kind.GR}, reach=Reach.REFERENCES, watches={(Kind.STD, "public")}
)
def closed_source(record: Record, context: Context) -> Iterator[Problem]:
    """
    A reference rests on standards that anybody can obtain.

    A rule that decides a grade must be open to whoever is graded. Rest the reference on a public standard of the registry.

    Passes: standard: std-example, with public: true
    Fails: standard: std-example-internal, with public: false
    """
    for field in ("standard", "sources/*/standard"):
        for pointer, name in select(record.document.value, field):
            path = context.registry.path_of(Kind.STD, std=str(name))
            standard = context.registry.valid_record(path)
            if standard is not None and standard["public"] is not True:
                yield Problem(
                    message=f"`{name}` is not public, so it cannot decide a grade",
                    help="Name a public standard.",
                    pointer=pointer,
                )


@record_check("SCHEMA-GR-04", section="Scoring page", kinds={Kind.GR, Kind.LIFECYCLE}, reach=Reach.FAMILY)
def veto_without_checked_clause(record: Record, context: Context) -> Iterator[Problem]:
    """
    A reference carries the veto flag only if its clause was checked on the original.

    A veto fails a run outright, so a misread clause would do most harm there. The schema asks for the day of the check; it
    must have come, and the lifecycle record must not take it back. Check the clause, then write its day.

    Passes: veto: true and check_date: 2026-11-09
    Fails: veto: true and check_date: 2026-11-09, with check_date: null in the lifecycle record
    """
    checked = record["check_date"]
    if lies_ahead(checked, context):
        yield Problem(
            message=f"the clause was checked on `{checked}`, and today is no later than `{context.latest_day}`",
            help="Write the day on which a second person checked the clause, once it has come.",
            pointer="/check_date",
        )
    if record.kind is not Kind.LIFECYCLE:
        return
    described = described_path(record.place, context.registry.layout)
    if described is None or described[0] is not Kind.GR:
        return
    reference = context.registry.valid_record(described[1])
    if reference is None or reference["veto"] is not True:
        return
    if not isinstance(checked, str) or checked < str(reference["check_date"]):
        yield Problem(
            message=f"`check_date` is `{checked or 'null'}`, and the veto rests on the check of `{reference['check_date']}`",
            help="Write that day, or the day of a later check.",
            pointer="/check_date",
        )


@change_check("SCHEMA-GR-05", section="14.4, Scoring page", kinds={Kind.BM_CARD})
def veto_turned_on_in_place(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    Reference-level vetoes are turned on for a family with a new benchmark version and its notice.

    Earlier results were graded without them and are not comparable. Freeze a new version with a notice in the same pull
    request. A single reference becomes a veto in a version of its own, which frozen benchmark versions do not use.

    Passes: reference_level_veto: applied, with version 0.3.0 frozen and its notice beside it
    Fails: reference_level_veto: applied, where it was not-applied, and no new version
    """
    before, after = changed.before, context.registry.valid_record(changed.change.path)
    if before is None or after is None or after.kind is not Kind.BM_CARD:
        return
    old, new = (mapping(card["scoring"]).get("reference_level_veto") for card in (before, after))
    if old == "applied" or new != "applied":
        return
    if not any(_may_be_frozen(path, changed.base) for path in version_paths(before.place, changed.base)):
        return
    frozen_here = [item.path for item in changed.changes if item.transition is Transition.FREEZE]
    if not any(_announces(path, after.place.id, context.registry) for path in frozen_here):
        yield Problem(
            message="reference-level vetoes are turned on, and no version of the family is frozen with a notice here",
            help="Freeze the next version in this pull request, with the notice that it is not comparable.",
            pointer="/scoring/reference_level_veto",
        )


@record_check("SCHEMA-GR-06", section="20, 23", kinds={Kind.GR})
def origin_in_reference(record: Record, _: Context) -> Iterator[Problem]:
    """
    Nothing in a reference tells whom it came from; only the publisher of the standard may be named.

    Who supplied a reference could otherwise tilt its grading. The schema has no field for it; addresses, accounts and
    numbers of persons are refused in the words as well. Take them out.

    Passes: condition: The record names the example drug without a dose.
    Fails: condition: As seen at our ward, ask person@example.org.
    """
    for field in _WORDS:
        for pointer, value in select(record.document.value, field):
            if isinstance(value, str) and ("@" in value or "-" in value) and _ORIGIN.search(value):
                yield Problem(
                    message="the text holds an address, an account or a number of a person",
                    help="Say what the clause asks for, and leave out who supplied it.",
                    pointer=pointer,
                )


@record_check("SCHEMA-GR-07", section="13.2, 16, 23", kinds={Kind.GR})
def unnamed_side(record: Record, _: Context) -> Iterator[Problem]:
    """
    Where sources disagree, each of them is given, the one that the reference follows among them.

    A reader of another region must see which source decides. The schema asks for a place in each source and the statement of
    jurisdiction; an alternative by the other source is tested before listing. Add the standard to the sources.

    Passes: standard: std-a and sources of std-a and std-b
    Fails: standard: std-a and sources of std-b and std-c
    """
    named = [value for _, value in select(record.document.value, "sources/*/standard")]
    if named and record["standard"] not in named:
        yield Problem(
            message=f"`{record['standard']}` is followed, and `sources` does not give it",
            help="Add it with its place and what it says.",
            pointer="/sources",
        )


@record_check(
    "SCHEMA-GR-08",
    section="4.1",
    kinds={Kind.BM_VERSION},
    reach=Reach.REFERENCES,
    watches={(Kind.GR, "check_date"), (Kind.LIFECYCLE, "check_date")},
)
def unchecked_reference_in_use(record: Record, context: Context) -> Iterator[Problem]:
    """
    A reference may be registered before it is listed, but no frozen version rests on a clause that nobody checked.

    Grades would depend on a clause that may say something else. Have a second person check it on the original, and record
    the day in the reference or its lifecycle record.

    Passes: a frozen version that names gr-example@0.1.0, whose check_date is 2026-11-09
    Fails: a frozen version that names gr-example@0.1.0, whose check_date is null in both places
    """
    if not is_frozen(record.document.value):
        return
    for pointer, value in select(record.document.value, "reference_summary/*/grading_reference"):
        identifier, _, version = str(value).partition("@")
        reference = context.registry.valid_record(context.registry.path_of(Kind.GR, gr=identifier, version=version))
        state_path = context.registry.path_of(Kind.LIFECYCLE, gr=identifier, version=version)
        state = context.registry.valid_record(state_path)
        if reference is None or (state is None and context.registry.has(state_path)):
            continue
        if reference["check_date"] is None and (state is None or state["check_date"] is None):
            yield Problem(
                message=f"the clause of `{value}` was not checked on the original",
                help="Record the day of the check, then freeze the version.",
                pointer=pointer,
            )


@record_check("SCHEMA-GR-09", section="2, 34.4", kinds={Kind.GR}, informs=True)
def copied_clause(record: Record, _: Context) -> Iterator[Problem]:
    """
    A reference covers one clause and points to it; it does not reproduce the text of the standard.

    Standards belong to their publishers, and terminologies are cited by identifier. Long quotations and very long rules are
    pointed out. Say in own words what the field must hold.

    Passes: rule: The verdict refuses an item without a dose.
    Fails: rule: a quotation of a whole paragraph (a notice)
    """
    for field in _WORDS:
        for pointer, value in select(record.document.value, field):
            quoted = isinstance(value, str) and _QUOTED.search(value)
            too_long = field == "rule" and isinstance(value, str) and len(value) > _RULE_CHARACTERS
            if quoted or too_long:
                yield Problem(
                    message="the text reads like a copy of the standard"
                    + (f" (a quotation of more than {_QUOTED_CHARACTERS} characters)" if quoted else ""),
                    help="Point to the clause by its locator, and say in own words what the field must hold.",
                    pointer=pointer,
                    severity=Severity.NOTICE,
                )


@record_check("SCHEMA-GR-10", section="4", kinds={Kind.GR}, informs=True)
def advisory_veto(record: Record, _: Context) -> Iterator[Problem]:
    """
    A rule that only advises is no veto.

    What should be done may be left undone for a reason, and a veto leaves no room for one. Take the flag off, or use `must`
    or `must-not` if the clause says so.

    Passes: veto: true and polarity: must-not
    Fails: veto: true and polarity: should (a warning)
    """
    if record["veto"] is True and record["polarity"] in _ADVISORY:
        yield Problem(
            message=f"the rule is a veto, and its polarity is `{record['polarity']}`",
            help="Take the veto off, or write `must` or `must-not` if the clause says so.",
            pointer="/polarity",
            severity=Severity.WARNING,
        )


@record_check(
    "SCHEMA-GR-11",
    section="4.3",
    kinds={Kind.GR},
    reach=Reach.REFERENCES,
    watches={(Kind.CAP, "layer")},
    informs=True,
)
def foreign_layer(record: Record, context: Context) -> Iterator[Problem]:
    """
    The layer of a reference is the layer of a capability that it maps to.

    A reader tells clinical facts from duties of a role by the layer, which stands in both places. Compare the two and correct
    the one that is wrong.

    Passes: layer: clinical-invariant, mapped to a capability of that layer
    Fails: layer: role-bound, mapped to capabilities of other layers only (a notice)
    """
    layers = {
        name: capability["layer"]
        for name in texts(record["capabilities"])
        if (capability := context.registry.valid_record(context.registry.path_of(Kind.CAP, cap=name))) is not None
    }
    if layers and record["layer"] not in layers.values():
        found = ", ".join(f"`{name}` is {layer}" for name, layer in layers.items())
        yield Problem(
            message=f"the layer is `{record['layer']}`, and {found}",
            help="Compare the layers and correct the one that is wrong.",
            pointer="/layer",
            severity=Severity.NOTICE,
        )


def _may_be_frozen(path: str, registry: Registry) -> bool:
    """Whether a version is frozen, or cannot be shown not to be."""
    version = registry.valid_record(path)
    return version is None or is_frozen(version.document.value)


def _announces(path: str, family: str | None, registry: Registry) -> bool:
    """Whether a version that was frozen is one of the family and carries a notice."""
    version = registry.valid_record(path)
    return version is not None and version.place.id == family and isinstance(version["notice"], str)
