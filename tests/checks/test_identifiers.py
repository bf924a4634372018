"""Rules of identifiers: what they refuse, and what they let pass."""

import json
import random
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from medgauge_registrar.checks import identifiers
from medgauge_registrar.checks.framework import RecordCheck
from medgauge_registrar.checks.opaqueness import revealing_keys
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.references import FIELDS
from medgauge_registrar.registry.schemas import SCHEMA_NAMES, shipped_schemas
from support.cases import Edit, as_is, fails, passes, run_steps
from support.registries import (
    ABSENT,
    CAPABILITY,
    CARD,
    FROZEN,
    HARNESS,
    HARNESS_STATE,
    MODEL,
    NOTICE,
    PRICES,
    REDIRECTS,
    REFERENCE,
    RESULT,
    STANDARD,
    TOOL,
    UNFROZEN,
    Files,
    base_registry,
    copied,
    edited,
    moved,
    rules,
    run_check,
    without,
    written,
)

NEW_CARD = "registry/benchmarks/bm-example-check/card.yaml"
OTHER_CAPABILITY = "registry/capabilities/A.4.yaml"
RESULT_FOLDER = "registry/results/bm-example-audit/0.2.0"
# Read as a result on version 0.2.0 of one family, and as one on version 1.0.0 of another.
TWO_WAYS = "res-example-audit-0-2-0-1-0-0-a"


def redirects(*pairs: tuple[str, str]) -> str:
    """A list of redirects."""
    return written({"redirects": [{"old": old, "new": new, "date": "2026-11-20"} for old, new in pairs]})


def new_card(files: Files) -> Files:
    """A second benchmark."""
    return copied(
        files, CARD, NEW_CARD, {"/id": "bm-example-check", "/citation/id": "bm-example-check", "/versions": []}
    )


def other_result(files: Files, name: str, run: str, folder: str = RESULT_FOLDER) -> Files:
    """A second result, its first run under the given identifier."""
    prefix = name.replace("res-", "run-", 1)
    runs = json.loads(files[RESULT])["runs"]
    edits = {f"/runs/{index}/run_id": f"{prefix}-x{index}" for index in range(len(runs))}
    return copied(files, RESULT, f"{folder}/{name}.json", {"/id": name, **edits, "/runs/0/run_id": run})


# One record at a time ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "edit", "path"),
    [
        passes("ID-06", "every name stands in the registry", identifiers.unresolved_reference, as_is, HARNESS),
        passes("ID-06", "a sidecar's object", identifiers.unresolved_reference, as_is, HARNESS_STATE),
        passes("ID-06", "pins of a frozen version", identifiers.unresolved_reference, as_is, FROZEN),
        passes(
            "ID-08",
            "both old names lead to the present one",
            identifiers.tangled_redirect,
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-c"), ("bm-b", "bm-c"))},
            REDIRECTS,
        ),
        *(
            passes("ID-09", f"the path says the same as {path}", identifiers.misnamed_file, as_is, path)
            for path in base_registry()
            if path.endswith((".yaml", ".json")) and path != REDIRECTS
        ),
        passes("ID-11", "keys drawn at random", identifiers.telling_task_key, as_is, FROZEN),
        passes("ID-11", "no keys yet", identifiers.telling_task_key, as_is, UNFROZEN),
        passes("ID-13", "each run once, under the record's name", identifiers.repeated_run, as_is, RESULT),
        passes(
            "ID-13",
            "a suffix of two parts",
            identifiers.repeated_run,
            lambda files: edited(files, RESULT, {"/runs/0/run_id": "run-example-audit-0-2-0-example-model-a-t1-1"}),
            RESULT,
        ),
    ],
)
def test_record_is_let_pass(check: RecordCheck, edit: Edit, path: str) -> None:
    """What keeps the rule gives no finding."""
    assert run_check(check, edit(base_registry()), path) == []


