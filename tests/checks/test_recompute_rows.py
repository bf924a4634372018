"""Run rows by themselves and side by side: runs, scores, outcomes, checkpoints, task sets, voids, digests, sizes, pins."""

from collections.abc import Mapping
from typing import Any

import pytest

from medgauge_registrar.checks import recompute_family, recompute_judge
from medgauge_registrar.checks.framework import ChangeCheck
from medgauge_registrar.checks.recompute_judge import MOST_PROBLEMS, MOST_ROWS, judge
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.registry.result_rows import read_pins
from support.cases import Edit, as_is, fails, passes
from support.registries import (
    ABSENT,
    CARD,
    FROZEN,
    MODEL,
    PRICES,
    RESULT,
    VOIDED,
    Files,
    base_registry,
    context_of,
    edited,
    read,
    rules,
    run_check,
    without,
    written,
)
from support.results import EditRows, Row, another, filled, passing, path_of, recomputed, with_rows
from support.steps import run_step

VERSION = "bm-example-audit@0.2.0"
DROPPED = "tk-rkttnjfbf5jx@1.0.0"
FIRST = "tk-5rq4f5zr37e3@1.0.0"
ERROR = {"kind": "network", "attribution": "environment"}
LATER = "res-example-audit-0-2-0-later"


def row(place: int, changes: Mapping[str, Any]) -> Edit:
    """Change one row."""
    return with_rows(changing(place, changes))


def changing(place: int, changes: Mapping[str, Any]) -> EditRows:
    """Change one of some rows."""

    def edit(listed: list[Row]) -> list[Row]:
        listed[place] = {**listed[place], **changes}
        return listed

    return edit


def result(changes: Mapping[str, Any]) -> Edit:
    """Change the result."""
    return lambda files: edited(files, RESULT, changes)


def voids(*entries: tuple[str, str]) -> Edit:
    """Put task versions on the voided list of the benchmark version."""
    listed = [
        {"task_key": task, "attribution": side, "reason_class": "key-error" if side == "task" else "environment-error",
         "date": "2026-11-12", "replaced_in": None}
        for task, side in entries
    ]  # fmt: skip
    return lambda files: {**files, VOIDED: written({"benchmark_version": VERSION, "voided": listed})}


def stating(*entries: tuple[str, str]) -> Edit:
    """Let the result say that task versions are voided, and compute its figures anew."""
    listed = [{"task_key": task, "attribution": side} for task, side in entries]
    return lambda files: filled(edited(files, RESULT, {"/voided_task_versions": listed}))


def both(*edits: Edit) -> Edit:
    """Several edits, one after another."""

    def edit(files: Files) -> Files:
        for one in edits:
            files = one(files)
        return files

    return edit


def repeated(listed: list[Row]) -> list[Row]:
    """A fourth run of the first task under the number of the third."""
    return [*listed, {**listed[2], "run_id": "run-example-audit-0-2-0-example-model-a-999", "detail_sha": "f" * 64}]


def later(edit: EditRows) -> Edit:
    """Another result, made after the one there is."""
    return lambda files: another(files, LATER, edit, {"/date": "2026-11-20"})


@pytest.mark.parametrize(
    "edit",
    [
        *(passes(f"RESULT-{number:02}", "the record as it is", as_is) for number in (1, 2, 3, 4, 5, 6, 18, 39)),
        passes("RESULT-02", "a third of the checkpoints, to six places", lambda files: filled(
            with_rows(lambda listed: [{**item, "m": 3, "checkpoints_passed": 1} for item in listed])(files))),
        passes("RESULT-03", "an errored run whose artifact passes everything",
               lambda files: filled(row(5, {"checkpoints_passed": 4})(files))),
        passes("RESULT-04", "no artifact, with the error", lambda files: filled(
            row(5, {"artifact_exists": False, "checkpoints_passed": 0})(files))),
        passes("RESULT-06", "a void that both lists hold", both(voids((DROPPED, "task")), stating((DROPPED, "task")))),
        passes("RESULT-06", "a void that came later", voids((DROPPED, "task"))),
        passes("RESULT-06", "no rows of a voided task", both(
            voids((DROPPED, "task")), with_rows(lambda listed: [item for item in listed if item["task_key"] != DROPPED]),
            stating((DROPPED, "task")))),
        passes("RESULT-18", "an error of the environment on a voided task", both(
            voids((DROPPED, "environment")), row(9, {"error": ERROR}), stating((DROPPED, "environment")))),
    ],
)  # fmt: skip
def test_sound_rows_are_accepted(edit: Edit) -> None:
    """Rows that keep the rules give no finding under any rule of rows or figures; other checks look at the checklist."""
    assert {rule for rule in rules(recomputed(edit(base_registry()))) if not rule.startswith("CHK-")} == set()


