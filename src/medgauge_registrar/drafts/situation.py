"""What a draft starts from: the registry before and after a change, and what lies between."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import unified_diff
from pathlib import Path

from medgauge_registrar.classify.classify import Classified, classify
from medgauge_registrar.git.changes import compare
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.model.change import Change
from medgauge_registrar.model.errors import PolicyError
from medgauge_registrar.model.frozen import frozen
from medgauge_registrar.policy.load import Policy, tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.whole import schemas_of, tree_at

Drafts = Mapping[str, str]
"""Contents by path."""


@frozen
class Situation:
    """
    A change that something is missing from.

    Attributes:
        base: The registry before it.
        head: The registry after it: a commit, or the author's own work tree.
        classified: What lies between, with its meaning.
        policy: Table, layout and settings of the base.
    """

    base: Registry
    head: Registry
    classified: tuple[Classified, ...]
    policy: Policy

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes without the facets that led to their rows."""
        return tuple(item.change for item in self.classified)


@contextmanager
def situation(repository: Path, base: str, head: str | None) -> Iterator[Situation]:
    """
    Open what lies between a base branch and a head; for a null head the work tree.

    Raises:
        ReadError: A commit or the work tree cannot be read.
        PolicyError: The settings on the base branch are unusable.
    """
    with Repository.open(repository) as opened:
        base_sha, head_sha = opened.resolve(base, head or "HEAD")
        # What the base branch did since the two parted is not the author's doing.
        before, after = opened.tree(opened.merge_base(base_sha, head_sha)), tree_at(opened, head)
        changes = compare(before, after) if head is None else opened.changes(before.oid, after.oid)
        policy, schemas = tree_policy(before), schemas_of(before)
        old, new = (Registry(tree, policy.layout, schemas) for tree in (before, after))
        yield Situation(
            base=old, head=new, classified=classify(changes, base=old, head=new, table=policy.table), policy=policy
        )


def shown(drafts: Drafts, head: Registry) -> str:
    """Drafts as text: a new file as it is below its path, a changed one as a patch that `git apply` takes."""
    blocks = []
    for path, text in sorted(drafts.items()):
        if not head.has(path):
            blocks.append(f"# {path}\n{text}")
            continue
        former = (head.tree.read(path) or b"").decode("utf-8", "replace")
        lines = unified_diff(former.splitlines(True), text.splitlines(True), f"a/{path}", f"b/{path}")
        blocks.append(
            "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
        )
    return "\n".join(blocks) or "Nothing is missing.\n"


def written(drafts: Drafts, repository: Path) -> str:
    """
    Write drafts into a work tree, and say which.

    Raises:
        PolicyError: A file cannot be written there.
    """
    for path, text in sorted(drafts.items()):
        target = repository / path
        try:
            if target.is_symlink():
                raise PolicyError(f"{target}: is a symbolic link; nothing was written through it")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        except OSError as error:
            raise PolicyError(f"{target}: cannot be written ({error.strerror})") from None
    return "".join(f"wrote {path}\n" for path in sorted(drafts)) or "Nothing is missing.\n"