@pytest.mark.parametrize(
    ("rule", "check", "edit", "path", "pointer", "words"),
    [
        fails(
            "ID-06",
            "a name with a letter out of place",
            identifiers.unresolved_reference,
            lambda files: edited(files, REFERENCE, {"/standard": "std-exmaple-guideline"}),
            REFERENCE,
            "/standard",
            "`std-exmaple-guideline`, which is not in the registry",
        ),
        fails(
            "ID-06",
            "the named record was taken away",
            identifiers.unresolved_reference,
            lambda files: without(files, CAPABILITY),
            CARD,
            "/capabilities/0",
            "`D.1`",
        ),
        fails(
            "ID-06",
            "another version than the one there is",
            identifiers.unresolved_reference,
            lambda files: edited(files, HARNESS, {"/tool_components/0": "tl-example-read-file@0.2.0"}),
            HARNESS,
            "/tool_components/0",
            "`tl-example-read-file@0.2.0`",
        ),
        fails(
            "ID-06",
            "a sidecar of a version that is not there",
            identifiers.unresolved_reference,
            lambda files: without(files, HARNESS),
            HARNESS_STATE,
            "/object",
            "`hx-example@0.1.0`",
        ),
        fails(
            "ID-08",
            "a chain",
            identifiers.tangled_redirect,
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-b"), ("bm-b", "bm-c"))},
            REDIRECTS,
            "/redirects/0/new",
            "redirected in turn",
        ),
        fails(
            "ID-08",
            "a name that leads to itself",
            identifiers.tangled_redirect,
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-a"))},
            REDIRECTS,
            "/redirects/0/new",
            "which is itself",
        ),
        fails(
            "ID-08",
            "a name that leads to two",
            identifiers.tangled_redirect,
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-b"), ("bm-a", "bm-c"))},
            REDIRECTS,
            "/redirects/1/old",
            "more than once",
        ),
        *(
            fails(
                "ID-09",
                f"another {pointer} in {path}",
                identifiers.misnamed_file,
                lambda files, path=path, pointer=pointer, value=value: edited(files, path, {pointer: value}),
                path,
                pointer,
                f"is `{value}`, and the path",
            )
            for path, pointer, value in (
                (CARD, "/id", "bm-example-other"),
                (FROZEN, "/version", "0.2.1"),
                (UNFROZEN, "/id", "bm-example-other"),
                (HARNESS, "/version", "0.1.1"),
                (TOOL, "/id", "tl-example-other"),
                (REFERENCE, "/version", "0.1.1"),
                (CAPABILITY, "/id", "D.2"),
                (STANDARD, "/id", "std-example-other"),
                (MODEL, "/vendor_name", "Example Model B"),
                (PRICES, "/version", "0.1.1"),
                (HARNESS_STATE, "/object", "hx-example@0.2.0"),
                (NOTICE, "/id", "2026-11-06-example-other"),
                (RESULT, "/benchmark_version", "bm-example-audit@0.3.0"),
                ("methodology/algorithms/intervals/0.1.0.yaml", "/name", "intervals-2"),
                ("methodology/level-rules/0.1.0.yaml", "/version", "0.1.1"),
                ("rounds/example-round-1/protocol.yaml", "/id", "example-round-2"),
                ("disputes/example-dispute-2.yaml", "/id", "example-dispute-3"),
            )
        ),
        fails(
            "ID-09",
            "a result that does not name its family",
            identifiers.misnamed_file,
            lambda files: copied(files, RESULT, f"{RESULT_FOLDER}/res-example.json", {"/id": "res-example"}),
            f"{RESULT_FOLDER}/res-example.json",
            "/id",
            "`res-example-audit-0-2-0-`",
        ),
        fails(
            "ID-13",
            "a run named after nothing",
            identifiers.repeated_run,
            lambda files: edited(files, RESULT, {"/runs/1/run_id": "run-002"}),
            RESULT,
            "/runs/1/run_id",
            "does not begin with `run-example-audit-0-2-0-example-model-a-`",
        ),
        fails(
            "ID-13",
            "one identifier for two runs",
            identifiers.repeated_run,
            lambda files: edited(files, RESULT, {"/runs/1/run_id": "run-example-audit-0-2-0-example-model-a-001"}),
            RESULT,
            "/runs/1/run_id",
            "already the run at `/runs/0`",
        ),
        fails(
            "ID-13",
            "the same run of a task twice",
            identifiers.repeated_run,
            lambda files: edited(files, RESULT, {"/runs/1/run": 1}),
            RESULT,
            "/runs/1/run",
            "already the row at `/runs/0`",
        ),
    ],
)
def test_record_is_refused(rule: str, check: RecordCheck, edit: Edit, path: str, pointer: str, words: str) -> None:
    """What breaks the rule gives one finding at its place, which says what was found."""
    (found,) = run_check(check, edit(base_registry()), path)
    assert (found.rule, found.path, found.pointer) == (rule, path, pointer)
    assert words in found.message
    assert found.line is not None


