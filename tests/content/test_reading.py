"""Small parts of the content package: headings, links, numbers, letters, sentences, check digits, languages."""

import pytest

from medgauge_registrar.content import digits
from medgauge_registrar.content.identifiers import identifiers
from medgauge_registrar.content.language import foreign_passages
from medgauge_registrar.content.licences import foreign_licence, is_licence_file
from medgauge_registrar.content.links import Target, is_line_anchor, resolve
from medgauge_registrar.content.markdown import Markdown, parse_markdown
from medgauge_registrar.content.numbers import inventory, unknown_numbers
from medgauge_registrar.content.passages import Passage, is_denied, sentences
from medgauge_registrar.content.scripts import foreign_characters, is_plain
from medgauge_registrar.content.secrets import has_secret
from medgauge_registrar.content.shapes import case_material
from medgauge_registrar.content.slugs import Slugs, slug
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.layout import Place

# Headings and links ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Here", "here"),
        ("8.3 The exam, the claimable lower bound and levels", "83-the-exam-the-claimable-lower-bound-and-levels"),
        ("What's new?", "whats-new"),
        ("A_B - c", "a_b---c"),
        ("Appendix A — Difficulty", "appendix-a--difficulty"),
        ("Über β", "über-β"),
    ],
)
def test_slug_is_githubs(heading: str, expected: str) -> None:
    """Lower case, punctuation gone, every space a hyphen, none of them joined."""
    assert slug(heading) == expected


def test_repeated_headings_are_numbered() -> None:
    """The second heading of a name gets `-1`, also beside one that already ends so."""
    slugs = Slugs()
    assert [slugs.add(heading) for heading in ("A", "A", "A-1", "A")] == ["a", "a-1", "a-1-1", "a-2"]


def parsed() -> Markdown:
    return parse_markdown(
        '---\ntitle: x\n---\n\n# One *two* `three`\n\n[a][r] and ![i](p.png)\n[b](c.md#d "t")\n\n[r]: ref.md\n\n'
        'Never:\n\n- first\n  second\n\n<a id="own"></a>\n\n    code\n\n| h | Not admitted |\n|---|---|\n| x | y |\n'
    )


def test_headings_give_anchors() -> None:
    """Markup in a heading does not count, and raw HTML can set an anchor of its own."""
    assert parsed().anchors == {"one-two-three", "own"}


def test_links_keep_their_lines() -> None:
    """Reference links, images and titles are understood; lines are those of the file, head block included."""
    found = [(link.target, link.line, link.image) for link in parsed().links]
    assert found == [("ref.md", 7, False), ("p.png", 7, True), ("c.md#d", 8, False)]


def test_passages_know_what_introduces_them() -> None:
    """A list knows the line before it, a cell the head of its column, both the headings above."""
    by_text = {passage.text: passage for passage in parsed().passages}
    assert by_text["first\nsecond"].lead == "Never:"
    assert by_text["y"].lead == "Not admitted"
    assert by_text["y"].headings == ("One two three",)
    assert by_text["first\nsecond"].line_of(8) == 15


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [
        ("b.md", "docs/a.md", Target(path="docs/b.md", anchor=None)),
        ("../b.md#c", "docs/a.md", Target(path="b.md", anchor="c")),
        ("/b.md", "docs/a.md", Target(path="b.md", anchor=None)),
        ("#c%20d", "docs/a.md", Target(path="docs/a.md", anchor="c d")),
        ("b%20c.md", "a.md", Target(path="b c.md", anchor=None)),
        ("%62.md", "a.md", Target(path="b.md", anchor=None, needless=True)),
        ("../../x", "docs/a.md", Target(path=None, anchor=None)),
        ("..", "docs/a.md", Target(path="", anchor=None)),
        ("b.md?raw=1#c", "a.md", Target(path="b.md", anchor="c")),
    ],
)
def test_targets_resolve(target: str, source: str, expected: Target) -> None:
    """Relative, absolute and encoded targets lead where a browser would go."""
    assert resolve(target, source) == expected


@pytest.mark.parametrize("target", ["https://example.org/a", "mailto:a@example.org", "//example.org/a", "JAVASCRIPT:x"])
def test_other_sites_are_no_internal_links(target: str) -> None:
    """A scheme or two slashes lead elsewhere."""
    assert resolve(target, "a.md") is None


def test_line_anchors() -> None:
    """Lines of a file are anchors that every file has."""
    assert is_line_anchor("L10-L20")
    assert not is_line_anchor("L10 and more")


# Numbers --------------------------------------------------------------------------------------------------------------

TEXT = (
    "# Methodology\n\n## 1. One\n\n### 1.1 Part\n\n## 12. Twelve\n\n### 12.10 Late\n\n12.3 Run in here. Text.\n\n"
    "Axiom 1 (a). Axiom 2: b. G1 (c). G2: d.\n\n## 6. Dimensions (M1, M2)\n\n## 7. Labels (T1–T4)\n\n"
    "# Appendix A: Points\n\n## A.1 First\n"
)


