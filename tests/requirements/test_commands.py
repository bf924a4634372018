"""Commands are whole lines in unedited comments of persons."""

import pytest

from medgauge_registrar.requirements.commands import command_lines, commands
from requirements.build import BOT, HEAD, comment, user


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("/recheck", [("recheck",)]),
        ("/recheck  \t", [("recheck",)]),
        ("Thank you.\r\n/explain  M3\r\nBye", [("explain", "M3")]),
        ("/recheck\n/explain ID-06", [("recheck",), ("explain", "ID-06")]),
        ("please /recheck", []),
        (" /recheck", []),
        ("> /recheck", []),
        ("/recheck.", []),
        ("/Recheck", []),
        ("/ recheck", []),
        ("`/recheck`", []),
        ("/recheck\u2028/explain M3", []),
        ("", []),
        ("```\n/recheck\n```\n/explain M3", [("explain", "M3")]),
        ("~~~~ text\n/recheck\n~~~\n/recheck\n~~~~\n/explain M3", [("explain", "M3")]),
        ("```\n``` text\n/recheck\n```\n/explain M3", [("explain", "M3")]),
        ("```\n/recheck", []),
        ("<!--\n/recheck\n-->\n/explain M3", [("explain", "M3")]),
        ("a <!-- b\n/recheck", []),
        ("a <!-- b --> c\n/recheck", [("recheck",)]),
        ("/explain <!--\n/recheck\n-->", []),
    ],
)
def test_command_lines(body: str, words: list[tuple[str, ...]]) -> None:
    """A command stands alone on its line, outside of quotations, examples and hidden text."""
    assert list(command_lines(body)) == words


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (f"/confirm {HEAD}", ("confirm", HEAD)),
        ("/recheck", ("recheck",)),
        ("/explain M3", ("explain", "M3")),
        ("/dispute", ("dispute",)),
        ("/dispute the count is wrong", ("dispute", "the", "count", "is", "wrong")),
        ("/vote uphold", ("vote", "uphold")),
        ("/confirm", None),
        (f"/confirm {HEAD} now", None),
        ("/recheck now", None),
        ("/explain", None),
        ("/vote", None),
        ("/approve", None),
    ],
)
def test_known_commands(body: str, given: tuple[str, ...] | None) -> None:
    """Known commands with the right number of words are taken; all else is talk."""
    assert [(command.name, *command.arguments) for command in commands([comment(1, 5, body)])] == (
        [given] if given else []
    )


@pytest.mark.parametrize("who", [BOT, None, user(5, kind="Organization")])
def test_only_persons_give_commands(who: object) -> None:
    """Neither bots nor organisations nor deleted accounts do."""
    assert commands([comment(1, who, "/recheck")]) == ()  # type: ignore[arg-type]  # one of the three above
    assert len(commands([comment(1, 5, "/recheck")])) == 1


def test_edited_comments_carry_no_command() -> None:
    """An edit may be somebody else's."""
    assert commands([comment(1, 5, "/recheck", edited=True)]) == ()
    assert len(commands([comment(1, 5, "/recheck", edited=False)])) == 1


def test_commands_come_oldest_first() -> None:
    """By time, then by comment, then by line, in whatever order the comments arrive."""
    talk = [
        comment(3, 5, "/explain M3", minute=30),
        comment(2, 6, "/explain M2\n/recheck", minute=10),
        comment(1, 7, "/explain M1", minute=30),
    ]
    found = [(command.comment, command.name, *command.arguments) for command in commands(talk)]
    assert found == [(2, "explain", "M2"), (2, "recheck"), (1, "explain", "M1"), (3, "explain", "M3")]
    assert commands(reversed(talk)) == commands(talk)
