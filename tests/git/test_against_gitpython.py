"""Trees and changes are those that GitPython reads, on random histories."""

import itertools
from pathlib import Path
from random import Random

import pytest

import git
from medgauge_registrar.model.change import PathChange
from support.repositories import MadeRepository

NAMES = ("a", "a.b", "a-b", "ab", "é", "b", "c")


def random_files(chance: Random, before: dict[str, str]) -> dict[str, str]:
    """Some files, in folders whose names sort near those of files."""
    files = {path: text for path, text in before.items() if chance.random() < 0.7}
    for _ in range(chance.randint(1, 8)):
        path = "/".join(chance.sample(NAMES, chance.randint(1, 3)))
        if not any(known.startswith(f"{path}/") or path.startswith(f"{known}/") for known in files):
            files[path] = str(chance.randint(0, 3))
    return files


@pytest.mark.parametrize("seed", range(12))
def test_random_histories(seed: int, made: MadeRepository, opened) -> None:
    """Every file of every commit, and every path that two commits have otherwise."""
    chance, files, commits = Random(seed), dict[str, str](), list[str]()
    for _ in range(4):
        files = random_files(chance, files)
        commits.append(made.commit(files, *commits[-1:]))
    ours, theirs = opened(made), git.Repo(Path(made.git_dir))
    for sha in commits:
        listed = {path: (entry.mode, entry.oid) for path, entry in ours.tree(sha).walk("")}
        assert listed == {
            str(blob.path): (f"{blob.mode:06o}", blob.hexsha)
            for blob in theirs.commit(sha).tree.traverse()
            if blob.type == "blob"
        }
    for old, new in itertools.pairwise(commits):
        told = {
            name: (one.a_blob.hexsha if one.a_blob else None, one.b_blob.hexsha if one.b_blob else None)
            for one in theirs.commit(old).diff(new, no_renames=True)
            for name in [one.b_path or one.a_path]
        }
        found = ours.changes(ours.tree(old).oid, ours.tree(new).oid)
        assert {name: pair for change in found for name, pair in _both_names(change)} == told
    theirs.close()


def _both_names(change: PathChange) -> list[tuple[str, tuple[str | None, str | None]]]:
    """A renamed file as one that went and one that came."""
    before, after = (entry.oid if entry else None for entry in (change.before, change.after))
    if change.previous_path is None:
        return [(change.path, (before, after))]
    return [(change.previous_path, (before, None)), (change.path, (None, after))]