def test_unresolved_version_lists_those_that_are_there() -> None:
    """Whoever misremembers a version is told which ones there are, lowest first."""
    files = base_registry()
    for version in ("0.10.0", "0.9.0"):
        files = copied(files, TOOL, f"registry/tools/tl-example-read-file/{version}.yaml", {"/version": version})
    files = edited(files, HARNESS, {"/tool_components/0": "tl-example-read-file@1.0.0"})
    (found,) = run_check(identifiers.unresolved_reference, files, HARNESS)
    assert "versions there are `0.1.0`, `0.9.0`, `0.10.0`" in found.help


# Which fields are references -----------------------------------------------------------------------------------------

# Definitions of names of other objects; a field that uses one has to be followed, unless it is listed below.
NAMING = {
    "bm-id", "gr-id", "hx-id", "tl-id", "ds-id", "std-id", "res-id", "capability-id", "constraint-id", "bm-ref", "gr-ref", "hx-ref",
    "tl-ref", "bm-ref-or-null", "function-ref", "function-ref-or-null", "algorithm-ref", "notice-id", "notice-id-or-null",
}  # fmt: skip
# Fields that name the record itself (ID-09), or something that may not be there yet or any more.
NOT_FOLLOWED = {
    *((kind, "id") for kind in SCHEMA_NAMES if kind is not Kind.BM_VERSION),
    (Kind.BM_CARD, "citation/id"),
}


def naming_fields(name: str, schema: Any, path: str = "") -> Iterator[str]:
    """Paths of the fields of a schema that use one of the definitions."""
    if not isinstance(schema, dict):
        return
    reference = str(schema.get("$ref", ""))
    if "#/$defs/" in reference:
        where, _, definition = reference.partition("#/$defs/")
        owner = where.partition(".")[0] or name
        if owner == "common" and definition in NAMING:
            yield path
        else:
            yield from naming_fields(owner, shipped_schemas().schema(owner)["$defs"][definition], path)
    for field, member in schema.get("properties", {}).items():
        yield from naming_fields(name, member, f"{path}/{field}".lstrip("/"))
    yield from naming_fields(name, schema.get("items"), f"{path}/*".lstrip("/"))
    if not schema.get("properties"):
        yield from naming_fields(name, schema.get("additionalProperties"), f"{path}/*")


@pytest.mark.parametrize("kind", sorted(SCHEMA_NAMES))
def test_every_naming_field_is_followed(kind: Kind) -> None:
    """Each field that a schema declares as the name of another object is among the references that must resolve."""
    name = SCHEMA_NAMES[kind]
    followed = {field for field, _ in FIELDS.get(kind, ())}
    asked = {
        field for field in naming_fields(name, shipped_schemas().schema(name)) if (kind, field) not in NOT_FOLLOWED
    }
    assert asked - followed == set()


# Task keys -----------------------------------------------------------------------------------------------------------


def keyed(*bodies: str) -> dict[str, str]:
    """Holdout keys by pointer."""
    return {f"/task_keys/holdout/{index}": f"tk-{body}@1.0.0" for index, body in enumerate(bodies)}


