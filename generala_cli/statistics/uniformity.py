"""Pearson's chi-squared test of all faces of a die together (Philosophical Magazine, 1900)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import erfc, exp, factorial, lgamma, log, prod, sqrt
from statistics import NormalDist

from generala_cli.statistics.significance import LEVEL

_FEWEST_EXPECTED = 5
"""The expected count of each face above which chi-squared is accurate enough (Cochran, Biometrics 1954)."""
_ENOUGH = 1e-12
_TAILS = 9
"""Counts that many standard deviations from the mean are too unlikely to matter."""


def uniformity_test(counts: Sequence[int]) -> float:
    """Return the probability that fair dice are at least as uneven; exact below five expected per face."""
    thrown, faces = sum(counts), len(counts)
    if thrown < _FEWEST_EXPECTED * faces:
        return _exact_test(counts)
    squares = sum(count * count for count in counts)
    return chi_squared_tail(squares * faces / thrown - thrown, faces - 1)


def _exact_test(counts: Sequence[int]) -> float:
    """Return the share of results with at least this sum of squares."""
    thrown, faces = sum(counts), len(counts)
    squares = sum(count * count for count in counts)
    ways = sum(
        _ways(others)
        for others in _partitions(thrown, faces, thrown)
        if sum(count * count for count in others) >= squares
    )
    return float(ways / faces**thrown)


def _ways(counts: Sequence[int]) -> int:
    orders = factorial(len(counts)) // prod(map(factorial, Counter(counts).values()))
    return orders * (factorial(sum(counts)) // prod(map(factorial, counts)))


def _partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    if parts == 0:
        yield ()
        return
    for first in range(min(total, most), -(-total // parts) - 1, -1):
        for others in _partitions(total - first, parts - 1, first):
            yield (first, *others)


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the probability that chi-squared is at least that large (recurrence: DLMF 8.8.2)."""
    half = statistic / 2
    if half <= 0 or not freedom:
        return 1.0 if half <= 0 else 0.0
    tail, degrees = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)
    while degrees < freedom:
        tail += exp(degrees / 2 * log(half) - half - lgamma(degrees / 2 + 1))
        degrees += 2
    return min(1.0, tail)


def noticed(thrown: int, faces: int, excess: float, level: float = LEVEL) -> float:
    """Return the probability that the test notices a face that comes up too often by this excess.

    It is exact if the test is. With more dice, the count of that face is binomial, and the unevenness of the
    others has a chi-squared distribution with one degree of freedom less. An excess of 0.2 means a fifth.
    """
    often = (1 + excess) / faces  # the probability of that face
    if thrown < _FEWEST_EXPECTED * faces:
        return _exactly_noticed(thrown, faces, often, level)
    found, others = 0.0, faces - 1
    least = (_critical(others, level) + thrown) * thrown / faces  # the smallest sum of squares noticed
    spread = sqrt(thrown * often * (1 - often))
    low, high = (round(thrown * often + side * _TAILS * spread) for side in (-1, 1))
    for times in range(max(0, low), min(thrown, high) + 1):
        rest = thrown - times
        uneven = (least - times * times) * others / rest - rest if rest else 0.0
        chance = exp(
            lgamma(thrown + 1)
            - lgamma(times + 1)
            - lgamma(rest + 1)
            + times * log(often)
            + rest * log(1 - often)
        )
        found += chance * chi_squared_tail(uneven, others - 1)
    return min(1.0, found)


def _exactly_noticed(thrown: int, faces: int, often: float, level: float) -> float:
    """Return the probability of all results that the test notices, most uneven first."""
    by_squares: dict[int, list[tuple[int, ...]]] = {}
    for counts in _partitions(thrown, faces, thrown):
        by_squares.setdefault(sum(count * count for count in counts), []).append(counts)
    seldom = (1 - often) / (faces - 1)
    ways, found = 0, 0.0
    for squares in sorted(by_squares, reverse=True):
        ways += sum(map(_ways, by_squares[squares]))
        if ways / faces**thrown > level:
            break
        for counts in by_squares[squares]:
            # The frequent face has each of the counts equally often.
            chances = (often**count * seldom ** (thrown - count) for count in counts)
            found += _ways(counts) * sum(chances) / faces
    return found


def dice_to_notice(faces: int, excess: float, power: float, level: float = LEVEL) -> int:
    """Return the number of dice that notice, with this probability, that a face comes too often."""
    few, many = 0, _FEWEST_EXPECTED * faces
    while noticed(many, faces, excess, level) < power:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if noticed(middle, faces, excess, level) >= power else (middle, many)
    return many


def _critical(freedom: int, level: float) -> float:
    low, high = 0.0, 1_000.0
    while high - low > _ENOUGH * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_squared_tail(middle, freedom) > level else (low, middle)
    return high


def shares(counts: Sequence[int], level: float = LEVEL) -> Sequence[tuple[float, float]]:
    """Return a confidence interval for the share of each face, for all faces together.

    Each is Wilson's (Probable inference, 1927), with the level divided by the number of faces (Goodman, On
    simultaneous confidence intervals for multinomial proportions, Technometrics 1965).
    """
    thrown = sum(counts)
    z = NormalDist().inv_cdf(1 - level / (2 * len(counts)))
    found = []
    for count in counts:
        middle = (count + z * z / 2) / (thrown + z * z)
        reach = z * sqrt(count * (thrown - count) / thrown + z * z / 4) / (thrown + z * z)
        found.append((max(0.0, middle - reach), min(1.0, middle + reach)))
    return found
