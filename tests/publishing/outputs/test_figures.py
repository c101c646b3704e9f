from pathlib import Path

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.outputs.build import build, stale
from corpus.publishing.outputs.catalogue import artefacts
from corpus.publishing.outputs.figures import FORMATS
from corpus.publishing.outputs.sources import Sources

FIGURES = '\n[figures.shares]\nkind = "bars"\naxis = "signal"\ntitle = "Signals"\n'


@pytest.fixture(autouse=True)
def without_latex(monkeypatch):
    monkeypatch.setattr("corpus.printing.typeset.shutil.which", lambda name: None)


@pytest.fixture
def root(soil):
    codebook = soil / "codebook.toml"
    axis = next(column.name for column in Sources(str(soil)).book.pool.axes)
    codebook.write_text(codebook.read_text() + FIGURES.replace("signal", axis), encoding="utf-8")
    return soil.parent


def sources(root):
    return Sources(str(root / "data"))


def stale_names(root):
    return {Path(finding.file).name for finding in stale(sources(root), str(root))}


def test_every_declared_figure_is_an_artefact_in_every_format(root):
    paths = {artefact.path for artefact in artefacts(sources(root)) if artefact.path.startswith("figures/")}
    assert paths == {f"figures/shares.{ending}" for ending in ("csv", *FORMATS)}


def test_a_figure_is_current_by_its_digest_not_by_its_bytes(root):
    build(sources(root), str(root))
    drawing = root / "figures" / "shares.svg"
    drawing.write_bytes(drawing.read_bytes() + b"<!-- drawn by another release -->")
    assert stale_names(root) == set()
    assert "figures/shares.svg" in build(sources(root), str(root)).kept


def test_other_words_make_a_figure_stale_and_its_numbers_not(root):
    build(sources(root), str(root))
    book = root / "data" / "codebook.toml"
    book.write_text(book.read_text().replace('title = "Signals"', 'title = "Signs"'), encoding="utf-8")
    found = stale_names(root)
    assert {f"shares.{ending}" for ending in FORMATS} <= found
    assert "shares.csv" not in found


def test_a_bad_declaration_is_a_finding_and_writes_nothing(root):
    book = root / "data" / "codebook.toml"
    book.write_text(book.read_text().replace('kind = "bars"', 'kind = "pie"'), encoding="utf-8")
    with pytest.raises(CorpusError) as caught:
        build(sources(root), str(root))
    assert [finding.column for finding in caught.value.findings] == ["figures.shares.kind"]
    assert not (root / "figures").exists()