@pytest.mark.parametrize(
    ("rule", "bodies", "index", "words"),
    [
        fails("ID-11", "a word of the family", ("k9p34y6n3wd2", "3auditp5n2w1"), 1, "`audit`"),
        fails("ID-11", "the subset", ("holdout9x3k2",), 0, "`holdout`"),
        fails("ID-11", "a counter at the end", ("5rq4f5zr0001", "5rq4f5zr0002"), 1, "same beginning"),
        fails("ID-11", "a counter at the beginning", ("00015rq4f5zr", "00025rq4f5zr"), 1, "same end"),
        fails("ID-11", "padding", ("000000000417",), 0, "repeats one character"),
        fails(
            "ID-11", "a stem for the subset", ("aud9k2m4x7q1", "aud95zr37e3b", "aud9p3e2z8iq"), 0, "begin with `aud9`"
        ),
        fails(
            "ID-11", "an ending for the subset", ("k2m4x7q1aud9", "5zr37e3baud9", "p3e2z8iqaud9"), 0, "end with `aud9`"
        ),
        fails("ID-11", "a digest of a number", (sha256(b"1").hexdigest()[:12],), 0, "plain digest"),
        fails("ID-11", "a digest of a name", (sha256(b"example-audit-001").hexdigest()[:12],), 0, "plain digest"),
    ],
)
def test_telling_key_is_found(rule: str, bodies: tuple[str, ...], index: int, words: str) -> None:
    """Words, counters, stems and digests of numbered names are seen in task keys, and reported at the key."""
    files = edited(base_registry(), FROZEN, {"/task_keys/holdout": [f"tk-{body}@1.0.0" for body in bodies]})
    (found,) = run_check(identifiers.telling_task_key, files, FROZEN)
    assert (found.rule, found.pointer) == (rule, f"/task_keys/holdout/{index}")
    assert words in found.message


