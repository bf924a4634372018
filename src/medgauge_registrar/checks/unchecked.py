"""Rules without a check of their own: those that a schema decides, and those that hold because others do."""

from collections.abc import Mapping

from medgauge_registrar.checks.content_covered import COVERED_F
from medgauge_registrar.checks.covered_changes import COVERED_CHANGES
from medgauge_registrar.checks.recompute_covered import COVERED_E
from medgauge_registrar.checks.schema_rules import COVERED_BY as COVERED_C
from medgauge_registrar.checks.schema_rules import SCHEMA_RULES as SCHEMA_RULES_C
from medgauge_registrar.checks.schema_rules import Covered, SchemaRule
from medgauge_registrar.checks.schema_rules_governance import COVERED_BH, SCHEMA_RULES_B
from medgauge_registrar.checks.schema_rules_records import COVERED_D9_D13, SCHEMA_RULES_D9_D13
from medgauge_registrar.checks.schema_rules_registries import COVERED_D1_D8, SCHEMA_RULES_D1_D8

SCHEMA_RULES: Mapping[str, SchemaRule] = {
    **SCHEMA_RULES_B, **SCHEMA_RULES_C, **SCHEMA_RULES_D1_D8, **SCHEMA_RULES_D9_D13,
}  # fmt: skip
COVERED_BY: Mapping[str, Covered] = {
    **COVERED_C,
    **COVERED_D1_D8,
    **COVERED_D9_D13,
    **COVERED_E,
    **COVERED_F,
    **COVERED_CHANGES,
    **COVERED_BH,
}
