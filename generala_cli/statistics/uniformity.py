"""Whether every face of a die comes equally often: the test, what it could see, and how often each may come.

The test is Pearson's chi-squared (On the criterion..., Philosophical Magazine, 1900) of all faces together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import erfc, exp, factorial, lgamma, log, prod, sqrt
from statistics import NormalDist

from generala_cli.statistics.significance import LEVEL

_FEWEST_EXPECTED = 5
"""Of each face, from which on the distribution of chi-squared is near enough (Cochran, Biometrics 1954)."""
_ENOUGH = 1e-12


def uniformity_test(counts: Sequence[int]) -> float:
    """Return how likely even dice come out at least as uneven as faces that came so many times each.

    Exact where a face is expected fewer than five times.
    """
    thrown, faces = sum(counts), len(counts)
    if thrown < _FEWEST_EXPECTED * faces:
        return _exact_test(counts)
    squares = sum(count * count for count in counts)
    return chi_squared_tail(squares * faces / thrown - thrown, faces - 1)


def _exact_test(counts: Sequence[int]) -> float:
    """Count the ways in which dice fall with at least such a sum of squares, with which chi-squared grows."""
    thrown, faces = sum(counts), len(counts)
    squares = sum(count * count for count in counts)
    ways = 0
    for others in _partitions(thrown, faces, thrown):
        if sum(count * count for count in others) >= squares:
            orders = factorial(faces) // prod(map(factorial, Counter(others).values()))
            ways += orders * (factorial(thrown) // prod(map(factorial, others)))
    return float(ways / faces**thrown)


def _partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to write a number as so many numbers from 0 to `most`, the largest first."""
    if parts == 0:
        yield ()
        return
    for first in range(min(total, most), -(-total // parts) - 1, -1):
        for others in _partitions(total - first, parts - 1, first):
            yield (first, *others)


def chi_squared_tail(statistic: float, freedom: int, shift: float = 0) -> float:
    """Return the probability that chi-squared of so many degrees of freedom is at least so large.

    By its recurrence in the degrees of freedom (DLMF 8.8.2).

    Args:
        shift: the noncentrality, which makes a mixture by Poisson's distribution (Patnaik, Biometrika 1949).
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    tail, degrees = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)

    def term(degrees: int) -> float:
        return exp(degrees / 2 * log(half) - half - lgamma(degrees / 2 + 1))

    while degrees < freedom:
        tail, degrees = tail + term(degrees), degrees + 2
    if not shift:
        return min(1.0, tail)
    mean, found, left = shift / 2, 0.0, 1.0
    for mixed in range(int(mean + 12 * sqrt(mean) + 40)):
        weight = exp(mixed * log(mean) - mean - lgamma(mixed + 1))
        found, left = found + weight * tail, left - weight
        tail, degrees = tail + term(degrees), degrees + 2
    return min(1.0, found + max(0.0, left))


def noticed(thrown: int, faces: int, excess: float, level: float = LEVEL) -> float:
    """Return how likely the test notices, in so many dice, that one face comes too often.

    Args:
        excess: by what share of what is due to the face; the others come equally seldom.
    """
    return chi_squared_tail(_critical(faces - 1, level), faces - 1, thrown * _shift(faces, excess))


def dice_to_notice(faces: int, excess: float, power: float, level: float = LEVEL) -> int:
    """Return how many dice it takes to notice with that probability that one face comes too often."""
    few, many = 0, 1
    while noticed(many, faces, excess, level) < power:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if noticed(middle, faces, excess, level) >= power else (middle, many)
    return many


def _shift(faces: int, excess: float) -> float:
    """Return what each die adds to the noncentrality."""
    return excess * excess / (faces - 1)


def _critical(freedom: int, level: float) -> float:
    """Return from which chi-squared on the test is at that level."""
    low, high = 0.0, 1_000.0
    while high - low > _ENOUGH * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_squared_tail(middle, freedom) > level else (low, middle)
    return high


def shares(counts: Sequence[int], level: float = LEVEL) -> Sequence[tuple[float, float]]:
    """Return between what shares each face may really come, all of them at once but at that level.

    Each is the interval of Wilson (Probable inference, 1927) with the level divided among the faces, as by
    Goodman, On simultaneous confidence intervals for multinomial proportions (Technometrics 1965).
    """
    thrown = sum(counts)
    z = NormalDist().inv_cdf(1 - level / (2 * len(counts)))
    found = []
    for count in counts:
        middle = (count + z * z / 2) / (thrown + z * z)
        reach = z * sqrt(count * (thrown - count) / thrown + z * z / 4) / (thrown + z * z)
        found.append((max(0.0, middle - reach), min(1.0, middle + reach)))
    return found
