"""Closed material anywhere but in the merge result (BND-11): earlier commits, messages, names, the pull request's words."""

from collections.abc import Iterator

from medgauge_registrar.checks.content_catalogue import CLOSED_CHECKS
from medgauge_registrar.checks.content_closed import exposure
from medgauge_registrar.checks.framework import Context, Problem, branch_check, findings
from medgauge_registrar.content.identifiers import TRAILER
from medgauge_registrar.content.secrets import has_secret
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.branch import Branch
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.finding import Finding
from medgauge_registrar.registry.layout import Place

# Names are read side by side, as in a list of files; so many that usual ones stay well below the longest block of text.
_NAMES_TOGETHER = 100
# What people write is read as Markdown where it has marks of it: code blocks can hold documents, and tables cases.
_MARKDOWN = Place(path="pull-request.md", kind=Kind.OTHER)
_PLAIN = Place(path="pull-request", kind=Kind.OTHER)
_MARKS = ("`", "~~~", "|", "    ", "\t", "<", "&", "\\")


@branch_check("BND-11", section="12.1")
def closed_elsewhere(branch: Branch, context: Context) -> Iterator[Problem]:
    """
    Nothing closed stands in an earlier commit, a message, a file name, or the title and text of the pull request.

    Git keeps what a later commit takes away, and everybody can fetch it. All that a branch brings is held against the rules
    of the boundary and of identifiers; a hit is not quoted. Make the branch anew, without the commits concerned.

    Passes: a branch that never held a task
    Fails: a task added by one commit and removed by the next
    """
    found = any(_is_closed(file, context) for file in _files(branch, context))
    yield from exposure(
        context,
        "closed material in an earlier commit, a message, a file name or the text of the pull request",
        found=found,
    )


def check_branch(context: Context, branch: Branch) -> list[Finding]:
    """
    Check what a branch has shown besides the merge result.

    Raises:
        ReadError: An earlier content could not be read.
    """
    return list(findings(closed_elsewhere, closed_elsewhere.run(branch, context), None, None))


def _files(branch: Branch, context: Context) -> Iterator[TextFile]:
    for text in (*branch.words, *(TRAILER.sub("", message) for message in branch.messages)):
        yield _written(text)
    for start in range(0, len(branch.names), _NAMES_TOGETHER):
        yield _written("\n".join(branch.names[start : start + _NAMES_TOGETHER]))
    for name in branch.names:
        yield TextFile(context.registry.layout.place(name), b"")
    for path, data in branch.contents():
        yield TextFile(context.registry.layout.place(path), data)


def _written(text: str) -> TextFile:
    place = _MARKDOWN if any(mark in text for mark in _MARKS) else _PLAIN
    return TextFile(place, text.encode("utf-8", "surrogatepass"))


def _is_closed(file: TextFile, context: Context) -> bool:
    # What cannot be read cannot be shown to be harmless.
    if file.is_opaque or file.refusal is not None or has_secret(file.text):
        return True
    return any(
        next(iter(check.run(file, context)), None) is not None for check in CLOSED_CHECKS if file.kind in check.kinds
    )
