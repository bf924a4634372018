"""Paths and what they stand for: a bijection for every kind, no look-alikes, and overrides that keep both."""

import re
import unicodedata
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.policy.load import load_policy
from medgauge_registrar.registry.layout import (
    TYPE_CODES,
    Layout,
    decode_model_name,
    encode_model_name,
    expand,
    fold,
)
from support.fuzz import fuzz

LAYOUT = load_policy(None).layout
FIELD = re.compile(r"\{([a-z]+)\}")
GOVERNED = [(kind, template) for kind, templates in LAYOUT.templates.items() for template in templates]
# Kinds that are named by their path alone.
NAMELESS = {Kind.ARTICLE, Kind.SCHEMA, Kind.INFRA, Kind.CHARTER, Kind.REDIRECTS}
FIXED_NAMES = {
    Kind.DFN: "difficulty-function",
    Kind.LVL: "level-rules",
    Kind.PRICE: "price-table",
    Kind.METH: "methodology",
}

words = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,3}", fullmatch=True)
numbers = st.integers(0, 999_999_999).map(str)
FIELDS = {
    **{code: words.map(lambda name, code=code: f"{code}-{name}") for code in TYPE_CODES},
    "cap": st.builds("{}.{}".format, st.sampled_from("ABCDEX"), st.integers(1, 99)),
    "model": st.text(min_size=1).map(encode_model_name),
    "name": words,
    "version": st.builds("{}.{}.{}".format, numbers, numbers, numbers),
    "rest": st.from_regex(r"[A-Za-z0-9._-]{1,8}(/[A-Za-z0-9._-]{1,8}){0,3}", fullmatch=True),
}


@st.composite
def objects(draw: st.DrawFn) -> tuple[Kind, str, dict[str, str]]:
    """A kind, one of its patterns, and values for the fields of that."""
    kind, template = draw(st.sampled_from(GOVERNED))
    return kind, template, {name: draw(FIELDS[name]) for name in FIELD.findall(template)}


@st.composite
def governed_paths(draw: st.DrawFn) -> str:
    """A path that some kind claims."""
    _, template, fields = draw(objects())
    return FIELD.sub(lambda match: fields[match[1]], template)


@given(objects())
def test_a_path_and_its_object_say_the_same(made: tuple[Kind, str, dict[str, str]]) -> None:
    """Kind, identifier and version lead to one path, and that path leads back to them."""
    kind, template, fields = made
    path = FIELD.sub(lambda match: fields[match[1]], template)
    if "rest" in fields:
        place = LAYOUT.place(path)
        special = path.rsplit("/", 1)[-1] in {".gitattributes", ".gitmodules", "CODEOWNERS"}
        assume(not special and not path.startswith(".github/"))
    else:
        same_fields = [each for each in LAYOUT.templates[kind] if sorted(FIELD.findall(each)) == sorted(fields)]
        if same_fields[0] == template:
            assert LAYOUT.path(kind, **fields) == path
        place = LAYOUT.place(path)
    assert (place.kind, place.path) == (kind, path)
    if kind in NAMELESS or not fields:
        assert (place.id, place.version, place.object) == (None, None, path)
        return
    version = None if kind is Kind.RES else fields.get("version")
    names = [fields[name] for name in fields if name != "version"]
    name = fields["res"] if kind is Kind.RES else FIXED_NAMES.get(kind) or names[0]
    identifier = decode_model_name(name) if kind is Kind.MODEL else name
    assert (place.id, place.version) == (identifier, version)
    assert place.object == (f"{identifier}@{version}" if version else identifier)


@given(st.text(min_size=1))
def test_model_names_survive_their_file_name(name: str) -> None:
    """Every vendor name has one file name, of characters that any file system takes, and comes back from it."""
    encoded = encode_model_name(name)
    assert decode_model_name(encoded) == name
    assert re.fullmatch(r"[A-Za-z0-9_%-][A-Za-z0-9._%-]*", encoded)
    assert LAYOUT.place(f"registry/models/{encoded}.yaml").id == name


