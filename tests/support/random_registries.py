"""Random valid registries, and random changes of them: good ones, bad ones, and ones that break files elsewhere."""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

from medgauge_registrar.model.change import Kind
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.registry.reader import Syntax, read_document
from medgauge_registrar.sandbox.material import FIRST_FROZEN, GUIDELINE, HARNESS, REFERENCE, ROADMAP
from medgauge_registrar.starter import starter_files

LAYOUT = load_policy(None).layout
CARD = "registry/benchmarks/bm-example-handover/card.yaml"
TEXT = "methodology/text.md"
Files = dict[str, bytes]


@dataclass(kw_only=True, slots=True)
class Draft:
    """Files and unusual modes under construction, and what was done to them, for a failure to tell."""

    files: Files
    modes: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def put(self, path: str, data: bytes, what: str) -> None:
        """Write a file, unless a folder of that name or a file above it is in the way."""
        parts = path.split("/")
        above = {"/".join(parts[:length]) for length in range(1, len(parts))}
        if not above & self.files.keys() and not any(other.startswith(f"{path}/") for other in self.files):
            self.files[path] = data
            self.told.append(f"{what}: {path}")

    def remove(self, path: str) -> bytes:
        """Take a file away."""
        self.modes.pop(path, None)
        return self.files.pop(path)


def fields_of(path: str, data: bytes) -> dict[str, Any] | None:
    """Fields of a record that can be read."""
    document = read_document(data, syntax=Syntax.JSON if path.endswith(".json") else Syntax.YAML)
    return deepcopy(document.value) if isinstance(document.value, dict) else None


def written(fields: Mapping[str, Any]) -> bytes:
    """A record as JSON, which is YAML as well; decimals keep their digits."""
    numbers: list[str] = []

    def number(value: object) -> str:
        assert isinstance(value, Decimal)
        numbers.append(str(value))
        return f"\0{len(numbers) - 1}\0"

    text = json.dumps(fields, indent=1, ensure_ascii=False, default=number)
    return (re.sub(r'"\\u0000(\d+)\\u0000"', lambda found: numbers[int(found[1])], text) + "\n").encode()


def _like(files: Files, path: str, to: str, *swaps: tuple[str, str]) -> None:
    text = files[path].decode()
    for old, new in swaps:
        assert old in text, (path, old)
        text = text.replace(old, new)
    files[to] = text.encode()


@cache
def random_registry(seed: int) -> Files:
    """The starter registry with more standards, references, roadmap items, harnesses and capabilities, valid; leave it as it is."""
    chance, files = Random(seed), starter_files()
    for number in range(chance.randint(2, 4)):
        name = f"std-example-extra-{number}"
        _like(files, GUIDELINE, f"registry/standards/{name}.yaml", ("std-example-guideline", name))
    for number in range(chance.randint(2, 4)):
        name, cited = f"gr-example-extra-{number}", f"std-example-extra-{chance.randrange(2)}"
        path = f"registry/references/{name}/0.1.0.yaml"
        _like(files, REFERENCE, path, ("gr-example-unit", name), ("std-example-guideline", cited))
        sidecar = f"registry/lifecycle/gr/{name}@0.1.0.yaml"
        _like(files, "registry/lifecycle/gr/gr-example-unit@0.1.0.yaml", sidecar, ("gr-example-unit", name))
        if chance.random() < 0.5:
            _like(files, path, path.replace("0.1.0", "0.2.0"), ("version: 0.1.0", "version: 0.2.0"))
            _like(files, sidecar, sidecar.replace("0.1.0", "0.2.0"), ("@0.1.0", "@0.2.0"))
    for number in range(chance.randint(1, 3)):
        name = f"rm-example-extra-{number}"
        _like(files, ROADMAP, f"registry/roadmap/{name}.yaml", ("rm-clinical-temporal-audit-subsets", name))
    for number in range(3, chance.randint(4, 5)):
        path = f"registry/harnesses/hx-example-loop/0.{number}.0.yaml"
        _like(files, HARNESS, path, ("version: 0.2.0", f"version: 0.{number}.0"))
        sidecar = f"registry/lifecycle/hx/hx-example-loop@0.{number}.0.yaml"
        _like(files, "registry/lifecycle/hx/hx-example-loop@0.2.0.yaml", sidecar, ("@0.2.0", f"@0.{number}.0"))
    for number in range(2, chance.randint(3, 5)):
        path = f"registry/capabilities/D.{number}.yaml"
        _like(files, "registry/capabilities/D.1.yaml", path, ("id: D.1", f"id: D.{number}"))
    if chance.random() < 0.5:
        _like(
            files,
            FIRST_FROZEN,
            FIRST_FROZEN,
            ("persistent_identifier: null", "persistent_identifier: doi:10.0000/example.1"),
        )
    if seed % 2:
        # A registry before its first result; the figures of one cost more than all other checks together.
        for path in [
            path
            for path in files
            if path.startswith(("registry/results/", "registry/models/", "registry/reproductions/"))
        ]:
            del files[path]
    return files


