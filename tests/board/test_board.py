"""The holdout board in every format, byte for byte, and what becomes of results that do not belong on it."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from medgauge_registrar.board import board_view
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.report.board_data import board_csv, board_json
from medgauge_registrar.report.board_html import board_html
from medgauge_registrar.report.board_svg import board_svg
from medgauge_registrar.report.board_text import board_text
from medgauge_registrar.report.board_view import BoardView
from support.registries import ABSENT, CARD, FROZEN, VOIDED, Files, edited, registry_of, without, written
from support.results import family, filled, path_of, with_rows

GOLDEN = Path(__file__).parent / "golden"
VERSION = "bm-example-audit@0.2.0"
FORMATS: Mapping[str, Callable[[BoardView], str]] = {
    "text": board_text,
    "json": board_json,
    "csv": board_csv,
    "html": board_html,
    "svg": board_svg,
}
SKILL = {"/components": ["tl-example-skill@0.1.0"], "/paired_with": "res-example-audit-0-2-0-b"}
PASSED = {"a": 12, "b": 11, "c": 5, "d": 2, "e-skill": 12}
VETO = "tk-000000000003@1.0.0"


@cache
def _files() -> Files:
    files = family(12, PASSED, skill=SKILL)
    rows = json.loads(files[path_of("res-example-audit-0-2-0-c")])["runs"]
    hit = {"/runs/35/veto_categories": ["fabricated-evidence"]}
    assert rows[35]["pass"] is False
    return filled(edited(files, path_of("res-example-audit-0-2-0-c"), hit), path_of("res-example-audit-0-2-0-c"))


def view(files: Files) -> BoardView:
    """What the board of these files shows, under a tree id that does not move."""
    return replace(board_view(registry_of(files), VERSION), tree="0" * 40)


def result(name: str) -> str:
    """Path of a result of the family."""
    return path_of(f"res-example-audit-0-2-0-{name}")


@pytest.mark.parametrize("form", FORMATS)
def test_board_equals_the_golden_file(form: str) -> None:
    """A change of any digit, word or byte of a board shows up as a difference to review."""
    file = GOLDEN / f"board.{form}"
    text = FORMATS[form](view(_files()))
    if os.environ.get("REGISTRAR_UPDATE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8", newline="")
    assert text.encode() == file.read_bytes()


def test_board_is_in_order_with_its_letters() -> None:
    """PASS^3 decides the order; rows that differ share no letter; the component's run and the veto are told."""
    shown = json.loads(board_json(view(_files())))
    assert [(row["position"], row["result"][-1], row["letters"], row["vetoed"]) for row in shown["rows"]] == [
        (1, "a", ["a"], False),
        (2, "b", ["a"], False),
        (3, "c", ["a", "b"], True),
        (4, "d", ["b"], False),
    ]
    assert [(pair["first"][-1], pair["second"][-1]) for pair in shown["pairs"] if pair["different"]] == [
        ("a", "d"),
        ("b", "d"),
    ]
    assert shown["left_out"] == [{"result": "res-example-audit-0-2-0-e-skill", "reason": "component-run"}]
    assert [row["claimable_lower_bound"] for row in shown["rows"]] == [0.779078, None, None, None]


def test_order_of_files_plays_no_part() -> None:
    """The same results in another order give the same bytes."""
    turned = dict(reversed(_files().items()))
    assert board_json(view(turned)) == board_json(view(_files()))


def test_csv_is_the_table_of_the_json() -> None:
    """Both data formats hold the same cells under the same names."""
    rows = list(csv.DictReader(io.StringIO(board_csv(view(_files())))))
    shown = json.loads(board_json(view(_files())))["rows"]
    assert [set(row) for row in rows] == [set(row) for row in shown]
    assert [row["pass_pow_3.value"] for row in rows] == [f"{row['pass_pow_3.value']:.6f}" for row in shown]


def test_every_subset_stays_for_itself() -> None:
    """No column of the board is over more than the holdout subset, and nothing is added up."""
    columns = csv.DictReader(io.StringIO(board_csv(view(_files())))).fieldnames
    assert columns is not None
    assert not [column for column in columns if re.search("total|overall|composite|average|calibration|dev", column)]


# What is not on it ------------------------------------------------------------------------------------------------------


def test_voided_tasks_leave_every_row() -> None:
    """A void takes the task from all rows at once, also from records made before it; the records stay as they are."""
    voided = {
        "task_key": VETO,
        "attribution": "task",
        "reason_class": "key-error",
        "date": "2026-11-20",
        "replaced_in": None,
    }
    files = {**_files(), VOIDED: written({"benchmark_version": VERSION, "voided": [voided]})}
    shown = json.loads(board_json(view(files)))
    assert {row["n_tasks"] for row in shown["rows"]} == {shown["n_tasks"]} == {11}
    assert [row["pass_pow_3.value"] for row in shown["rows"]] == [1, 0.909091, 0.363636, 0.181818]
    assert shown["voided"] == [{"task_key": VETO, "attribution": "task"}]
    assert f"{VETO} is voided (task)" in board_text(view(files))


def test_corrected_result_gives_its_place_to_the_correction() -> None:
    """Of a chain of corrections the last stands on the board, and the others are told."""
    files = edited(_files(), result("b"), {"/corrects": "res-example-audit-0-2-0-a"})
    shown = json.loads(board_json(view(files)))
    assert [row["result"][-1] for row in shown["rows"]] == ["b", "c", "d"]
    assert {"result": "res-example-audit-0-2-0-a", "reason": "corrected"} in shown["left_out"]