@pytest.mark.parametrize(
    "name",
    [
        "%65xample", "example%20%2d", "%7e", "ex%C3", "%ED%A0%80", "%C0%AF", "%2Bx%2b", ".example", "a/b", "a b", "%", "%4",
        "a~b", "",
    ],
)  # fmt: skip
def test_a_model_has_no_second_spelling(name: str) -> None:
    """A file name that no model has, or not in this spelling, is of no known kind."""
    assert LAYOUT.place(f"registry/models/{name}.yaml").kind is Kind.UNCLASSIFIED


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("registry", Kind.UNCLASSIFIED),
        ("registry/notes.txt", Kind.UNCLASSIFIED),
        ("registry/standards/std-example.yml", Kind.UNCLASSIFIED),
        ("registry/standards/Std-example.yaml", Kind.UNCLASSIFIED),
        ("registry/standards/std-example--two.yaml", Kind.UNCLASSIFIED),
        ("registry/standards/gr-example.yaml", Kind.UNCLASSIFIED),
        ("registry/capabilities/D.0.yaml", Kind.UNCLASSIFIED),
        ("registry/capabilities/G.1.yaml", Kind.UNCLASSIFIED),
        ("registry/references/gr-example/1.0.yaml", Kind.UNCLASSIFIED),
        ("registry/references/gr-example/01.0.0.yaml", Kind.UNCLASSIFIED),
        ("registry/references/gr-example/1.0.0-rc1.yaml", Kind.UNCLASSIFIED),
        ("registry/lifecycle/gr/hx-example@0.1.0.yaml", Kind.UNCLASSIFIED),
        ("registry/CODEOWNERS", Kind.UNCLASSIFIED),
        ("registry/standards/std-example.yaml\n", Kind.UNCLASSIFIED),
        ("registry/standards/std-examplé.yaml", Kind.UNCLASSIFIED),
        (".github/workflows/check.yml", Kind.INFRA),
        (".github/registrar.yml", Kind.INFRA),
        (".github/CODEOWNERS", Kind.INFRA),
        ("CODEOWNERS", Kind.INFRA),
        ("docs/CODEOWNERS", Kind.INFRA),
        ("docs/deep/CODEOWNERS", Kind.INFRA),
        ("articles/.gitattributes", Kind.INFRA),
        ("schemas/.gitattributes", Kind.INFRA),
        ("rounds/example/.gitmodules", Kind.INFRA),
        ("action.yml", Kind.INFRA),
        (".github/ISSUE_TEMPLATE/record.yml", Kind.OTHER),
        (".github/pull_request_template.md", Kind.OTHER),
        ("README.md", Kind.OTHER),
        ("methodology/notes.md", Kind.OTHER),
        ("rounds/example/notes.md", Kind.OTHER),
        ("", Kind.OTHER),
        ("/", Kind.OTHER),
        ("schemas", Kind.OTHER),
        ("validators/check.py", Kind.SCHEMA),
        ("articles/a/b/c.md", Kind.ARTICLE),
    ],
)
def test_paths_at_the_edges(path: str, kind: Kind) -> None:
    """Nothing under the registry folder is `other`; outside it a file is what its name and place make of it."""
    assert LAYOUT.place(path).kind is kind


@pytest.mark.parametrize(
    "path",
    [
        "Registry/standards/std-example.yaml",
        "REGISTRY",
        "registrY/notes.txt",
        "charter.MD",
        "Charter.md",
        "Schemas/standard.schema.json",
        "\N{LATIN SMALL LETTER LONG S}chemas/standard.schema.json",
        "\N{FULLWIDTH LATIN SMALL LETTER M}ethodology/text.md",
        "methodology/Text.md",
        ".GitHub/workflows/check.yml",
        "Action.yml",
        "codeowners",
        "docs/codeowners",
        "docs/deep/CodeOwners",
        ".GITATTRIBUTES",
        "Notices/2026-11-29-example.yaml",
        "reg\N{LATIN SMALL LETTER DOTLESS I}stry".replace("\N{LATIN SMALL LETTER DOTLESS I}", "i").title(),
    ],
)
def test_look_alikes_are_refused(path: str) -> None:
    """What a file system that folds letter case would take for a governed path is never an ordinary file."""
    assert LAYOUT.place(path).kind is Kind.UNCLASSIFIED