# Changes --------------------------------------------------------------------------------------------------------------


def records(draft: Draft) -> list[str]:
    """Paths of the records."""
    return sorted(path for path in draft.files if LAYOUT.place(path).is_record)


# Kinds that are judged together with others, or named by many, are changed more often than their few files would be.
OFTEN = {Kind.BM_VERSION: 6, Kind.BM_CARD: 3, Kind.RES: 3, Kind.VOID: 3, Kind.LIFECYCLE: 3, Kind.GR: 3, Kind.CAP: 2}


def pick(draft: Draft, chance: Random) -> str:
    """Path of some record."""
    by_kind: dict[Kind, list[str]] = {}
    for path in records(draft):
        by_kind.setdefault(LAYOUT.place(path).kind, []).append(path)
    kinds = sorted(by_kind)
    return chance.choice(by_kind[chance.choices(kinds, [OFTEN.get(kind, 1) for kind in kinds])[0]])


def leaves(value: Any, found: list[tuple[Any, Any]] | None = None) -> list[tuple[Any, Any]]:
    """Where every value of a record stands: its mapping or list, and its key there."""
    found = [] if found is None else found
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found.append((value, key))
        leaves(item, found)
    return found


WORDS = [
    "gr-example-dose@0.1.0", "gr-example-unit@0.1.0", "gr-missing@0.1.0", "std-example-guideline", "std-missing",
    "bm-example-handover@0.1.0", "bm-example-handover@0.2.0", "bm-example-handover@0.3.0", "bm-example-handover",
    "hx-example-loop@0.1.0", "tl-example-reader@0.1.0", "D.1", "E.1", "X.1", "A.4", "0.1.0", "0.2.0", "1.0.0",
    "2026-11-01", "2026-11-29", "2027-01-01", "active", "retired", "deprecated", "registered", "listed", "unlisted",
    "example-round-1", "Example Model 1", "merged", "https://example.org/x",
]  # fmt: skip
VALUES: list[Any] = [*WORDS, None, True, False, 0, 1, 7, -1, Decimal("0.5"), [], {}, ["D.1"], "", "x"]


def alike(draft: Draft, path: str) -> list[str]:
    """Other records of the same kind."""
    return [other for other in records(draft) if other != path and LAYOUT.place(other).kind is LAYOUT.place(path).kind]


def edit_field(draft: Draft, chance: Random) -> None:
    """Give a field another value: one of its kind from elsewhere, or anything."""
    path = pick(draft, chance)
    fields = fields_of(path, draft.files[path])
    if fields:
        holder, key = chance.choice(leaves(fields))
        others = [
            other_holder[other_key]
            for other in (*alike(draft, path), *chance.sample(records(draft), 4))
            for other_holder, other_key in leaves(fields_of(other, draft.files[other]) or {})
            if other_key == key
        ]
        value = chance.choice(others) if others and chance.random() < 0.6 else chance.choice(VALUES)
        holder[key] = deepcopy(value)
        draft.put(path, written(fields), f"set {key!r} to {value!r}")


def drop_field(draft: Draft, chance: Random) -> None:
    """Take a field or an item away."""
    path = pick(draft, chance)
    fields = fields_of(path, draft.files[path])
    if fields:
        holder, key = chance.choice(leaves(fields))
        del holder[key]
        draft.put(path, written(fields), f"drop {key!r}")


