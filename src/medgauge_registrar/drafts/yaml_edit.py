"""Edits of YAML files that keep their comments, order and spelling."""

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

# Indentations of lists in use: `- ` below its key, or two columns in. The one that gives a file back as it was is kept.
_LISTS = ((2, 0), (4, 2))
_NO_WRAPPING = 1_000_000


def edited_yaml(text: str, change: Callable[[Any], None]) -> str:
    """
    Apply a change to the mapping of a YAML file.

    Every plain scalar is read as text and written as it stands, so nothing but what the change touches moves. New values are
    texts; `null`, `true` and numbers are written as such words.

    Raises:
        ValueError: The file is no YAML mapping.
    """
    from ruamel.yaml.error import YAMLError

    for sequence, offset in _LISTS:
        try:
            same, _ = _round_trip(text, sequence, offset, lambda _: None)
        except YAMLError as error:
            raise ValueError(f"no YAML: {error}") from None
        if same == text:
            break
    edited, value = _round_trip(text, sequence, offset, change)
    if not isinstance(value, Mapping):
        raise TypeError("the file holds no mapping")
    return edited


def block(entries: Sequence[Mapping[str, str]]) -> Any:
    """A list of mappings in block style."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    return CommentedSeq([CommentedMap(entry) for entry in entries])


def inline(entry: Mapping[str, str]) -> Any:
    """A mapping on one line, in braces."""
    from ruamel.yaml.comments import CommentedMap

    made = CommentedMap(entry)
    made.fa.set_flow_style()
    return made


def _round_trip(text: str, sequence: int, offset: int, change: Callable[[Any], None]) -> tuple[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.resolver import VersionedResolver

    class PlainText(VersionedResolver):
        """Takes every plain scalar for text: versions, days and words for nothing keep their spelling."""

        @property
        def versioned_resolver(self) -> dict[Any, Any]:
            """No scalar is anything but text."""
            return {}

    yaml = YAML(typ="rt", pure=True)
    yaml.Resolver = PlainText
    yaml.preserve_quotes = True
    yaml.width = _NO_WRAPPING
    yaml.indent(mapping=2, sequence=sequence, offset=offset)
    value = yaml.load(text)
    change(value)
    out = StringIO()
    yaml.dump(value, out)
    return out.getvalue(), value