def unknown(text: str, *, own: bool = False, signs_only: bool = False) -> list[str]:
    found = unknown_numbers(text, inventory(TEXT), own=own, signs_only=signs_only)
    return [mention.written for mention in found]


@pytest.mark.parametrize(
    "text",
    [
        "section 1.1, sections 1 and 12, Sections 12.3–12.10", "§12.10 and §§ 1, 12", "Axioms 1 and 2", "rule G2",
        "dimension M2", "label T4", "Appendix A and App A.1", "section 9 of the Act", "section 9 (2) of the Act",
        "section 9 in ISO 14971", "constraint X.10", "stage T4 N2 M0", "vertebra T12",
    ],
)  # fmt: skip
def test_known_and_foreign_numbers_pass(text: str) -> None:
    """What the text defines passes, and so do numbers that are plainly of something else."""
    assert unknown(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("section 9", ["section 9"]),
        ("sections 1, 9 and 12.9", ["section 9", "section 12.9"]),
        ("§12.4", ["section 12.4"]),
        ("Axiom 3", ["Axiom 3"]),
        ("general rule G9", ["G9"]),
        ("dimension M3", ["M3"]),
        ("labels T1–T5", ["T5"]),
        ("Appendix B", ["Appendix B"]),
        ("constraint X.11", ["X.11"]),
        ("section 9 of the methodology", ["section 9"]),
    ],
)
def test_unknown_numbers_are_found(text: str, expected: list[str]) -> None:
    """Each number that the text does not define is told as written."""
    assert unknown(text) == expected


def test_bare_codes_count_in_the_text_itself() -> None:
    """In the methodology `M3` is a dimension wherever it stands."""
    assert unknown("M2 and M3, G3, T9, gate 12", own=True) == ["G3", "M3", "T9", "gate 12"]
    assert unknown("M2 and M3, G3, T9, gate 12") == []


def test_quoting_records_are_asked_for_signs_only() -> None:
    """Where fields quote other documents, only the sign is taken for the methodology's."""
    assert unknown("section 9, §9", signs_only=True) == ["section 9"]


# Letters and sentences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sorts"),
    [
        ("Sjögren, Łukasiewicz, Nguyễn, naïve", []),
        ("β-blocker, 5 µg, NF-κB, TGFβ, p̂, x², H₂O, ½, ≥, ∈, →, ★, ⚠️", []),
        ("国家", ["script"]),
        ("gr-ex\u0430mple", ["script"]),
        ("HER\u03912", ["disguised"]),
        ("a\u200bb", ["unseen"]),
        ("a\u202eb", ["unseen"]),
        ("\uff41\uff42", ["script"]),
        ("a\u0301\u0302\u0303", ["disguised"]),
        ("tab\tand line\n", []),
        ("bell\x07", ["unseen"]),
    ],
)
def test_letters_are_sorted(text: str, sorts: list[str]) -> None:
    """English with its signs and names passes; other scripts, unseen characters and disguises are told apart."""
    assert [found.sort for found in foreign_characters(text)] == sorts
    assert is_plain(text) is (text.isascii() and not sorts)


@pytest.mark.parametrize(
    "text",
    [
        "It is not X.", "No X here.", "It never is X, Y or X.", "“X” must not be said.", "X is not implied.",
        "A claim that it is X would need more.", "X? No.", "Whether it is X is open.", "It claims no A, no B and no X.",
        "It is neither A nor X.", "X is false.", "Rather than X, say Y.",
    ],
)  # fmt: skip
def test_denials_are_understood(text: str) -> None:
    """The sentence does not assert X."""
    assert asserted(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "It is X.", "Not only A but X.", "There is no doubt that it is X.", "It is not A but X.", "X? Yes.",
        "Nobody disputes that it is X.", "It is not A; it is X.", "It was not A. It is X.", "Without question it is X.",
        "It is X and not Y.", "It is not surprising that it is X.",
    ],
)  # fmt: skip
def test_assertions_are_understood(text: str) -> None:
    """The sentence asserts X in spite of its negation."""
    assert asserted(text) is True


def asserted(text: str) -> bool:
    plain = Passage(text=text).plain
    found = []
    for sentence in sentences(plain):
        start = sentence.text.rfind("X")
        if start >= 0:
            found.append(not is_denied(sentence, start, start + 1))
    assert found
    return any(found)


def test_sentences_know_abbreviations() -> None:
    """`e.g.`, `Dr.` and initials end no sentence; a semicolon does."""
    text = "See e.g. Dr. A. Example, vs. others. One more; and two? Three."
    assert [sentence.text.strip() for sentence in sentences(text)] == [
        "See e.g. Dr. A. Example, vs. others.", "One more;", "and two?", "Three.",
    ]  # fmt: skip


# The rest -------------------------------------------------------------------------------------------------------------


