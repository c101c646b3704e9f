"""What a new entry has from its source, and which works it may be."""

import pytest

from corpus.curation.edit.new_entry import NewEntry, excluded_record, refuse_record
from corpus.curation.edit.row_edits import refuse_references
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.work import Work
from tests.corpora.full import full


def test_a_record_is_named_by_its_number():
    record = excluded_record(full(), "x2")
    assert record is not None
    assert (record.key, record.line) == ("x2", 3)
    assert excluded_record(full(), "X2") is None
    assert excluded_record(full(), "ada") is None


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


def test_a_certain_duplicate_is_an_error_with_the_other_work():
    study = full()
    for cells, code, promotes in (
        ("arxiv=2011.00010", "C303", False),
        ("name=Warmth é 50% below a slow river", "C304", False),
        ("arxiv=2107.00007", "C403", True),
    ):
        entry = NewEntry(Work("hand"), study, [cells])
        (finding,) = entry.duplicate(*next(entry.same_works())).findings
        place = (finding.file, finding.line, finding.column, finding.value)
        assert place == ("sensors.csv", 0, "", cells.partition("name=")[2])
        assert finding.code == code
        assert ("--promote" in finding.hint) == promotes


def test_rows_that_refer_to_an_entry_are_named_but_for_those_that_go_with_it():
    with pytest.raises(UsageProblem) as caught:
        refuse_references(full(), "ada")
    places = str(caught.value)
    for place in ("judged.csv:2", "uses.csv:3", "probes.csv:2", "probes.csv:3", "second.csv:2"):
        assert place in places
    assert "dated.csv" not in places
    bare = full({name: [] for name in ("judged", "uses", "ranges", "probes", "second")})
    refuse_references(bare, "ada")


def test_an_entry_is_made_without_a_command():
    study = full()
    entry = NewEntry(Work("hand", title="Wet fens"), study, ["depth=rock"])
    rows = entry.added_to(study).pool.rows
    assert len(rows) == len(study.pool.rows) + 1
    assert study.pool.spec.by_role_cells(rows[-1])["title"] == "Wet fens"
    assert rows[-1][0] == entry.key
    assert list(entry.same_works()) == []
