import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.drawing.contrast import ENOUGH, contrast
from corpus.publishing.figures.figure import draw_figure
from corpus.publishing.figures.parser import figure_plans
from tests.corpora.full import codebook_data, full_of, sensor


@pytest.mark.parametrize("parts", [2, 3, 4, 8])
def test_every_number_on_a_bar_can_be_read(parts):
    terms = [{"id": f"t{n}", "definition": "A term."} for n in range(parts)]
    vocabularies = {**codebook_data()["vocabularies"], "senses": {"terms": terms}}
    entries = [sensor(f"s{n}", senses=f"t{n}") for n in range(parts)]
    depths = {"kind": "bars", "axis": "depth", "split": "senses"}
    study = full_of(
        *entries, vocabularies=vocabularies, figures={"it": depths}, impossible=[], sparsity={}
    )
    plan = figure_plans(study.codebook)["it"]
    figure = draw_figure(plan, figure_data(study, plan), 7)
    numbers = [text for text in figure.findobj(Text) if text.get_text() == "1"]
    bars = [box for box in figure.findobj(Rectangle) if abs(box.get_height() - 0.15) < 1e-9]
    assert (len(numbers), len(bars)) == (parts, parts)
    for number, bar in zip(numbers, bars, strict=True):
        assert contrast(number.get_color(), to_hex(bar.get_facecolor())) >= ENOUGH
