"""Headings of requests for comment: read in a time that grows with the text, whoever wrote it."""

from medgauge_registrar.requirements.headings import _headings


def test_a_heading_of_many_spaces_is_read_at_once() -> None:
    """A line that is all space before its last letter is one heading; a pattern that retries would never finish here."""
    line = "# a" + " " * 100_000 + "b"
    assert [(start, end, level) for start, end, level, _ in _headings([line, ""])] == [(0, 1, 1)]
