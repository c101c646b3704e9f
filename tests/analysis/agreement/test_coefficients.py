"""The coefficients against published worked examples.

The contingency table and the ratings of four raters stand in the manual of irrCAC (Gwet 2019, vignette "Calculating
chance-corrected agreement coefficients", after the Handbook of Inter-Rater Reliability); the latter are also the example
in Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). For a table of two raters the manual divides
variances by n, here by n - 1, hence the factor.
"""

from math import sqrt

import pytest

from corpus.analysis.agreement.coefficients import (
    cohens_kappa,
    gwets_ac1,
    krippendorffs_alpha,
    raw_agreement,
)

ABSTRACTORS = {("e", "e"): 13, ("a", "a"): 20, ("a", "n"): 7, ("n", "a"): 4, ("n", "n"): 56}
PAIRS = [pair for pair, times in ABSTRACTORS.items() for _ in range(times)]
TWO = {str(number): {"first": a, "second": b} for number, (a, b) in enumerate(PAIRS)}
LINES = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
FOUR = {
    str(unit): {str(r): line[unit] for r, line in enumerate(LINES) if line[unit] != "."}
    for unit in range(12)
}


@pytest.mark.parametrize(
    ("coefficient", "ratings", "value", "error", "interval"),
    [
        (cohens_kappa, PAIRS, 0.7964094, 0.05891072, (0.680, 0.913)),
        (gwets_ac1, TWO, 0.8493305, 0.04321747, (0.764, 0.935)),
        (krippendorffs_alpha, TWO, 0.7972585, 0.05905473, (0.680, 0.914)),
    ],
)
def test_two_raters_of_the_manual(coefficient, ratings, value, error, interval):
    found = coefficient(ratings, "ean")
    assert found.value == pytest.approx(value, abs=1e-7)
    assert found.error == pytest.approx(error * sqrt(100 / 99), abs=2e-6)
    assert (found.low, found.high) == pytest.approx(interval, abs=2e-3)


def test_four_raters_with_missing_ratings():
    ac1 = gwets_ac1(FOUR, "12345")
    assert ac1.value == pytest.approx(0.77544, abs=1e-5)
    assert ac1.error == pytest.approx(0.14295, abs=1e-5)
    assert (ac1.low, ac1.high) == pytest.approx((0.461, 1.0), abs=1e-3)
    alpha = krippendorffs_alpha(FOUR, "12345")
    assert alpha.value == pytest.approx(0.743, abs=5e-4)
    assert (alpha.low, alpha.high) == pytest.approx((0.419, 1.0), abs=1e-3)


@pytest.mark.parametrize(
    ("lines", "alpha"),
    [
        (("0100000010", "1110010000"), 0.095),  # A: binary data, two observers
        (("aabbdcccedda", "babbbccceddd"), 0.692),  # B: nominal data, two observers
    ],
)
def test_examples_of_krippendorff_2011(lines, alpha):
    units = range(len(lines[0]))
    ratings = {
        str(unit): {str(r): line[unit] for r, line in enumerate(lines) if line[unit] != "."}
        for unit in units
    }
    categories = sorted(set("".join(lines)) - {"."})
    assert krippendorffs_alpha(ratings, categories).value == pytest.approx(alpha, abs=5e-4)


def test_where_nothing_varies_kappa_and_alpha_are_undefined_and_ac1_is_one():
    same = {str(n): {"a": "x", "b": "x"} for n in range(9)}
    assert cohens_kappa([("x", "x")] * 9, "xy").value is None
    assert krippendorffs_alpha(same, "xy").value is None
    assert gwets_ac1(same, "xy").value == 1


def test_without_second_ratings_nothing_is_defined():
    alone = {"u": {"a": "x"}, "v": {"a": "y"}}
    assert gwets_ac1(alone, "xy").value is krippendorffs_alpha(alone, "xy").value is None
    assert cohens_kappa([], "xy").value is raw_agreement(0, 0).value is None


def test_fewer_than_five_units_give_no_interval():
    four = [("x", "x"), ("y", "x"), ("y", "y"), ("x", "x")]
    assert (cohens_kappa(four, "xy").value, cohens_kappa(four, "xy").low) == (0.5, None)
    assert cohens_kappa([*four, ("y", "y")], "xy").low is not None


def test_intervals_stay_within_the_scale():
    apart = [("x", "y"), ("y", "x"), ("x", "y"), ("y", "x"), ("x", "x"), ("y", "y")]
    assert cohens_kappa(apart, "xy").low == -1
    assert cohens_kappa([(y, x) for x, y in PAIRS[::9]], "ean").high <= 1
    assert (raw_agreement(0, 10).low, raw_agreement(10, 10).high) == (0, pytest.approx(1))