@given(governed_paths(), st.randoms(use_true_random=False))
def test_no_spelling_of_a_governed_path_is_an_ordinary_file(path: str, random: Random) -> None:
    """However letter case and composition are changed, the path stays governed or is refused."""
    assume(LAYOUT.place(path).kind is not Kind.OTHER)
    swapped = "".join(letter.swapcase() if random.random() < 0.3 else letter for letter in path)
    for other in (swapped, unicodedata.normalize("NFD", swapped)):
        if fold(other) == fold(path):
            assert LAYOUT.place(other).kind is not Kind.OTHER


@fuzz(50_000)
@given(st.text())
def test_any_text_has_a_place(path: str) -> None:
    """No path makes the layout stumble, and nothing under the registry folder is overlooked."""
    place = LAYOUT.place(path)
    assert place.path == path
    if path.startswith("registry/"):
        assert place.kind is not Kind.OTHER


# Overrides -----------------------------------------------------------------------------------------------------------


def moved(kind: str, *patterns: str) -> Layout:
    """The layout of a registry that keeps one kind elsewhere."""
    listed = ", ".join(f'"{pattern}"' for pattern in patterns)
    return load_policy(f"layout:\n  {kind}: [{listed}]\n".encode()).layout


@pytest.mark.parametrize(
    ("kind", "patterns", "path", "id_"),
    [
        ("std", ["norms/{std}.yaml"], "norms/std-example.yaml", "std-example"),
        ("std", ["registry/roadmap/{std}.yaml"], "registry/roadmap/std-example.yaml", "std-example"),
        ("res", ["results/{bm}/{version}/{res}.json"], "results/bm-example/0.1.0/res-example.json", "res-example"),
        ("redirects", ["moved.yaml"], "moved.yaml", None),
        ("article", ["writing/{rest}"], "writing/a/b.md", None),
        ("article", ["writing/{rest}", "news/{rest}"], "news/b.md", None),
    ],
)
def test_a_kind_can_move(kind: str, patterns: list[str], path: str, id_: str | None) -> None:
    """A moved kind is found at its new place and no longer at the old one; all others stay."""
    layout = moved(kind, *patterns)
    assert (layout.place(path).kind, layout.place(path).id) == (Kind(kind), id_)
    for other, template in GOVERNED:
        example = FIELD.sub(lambda match: EXAMPLES[match[1]], template)
        if other is not Kind(kind):
            assert layout.place(example).kind is other, example
        elif template not in patterns:
            assert layout.place(example).kind is not other, example


EXAMPLES = {
    **{code: f"{code}-example" for code in TYPE_CODES},
    "cap": "D.1",
    "model": "Example",
    "name": "example",
    "version": "0.1.0",
    "rest": "example",
}


@pytest.mark.parametrize(
    ("kind", "patterns", "words"),
    [
        ("std", ["registry/datasets/{ds}.yaml"], "`std` needs a pattern for each usual one"),
        ("std", ["notices/{std}.yaml"], "can match the same path"),
        ("notice", ["registry/roadmap/{name}.yaml"], "can match the same path"),
        ("notice", ["disputes/{name}.yaml"], "can match the same path"),
        ("article", [".github/{rest}"], "can match the same path"),
        ("article", ["registry/{rest}"], "can match the same path"),
        ("redirects", ["schemas/moved.yaml"], "can match the same path"),
        ("redirects", ["articles/moved.yaml"], "can match the same path"),
        ("std", ["norms/{name}.yaml"], "`std` needs a pattern for each usual one"),
        ("std", ["norms/{std}.md"], "`std` needs a pattern for each usual one"),
        ("std", ["norms/{std}/{version}.yaml"], "`std` needs a pattern for each usual one"),
        ("std", ["norms/{std}.yaml", "standards/{std}.yaml"], "`std` needs a pattern for each usual one"),
        ("hx", ["harnesses/{version}/{hx}.yaml"], "`hx` needs a pattern for each usual one"),
        ("res", ["results/{bm}/{version}/more/{res}.json"], "`res` needs a pattern for each usual one"),
        ("lifecycle", ["lifecycle/{bm}@{version}.yaml"], "`lifecycle` needs a pattern for each usual one"),
        ("round", ["turns/{name}/report.md", "turns/{name}/protocol.yaml"], "in this order"),
        ("round", ["turns/{name}/protocol.yaml"], "`round` needs a pattern for each usual one"),
        ("std", ["{std}.yaml"], "is no path in a repository"),
        ("std", ["norms/{std}/{std}.yaml"], "`std` needs a pattern for each usual one"),
        ("std", ["/norms/{std}.yaml"], "is no path in a repository"),
        ("std", ["../norms/{std}.yaml"], "is no path in a repository"),
        ("std", ["norms//{std}.yaml"], "is no path in a repository"),
        ("std", [".git/{std}.yaml"], "is no path in a repository"),
        ("std", ["norms/{standard}.yaml"], "`std` needs a pattern for each usual one"),
        ("article", ["registry/st{rest}"], "uses `{rest}` within it"),
        ("article", ["{rest}"], "is no path in a repository"),
        ("meth", ["text.md"], "`meth` is not known here"),
        ("charter", ["charter/charter.md"], "`charter` is not known here"),
        ("schema", ["spec/{rest}"], "`schema` is not known here"),
        ("infra", ["gate/{rest}"], "`infra` is not known here"),
        ("other", ["other/{rest}"], "`other` is not known here"),
        ("unclassified", ["other/{rest}"], "`unclassified` is not known here"),
        ("std", [], "found an empty list"),
    ],
)
def test_an_override_that_breaks_the_layout_is_refused(kind: str, patterns: list[str], words: str) -> None:
    """Overlaps, lost fields, endings that would not be read, and kinds that stay where they are: all of it is refused."""
    with pytest.raises(PolicyError, match=re.escape(words)) as caught:
        moved(kind, *patterns)
    assert str(caught.value).startswith(".github/registrar.yml")


