"""What is compared with what when a whole corpus is checked."""

from datetime import date

import pytest

from corpus.curation.check.check import check_corpus
from corpus.tables import sheet
from tests.corpora.full import write_full
from tests.support.changing import rewrite


def edit(data, name, old, new):
    rewrite(data / name, old, new)


def places(data, **options):
    return [
        (f.code, f.file.rpartition("/")[2], f.line, f.column, f.value)
        for f in check_corpus(str(data), **options)
    ]


@pytest.mark.parametrize(("file", "old", "new", "place"), [
    ("rejected.csv", "LIB-77", "doi:10.1234/FEN.1", ("C403", "sensors.csv", 3, "id", "fen")),
    ("papers.csv", '"Stein, Cy",,', '"Stein, Cy",10.1234/fen.1,', ("C303", "sensors.csv", 4, "id", "till")),
])  # fmt: skip
def test_a_doi_of_the_bibliography_is_an_identity_of_its_entry(minimal, file, old, new, place):
    edit(minimal, file, old, new)
    assert places(minimal) == [place]


def test_the_day_of_the_check_decides_what_is_in_the_future(minimal):
    assert places(minimal, today=date(2021, 2, 3)) == []
    assert places(minimal, today=date(2021, 2, 2)) == [
        ("C210", "papers.csv", 3, "public", "2021-02-03")
    ]


def test_a_log_without_a_pool_is_compared_with_itself(minimal):
    (minimal / "sensors.csv").unlink()
    edit(minimal, "rejected.csv", "LIB-77", "arXiv:1901.00001")
    found = [place[:4] for place in places(minimal)]
    assert found == [("C303", "rejected.csv", 3, "found"), ("C101", "sensors.csv", 0, "")]
    edit(
        minimal, "papers.csv", "fen,", "X2,"
    )  # a DOI of an entry is none of a record that is called so
    edit(minimal, "rejected.csv", "arXiv:1901.00001,abstract", "doi:10.1234/fen.1,abstract")
    assert "C303" not in [code for code, *_ in places(minimal)]


@pytest.mark.parametrize(("old", "new", "column"), [
    ("format = 1", "format = 2", "format"), ('title = "Depth by what is sensed"', "title = 3", "crosstabs[1].title"),
])  # fmt: skip
def test_a_codebook_that_cannot_be_read_ends_the_check(tmp_path, old, new, column):
    data = write_full(tmp_path)
    edit(data, "codebook.toml", old, new)
    line = (data / "codebook.toml").read_text().split(new)[0].count("\n") + 1
    assert ("C001", "codebook.toml", line, column, "") in places(data)
    assert {code for code, *_ in places(data)} == {"C001"}


def test_a_mistake_in_what_one_command_reads_is_shown_in_the_codebook(tmp_path):
    related = '[[sparsity.related]]\naxis = "colour"\nterm = "x"\n'
    data = write_full(tmp_path, f'[figures.x]\nkind = "pie"\n{related}')
    found = {one.column: one for one in check_corpus(str(data)) if one.code == "C001"}
    assert {"figures.x.kind", "sparsity.related[2].axis"} <= found.keys()
    line = found["figures.x.kind"].line
    assert (data / "codebook.toml").read_text().splitlines()[line - 1] == 'kind = "pie"'
    assert found["figures.x.kind"].file == str(data / "codebook.toml")


@pytest.mark.parametrize("least", [0, sheet.ARROW_BYTES], ids=["by columns", "by rows"])
def test_everything_is_checked_with_the_claims_of_a_corpus(tmp_path, monkeypatch, least):
    monkeypatch.setattr(sheet, "ARROW_BYTES", least)
    data = write_full(tmp_path)
    assert check_corpus(str(data), complete=True) == []
    edit(data, "claims.toml", "count = 5", "count = 7")
    found = [
        (f.code, f.file.rpartition("/")[2], f.value) for f in check_corpus(str(data), complete=True)
    ]
    # The sentence has the right number, and the claim expects another.
    assert sorted(found) == [("C470", "claims.toml", "size"), ("C601", "claims.toml", "size")]
