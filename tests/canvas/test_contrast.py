import matplotlib
import pytest
from matplotlib.colors import to_hex

from corpus.canvas.style import ENOUGH, PALETTE, SHADES, contrast, readable_ink

GREYS = [f"#{level:02x}{level:02x}{level:02x}" for level in range(256)]
BLUES = [to_hex(matplotlib.colormaps["Blues"](step / 200)) for step in range(201)]


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("white", "black", 21.0),
        ("#ff0000", "white", 3.998),
        ("#00ff00", "black", 15.304),
        ("#0000ff", "white", 8.592),
        ("#0a0a0a", "black", 1.061),  # in the linear part of the curve
    ],
)
def test_the_ratio_is_that_of_wcag_whichever_is_darker(one, other, ratio):
    assert contrast(one, other) == pytest.approx(ratio, abs=0.001)
    assert contrast(other, one) == contrast(one, other)


@pytest.mark.parametrize("fills", [GREYS, BLUES, PALETTE, SHADES])
def test_there_is_a_readable_ink_for_every_fill(fills):
    assert [fill for fill in fills if contrast(readable_ink(fill), fill) < ENOUGH] == []
