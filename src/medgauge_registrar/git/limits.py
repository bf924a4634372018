"""Bounds on what git may cost, so that a hostile or huge repository ends in an error and never in a wait."""

from medgauge_registrar.model.frozen import frozen

MAX_CHANGED_PATHS = 20_000
MAX_COMMITS = 10_000
MAX_BLOB_BYTES = 32 * 1024 * 1024
MAX_TREE_BYTES = 64 * 1024 * 1024
MAX_MEMORY_BYTES = 2 * 1024 * 1024 * 1024


@frozen
class Limits:
    """
    What one repository may cost; passing any of them is a `ReadError`.

    Attributes:
        seconds: Time for one git command, or for one answer of the object reader.
        output_bytes: Standard output of one git command.
        memory_bytes: Memory that one git may take for itself, where the system can bound it.
        commits: Commits of one pull request.
        changed_paths: Paths that one comparison may list.
        blob_bytes: Size of one file.
        tree_bytes: Size of one tree object.
        tree_entries: Names that one walk may see, folders included; what bounds a tree that repeats one subtree.
        tree_depth: Nested folders.
        path_bytes: Length of one path.
    """

    seconds: float = 60.0
    output_bytes: int = 256 * 1024 * 1024
    memory_bytes: int = MAX_MEMORY_BYTES
    commits: int = MAX_COMMITS
    changed_paths: int = MAX_CHANGED_PATHS
    blob_bytes: int = MAX_BLOB_BYTES
    tree_bytes: int = MAX_TREE_BYTES
    tree_entries: int = 2_000_000
    tree_depth: int = 64
    path_bytes: int = 4096


DEFAULT_LIMITS = Limits()
