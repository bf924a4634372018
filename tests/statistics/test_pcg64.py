"""The generator and its draws: the two ways agree with each other and with NumPy."""

from hashlib import sha256
from itertools import islice

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge_registrar.statistics import pcg64


@pytest.mark.parametrize("seed", [0, 1, 20261129])
def test_words_are_those_of_numpy(seed: int) -> None:
    """The written-out generator equals NumPy's from the same state."""
    peer = numpy.random.PCG64(seed)
    start = peer.state["state"]
    assert list(islice(pcg64.words(start["state"], start["inc"]), 500)) == peer.random_raw(500).tolist()


def test_seeding_is_the_digest_of_the_text() -> None:
    """State and increment are the halves of SHA-256, the increment made odd."""
    state, increment = pcg64.seeded("intervals@0.1.0:7")
    digest = sha256(b"intervals@0.1.0:7").hexdigest()
    assert f"{state:032x}" == digest[:32]
    assert increment == int(digest[32:], 16) | 1


def test_draws_follow_the_words() -> None:
    """Two draws a word, the lower half first; n draws a resample; the index is the product's upper half."""
    n = 5
    words = list(islice(pcg64.words(*pcg64.seeded("x")), n))
    halves = [half for word in words for half in (word % 2**32, word // 2**32)]
    picks = [half * n // 2**32 for half in halves]
    items = [1, 10, 100, 1000, 10000]
    expected = [sum(items[i] for i in picks[:n]), sum(items[i] for i in picks[n:])]
    assert pcg64.resampled_sums([items], seed="x", resamples=2) == [expected]


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-(10**40), 10**40) | st.integers(-3, 3), min_size=n, max_size=n),
            min_size=1,
            max_size=3,
        )
    ),
    st.text(max_size=8),
)
def test_both_ways_give_the_same_sums(columns: list[list[int]], seed: str) -> None:
    """Whole numbers of any size and sign, alone or together."""
    plain = pcg64.sums_in_python(columns, seed=seed, resamples=20)
    assert pcg64.sums_in_numpy(numpy, columns, seed=seed, resamples=20) == plain
    assert [pcg64.sums_in_numpy(numpy, [column], seed=seed, resamples=20)[0] for column in columns] == plain


@pytest.mark.parametrize(
    ("columns", "limbs"),
    [
        ([[5, 5, 5]], 1),
        # A sum of three may have two bits more than each, so a number of more than 61 bits is cut in two.
        ([[2**61 - 1] * 2 + [0]], 1),
        ([[2**62 - 1] * 2 + [0]], 2),
        # Sums of 32 and 31 bits fill a word; one bit more does not fit beside them.
        ([[2**30] * 2 + [0], [2**29] * 2 + [0]], 1),
        ([[2**30] * 2 + [0], [2**29] * 2 + [0], [1, 0, 0]], 2),
        ([[2**30] * 2 + [0], [2**30] * 2 + [0]], 2),
        # A fresh word is filled from its first bit on.
        ([[2**61 - 1] * 2 + [0], [2**30] * 2 + [0], [2**29] * 2 + [0]], 2),
        ([[-3, 0, 3]], 1),
        ([[-1, 4, 2**200 - 2], [7, 7, 7], [-(2**70), -(2**70), -1]], 6),
    ],
)
def test_columns_share_machine_words(columns: list[list[int]], limbs: int) -> None:
    """At the edges of a word nothing is lost, and no more words are summed than are needed."""
    plain = pcg64.sums_in_python(columns, seed="edge", resamples=40)
    assert pcg64.sums_in_numpy(numpy, columns, seed="edge", resamples=40) == plain
    assert len(pcg64._packed(columns, [min(column) for column in columns])[0]) == limbs


@pytest.mark.parametrize("n", [1, 2, 13, 181, 9000, 9001, 20_001])
def test_blocks_leave_no_seam(n: int) -> None:
    """Many blocks of draws give the sums of one long stream."""
    column = [i * i for i in range(n)]
    resamples = 20 if n > 1000 else 400
    plain = pcg64.sums_in_python([column], seed="seam", resamples=resamples)
    assert pcg64.sums_in_numpy(numpy, [column], seed="seam", resamples=resamples) == plain


def test_numpy_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NumPy the sums are the same."""

    def absent(name: str) -> object:
        assert name == "numpy"
        raise ImportError(name)

    expected = pcg64.resampled_sums([[1, 2, 4]], seed="x", resamples=50)
    monkeypatch.setattr(pcg64, "import_module", absent)
    assert pcg64.resampled_sums([[1, 2, 4]], seed="x", resamples=50) == expected


def test_draws_are_even() -> None:
    """Each of 13 items comes up as often as chance allows (chi-squared on 130,000 draws, fixed seed)."""
    unit = [1000**i for i in range(13)]
    total = sum(pcg64.resampled_sums([unit], seed="even", resamples=2)[0])
    assert sum(total // 1000**i % 1000 for i in range(13)) == 26
    sums = pcg64.resampled_sums([[int(i == j) for i in range(13)] for j in range(13)], seed="even", resamples=10_000)
    counts = [sum(column) for column in sums]
    assert sum(counts) == 130_000
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 33  # 0.1 % point of 12 degrees of freedom
