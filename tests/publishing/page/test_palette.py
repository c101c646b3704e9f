"""The colours of the groups, as a reader who cannot tell red from green sees them."""

import math
import re
from itertools import combinations

import pytest

from corpus.canvas.style import PALETTE
from corpus.printing.single_file import package_text
from corpus.publishing.page.page import PACKAGE

#: What is left of linear red, green and blue under deuteranopia (Machado et al. 2009).
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
#: From linear red, green and blue to XYZ, by its white.
XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1094, 0.8729))


def through(matrix, values):
    return [sum(map(float.__mul__, row, values)) for row in matrix]


def linear(part):
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def seen(colour):
    """The place of a colour in CIELAB under deuteranopia."""
    parts = [linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5)]
    light = [min(1.0, max(0.0, part)) for part in through(DEUTERANOPIA, parts)]
    x, y, z = (math.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in through(XYZ, light))  # fmt: skip
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def schemes():
    light, dark = package_text(PACKAGE, ("colours",), "css").split("@media", 1)
    named = [dict(re.findall(r"--(c\d): (#\w{6})", text)) for text in (light, dark)]
    return [list(named[0].values()), list((named[0] | named[1]).values())]


@pytest.mark.parametrize("colours", schemes(), ids=["light", "dark"])
def test_any_two_groups_differ_for_colour_blind_readers(colours):
    assert len(colours) == len(PALETTE)
    apart = {pair: math.dist(*map(seen, pair)) for pair in combinations(colours, 2)}
    assert min(apart.values()) >= 10, min(apart, key=apart.get)


def test_the_groups_have_the_colours_of_the_figures():
    assert schemes()[0] == list(PALETTE)
