"""What is read from the methodology text, and what is not guessed."""

import pytest

from medgauge_registrar.registry.methodology_text import LogRow, MethodologyText, is_day, read_methodology
from support.registries import methodology_text

ROW = ("0.1.0", "2026-10-29", "First version.")


def read(text: str) -> MethodologyText:
    """What a text says of itself."""
    return read_methodology(text.encode())


def test_plain_text() -> None:
    """Title line, citation and change log are found with their lines."""
    text = methodology_text("0.2.0", "2026-11-20", rows=(ROW, ("0.2.0", "2026-11-20", "Second \\| version.")))
    assert read(text) == MethodologyText(
        version="0.2.0",
        date="2026-11-20",
        title_line=3,
        cited_version="0.2.0",
        citation_line=5,
        change_log=(
            LogRow(version="0.1.0", date="2026-10-29", cells=ROW, line=15),
            LogRow(version="0.2.0", date="2026-11-20", cells=("0.2.0", "2026-11-20", "Second \\| version."), line=16),
        ),
        log_line=11,
    )


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("Version 0.2.0 · 2026-11-20", "0.2.0"),
        ("**Version 0.2.0** · 2026-11-20", None),
        ("> *Version 0.2.0 · 2026-11-20 · Example Initiative*", "0.2.0"),
        ("Version 0.2.0 sets no threshold · 2026-11-20", None),
        ("Version 0.2 · 2026-11-20", None),
        ("Version 00.2.0 · 2026-11-20", None),
        ("Version v0.2.0 · 2026-11-20", None),
        ("Version 0.2.0 · 20 November 2026", None),
        ("Version 0.2.0 · 2026-11-201", None),
        ("Version 0.2.0", None),
        ("```\nVersion 0.2.0 · 2026-11-20\n```", None),
        ("```\ncode\n~~~\n```\nVersion 0.2.0 · 2026-11-20", "0.2.0"),
        ("Version 0.2.0 · 2026-11-20\n\nVersion 0.2.0 · 2026-11-20", "0.2.0"),
        ("Version 0.2.0 · 2026-11-20\n\nVersion 0.3.0 · 2026-11-20", None),
    ],
)
def test_title_line(line: str, version: str | None) -> None:
    """A title line is one line of prose with a version and a day; two that differ say nothing."""
    assert read(f"# Example\n\n{line}\n").version == version


@pytest.mark.parametrize(
    ("paragraph", "version"),
    [
        ("Cite as: Example, version 0.2.0 (2026).", "0.2.0"),
        ("**Cite as:** Example, version 0.2.0.", "0.2.0"),
        ("Cite as: Example,\nversion 0.2.0 (2026).", "0.2.0"),
        ("Cite as: Example, version 0.2 (2026).", None),
        ("Cite as: Example, version 0.2.0.1 (2026).", None),
        ("Cite as: Example.\n\nIt has version 0.2.0.", None),
        ("Cite as: Example, version 0.2.0, or version 0.3.0.", None),
    ],
)
def test_citation(paragraph: str, version: str | None) -> None:
    """The citation is a paragraph that names one version."""
    assert read(f"# Example\n\n{paragraph}\n\nMore text, version 9.9.9.\n").cited_version == version


@pytest.mark.parametrize(
    ("section", "versions"),
    [
        ("## Appendix D\n\n| Version | Date | Change |\n|---|:-:|--:|\n| 0.1.0 | 2026-10-29 | First. |", ["0.1.0"]),
        (
            "## Appendix D — Change log\n\n| Change | Date | Version |\n|---|---|---|\n| First. | 2026-10-29 | **0.1.0** |",
            ["0.1.0"],
        ),
        ("## Appendix D\n\n### D.1\n\n| Version | Date |\n|---|---|\n| 0.1.0 | 2026-10-29 |", ["0.1.0"]),
        ("## Appendix D\n\n| Version | Date |\n|---|---|\n| – | 2026-10-29 |", [None]),
        ("## Appendix D\n\n| Version | Date |\n|---|---|\n| 0.1.0 |", ["0.1.0"]),
        ("## Appendix D\n\n| Version | Date |\n|---|---|\n| 0.1.0 | 2026-10-29 |\n\n| 0.2.0 | 2026-11-20 |", ["0.1.0"]),
        ("## Appendix D\n\n## Appendix E\n\n| Version | Date |\n|---|---|\n| 0.1.0 | 2026-10-29 |", []),
        ("## Appendix C\n\n| Version | Date |\n|---|---|\n| 0.1.0 | 2026-10-29 |", []),
        ("## Appendix D\n\n| Version | Date |\n| 0.1.0 | 2026-10-29 |", []),
        ("## Appendix D\n\n| Edition | Day |\n|---|---|\n| 0.1.0 | 2026-10-29 |", []),
        ("```\n## Appendix D\n\n| Version | Date |\n|---|---|\n| 0.1.0 | 2026-10-29 |\n```", []),
    ],
)
def test_change_log(section: str, versions: list[str | None]) -> None:
    """The change log is the first table under the heading of Appendix D, with its columns found by name."""
    assert [row.version for row in read(f"# Example\n\n{section}\n").change_log] == versions


def test_highest_version_of_the_log() -> None:
    """Rows may stand in either order, and are compared number by number."""
    rows = (("0.10.0", "2026-11-20", "Later."), ("0.9.0", "2026-10-29", "Earlier."))
    assert read(methodology_text(rows=rows)).logged_version == "0.10.0"
    assert read("# Example\n").logged_version is None


@pytest.mark.parametrize("data", [None, b"", b"\xff\xfe", b"# Example\n"])
def test_text_that_says_nothing(data: bytes | None) -> None:
    """Where there is no text, or none that can be read, nothing is known."""
    assert read_methodology(data) == MethodologyText()


def test_long_lines_are_read_in_time() -> None:
    """A hostile line costs no more than its length."""
    for line in (
        "# a" + " " * 200_000 + "x",
        "|" + " |" * 100_000,
        "Version " + "0" * 200_000,
        "#" * 200_000,
        ">" * 200_000,
    ):
        assert read(f"# Example\n\n{line}\n").version is None


def test_days_are_days_of_the_calendar() -> None:
    """A day is written in full and exists."""
    assert is_day("2026-02-28")
    assert not any(map(is_day, ("2026-02-29", "2026-2-8", "20260228", "2026-W09-6", "")))
