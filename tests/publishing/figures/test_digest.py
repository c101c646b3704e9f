"""The digest of a figure, without drawing one."""

from dataclasses import replace

import pytest

from corpus.publishing.figures.figure import KINDS, figure_digest, read_digest
from tests.support.drawn import FIGURES, made_up

DIGEST = "0123456789abcdef" * 4


def bars(**changes):
    return made_up(None, depths={**FIGURES["depths"], **changes})["depths"]


def test_the_digest_changes_with_data_words_and_version(monkeypatch):
    plan, data = bars()
    first = figure_digest(plan, data)
    others = [
        figure_digest(*bars(title="Other")),
        figure_digest(*bars(caption="Other.")),
        figure_digest(*bars(width="two")),
        figure_digest(*bars(axis="senses", split="depth")),
        figure_digest(plan, replace(data, note="Other.")),
    ]
    assert len({first, *others}) == 6
    assert figure_digest(*bars()) == first
    monkeypatch.setitem(KINDS, "bars", KINDS["bars"]._replace(version=99))
    assert figure_digest(plan, data) != first


@pytest.mark.parametrize(("content", "digest"), [
    (b"<svg><!-- corpus-figure " + DIGEST.encode() + b" --></svg>", DIGEST),
    (b"corpus-figure " + DIGEST[:63].encode(), ""),
    (b"corpus-figure " + DIGEST.upper().encode(), ""),
    (b"", ""),
])  # fmt: skip
def test_a_file_without_a_whole_digest_has_none(content, digest):
    assert read_digest(content) == digest
