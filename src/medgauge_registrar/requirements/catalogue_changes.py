"""Rules of change classes, notices and the rows they belong to, which the decision itself enforces."""

from collections.abc import Mapping

from medgauge_registrar.requirements.decision_rule import DecisionRule

_OWED = "comparability/owed.py"
_ANNOUNCED = "requirements/announcements.py"
_CLASSES = "requirements/change_classes.py"

CHANGE_RULES: Mapping[str, DecisionRule] = {
    "DEC-09": DecisionRule(
        section="5.6, 22, 30",
        line="Thresholds, rules of aggregation and cut points change by request, site-wide notice, version and two maintainers.",
        where="data/policy.yml, row M7",
        guide="A rule of which only the wording differs belongs to row M8 (inference).\n"
        "Passes: another rule in section 5.4 with request, site-wide notice, minor version, log row and two maintainers\n"
        "Fails: the same without the notice",
    ),
    "DEC-10": DecisionRule(
        section="22, 30",
        line="The methodology text changes by request for comment, with the version its class asks for and two maintainers.",
        where="data/policy.yml, row M8",
        guide="Passes: a word put right as 0.1.1, with request, log row, archived text and two maintainers\n"
        "Fails: the same under the old version",
    ),
    "DEC-24": DecisionRule(
        section="29, Preamble",
        line="Schemas and validator rules change the way the text does: request, version of the text and two maintainers.",
        where="data/policy.yml, row M11",
        guide="Passes: an optional field, with request, version 0.1.1 everywhere and two maintainers\n"
        "Fails: an optional field under the old version",
    ),
    "DEC-25": DecisionRule(
        section="22, 29",
        line="A new version of a statistical algorithm is asked for like a rule of aggregation.",
        where="data/policy.yml, row M12",
        guide="Passes: paired-test 0.2.0 with request, site-wide notice, minor version and two maintainers\n"
        "Fails: paired-test 0.2.0 as a patch of the text",
    ),
    "DEC-27": DecisionRule(
        section="8.4",
        line="Voiding a task version takes a results reviewer, a maintainer and a notice on its board.",
        where="data/policy.yml, row M14",
        guide="Passes: a voided task version with its notice and both approvals\nFails: the same without the notice",
    ),
    "DEC-29": DecisionRule(
        section="25, 29",
        line="Articles, rounds, notices, redirects and dispute outcomes are merged like registry records.",
        where="data/policy.yml, row M16",
        guide="Passes: an article approved by a maintainer\nFails: an article without an approval",
    ),
    "NCN-01": DecisionRule(
        section="5.4, 14.4",
        line="Freezing a further version of a family comes with a notice that names all frozen versions of the family.",
        where=_ANNOUNCED,
        guide="Passes: 0.3.0 freezes with a notice of 0.1.0, 0.2.0 and 0.3.0\nFails: 0.3.0 freezes without a notice",
    ),
    "NCN-03": DecisionRule(
        section="5.6, 14.4, 22",
        line="Setting or changing a level threshold comes with a site-wide notice; so does another rule of levels in the text.",
        where=_ANNOUNCED,
        guide="Passes: level rules with a threshold for L2, beside a site-wide notice\n"
        "Fails: the same without the notice; rules that only carry a new version need none",
    ),
    "NCN-08": DecisionRule(
        section="5.4, 8.4, 12.4",
        line="Voiding a task version comes with a notice on the board that loses it and on that of its replacement.",
        where=_ANNOUNCED,
        guide="Passes: a further entry of a voided list beside a notice of its benchmark version\nFails: the entry alone",
    ),
    "NCN-09": DecisionRule(
        section="22, 29",
        line="Another rule of aggregation or algorithm comes with a site-wide notice; its version is asked for by CHG-05.",
        where=_ANNOUNCED,
        guide="Passes: intervals 0.2.0 beside a site-wide notice\nFails: intervals 0.2.0 alone",
    ),
    "NCN-10": DecisionRule(
        section="22, App A",
        line="Another difficulty function comes with a site-wide notice; its version of the text is asked for by CHG-05.",
        where=_ANNOUNCED,
        guide="Passes: difficulty-function@0.2.0 beside a site-wide notice\nFails: difficulty-function@0.2.0 alone",
    ),
    "NCN-11": DecisionRule(
        section="10.3",
        line="A run condition that differs makes another result record and needs no notice.",
        where=_OWED,
        guide="A notice of it would be pointed out by NCN-23.",
        state="informs",
    ),
    "NCN-14": DecisionRule(
        section="14.1, 14.4",
        line="A new result may move the position and letters of other rows, and this alone needs no notice.",
        where=_OWED,
        guide="A notice of it would be pointed out by NCN-23.",
        state="informs",
    ),
    "NCN-16": DecisionRule(
        section="8.5",
        line="Setting a threshold for the difference between environments comes with a notice on every board.",
        where=_ANNOUNCED,
        guide="A number that comes to section 8.5 counts as one (inference).\n"
        "Passes: a threshold in section 8.5 beside a site-wide notice\nFails: a threshold in section 8.5 alone",
    ),
    "NCN-20": DecisionRule(
        section="G6, Abstract",
        line="A change is announced on every board on which an old result, recomputed with its algorithms, gives another figure.",
        where="comparability/figures.py",
        guide="Passes: another algorithm of intervals beside a notice of every board it moves\n"
        "Fails: the same without the notice; figures that nobody can compute count as moved",
    ),
    "NCN-24": DecisionRule(
        section="22",
        line="A site-wide notice names every frozen benchmark version; its scope says that it reaches the other pages too.",
        where=_ANNOUNCED,
        guide="Passes: scope: site-wide with every frozen version in affected\nFails: one of them left out",
    ),
    "CHG-01": DecisionRule(
        section="30",
        line="Every change of the text, a patch included, comes with a request for comment and a pull request.",
        where="requirements/requests.py",
        guide="A standing request for corrections may be named.\n"
        "Passes: a spelling put right, with a request for comment\nFails: a spelling put right without one",
    ),
    "CHG-02": DecisionRule(
        section="30, App D",
        line="Every change adds a row with version, date and words to the change log, dated like the title of a new version.",
        where=_CLASSES,
        guide="Passes: version 0.1.1 of 2026-11-29 with a row of 0.1.1 and that day\nFails: version 0.1.1 without a row",
    ),
    "CHG-05": DecisionRule(
        section="Abstract",
        line="What breaks comparison raises at least the minor version of the text, and from 1.0.0 on the major one.",
        where=_CLASSES,
        guide="Passes: another rule of aggregation as 0.2.0\nFails: another rule of aggregation as 0.1.1",
    ),
    "CHG-08": DecisionRule(
        section="29",
        line="Schemas and validator rules change only with the version of the text; VER-06 and VER-07 ask that all of them agree.",
        where=_CLASSES,
        guide="Passes: a schema changes, and text, every `$id` and the level rules are of 0.1.1\n"
        "Fails: a schema changes under the old version",
    ),
    "CHG-12": DecisionRule(
        section="30",
        line="A change of methodology, algorithms or function shares no pull request with results or a freeze.",
        where="policy/combinations.py",
        guide="Passes: the text in one pull request, a freeze in the next\nFails: both in one",
    ),
}