def test_check_digits() -> None:
    """One number that is right and one that is wrong, for each sort."""
    assert [digits.luhn(n) for n in ("4111111111111111", "4111111111111112", "0000000000000000")] == [
        True,
        False,
        False,
    ]
    assert [digits.iban(n) for n in ("DE89370400440532013000", "DE89370400440532013001")] == [True, False]
    assert [digits.nhs(n) for n in ("9434765919", "9434765918")] == [True, False]
    assert [digits.resident_identity(n) for n in ("11010519491231002X", "110105194912310021")] == [True, False]
    assert [digits.verhoeff(n) for n in ("2363", "2364")] == [True, False]
    assert [digits.spanish_identity(n) for n in ("12345678Z", "X1234567L", "12345678A")] == [True, True, False]
    assert [digits.brazilian_taxpayer(n) for n in ("52998224725", "52998224726", "11111111111")] == [True, False, False]
    assert [digits.vehicle(n) for n in ("1M8GDM9AXKP042788", "1M8GDM9A0KP042788")] == [True, False]
    assert [digits.french_insurance(n) for n in ("255081416802538", "255081416802539")] == [True, False]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Dies ist ein deutscher Satz, der lang genug ist, um erkannt zu werden und noch etwas mehr.", "de"),
        ("Le patient doit prendre ce médicament deux fois par jour pendant sept jours consécutifs.", "fr"),
        ("This English paragraph is long enough that a detector could have an opinion of it.", None),
        ("Acute lymphoblastic leukaemia, angina pectoris, myasthenia gravis, lupus erythematosus, tinea capitis", None),
        ("Amlodipine, ramipril, atorvastatin, metformin, bisoprolol, furosemide, spironolactone, warfarin", None),
        ("Kurz und fremd.", None),
    ],
)
def test_languages_are_guessed_with_care(text: str, language: str | None) -> None:
    """Plain paragraphs of another language are told; Latin names, lists of drugs and short lines are not."""
    assert [found for _, found in foreign_passages([Passage(text=text)])] == ([language] if language else [])


def test_a_detector_is_asked_only_about_signs_of_another_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second to load; plain paragraphs and lists of terms do not wait for it."""
    monkeypatch.setattr("medgauge_registrar.content.language._identifier", lambda: pytest.fail("was asked"))
    plain = "source dose report table clause audit record entry field value note sheet"
    english = "The dose is written in the report, and each of the tables has one clause for it."
    assert list(foreign_passages([Passage(text=plain), Passage(text=english)])) == []


@pytest.mark.parametrize(
    "text",
    [
        "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a", 'password: "zq81KfPw02xx"', "-----BEGIN RSA PRIVATE KEY-----",
        "aws_access_key_id = AKIAIOSFODNN7QWERTYU", "key: dGhpc0lzQVZlcnlMb25nU2VjcmV0VG9rZW4xMjM0NTY3",
        "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a # an example",
    ],
)  # fmt: skip
def test_credentials_are_found(text: str) -> None:
    """Tokens, keys and passwords are found, quoted or not, and whatever else stands in the line."""
    assert has_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "sha256:5b807c10675f1e91a443bf1d7850bd6d5adfb216400e29b5ed48032768ddf49c", "token: required",
        "password: <your password>", "The token is a word; the secret: nothing.", "run-example-0-2-0-example-model-1-001",
        "registry/benchmarks/bm-clinical-temporal-audit/versions/0.1.0.yaml", "123e4567-e89b-12d3-a456-426614174000",
        "secret: ${{ secrets.GATE_TOKEN }}", "https://medgauge.org/benchmarks/bm-clinical-temporal-audit/",
    ],
)  # fmt: skip
def test_harmless_words_are_no_credentials(text: str) -> None:
    """Digests, identifiers, paths, placeholders and prose pass."""
    assert not has_secret(text)


def test_licence_files() -> None:
    """Licence files are known by name, and hold one of two texts."""
    assert is_licence_file("docs/LICENSE-MIT")
    assert is_licence_file("COPYING.md")
    assert not is_licence_file("registry/datasets/licences.yaml")
    assert foreign_licence("Apache License\nVersion 2.0") is None
    assert foreign_licence("Creative Commons Attribution 4.0 International") is None
    assert foreign_licence("Attribution-NonCommercial 4.0, CC BY 4.0") == "speaks of `Attribution-NonCommercial`"
    assert foreign_licence("Do as you like.") == "is neither Apache-2.0 nor CC BY 4.0"


def test_two_spellings_of_a_heading_count_as_two() -> None:
    """Three headings of a note are closed material, also where two of them are one heading in two spellings."""
    text = "# Physical exam\n\n# Physical examination\n\n# Family history\n"
    assert case_material(TextFile(Place(path="articles/a.md", kind=Kind.ARTICLE), text.encode()))
    assert not case_material(TextFile(Place(path="articles/a.md", kind=Kind.ARTICLE), text[:40].encode()))


@pytest.mark.parametrize("space", [" ", "\t", "\u00a0", "\x1c"])
def test_numbers_of_people_are_found_whatever_space_parts_them(space: str) -> None:
    """A number is looked for in the shape of its digits; every space has the same shape."""
    assert "Aadhaar number" in set(identifiers(f"2345{space}6789{space}0107"))
    assert set(identifiers(f"2345{space}6789{space}0123")) == set()