def test_random_keys_tell_nothing() -> None:
    """Ten thousand keys drawn at random raise no alarm."""
    draw = random.Random(20261129)
    bodies = ("".join(draw.choices("0123456789abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(10_000))
    assert list(revealing_keys(keyed(*bodies), family="bm-clinical-temporal-audit", version="0.1.0")) == []


def test_keyed_digests_tell_nothing() -> None:
    """Digests made with a secret are as good as random keys, hexadecimal or not."""
    bodies = (sha256(b"a secret of 32 bytes at the least" + str(n).encode()).hexdigest()[:12] for n in range(500))
    assert list(revealing_keys(keyed(*bodies), family="bm-example-audit", version="0.2.0")) == []


# Steps ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        passes("ID-07", "a new identifier", as_is, new_card),
        passes(
            "ID-07",
            "a capability that retires",
            as_is,
            lambda files: edited(
                files,
                CAPABILITY,
                {
                    "/status": "retired",
                    "/version": "0.2.0",
                    "/retirement": {"ground": "merged", "reason": "Taken over.", "date": "2026-11-28", "merged_into": "A.4"},
                },
            ),
        ),
        passes("ID-07", "a result beside another", as_is, lambda files: other_result(
            files, "res-example-audit-0-2-0-example-model-b", "run-example-audit-0-2-0-example-model-b-001"
        )),
        passes(
            "ID-08",
            "a rename that leaves the old folder and a redirect",
            as_is,
            lambda files: {**new_card(files), REDIRECTS: redirects(("bm-example-audit", "bm-example-check"))},
        ),
        passes(
            "ID-08",
            "a redirect that follows its target",
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-b"))},
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-c"), ("bm-b", "bm-c"))},
        ),
        passes("ID-13", "a result whose name goes on from another's", as_is, lambda files: other_result(
            files, "res-example-audit-0-2-0-example-model-a-b", "run-example-audit-0-2-0-example-model-a-b-001"
        )),
    ],
)  # fmt: skip
def test_step_is_let_pass(before: Edit, after: Edit) -> None:
    """A step that keeps the rule gives no finding."""
    assert run_steps(before(base_registry()), after(base_registry())) == []


@pytest.mark.parametrize(
    ("rule", "before", "after", "path", "words"),
    [
        fails(
            "ID-07",
            "the old name of a renamed benchmark",
            lambda files: {**files, REDIRECTS: redirects(("bm-example-check", "bm-example-audit"))},
            lambda files: {**new_card(files), REDIRECTS: redirects(("bm-example-check", "bm-example-audit"))},
            NEW_CARD,
            "`bm-example-check` is the old name",
        ),
        fails(
            "ID-07",
            "a retired capability that comes back",
            lambda files: edited(
                files,
                CAPABILITY,
                {"/status": "retired", "/retirement": {"ground": "saturated", "reason": "Full.", "date": "2026-11-20"}},
            ),
            lambda files: edited(files, CAPABILITY, {"/version": "0.2.0"}),
            CAPABILITY,
            "`D.1` is retired and cannot come back as `active`",
        ),
        fails(
            "ID-07",
            "a result identifier that stands in another folder",
            lambda files: copied(files, RESULT, f"{RESULT_FOLDER}/{TWO_WAYS}.json", {"/id": TWO_WAYS}),
            lambda files: other_result(
                copied(files, RESULT, f"{RESULT_FOLDER}/{TWO_WAYS}.json", {"/id": TWO_WAYS}),
                TWO_WAYS,
                "run-example-audit-0-2-0-1-0-0-a-y",
                folder="registry/results/bm-example-audit-0-2-0/1.0.0",
            ),
            f"registry/results/bm-example-audit-0-2-0/1.0.0/{TWO_WAYS}.json",
            "is already the identifier of",
        ),
        fails(
            "ID-08",
            "a redirect that is taken out",
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-c"))},
            as_is,
            REDIRECTS,
            "the redirect from `bm-a` was taken out",
        ),
        fails(
            "ID-08",
            "a redirect that leads elsewhere",
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-b"))},
            lambda files: {**files, REDIRECTS: redirects(("bm-a", "bm-c"))},
            REDIRECTS,
            "led to `bm-b` and now leads to `bm-c`",
        ),
        fails(
            "ID-13",
            "the run of another result",
            as_is,
            lambda files: edited(
                other_result(files, "res-example-audit-0-2-0-example", "run-example-audit-0-2-0-example-model-a-001"),
                CARD,
                {"/last_reviewed": "2026-11-28"},
            ),
            f"{RESULT_FOLDER}/res-example-audit-0-2-0-example.json",
            "is already a run of",
        ),
        fails(
            "ID-13",
            "beside a result that cannot be read",
            lambda files: {**files, RESULT: "{"},
            lambda files: {
                **other_result(files, "res-example-audit-0-2-0-example", "run-example-audit-0-2-0-example-1"), RESULT: "{",
            },
            f"{RESULT_FOLDER}/res-example-audit-0-2-0-example.json",
            "cannot be read",
        ),
    ],
)  # fmt: skip
def test_step_is_refused(rule: str, before: Edit, after: Edit, path: str, words: str) -> None:
    """A step that breaks the rule gives one finding, at the changed file."""
    (found,) = run_steps(before(base_registry()), after(base_registry()))
    assert (found.rule, found.path) == (rule, path)
    assert words in found.message


@pytest.mark.rule("ID-08", "fails")
def test_moved_card_needs_its_old_place_and_a_redirect() -> None:
    """A card that moved left no redirect (ID-08), and its old page is gone (IMM-07)."""
    found = run_steps(base_registry(), moved(base_registry(), CARD, NEW_CARD))
    assert rules(found) == {"ID-08", "IMM-07"}
    redirected = {
        **moved(base_registry(), CARD, NEW_CARD),
        REDIRECTS: redirects(("bm-example-audit", "bm-example-check")),
    }
    assert rules(run_steps(base_registry(), redirected)) == {"IMM-07"}


def test_absent_marks_a_removal() -> None:
    """The helper of these tests takes a field out, so that a reference can be absent as well as wrong."""
    files = edited(base_registry(), STANDARD, {"/adoption_of": ABSENT})
    assert run_check(identifiers.unresolved_reference, files, STANDARD) == []
    assert not re.search("adoption_of", files[STANDARD])
