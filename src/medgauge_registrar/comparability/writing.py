"""The text of a notice that would satisfy what a change calls for."""

from medgauge_registrar.comparability.owed import SITE_WIDE, Owed
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Registry

_LONGEST_SLUG = 80
_DAY = len("YYYY-MM-DD")


def notice_path(owed: Owed, day: str, head: Registry) -> str:
    """
    A free path for a notice of a day (or of the day of the change, if that is later).

    It is the one that the changed object names itself, else one named after what changed, numbered if that is taken.
    """
    stem = f"{max(day, owed.since)}-{_slug(owed)}"
    names = [*filter(None, [owed.notice]), stem, *(f"{stem}-{number}" for number in range(2, 100))]
    paths = [head.path_of(Kind.NOTICE, name=name) for name in names]
    return next((path for path in paths if not head.has(path)), paths[-1])


def notice_text(owed: Owed, path: str) -> str | None:
    """
    A notice, ready to be filed; its wording is the author's to improve.

    Args:
        owed: What calls for it; if several changes of the method do, any of them.
        path: Where it will stand; its name begins with the day.

    Returns:
        YAML; null where it cannot be written yet, because no version leads from one to another.
    """
    cause = next((cause for cause in reversed(owed.causes) if cause.before is not None), None)
    if cause is None or cause.before is None:
        return None
    after = cause.after[0]
    affected = sorted(owed.boards)
    boards = "affected: []" if not affected else "\n".join(["affected:", *(f"  - {name}" for name in affected)])
    name = path.rpartition("/")[2].removesuffix(".yaml")
    return (
        f"id: {name}\n"
        f"cause:\n  rule: {cause.rules[0] if owed.rule not in cause.rules else owed.rule}\n  object: {cause.names[0]}\n"
        f"scope: {owed.scopes[0]}\n"
        f"{boards}\n"
        f"from: {cause.before}\nto: {after}\n"
        f"date: {name[:_DAY]}\n"
        f"text: |-\n{_words(owed, cause.before, after)}\n"
    )


def _words(owed: Owed, before: str, after: str) -> str:
    if owed.rule == "NCN-08":
        lines = [
            "Task versions were voided and count for no subject of the version any more.",
            "Say here why, without content.",
        ]
    elif SITE_WIDE in owed.scopes:
        lines = [
            f"The rules behind the figures changed with version {after}. Figures made under version {before} stay published",
            "and are not comparable with figures made under the new rules.",
        ]
    else:
        lines = [
            f"Version {after} is frozen. Figures of version {before} stay published under that version and are not",
            f"comparable with figures of version {after}.",
        ]
    return "\n".join(f"  {line}" for line in lines)


def _slug(owed: Owed) -> str:
    """A short name from what changed."""
    name = owed.causes[-1].names[-1] if owed.causes else owed.rule
    stem = name.rpartition("/")[2].removesuffix(".yaml").removesuffix(".md").removeprefix("bm-")
    words = "".join(character if character.isalnum() and character.isascii() else "-" for character in stem.casefold())
    return "-".join(filter(None, words.split("-")))[:_LONGEST_SLUG].strip("-") or "notice"