def test_one_subject_is_a_board_of_its_own() -> None:
    """A single row has a letter and no pair."""
    shown = json.loads(board_json(view(family(3, {"a": 3}))))
    assert [(row["position"], row["letters"]) for row in shown["rows"]] == [(1, ["a"])]
    assert shown["pairs"] == []


def test_version_without_results_says_so() -> None:
    """An empty board is a board."""
    empty = view(family(3, {}))
    assert "No result has a row." in board_text(empty)
    assert "No result has a row." in board_svg(empty)
    assert json.loads(board_json(empty))["rows"] == []
    assert board_csv(empty).count("\n") == 1


def test_all_tasks_voided_leaves_no_row() -> None:
    """Where every holdout task is voided, every result is told to have none."""
    entries = [
        {"task_key": f"tk-{n:012}@1.0.0", "attribution": "task", "reason_class": "key-error", "date": "2026-11-20",
         "replaced_in": None} for n in range(3)
    ]  # fmt: skip
    files = {**family(3, {"a": 3}), VOIDED: written({"benchmark_version": VERSION, "voided": entries})}
    shown = json.loads(board_json(view(files)))
    assert shown["rows"] == []
    assert shown["left_out"] == [{"result": "res-example-audit-0-2-0-a", "reason": "no-holdout-tasks"}]


def test_subject_without_amounts_keeps_its_place() -> None:
    """Cost is in tokens where money does not apply, and orders nothing."""

    def unpriced(files: Files) -> Files:
        path = result("b")
        changed = with_rows(lambda rows: [{**row, "amount": None, "tokens": 900} for row in rows], path)(files)
        return filled(edited(changed, path, {"/amounts": "not-applicable"}), path)

    shown = json.loads(board_json(view(unpriced(_files()))))["rows"][1]
    assert (shown["M3.cost_per_success.value"], shown["M3.cost_per_success.unit"]) == (981.818182, "tokens")
    assert shown["amounts.price_table"] == "not-applicable"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda files: edited(files, result("b"), {"/round": ABSENT}), "cannot be read or breaks its schema"),
        (lambda files: {**files, result("b"): "{"}, "cannot be read or breaks its schema"),
        (lambda files: edited(files, result("b"), {"/runs/0/checkpoints_passed": 9}), "9 of 4 checkpoints passed"),
        (
            lambda files: edited(files, result("b"), {"/runs": json.loads(files[result("b")])["runs"][3:]}),
            "only one side has",
        ),
        (
            lambda files: edited(files, FROZEN, {"/algorithms/letter_display": "letter-display@9.0.0"}),
            "letter-display@9.0.0",
        ),
        (lambda files: edited(files, FROZEN, {"/frozen": False}), "no valid benchmark version"),
        (lambda files: without(files, FROZEN), "no valid benchmark version"),
        (lambda files: without(files, CARD), "the card of"),
        (lambda files: {**files, VOIDED: "voided: 1\n"}, "cannot be read or breaks its schema"),
    ],
)
def test_board_is_refused_rather_than_shown_in_part(change: Callable[[Files], Files], words: str) -> None:
    """Where a record that the board needs cannot be used, there is no board, and the record is named."""
    with pytest.raises(ReadError, match=words) as caught:
        view(change(_files()))
    assert "registrar check" in str(caught.value)


# Pictures and pages -----------------------------------------------------------------------------------------------------


def hostile() -> BoardView:
    """A board whose names try to leave their place."""
    name = "<script>alert(1)</script> & \"quotes\" 'x' \u202e =1+1"
    made = view(family(3, {"a": 3}))
    return replace(made, title=name, names=dict.fromkeys(made.names, f"={name}"))


@pytest.mark.parametrize("render", [board_svg, board_html])
def test_names_stay_text(render: Callable[[BoardView], str]) -> None:
    """Nothing that a name holds becomes markup, and no character in it goes unseen."""
    text = render(hostile())
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\u202e" not in text


def test_names_are_no_formulas() -> None:
    """A spreadsheet reads a name as text."""
    assert board_csv(hostile()).splitlines()[1].startswith(("\"'=", "'="))


def test_picture_is_well_formed_and_needs_nothing_from_elsewhere() -> None:
    """It parses as XML, holds no script, no address but its name space, and colours for light and dark."""
    text = board_svg(view(_files()))
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in text
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]
    assert "@media (prefers-color-scheme:dark)" in text
    assert root.get("role") == "img"
    assert "letters a b, with a veto" in text


def test_picture_puts_shares_on_their_axis() -> None:
    """0 and 1 are the ends of the axis, and every mark lies between them."""
    root = ElementTree.fromstring(board_svg(view(_files())))
    places: list[Any] = [float(node.get("cx", "nan")) for node in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert places == [810.0, pytest.approx(774.2), pytest.approx(559.2), pytest.approx(451.7)]


def test_page_needs_nothing_from_elsewhere() -> None:
    """A page without script, image, link or style of another place."""
    text = board_html(view(_files()))
    assert not re.search(r"<script|<img|<link|src=|href=|@import|url\(", text)
    assert text.count("<table>") == 4
