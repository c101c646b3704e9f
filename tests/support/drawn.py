"""Figures of the shipped and of the made-up corpus, for the tests that draw."""

from corpus.publishing.figures.data import figure_data
from corpus.publishing.figures.parser import figure_plans
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.corpora.soils import soils

FIGURES = {
    "seen": {"kind": "timeline", "title": "Seen", "table": "dated", "date": "seen", "group": "depth",
             "window": ["2020-10", "2021-02"], "labels": {"ada": "Ada the first"},
             "milestones": [{"axis": "depth", "terms": ["surface"]}]},
    "cells": {"kind": "heatmap", "title": "Cells", "rows": "depth", "columns": "senses"},
    "depths": {"kind": "bars", "title": "Depths", "axis": "depth", "split": "senses", "width": "one"},
    "rungs": {"kind": "ladder", "title": "Rungs", "axis": "depth"},
    "proofs": {"kind": "grid", "title": "Proofs", "table": "uses", "rows": "use", "columns": "proof"},
    "steps": {"kind": "flow", "title": "Steps", "group": "depth", "audited": 8},
    "reach": {"kind": "ranges", "title": "Reach", "table": "ranges", "value": "value", "unit": "unit",
              "quantity": "of", "boundary": "limit"},
}  # fmt: skip


def made_up(rows=None, **figures):
    """Return plans and records of the made-up corpus, with other rows or other figures where given."""
    corpus = soils(rows, figures=figures or FIGURES)
    plans = figure_plans(corpus.codebook)
    return {name: (plan, figure_data(corpus, plan)) for name, plan in plans.items()}


def shipped():
    """Return plans and records of the shipped corpus."""
    corpus = load_corpus(shipped_data())
    return {name: (plan, figure_data(corpus, plan)) for name, plan in figure_plans(corpus.codebook).items()}