def edit_text(draft: Draft, chance: Random) -> None:
    """Change the bytes of any file: a number, a word, a line."""
    path = chance.choice(sorted(draft.files))
    try:
        text = draft.files[path].decode()
    except UnicodeDecodeError:
        return
    spots = list(re.finditer(r"[0-9]+\.[0-9]+\.[0-9]+|[0-9]+|[a-z]{2,}-[a-z-]+|\w+", text))
    lines = text.split("\n")
    match chance.randrange(4):
        case 0 if spots:
            spot, word = chance.choice(spots), chance.choice([*WORDS, "1", "2", "nothing"])
            text = text[: spot.start()] + word + text[spot.end() :]
        case 1:
            del lines[chance.randrange(len(lines))]
            text = "\n".join(lines)
        case 2:
            number = chance.randrange(len(lines))
            lines.insert(number, chance.choice(lines))
            text = "\n".join(lines)
        case _:
            link = chance.choice(
                ["../README.md", "../missing.md", "/charter.md", "../registry/redirects.yaml", "#nowhere"]
            )
            text += chance.choice(["# a comment\n", "\nMore words.\n", f"\nSee [there]({link}).\n", "\t\n", "x: [\n"])
    draft.put(path, text.encode(), "edit the text")


def remove(draft: Draft, chance: Random) -> None:
    """Take a file away, mostly a record."""
    path = pick(draft, chance) if chance.random() < 0.8 else chance.choice(sorted(draft.files))
    draft.remove(path)
    draft.told.append(f"remove: {path}")


def rename(draft: Draft, chance: Random) -> None:
    """Move a file: beside itself, to another version or name, out of the registry, into another kind."""
    path = pick(draft, chance) if chance.random() < 0.8 else chance.choice(sorted(draft.files))
    other = chance.choice(sorted(draft.files))
    folder, _, name = path.rpartition("/")
    to = chance.choice(
        [
            re.sub(r"[0-9](?=\.[a-z]+$)", "9", path),
            path.replace("example", "sample"),
            f"docs/{name}",
            f"{other.rpartition('/')[0]}/{name}".removeprefix("/"),
            f"{folder}/{chance.choice(['std', 'rm', 'gr'])}-moved.yaml".removeprefix("/"),
        ]
    )
    if to not in draft.files:
        draft.put(to, draft.remove(path), f"move {path} to")


def add_like(draft: Draft, chance: Random) -> None:
    """Add a record like another one, under another name or version, with or without the same name inside."""
    path = pick(draft, chance)
    place = LAYOUT.place(path)
    text = draft.files[path].decode("utf-8", "replace")
    if place.version and chance.random() < 0.6:
        version = chance.choice(["0.2.0", "0.3.0", "0.4.0", "1.0.0"])
        to, text = (
            path.replace(place.version, version),
            text.replace(f"version: {place.version}", f"version: {version}"),
        )
    elif place.id:
        name = f"{place.id}-{chance.randint(1, 9)}"
        to, text = path.replace(place.id, name), text if chance.random() < 0.2 else text.replace(place.id, name)
    else:
        return
    if to not in draft.files:
        draft.put(to, text.encode(), f"add one like {path}")


def break_file(draft: Draft, chance: Random) -> None:
    """Make a file unreadable, or hardly."""
    path = pick(draft, chance)
    broken = chance.choice(
        [b"\xff", b"a: &a 1\n", b"a: [\n", b"", b"[]\n", b"\xef\xbb\xbf{}\n", b"a: 1\r\n", b"a: 1\na: 2\n"]
    )
    draft.put(path, broken + (draft.files[path] if chance.random() < 0.7 else b""), "break")


def raise_version(draft: Draft, chance: Random) -> None:
    """Write another version into a record or the text."""
    path = chance.choice([*records(draft), TEXT, "charter.md"])
    text = draft.files.get(path, b"").decode("utf-8", "replace")
    swapped = re.sub(
        r"([Vv]ersion:? )[0-9.]+", rf"\g<1>{chance.choice(['0.1.0', '0.2.0', '1.0.0', '0.0.9'])}", text, count=1
    )
    draft.put(path, swapped.encode(), "another version")


def edit_sidecar(draft: Draft, chance: Random) -> None:
    """Change what is marked beside a version."""
    sidecars = [path for path in records(draft) if path.startswith("registry/lifecycle/")]
    if not sidecars:
        return
    path = chance.choice(sidecars)
    fields = fields_of(path, draft.files[path])
    if fields:
        fields |= chance.choice(
            [
                {"status": "active"}, {"status": "registered"}, {"status": "deprecated"}, {"listing": "listed"},
                {"listing": "unlisted"}, {"check_date": None}, {"check_date": "2026-11-10"}, {"adapter_check": None},
                {"conformant_alternative": None}, {"object": "hx-example-loop@9.0.0"}, {"last_reviewed": "2026-11-29"},
                {"deprecation": {"ground": "no-result-in-two-versions", "date": "2026-11-29", "reason": "An example."}},
                {"adapter_check": {"outcome": "full-marks", "date": "2026-11-28", "calibration": "bm-example-handover@0.2.0"}},
            ]
        )  # fmt: skip
        draft.put(path, written(fields), "sidecar")


