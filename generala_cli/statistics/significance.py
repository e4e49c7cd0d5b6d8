"""Tests of significance, with two-sided p-values (Fisher, Statistical Methods for Research Workers, 1925)."""

from collections.abc import Collection
from math import exp, lgamma, log, log1p, sqrt

from msgspec import Struct

LEVEL = 0.05
"""A difference is significant if its p-value is at most this."""
_CONVERGED = 1e-15
_MOST_STEPS = 10_000


class Sample(Struct, frozen=True, kw_only=True):
    count: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: Collection[int]) -> "Sample":
        return cls(count=len(values), total=sum(values), squares=sum(value * value for value in values))

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def variance(self) -> float | None:
        if self.count < 2:
            return None
        return (self.count * self.squares - self.total**2) / (self.count * (self.count - 1))

    @property
    def spread(self) -> float | None:
        return None if self.variance is None else sqrt(self.variance)


def sign_test(more: int, fewer: int) -> float:
    """Return the p-value of the numbers of games in which each of two players was ahead.

    The test is exact: twice the smaller tail of fair coin tosses. Ties are ignored (Dixon and Mood, The
    statistical sign test, 1946; Conover, Practical Nonparametric Statistics).
    """
    games = more + fewer
    term, tail = 1, 1
    for heads in range(min(more, fewer)):
        term = term * (games - heads) // (heads + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << games))


def paired_test(differences: Sample) -> float:
    """Return the p-value of differences in the same games, by the t of their mean.

    Source: Student, The probable error of a mean, 1908. If differences are equal or few, it is at least the
    minimum of the exact sign-flip test: 2 divided by 2 to the power of the number of games.
    """
    if differences.total == 0:
        return 1.0
    least = 0.5 ** (differences.count - 1)
    if differences.variance is None:
        return 1.0
    error = sqrt(differences.variance / differences.count)
    p = students_t(differences.mean / error, differences.count - 1) if error else 0.0
    return max(p, least)


def welch_test(one: Sample, other: Sample) -> float:
    """Return the p-value of the difference of two means, by Welch's t.

    Source: Welch, The generalization of Student's problem, Biometrika 1947, with Satterthwaite's degrees of
    freedom. For few numbers, it is at least the minimum of the exact permutation test.
    """
    if one.variance is None or other.variance is None or one.mean == other.mean:
        return 1.0
    first, second = one.variance / one.count, other.variance / other.count
    ways = lgamma(one.count + other.count + 1) - lgamma(one.count + 1) - lgamma(other.count + 1)
    least = min(1.0, 2 * exp(-ways))
    if first + second == 0:
        return least
    freedom = (first + second) ** 2 / (first**2 / (one.count - 1) + second**2 / (other.count - 1))
    return max(students_t((one.mean - other.mean) / sqrt(first + second), freedom), least)


def students_t(t: float, freedom: float) -> float:
    """Return the probability that Student's t with these degrees of freedom is at least that far from 0."""
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b) by its continued fraction (DLMF 8.17.22), which converges fast below the mean."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """Return 1 + d1/(1 + d2/(1 + ...)), evaluated forward (Lentz's method)."""
    found, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        m = step // 2
        if step % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        above = 1 + d / above
        below = 1 / (1 + d * below)
        found *= above * below
        if abs(above * below - 1) < _CONVERGED:
            break
    return found
