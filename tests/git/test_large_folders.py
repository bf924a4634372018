"""A folder of thousands of names, of which a commit changes few: read like the folder before it, and never otherwise."""

import pytest

from medgauge_registrar.git.store import _LARGE_BYTES
from support.repositories import MadeRepository

NAMES = [f"folder/name-{number:05}.yaml" for number in range(2_500)]
FILES = dict.fromkeys(NAMES, "a")
FIRST, MIDDLE, LAST = NAMES[0], NAMES[1_200], NAMES[-1]


@pytest.mark.parametrize(
    "changed",
    [
        {FIRST: "b"},
        {LAST: "b"},
        {MIDDLE: "b"},
        {FIRST: "b", MIDDLE: "b", LAST: "b"},
        {FIRST: None},
        {LAST: None},
        {MIDDLE: None, NAMES[1_201]: None},
        {"folder/name": "b"},
        {"folder/name-01200": "b", "folder/name-01200.yaml-more": "b"},
        {"folder/zzz": "b"},
        {MIDDLE: None, f"{MIDDLE}/below": "b"},
        dict.fromkeys(NAMES, "b"),
        dict.fromkeys(NAMES[1:]),
    ],
    ids=lambda changed: f"{len(changed)}-{next(iter(changed))}",
)
def test_few_names_differ(changed, made: MadeRepository, opened) -> None:
    """The trees and what differs between them are what was written, whichever was read first."""
    after = {path: text for path, text in (FILES | changed).items() if text is not None}
    first = made.commit(FILES)
    second = made.commit(after, first)
    assert int(made.git("cat-file", "-s", f"{first}:folder")) > _LARGE_BYTES
    for one, other, files, others in ((first, second, FILES, after), (second, first, after, FILES)):
        repository = opened(made)
        found = repository.changes(repository.tree(one).oid, repository.tree(other).oid)
        assert {change.path for change in found} | {change.previous_path for change in found} - {None} == {
            path for path in files.keys() | others.keys() if files.get(path) != others.get(path)
        }
        for sha, written in ((one, files), (other, others)):
            tree = repository.tree(sha)
            assert [path for path, _ in tree.walk("")] == sorted(written)
            assert {path: data.decode() for path, data in tree.read_many(tree.walk(""))} == written