def rewire_capability(draft: Draft, chance: Random) -> None:
    """Change what a capability rests on, is made of or was merged into; circles come about."""
    capabilities = [path for path in records(draft) if path.startswith("registry/capabilities/")]
    if not capabilities:
        return
    path = chance.choice(capabilities)
    fields = fields_of(path, draft.files[path])
    if fields:
        some = chance.sample(["A.4", "A.5", "D.1", "D.2", "D.9", "E.1", "X.1"], chance.randint(0, 2))
        retirement = {"ground": "merged", "date": "2026-11-29", "reason": "An example.", "merged_into": "D.1"}
        fields |= chance.choice(
            [
                {"dependencies": some}, {"dependencies": some}, {"composed_of": some}, {"vetoes": some}, {"layer": "role-bound"},
                {"status": "retired", "retirement": retirement}, {"domain": chance.choice("ABCDEX")},
            ]
        )  # fmt: skip
        draft.put(path, written(fields), "rewire")


def twin(draft: Draft, chance: Random) -> None:
    """Add a file whose name differs in letter case only, in its own name or in a folder's."""
    path = chance.choice(sorted(draft.files))
    parts = path.split("/")
    number = chance.randrange(len(parts))
    parts[number] = parts[number].upper() if parts[number] != parts[number].upper() else parts[number].lower()
    if "/".join(parts) not in draft.files:
        draft.put("/".join(parts), draft.files[path], "twin")


def other_mode(draft: Draft, chance: Random) -> None:
    """Make a file a link, executable or a submodule."""
    path = chance.choice(sorted(draft.files))
    mode = chance.choice(["120000", "100755", "160000"])
    if mode == "160000":
        draft.put(path, b"a1" * 20, "submodule")
    draft.modes[path] = mode
    draft.told.append(f"mode {mode}: {path}")


def edit_schema(draft: Draft, chance: Random) -> None:
    """Change a schema: its version, an object left open, no JSON any more."""
    schemas = sorted(path for path in draft.files if path.startswith("schemas/"))
    if not schemas:
        return
    path = chance.choice(schemas)
    text = draft.files[path].decode("utf-8", "replace")
    old, new = chance.choice(
        [
            ("/0.1.0/", "/0.2.0/"),
            ('"additionalProperties": false', '"additionalProperties": true'),
            ("{", ""),
            ("Example", "x"),
        ]
    )
    draft.put(path, text.replace(old, new, 1).encode(), f"schema {old} to {new}")


def add_prose(draft: Draft, chance: Random) -> None:
    """Add or change a text: an article, a page of documentation, something nobody knows."""
    articles = sorted(path.removeprefix("articles/") for path in draft.files if path.startswith("articles/"))
    successor = f"supersedes: {chance.choice([*articles, 'nothing.md'])}\n" if chance.random() < 0.5 else ""
    path = chance.choice(
        [
            "articles/2026-11-29-example.md",
            "docs/example.md",
            "registry/notes.txt",
            "articles/page.html",
            "rounds/example-round-1/report.md",
        ]
    )
    draft.put(path, f"---\ndate: 2026-11-29\ntitle: An example\n{successor}---\n\nWords.\n".encode(), "prose")


CHANGES: list[tuple[Callable[[Draft, Random], None], int]] = [
    (edit_field, 8),
    (drop_field, 3),
    (edit_text, 4),
    (remove, 4),
    (rename, 4),
    (add_like, 4),
    (break_file, 2),
    (raise_version, 2),
    (edit_sidecar, 3),
    (rewire_capability, 3),
    (twin, 1),
    (other_mode, 1),
    (edit_schema, 1),
    (add_prose, 1),
]


def random_change(files: Files, chance: Random) -> Draft:
    """One to eight random changes; mostly one alone, so that nothing is reached by way of something else."""
    draft = Draft(files=dict(files))
    kinds, weights = zip(*CHANGES, strict=True)
    for change in chance.choices(kinds, weights, k=chance.choice([1, 1, 1, 5, 8])):
        change(draft, chance)
    return draft
