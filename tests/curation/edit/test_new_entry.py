"""What a new entry has from its source, and which works it may be."""

import pytest

from corpus.curation.edit.new_entry import NewEntry, refuse_record
from corpus.model.finding import CorpusError
from corpus.model.work import Work
from tests.corpora.full import full


def test_a_record_that_a_form_names_is_refused_at_its_line():
    with pytest.raises(CorpusError) as caught:
        refuse_record("x2", full())
    (finding,) = caught.value.findings
    assert (finding.file, finding.line, finding.column, finding.value) == (
        "dropped.csv",
        3,
        "record",
        "x2",
    )
    assert "--promote" in finding.hint
    refuse_record("2107.00007", full())


def test_cells_that_were_given_replace_what_the_source_told():
    source = Work("arXiv", title="Old", year="2019", url="https://soil.example/old")
    cells = ["name=New", "arxiv=2011.00010", "authors=Ward, Ann; Soil Trust"]
    assert NewEntry(source, full(), cells).work == source._replace(
        title="New",
        authors=("Ward, Ann", "Soil Trust"),
        arxiv="2011.00010",
        doi="10.48550/arXiv.2011.00010",
    )
    assert NewEntry(source, full()).work == source


def test_a_new_row_is_compared_with_pool_and_exclusion_log():
    for cells, name, kind in (
        ("arxiv=2011.00010", "ada (sensors.csv:2)", "identifier"),
        ("name=Warmth é 50% below a slow RIVER", "dot (sensors.csv:5)", "title"),
        ("arxiv=2107.00007", "x2 (dropped.csv:3)", "identifier"),
        ("name=Something new about moss", "", ""),
    ):
        found = NewEntry(Work("hand"), full(), [cells]).same_works()
        assert [(work.name, of_kind) for work, of_kind in found][:1] == [(name, kind)] * bool(name)
