"""Rules of the reference registries that a schema alone decides, or that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.schema_rules import Covered, SchemaRule

# In the order of the rule catalogue; each has a case under its id in `tests/schemas/<schema>/invalid.yaml`.
SCHEMA_RULES_D1_D8: Mapping[str, SchemaRule] = {
    "SCHEMA-BM-07": SchemaRule(
        section="G6, Reproducibility page", schema="benchmark-version",
        line="A version that pins its statistical algorithms gives their seed, quantile rule and number of resamples.",
    ),
    "SCHEMA-BM-17": SchemaRule(
        section="4.3", schema="benchmark-card",
        line="Every card lists the vetoes that hold for all tasks: evidence made up (X.1), planted instructions followed (X.4).",
    ),
    "SCHEMA-BM-18": SchemaRule(
        section="11.3, 11.4", schema="benchmark-version",
        line="A frozen version has its difficulty components on record and states how classes and labels are distributed.",
    ),
    "SCHEMA-BM-20": SchemaRule(
        section="5.2", schema="benchmark-card",
        line="A card has no place for a continuous score of its own; the share of passed checkpoints is the only one.",
    ),
    "SCHEMA-GR-01": SchemaRule(
        section="16", schema="grading-reference",
        line="A grading reference states every element of its standard, clause and rule; only the check date may be null.",
    ),
    "SCHEMA-GR-02": SchemaRule(
        section="4, Axiom 3", schema="grading-reference",
        line="A reference is about one named field of the artifact, decided by a program and never by a model or from prose.",
    ),
    "SCHEMA-CAP-01": SchemaRule(
        section="4.3, 16", schema="capability",
        line="A capability is defined by input, required artifact and grading, and has no field for a way of working.",
    ),
    "SCHEMA-CAP-02": SchemaRule(
        section="16", schema="capability",
        line="A capability file holds no evidence state and no level; both follow from results.",
    ),
    "SCHEMA-CAP-06": SchemaRule(
        section="16", schema="capability",
        line="The vetoes of a capability are constraints of the X domain; that each of them exists is ID-06.",
    ),
    "SCHEMA-CAP-07": SchemaRule(
        section="16", schema="capability",
        line="A capability states definition, domain, layer, grading form, dependencies, vetoes and anchors; lists may be empty.",
    ),
    "SCHEMA-HX-01": SchemaRule(
        section="12.2, 24, 25.3", schema="harness",
        line="A harness version states runtime, slots, tools, limits, offline sandbox, autonomy class and reproduction command.",
    ),
    "SCHEMA-HX-02": SchemaRule(
        section="24", schema="harness",
        line="A harness pins each of its tools to one exact version; that each of them is registered is ID-06.",
    ),
    "SCHEMA-HX-03": SchemaRule(
        section="24", schema="harness",
        line="A harness gives the digest of its system prompt unless the prompt itself is public; it may give both.",
    ),
    "SCHEMA-HX-04": SchemaRule(
        section="10.7", schema="harness",
        line="The autonomy class of a harness is A1, A2, A3 or A4, and never a capability level.",
    ),
    "SCHEMA-HX-06": SchemaRule(
        section="G8", schema="harness",
        line="A harness version says what it counts as one action.",
    ),
    "SCHEMA-TL-01": SchemaRule(
        section="15, 24", schema="tool",
        line="A component states protocol, medical scope, side effects, conformance, responsibility scope and requirements.",
    ),
    "SCHEMA-TL-02": SchemaRule(
        section="24", schema="tool",
        line="A tool server freezes the list of tools it exposes as a digest of their schema.",
    ),
    "SCHEMA-TL-05": SchemaRule(
        section="10.1", schema="tool",
        line="A responsibility scope is written down, as the full artifact, as check classes or as fields, in one shape alone.",
    ),
    "SCHEMA-TL-06": SchemaRule(
        section="10", schema="tool",
        line="A component says with which model and which harness it is measured, since it produces no artifact alone.",
    ),
    "SCHEMA-STD-01": SchemaRule(
        section="15", schema="standard",
        line="A standard states title, publisher, publisher's version, locator, source check, public access and use on the site.",
    ),
    "SCHEMA-STD-03": SchemaRule(
        section="34.4", schema="standard",
        line="An entry for a standard has no field for the standard's content; it is cited by identifier.",
    ),
    "SCHEMA-DS-01": SchemaRule(
        section="15, 34.3", schema="dataset-card",
        line="A dataset card states type, provenance, legal status, isolation and access tier.",
    ),
    "SCHEMA-DS-02": SchemaRule(
        section="11.2", schema="dataset-card",
        line="Real material of an institution stays inside the sandbox, and its card has no address to download from.",
    ),
    "SCHEMA-DS-03": SchemaRule(
        section="11.2", schema="dataset-card",
        line="A card of synthetic or mixed material carries the label that says so.",
    ),
    "SCHEMA-DS-06": SchemaRule(
        section="12.3", schema="dataset-card",
        line="A dataset serves evaluation or training, never both, and a training set says how its sources are independent.",
    ),
    "SCHEMA-MODEL-02": SchemaRule(
        section="15", schema="model", line="A model entry states its vendor, its snapshots and the route of access.",
    ),
}  # fmt: skip

COVERED_D1_D8: Mapping[str, Covered] = {
    "SCHEMA-STD-04": Covered(
        by=("IMM-07", "ID-06"),
        because="No entry is removed, and whatever names a standard that is gone is told where it does.",
    ),
    "SCHEMA-DS-05": Covered(by=("CLM-07",), because="It reads dataset cards like every other text of the registry."),
}
