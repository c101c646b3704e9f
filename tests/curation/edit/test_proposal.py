"""The cells of a new row, and how `--set` finds its column."""

import pytest

from corpus.curation.edit.proposal import assign, find_column, propose
from corpus.model.finding import UsageProblem
from corpus.model.work import Work
from tests.corpora.full import codebook_data, declared, full


def test_a_column_is_looked_for_in_order_and_may_name_its_table():
    book = full().codebook
    assert find_column("name", ["sensors", "dated"], book) == ("sensors", "name")
    assert find_column("seen", ["sensors", "dated"], book) == ("dated", "seen")
    assert find_column("dated.sensor", ["sensors", "dated"], book) == ("dated", "sensor")
    for wrong in ("judged.how", "dated.name", "", "."):
        with pytest.raises(UsageProblem):
            find_column(wrong, ["sensors", "dated"], book)


@pytest.mark.parametrize("text", ["name", "", "=x", "unknown=x", "name=\ud800"])
def test_what_cannot_be_set_is_refused(text):
    with pytest.raises(UsageProblem):
        assign({"sensors": {}}, [text], full().codebook)


def test_the_address_of_a_work_fills_one_column_alone():
    data = codebook_data()
    columns = data["tables"]["sensors"]["columns"]
    columns += [declared(name, "url", required=False) for name in ("paper", "code")]
    work = Work("", title="Wet Peat", url="https://a.example/1")
    cells = propose(work, full(tables=data["tables"]))["sensors"]
    assert [name for name, cell in cells.items() if cell == work.url] == ["url"]
