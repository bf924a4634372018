"""The generator PCG64 (XSL-RR 128/64), its explicit seeding, and indices drawn from it."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from typing import Any, NamedTuple

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_MASK_64 = (1 << 64) - 1
_MASK_128 = (1 << 128) - 1
_BLOCK_DRAWS = 1 << 15
"""Draws held at once, so that their arrays stay in the processor's cache."""


def seeded(text: str) -> tuple[int, int]:
    """
    Derive state and increment from a text.

    Returns:
        The first and the last 16 bytes of the SHA-256 of the text in UTF-8, big-endian; the increment made odd.
    """
    digest = sha256(text.encode()).digest()
    return int.from_bytes(digest[:16]), int.from_bytes(digest[16:]) | 1


def words(state: int, increment: int) -> Iterator[int]:
    """
    Yield 64-bit words without end: the state steps first, then is scrambled into a word.

    Source:
        O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms" (2014), XSL-RR 128/64.
    """
    while True:
        state = (state * _MULTIPLIER + increment) & _MASK_128
        mixed = (state >> 64) ^ (state & _MASK_64)
        turn = state >> 122
        yield (mixed >> turn | mixed << (64 - turn)) & _MASK_64


def resampled_sums(columns: Sequence[Sequence[int]], *, seed: str, resamples: int) -> list[list[int]]:
    """
    Draw items with replacement and add up each column over every resample.

    Each word gives two draws, its lower 32 bits first; a draw `h` picks the item of index `h * n >> 32`. The first
    n draws are the first resample. All columns see the same draws.

    Args:
        columns: Whole numbers of the n items, one sequence a quantity; n is 1 or more and the same for all.
        seed: Text that `seeded` turns into the generator's start.
        resamples: Number of resamples, even.

    Returns:
        For each column its sums, in the order drawn. NumPy, where installed, only makes it faster: whole-number
        arithmetic leaves the two ways nothing to differ in.
    """
    try:
        numpy: Any = import_module("numpy")
    except ImportError:
        return sums_in_python(columns, seed=seed, resamples=resamples)
    return sums_in_numpy(numpy, columns, seed=seed, resamples=resamples)


def sums_in_python(columns: Sequence[Sequence[int]], *, seed: str, resamples: int) -> list[list[int]]:
    """Do what `resampled_sums` promises with the standard library alone."""
    n = len(columns[0])
    stream = words(*seeded(seed))
    sums: list[list[int]] = [[] for _ in columns]
    for _ in range(resamples // 2):
        # Two resamples take n whole words, so that none is cut in half between two rounds.
        draws = []
        for word in (next(stream) for _ in range(n)):
            draws.append((word & 0xFFFFFFFF) * n >> 32)
            draws.append((word >> 32) * n >> 32)
        for column, out in zip(columns, sums, strict=True):
            out.append(sum(map(column.__getitem__, draws[:n])))
            out.append(sum(map(column.__getitem__, draws[n:])))
    return sums


def sums_in_numpy(numpy: Any, columns: Sequence[Sequence[int]], *, seed: str, resamples: int) -> list[list[int]]:
    """
    Do what `resampled_sums` promises with NumPy's bit generator of the same name.

    Source:
        NEP 19: the streams of bit generators do not change between versions of NumPy.
    """
    n = len(columns[0])
    state, increment = seeded(seed)
    generator = numpy.random.PCG64(0)
    generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": 0,
        "uinteger": 0,
    }
    floors = [low if (low := min(column)) < 0 or low == max(column) else 0 for column in columns]
    packed, fields = _packed(columns, floors)
    limbs = [numpy.array(limb, dtype=numpy.int64) for limb in packed]
    parts = numpy.empty((len(limbs), resamples), numpy.int64)
    step = max(2, _BLOCK_DRAWS // n // 2 * 2)
    # Working arrays are made once: fresh ones of this size would cost more than the arithmetic.
    draws, taken = numpy.empty(step * n, numpy.uint64), numpy.empty((step, n), numpy.int64)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        block = draws[: rows * n]
        block[:] = generator.random_raw(rows * n // 2).astype("<u8", copy=False).view("<u4")
        block *= n
        block >>= 32
        picks = block.view(numpy.int64).reshape(rows, n)
        for limb, part in zip(limbs, parts, strict=True):
            # No index is out of range; the mode only spares NumPy a copy.
            limb.take(picks, out=taken[:rows], mode="clip").sum(axis=1, out=part[start : start + rows])
    sums = []
    for floor, own in zip(floors, fields, strict=True):
        found = [n * floor] * resamples
        for field in own:
            part = (parts[field.limb] >> field.offset & (1 << field.width) - 1).tolist()
            # Python's own whole numbers, which have no width to overflow.
            found = [a + (b << field.shift) for a, b in zip(found, part, strict=True)] if floor or field.shift else part
        sums.append(found)
    return sums


class _Field(NamedTuple):
    """Where the sum of a column, or of its bits from `shift` upwards, stands in the sums of a limb."""

    shift: int
    limb: int
    offset: int
    width: int


def _packed(columns: Sequence[Sequence[int]], floors: Sequence[int]) -> tuple[list[list[int]], list[list[_Field]]]:
    """
    Pack columns less their floors into as few whole numbers an item as add up in machine words.

    Columns share a limb, each in a field wide enough for its sum, so that small ones cost one pass together; one that is
    too wide is cut into several fields, so that numbers of any size stay exact.
    """
    n = len(columns[0])
    cut_bits = 63 - n.bit_length()
    limbs, fields, used = [[0] * n], [], 0
    for column, floor in zip(columns, floors, strict=True):
        own = []
        for shift in range(0, (max(column) - floor).bit_length(), cut_bits):
            part = [value - floor >> shift & (1 << cut_bits) - 1 for value in column]
            width = (n * max(part)).bit_length()
            if used + width > 63:
                limbs.append([0] * n)
                used = 0
            limbs[-1] = [limb | value << used for limb, value in zip(limbs[-1], part, strict=True)]
            own.append(_Field(shift=shift, limb=len(limbs) - 1, offset=used, width=width))
            used += width
        fields.append(own)
    return limbs, fields
