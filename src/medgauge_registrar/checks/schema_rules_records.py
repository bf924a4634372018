"""Rules of results, rounds and other records that a schema alone decides, or that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered, SchemaRule

# In the order of the rule catalogue; each has a case under its id in `tests/schemas/<schema>/invalid.yaml`.
SCHEMA_RULES_D9_D13: Mapping[str, SchemaRule] = {
    "SCHEMA-RES-01": SchemaRule(
        section="14.1", schema="result",
        line="A result states every item of the published list; what it has nothing to say of is written out as such.",
    ),
    "SCHEMA-RES-02": SchemaRule(
        section="10.3", schema="result", line="A result fixes seven run conditions, no more and no fewer, none without content."
    ),
    "SCHEMA-RES-06": SchemaRule(
        section="10.2", schema="result", line="An effect stands only in a record that names the control it was measured against."
    ),
    "SCHEMA-RES-08": SchemaRule(
        section="12.1, Reproducibility page", schema="result",
        line="A row shows the public fields of a run and a digest; nothing else of the run record has a place.",
    ),
    "SCHEMA-RES-11": SchemaRule(
        section="25.3, G7", schema="result",
        line="A run error has a kind and an attribution, each from its closed list, and never one without the other.",
    ),
    "SCHEMA-RES-14": SchemaRule(
        section="10.1", schema="result",
        line="The effect on a component's scope comes with the effect outside it, in a field of its own.",
    ),
    "SCHEMA-RP-01": SchemaRule(
        section="26", schema="reproduction",
        line="A reproduction states organisation, harness, model, outcome of the reference solution and the signed difference.",
    ),
    "SCHEMA-RP-02": SchemaRule(
        section="8.5, 26", schema="reproduction", line="A reproduction has no field for a verdict, as no threshold is set."
    ),
    "SCHEMA-RP-03": SchemaRule(
        section="10.6", schema="reproduction", line="A reproduction names one harness version, the same in both environments."
    ),
    "SCHEMA-RP-04": SchemaRule(
        section="26", schema="reproduction",
        line="Where the reference solution fell short of full marks, the record tells how the adapter was looked into.",
    ),
    "SCHEMA-PRICE-01": SchemaRule(
        section="29", schema="price-table",
        line="A price table has a version and at least one rate; VER-12 asks that results find the table they rest on.",
    ),
    "SCHEMA-VOID-04": SchemaRule(
        section="12.1", schema="voided-list",
        line="The reason for voiding a task version is a class from a closed list, so that it tells nothing of the task.",
    ),
    "SCHEMA-ART-01": SchemaRule(
        section="29", schema="article",
        line="An article has a day and a title, and names what it replaces by its path; VER-10 follows that path.",
    ),
    "SCHEMA-TSUB-03": SchemaRule(
        section="4", schema="task-submission", line="The form gives each check one of the two provenances, never both or none."
    ),
    "SCHEMA-TSUB-04": SchemaRule(
        section="7, 11.3", schema="task-submission",
        line="The form asks for all ten labels; `not-applicable` is written out, and guideline and region are always given.",
    ),
    "SCHEMA-TSUB-05": SchemaRule(
        section="G8", schema="task-submission",
        line="The form asks for the unit in which required steps are counted, and that it depends on no harness.",
    ),
}  # fmt: skip

COVERED_D9_D13: Mapping[str, Covered] = {
    "SCHEMA-TSUB-02": Covered(
        by=("BND-09",),
        because="A filled form is closed material, so its breach is told as one, without place or value.",
    ),
}
