"""Figures of the shipped and of the made-up corpus, for the tests that draw."""

from functools import cache
from pathlib import Path

import tomli
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from corpus.publishing.figures.figure import draw_figure, figure_plans
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full

FIGURES = tomli.loads(Path(__file__).with_name("figures.toml").read_text(encoding="utf-8"))


def made_up(rows=None, **figures):
    """Return plans and records of the made-up corpus, with other rows or figures where given."""
    study = full(rows, figures=figures or FIGURES)
    plans = figure_plans(study.codebook)
    return {name: (plan, plan.data(study)) for name, plan in plans.items()}


def data_of(rows=None, /, **figure):
    """Return the record of one figure of the made-up corpus."""
    _, data = made_up(rows, it=figure)["it"]
    return data


@cache
def shipped():
    """Return plans and records of the shipped corpus."""
    study = load_corpus(str(REAL))
    plans = figure_plans(study.codebook)
    return {name: (plan, plan.data(study)) for name, plan in plans.items()}


def drawn(name):
    """Draw a figure of the shipped corpus."""
    return draw_figure(*shipped()[name])


def rectangles(figure, fill):
    """Return the rectangles of one colour."""
    found = [patch for patch in figure.findobj(Rectangle) if patch.get_visible()]
    same = [patch for patch in found if to_hex(patch.get_facecolor()) == fill.lower()]
    return [patch for patch in same if patch.get_width() < 7]


def texts(figure):
    """Return every text of a figure."""
    return [artist.get_text() for artist in figure.findobj(Text) if artist.get_text()]
