"""Articles (VER-10): each has a day, and a successor names what it replaces."""

from collections.abc import Iterator, Mapping

from medgauge_registrar.checks.framework import Context, Problem, problem_of, tree_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Document
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.registry.front_matter import read_front_matter
from medgauge_registrar.registry.methodology_text import is_day
from medgauge_registrar.registry.records import Registry

_SCHEMA = "article"


@tree_check("VER-10", section="29", kinds={Kind.ARTICLE})
def unsound_article(context: Context) -> Iterator[Problem]:
    """
    An article states its day and, where it replaces another, names that one; no article has two successors or succeeds itself.

    Articles have no version, so the day and the chain of successors tell which one holds. Begin the text with a block between
    two lines `---` that holds `date`, `title` and, for a successor, `supersedes`.

    Passes: date: 2026-11-20 and supersedes: articles/first.md
    Fails: supersedes: articles/none.md
    """
    registry = context.registry
    articles = dict(_articles(registry))
    replaced = {path: target for path, document in articles.items() if (target := _supersedes(document))}
    successors: dict[str, str] = {}
    for path, document in articles.items():
        yield from _faults(path, document, registry)
        target = replaced.get(path)
        if target is None:
            continue
        if target not in articles:
            message, advice = (
                f"`supersedes` names `{target}`, which is not there; expected the path of an article",
                "Add that article in this pull request, or correct the path.",
            )
        elif _returns(path, replaced):
            message, advice = (
                f"`supersedes` leads from `{target}` back to this article; expected a way that ends",
                "Name an older article, or leave `supersedes` out.",
            )
        elif (first := successors.setdefault(target, path)) != path:
            message, advice = (
                f"`supersedes` names `{target}`, which is already superseded by `{first}`; expected the newest of its series",
                f"Name `{first}`, or leave `supersedes` out.",
            )
        else:
            continue
        yield Problem(message=message, help=advice, path=path, position=document.position("/supersedes"))


def _articles(registry: Registry) -> Iterator[tuple[str, Document]]:
    folder = registry.layout.folder(Kind.ARTICLE)
    entries = [
        (path, entry)
        for path, entry in registry.tree.walk(folder)
        if entry.mode in FILE_MODES and path.endswith(".md") and registry.layout.place(path).kind is Kind.ARTICLE
    ]
    for path, data in registry.tree.read_many(entries):
        yield path, read_front_matter(data)


def _faults(path: str, document: Document, registry: Registry) -> Iterator[Problem]:
    for fault in document.faults:
        yield problem_of(fault, path)
    if document.faults:
        return
    if _SCHEMA in registry.schemas:
        for problem in registry.schemas.problems(_SCHEMA, document.value):
            yield Problem(
                message=f"`{problem.pointer}`: {problem.message}" if problem.pointer else problem.message,
                help=f"{problem.help} {problem.described}".strip(),
                path=path,
                position=document.position(problem.pointer),
            )
    elif not (isinstance(document.value, dict) and is_day(str(document.value.get("date")))):
        yield Problem(
            message="`date` is missing, or no day; expected a day such as `2026-11-20`", help="Add the day.", path=path,
            position=document.position("/date"),
        )  # fmt: skip


def _supersedes(document: Document) -> str | None:
    target = document.value.get("supersedes") if isinstance(document.value, dict) else None
    return target if isinstance(target, str) else None


def _returns(path: str, replaced: Mapping[str, str]) -> bool:
    """Whether following the links from an article leads back to it."""
    seen = {path}
    target = replaced.get(path)
    while target is not None and target not in seen:
        seen.add(target)
        target = replaced.get(target)
    return target == path
