"""The YAML block at the top of an article."""

from medgauge_registrar.model.document import Document, Fault, Position
from medgauge_registrar.registry.reader import Syntax, read_document

_FENCE = b"---"


def read_front_matter(data: bytes) -> Document:
    """
    Read the block between the two lines `---` at the top of a text.

    Returns:
        The block as a record under the rules for all YAML here, positions counted in the whole file; a fault if the text
        does not begin with such a block.
    """
    lines = data.split(b"\n")
    if lines[0] != _FENCE or _FENCE not in lines[1:]:
        return Document(
            value=None,
            faults=(
                Fault(
                    message="the text does not begin with a block between two lines `---`",
                    help="begin it with `---`, a `date` and a `title`, and `---` again",
                    position=Position(line=1, column=1),
                ),
            ),
        )
    end = lines.index(_FENCE, 1)
    # An empty first line stands for the fence, so that the reader's line numbers are those of the file.
    return read_document(b"\n".join([b"", *lines[1:end], b""]), syntax=Syntax.YAML)