@pytest.mark.parametrize(
    ("rule", "edit", "pointer", "words"),
    [
        fails("RESULT-01", "a fourth run", with_rows(repeated), "/runs/18",
              f"{FIRST} has runs `1`, `2`, `3`, `3`; expected runs 1, 2, 3, each once"),
        fails("RESULT-01", "an errored run dropped", with_rows(lambda listed: listed[:5] + listed[6:]), "/runs/4",
              "has runs `1`, `2`; expected runs 1, 2, 3"),
        fails("RESULT-01", "two first runs", row(1, {"run": 1}), "/runs/2", "has runs `1`, `1`, `3`"),
        fails("RESULT-01", "a run of number 4", row(2, {"run": 4}), "/runs/2", "has runs `1`, `2`, `4`"),
        fails("RESULT-02", "s kept on a veto", row(7, {"s": 0.75}), "/runs/7/s",
              "`s` is `0.75`, recomputed `0.000000`: tk-p3e2z8iq9y7j@1.0.0 run 2 carries a veto (`fabricated-evidence`), "
              "so s is 0"),
        fails("RESULT-02", "no score for an errored run", row(5, {"s": 0}), "/runs/5/s", "has 2 of 4 checkpoints"),
        fails("RESULT-02", "a score that is a word", row(5, {"s": "0.5"}), "/runs/5/s", "`s` is `0.5`, recomputed `0.500000`"),
        fails("RESULT-03", "a pass beside an error", row(5, {"checkpoints_passed": 4, "s": 1, "pass": True}), "/runs/5/pass",
              "carries an error (`time-out`, attributed to `model`), so it fails"),
        fails("RESULT-03", "a failure without any reason", row(0, {"pass": False}), "/runs/0/pass",
              "`pass` is `false`, recomputed `true`"),
        fails("RESULT-03", "a pass beside modified inputs", row(0, {"inputs_modified": True}), "/runs/0/pass",
              "modified its inputs, so it fails"),
        fails("RESULT-04", "more than all checkpoints", row(0, {"checkpoints_passed": 5}), "/runs/0",
              "5 of 4 checkpoints passed"),
        fails("RESULT-04", "checkpoints without an artifact", row(5, {"artifact_exists": False}), "/runs/5",
              "2 checkpoints passed without an artifact"),
        fails("RESULT-04", "no artifact and no error",
              row(0, {"artifact_exists": False, "checkpoints_passed": 0, "s": 0, "pass": False}), "/runs/0",
              "no error is recorded"),
        fails("RESULT-04", "modified inputs without their veto",
              row(7, {"inputs_modified": True}), "/runs/7/veto_categories", "lacks the veto `inputs-modified`"),
        fails("RESULT-05", "m that changes between runs", row(1, {"m": 5, "s": 0.8, "pass": False}), "/runs/1",
              "m is `5`, in run 1 it is `4`"),
        fails("RESULT-06", "a task left out", with_rows(lambda listed: listed[3:]), "/runs",
              f"`{FIRST}` of `holdout` has no run"),
        fails("RESULT-06", "a task of another version",
              with_rows(lambda listed: [{**item, "task_key": item["task_key"].replace(FIRST, "tk-5rq4f5zr37e3@1.0.1")}
                                        for item in listed]),
              "/runs/0/task_key", f"`tk-5rq4f5zr37e3@1.0.1` is no task version of `{VERSION}`"),
        fails("RESULT-06", "a task in another subset",
              with_rows(lambda listed: [{**item, "subset": "dev"} if item["task_key"] == FIRST else item for item in listed]),
              "/runs/0/subset", f"`{FIRST}` stands in `dev` here and in `holdout`"),
        fails("RESULT-06", "one run in another subset", row(0, {"subset": "dev"}), "/runs/1", "the subset is `holdout`"),
        fails("RESULT-06", "a void that nobody else knows", stating((DROPPED, "task")), "/voided_task_versions/0",
              "and the voided list of the version does not void it"),
        fails("RESULT-06", "a void on another side",
              both(voids((DROPPED, "environment")), stating((DROPPED, "task"))), "/voided_task_versions/0",
              "voids it with attribution `environment`"),
        fails("RESULT-18", "the task is blamed and counts", row(5, {"error": {**ERROR, "attribution": "task"}}),
              "/runs/5/error", "has to be voided for every subject"),
        fails("RESULT-25", "an amount below 0", row(0, {"amount": -0.5}), "/runs/0", "the amount is -0.5"),
        fails("RESULT-39", "one digest at two runs",
              with_rows(lambda listed: changing(1, {"detail_sha": listed[0]["detail_sha"]})(listed)), "/runs/1/detail_sha",
              "the digest is the one at `/runs/0/detail_sha`"),
        fails("RESULT-39", "a digest of nothing", result({
            "/run_records_hash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}),
            "/run_records_hash", "that of an empty file"),
        fails("RESULT-42", "a total that changes between runs", row(1, {"recall_total": 3}), "/runs/1",
              "the totals of the counts is"),
        fails("RESULT-20", "hits without their category", row(0, {"reference_vetoes": {"X.6": 1}}), "/runs/0",
              "hits are counted under `reference-level`"),
    ],
)  # fmt: skip
def test_unsound_row_is_refused(rule: str, edit: Edit, pointer: str, words: str) -> None:
    """A row that breaks a rule is told at its place, with what was seen."""
    found = [finding for finding in recomputed(edit(base_registry())) if finding.rule == rule]
    assert any(finding.pointer == pointer and words in finding.message for finding in found), found
    assert all(finding.help for finding in found)


def test_rows_of_one_subset_leave_the_others_compared() -> None:
    """A fourth holdout run spoils the holdout figures alone; a wrong calibration figure is still told."""
    files = edited(with_rows(repeated)(base_registry()), RESULT, {"/subsets/calibration/n_tasks": 3})
    told = {finding.pointer for finding in recomputed(files) if finding.rule.startswith("RESULT-")}
    assert told == {"/runs/18", "/subsets/calibration/n_tasks"}


@pytest.mark.parametrize(
    "edit",
    [
        passes("RESULT-05", "the same checkpoints in a later result", later(passing(6))),
        passes("RESULT-05", "an earlier result that a later one corrects", lambda files: another(
            files, LATER, lambda listed: [{**item, "m": 5, "checkpoints_passed": 5} for item in passing(6)(listed)],
            {"/date": "2026-11-20", "/corrects": "res-example-audit-0-2-0-example-model-a"})),
    ],
)  # fmt: skip
def test_checkpoints_of_a_family_agree(edit: Edit) -> None:
    """Neither the earlier nor the later result is told anything."""
    files = edit(base_registry())
    for path in (RESULT, path_of(LATER)):
        assert run_check(recompute_family.moved_checkpoints, files, path) == []


@pytest.mark.rule("RESULT-05", "fails")
def test_later_result_with_other_checkpoints_is_refused() -> None:
    """The result that was made later is told, once for each task, and the earlier one is left alone."""
    changed = later(lambda listed: [{**item, "m": 5, "checkpoints_passed": 5} for item in passing(6)(listed)])
    files = changed(base_registry())
    found = run_check(recompute_family.moved_checkpoints, files, path_of(LATER))
    assert len(found) == 6
    assert f"has 5 checkpoints here and 4 in `{RESULT}`" in found[0].message
    assert run_check(recompute_family.moved_checkpoints, files, RESULT) == []


# Steps ---------------------------------------------------------------------------------------------------------------


def arriving(check: ChangeCheck, after: Files) -> list[Finding]:
    """What a check finds where the result comes in, and everything else stood before."""
    return run_step(check, without(after, RESULT), after)


@pytest.mark.parametrize(
    ("check", "edit"),
    [
        passes("RESULT-06", "every void is listed", recompute_family.unlisted_void,
               both(voids((DROPPED, "task")), stating((DROPPED, "task")))),
        passes("RESULT-06", "no void at all", recompute_family.unlisted_void, as_is),
        passes("RESULT-19", "a rate for each category of the card", recompute_family.unreported_veto, as_is),
        passes("RESULT-25", "a closed model behind an interface", recompute_family.priced_open_subject, as_is),
        passes("RESULT-25", "open weights without amounts", recompute_family.priced_open_subject,
               lambda files: edited(edited(files, RESULT, {"/amounts": "not-applicable"}), MODEL, {"/weights": "open"})),
    ],
)  # fmt: skip
def test_new_result_is_accepted(check: ChangeCheck, edit: Edit) -> None:
    """A new result that keeps the rule gives no finding."""
    assert arriving(check, edit(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "pointer", "words"),
    [
        fails("RESULT-06", "a void that was known", recompute_family.unlisted_void, voids((DROPPED, "task")),
              "/voided_task_versions", f"`{DROPPED}` is voided for every subject"),
        fails("RESULT-06", "a voided list that cannot be read", recompute_family.unlisted_void,
              lambda files: {**files, VOIDED: "voided: 1\n"}, "/voided_task_versions", "cannot be judged"),
        fails("RESULT-19", "a category of the card without a rate", recompute_family.unreported_veto,
              lambda files: edited(files, CARD, {"/scoring/vetoes": ["X.1", "X.4", "unsafe-advice"]}),
              "/subsets/holdout/veto_rate_by_category", "the card applies the veto `unsafe-advice`"),
        fails("RESULT-19", "a card that cannot be read", recompute_family.unreported_veto,
              lambda files: edited(files, CARD, {"/title": ABSENT}), "/benchmark_version", "cannot be judged"),
        fails("RESULT-25", "amounts for open weights", recompute_family.priced_open_subject,
              lambda files: edited(files, MODEL, {"/weights": "open"}), "/amounts", "`Example Model A` has open weights"),
        fails("RESULT-25", "amounts for a self-hosted model", recompute_family.priced_open_subject,
              lambda files: edited(files, MODEL, {"/access_route": "self-hosted"}), "/amounts", "is self-hosted"),
        fails("RESULT-25", "a model entry that cannot be read", recompute_family.priced_open_subject,
              lambda files: edited(files, MODEL, {"/vendor": ABSENT}), "/model", "cannot be judged"),
        fails("RESULT-25", "another currency", recompute_family.priced_open_subject,
              lambda files: edited(files, PRICES, {"/currency": "USD"}), "/amounts/currency", "the price table is in `USD`"),
        fails("RESULT-25", "a price table that cannot be read", recompute_family.priced_open_subject,
              lambda files: edited(files, PRICES, {"/currency": "euros"}), "/amounts/price_table", "cannot be judged"),
    ],
)  # fmt: skip
def test_new_result_is_refused(rule: str, check: ChangeCheck, edit: Edit, pointer: str, words: str) -> None:
    """A new result that breaks the rule is told where, and one that stood before is left alone."""
    files = edit(base_registry())
    found = arriving(check, files)
    assert {finding.rule for finding in found} == {rule}
    assert any(finding.pointer == pointer and words in finding.message for finding in found)
    assert run_step(check, files, {**files, "README.md": "Other.\n"}) == []


# Sizes and pins ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ({"intervals": "intervals@9.0.0"}, "`intervals@9.0.0` is no published algorithm here"),
        ({"intervals": "paired-test@0.1.0"}, "`paired-test@0.1.0` is no published algorithm here"),
        (
            {"quantile_rule": "hyndman-fan-7"},
            "`quantile_rule` is `hyndman-fan-7`; `intervals@0.1.0` fixes `hyndman-fan-1`",
        ),
        ({"resamples": 999}, "`resamples` is `999`; `intervals@0.1.0` fixes `10000`"),
    ],
)
@pytest.mark.rule("RESULT-42", "fails")
def test_unknown_algorithm_is_a_finding(pins: Mapping[str, Any], words: str) -> None:
    """Where the benchmark version pins what cannot be run, that is told, and rows are looked at all the same."""
    files = edited(base_registry(), FROZEN, {f"/algorithms/{name}": value for name, value in pins.items()})
    files = row(0, {"pass": False})(files)
    found = recomputed(files)
    assert {(finding.rule, finding.pointer) for finding in found} == {
        ("RESULT-42", "/algorithms"),
        ("RESULT-03", "/runs/0/pass"),
    }
    assert any(words in finding.message for finding in found)


