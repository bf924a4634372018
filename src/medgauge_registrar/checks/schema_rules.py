"""Rules without a check of their own: the schema alone decides them, or another rule covers them."""

from collections.abc import Mapping

from medgauge_registrar.model.frozen import frozen


@frozen
class SchemaRule:
    """
    A rule that a schema decides; a breach is reported as ENT-02, with the place.

    Attributes:
        section: Section of the methodology it rests on.
        schema: Name of a schema that shows it; `tests/schemas/<schema>/invalid.yaml` has a case under the rule's id.
        line: What is asked, in one sentence.
    """

    section: str
    schema: str
    line: str


@frozen
class Covered:
    """
    A rule that holds because others do.

    Attributes:
        by: The rules that carry it.
        because: Why they do.
    """

    by: tuple[str, ...]
    because: str


# In the order of the rule catalogue: one line a rule, `id: SchemaRule(section, schema, line)`.
SCHEMA_RULES: Mapping[str, SchemaRule] = {
    "ID-01": SchemaRule(
        section="2", schema="benchmark-card",
        line="An identifier is a type code, a hyphen and a short name in lower case, digits and single hyphens.",
    ),
    "ID-02": SchemaRule(
        section="2", schema="benchmark-card", line="The type code of an identifier is the one of its registry."
    ),
    "ID-03": SchemaRule(
        section="2", schema="capability",
        line="A capability is named by the letter of a known domain and a number without leading zeros.",
    ),
    "ID-04": SchemaRule(
        section="2, 15", schema="model", line="A model keeps its vendor's name, on one line and without a type code."
    ),
    "ID-05": SchemaRule(
        section="2", schema="benchmark-card",
        line="A reference to a version is the identifier, an at sign and all three numbers.",
    ),
    "VER-01": SchemaRule(
        section="2", schema="benchmark-card",
        line="A version is three plain numbers with dots, without prefix, suffix or leading zeros.",
    ),
    "ID-14": SchemaRule(
        section="15, 34", schema="standard",
        line="Version strings that a publisher or vendor chose are kept as they are and need not have three numbers.",
    ),
    "ENT-01": SchemaRule(
        section="16", schema="benchmark-card",
        line="An entry states identifier, version, introducing methodology version, and the days of introduction and review.",
    ),
}  # fmt: skip

COVERED_BY: Mapping[str, Covered] = {
    "DEC-02": Covered(
        by=("ENT-02", "ENT-09", "ENT-11", "ID-06", "BLD-01", "BLD-03", "BLD-05", "DEC-22", "DEC-23"),
        because=(
            "Validation, references, links, English and red lines are held by them on the merge result, as far as a change"
            " reaches; a check that cannot run is an error."
        ),
    ),
    "ID-12": Covered(
        by=("RESULT-06", "IMM-01"),
        because="Every result lists the keys of its frozen version, and a frozen version keeps its keys.",
    ),
    "VER-09": Covered(
        by=("DEC-11",), because="The charter states its version on a line of its own, which each of its changes raises."
    ),
    "VER-08": Covered(
        by=("ENT-09", "ID-09", "DEC-19"),
        because="A version file is one document, repeats the version of its path, and a path without a version is refused.",
    ),
    "VER-11": Covered(by=("ID-09",), because="Family and number are the path, which can hold one file."),
    "ENT-03": Covered(
        by=("ENT-02",), because="Every record is validated, and nothing in the registry names exceptions."
    ),
    "ENT-04": Covered(
        by=("ID-06", "BLD-03"), because="References and internal links are each followed by one of them."
    ),
    "IMM-17": Covered(
        by=("IMM-01",), because="A retired task cannot leave a frozen version, so its place is the next one."
    ),
    "IMM-18": Covered(
        by=("IMM-01",), because="A key or check cannot change in a frozen version, only in the next one."
    ),
    "IMM-20": Covered(by=("IMM-05",), because="A result is never removed, whatever becomes of its harness."),
}
