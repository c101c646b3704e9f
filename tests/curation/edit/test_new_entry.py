"""What a new entry has from its source, and which works it may be."""

from pathlib import Path

from corpus.curation.edit.new_entry import NewEntry, with_source_record
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import full

TODAY = Path(__file__).parents[3] / "data"
PEAT = Work(
    "arXiv", "Peat", ("Ward, Ann",), "2026", "arXiv", "", "2601.00010",
    "10.48550/arXiv.2601.00010", "https://arxiv.org/abs/2601.00010", "2026-01-30",
)  # fmt: skip


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


def test_what_a_service_stated_is_stored():
    study = load_corpus(str(TODAY))
    after = with_source_record(study, PEAT, "peat", "2026-05-01")
    table = after.tables["source_records"]
    assert table.rows[:-1] == study.tables["source_records"].rows
    cells = dict(zip(table.spec.header, table.rows[-1], strict=True))
    assert cells == {
        "key": "peat", "identifier": "arXiv:2601.00010", "title": "Peat", "authors": "Ward, Ann",
        "first_version": "2026-01-30", "last_version": "", "doi": "10.48550/arXiv.2601.00010",
        "venue": "arXiv", "status": "available", "read_from": "arXiv", "read_on": "2026-05-01", "venue_from": "",
    }  # fmt: skip