@pytest.mark.rule("RESULT-42", "fails")
def test_version_without_pins_is_a_finding() -> None:
    """A version that pins nothing gives no figure to compare with."""
    files = edited(base_registry(), RESULT, {"/benchmark_version": "bm-example-audit@0.3.0"})
    assert "pins no algorithms" in next(f.message for f in recomputed(files) if f.rule == "RESULT-42")


@pytest.mark.rule("RESULT-42", "passes")
def test_missing_version_is_told_elsewhere() -> None:
    """A version that is not there is ID-06's; nothing is recomputed, and nothing is said to be right."""
    files = without(base_registry(), FROZEN)
    assert [f for f in recomputed(files) if f.rule == "RESULT-42"] == []


def test_huge_record_is_refused_before_it_costs_anything() -> None:
    """50,000 rows are one finding; no figure is computed from them."""
    fields = read(base_registry()[RESULT])
    fields["runs"] = [{**fields["runs"][0], "task_key": f"tk-{number:012}@1.0.0"} for number in range(50_000)]
    found = judge(fields, read_pins(fields["algorithms"]))
    assert not found.complete
    assert [problem.message for problem in found.of("RESULT-42")] == [
        f"the record has 50000 rows, and at most {MOST_ROWS} are recomputed"
    ]


def test_endless_sums_are_refused_before_they_cost_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints without a common factor and huge counts make exact sums long; beyond a limit that is told instead."""
    fields = read(base_registry()[RESULT])
    fields["runs"] = [
        {
            **fields["runs"][0],
            "task_key": f"tk-{task:012}@1.0.0",
            "run": run,
            "m": 1 + task * 7 % 997,
            "checkpoints_passed": 0,
            "recall_by_type": {f"class-{number}": {"found": 0, "total": 2**50} for number in range(50)},
        }
        for task in range(20)
        for run in (1, 2, 3)
    ]
    monkeypatch.setattr(recompute_judge, "MOST_WORK", 20 * 10_000 * 100)
    found = judge(fields, read_pins(fields["algorithms"]))
    assert not found.complete
    assert any("so many checkpoints or counts" in problem.message for problem in found.of("RESULT-42"))


def test_many_faults_of_one_kind_are_cut_and_counted() -> None:
    """Sixty wrong scores are fifty findings and one that counts the rest."""
    fields = read(base_registry()[RESULT])
    fields["runs"] = [
        {**fields["runs"][0], "task_key": f"tk-{task:012}@1.0.0", "run": run, "s": 0.1}
        for task in range(20)
        for run in (1, 2, 3)
    ]
    found = judge(fields, read_pins(fields["algorithms"])).of("RESULT-02")
    assert len(found) == MOST_PROBLEMS + 1
    assert found[-1].message == "and 10 more of this kind"


def test_record_is_judged_alone_without_its_context() -> None:
    """Whether a check looks beyond its record is declared; rows rules give the same with and without the rest."""
    files = row(7, {"s": 0.75})(base_registry())
    alone = {path: text for path, text in files.items() if path in {RESULT, FROZEN}}
    wanted = {(f.rule, f.message) for f in recomputed(files) if f.rule.startswith("RESULT-")}
    assert {(f.rule, f.message) for f in recomputed(alone) if f.rule.startswith("RESULT-")} == wanted
    assert context_of(alone).registry.has(RESULT)