def layout_of(**templates: list[str]) -> Layout:
    """A layout with other patterns, held to nothing but itself."""
    every = {kind.value: list(patterns) for kind, patterns in LAYOUT.templates.items()}
    return Layout(templates=dict(expand({**every, **templates})), exceptions={}, anywhere={}, registry="registry")


@pytest.mark.parametrize(
    ("templates", "words"),
    [
        ({"std": []}, "kind `std` has no path"),
        ({"std": ["norms/{unknown}.yaml"]}, "`{unknown}`; known fields are"),
        ({"std": ["norms/{name}/{name}.yaml"]}, "uses `{name}` twice"),
        ({"std": ["norms/{rest}/x.yaml"]}, "uses `{rest}` within it"),
        ({"std": ["registry/st{rest}"]}, "uses `{rest}` within it"),
        ({"nonsense": ["x.yaml"]}, "`nonsense` is no kind"),
        ({"std": ["x/{name}.yaml"], "ds": ["x/{name}.yaml"]}, "can match the same path"),
        ({"std": ["x/{name}.yaml"], "ds": ["x/a.yaml"]}, "can match the same path"),
        ({"std": ["x/{name}-a.yaml"], "ds": ["x/b-{name}.yaml"]}, "can match the same path"),
        ({"std": ["x/{rest}"], "ds": ["x/y/{name}.yaml"]}, "can match the same path"),
    ],
)
def test_a_layout_that_does_not_hold_together(templates: dict[str, list[str]], words: str) -> None:
    """Every kind has a path, and no path has two kinds."""
    with pytest.raises(PolicyError, match=re.escape(words)):
        layout_of(**templates)


@pytest.mark.parametrize(
    "templates",
    [
        {"std": ["x/{std}.yaml"], "ds": ["x/{ds}.yaml"]},
        {"std": ["x/{name}.yaml"], "ds": ["x/{name}.json"]},
        {"std": ["x/a-{name}.yaml"], "ds": ["x/b-{name}.yaml"]},
        {"std": ["x/{name}.yaml"], "ds": ["x/y/{name}.yaml"]},
    ],
)
def test_patterns_that_cannot_meet_stand_side_by_side(templates: dict[str, list[str]]) -> None:
    """Folders are shared where the names tell the kinds apart."""
    layout = layout_of(**templates)
    assert layout.templates[Kind.STD] == tuple(templates["std"])


def test_shared_folders_of_a_kind() -> None:
    """The folder of a kind is what all of its patterns have in common."""
    assert LAYOUT.folder(Kind.LIFECYCLE) == "registry/lifecycle"
    assert LAYOUT.folder(Kind.STD) == "registry/standards"
    assert LAYOUT.folder(Kind.SCHEMA) == ""
    with pytest.raises(KeyError, match="no pattern takes"):
        LAYOUT.path(Kind.STD, name="example")
