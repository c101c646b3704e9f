"""What an agreed exclusion writes into the log."""

import pytest

from corpus.curation.screening.decisions import Decision, decide, with_agreed
from corpus.tables.corpus_reader import load_corpus
from tests.support.searched import write_searched

FOUND = (
    '  { name = "found", type = "text", role = "identifier", required = false,'
    ' definition = "Identifier." },\n'
)
MORE = """\
  { name = "source", type = "text", role = "source", required = false, definition = "Source." },
  { name = "web", type = "url", role = "url", required = false, definition = "Address." },
  { name = "why", type = "text", role = "reason", required = false, definition = "Why." },
  { name = "rule", type = "text", role = "reasons", required = false, definition = "Rule." },
  { name = "on", type = "date", role = "date", required = false, definition = "Day." },
  { name = "more", type = "text", role = "notes", required = false, definition = "Notes." },
  { name = "own", type = "text", required = false, definition = "Of this survey." },
"""
ROWS = """\
a,=Alder,"Ward, Ann",2025,Mires,2501.00001,,,wet; dry,2026-01-01,Wet.
b,Bog,,,,,,,lit,2026-01-01,
c,Carr,,,,,,,wet,2026-01-01,
d,Dune,,,,,,,,2026-01-01,
"""
RUNS = """\
dry-1,2026-01-01,dry,OpenAlex,peat,,,9,6,4,tool
dry-2,2026-01-02,dry,OpenAlex,peat,,,9,3,1,tool
wet-1,2026-01-01,wet,arXiv,peat,,,,5,2,tool
"""


@pytest.fixture
def data(tmp_path):
    folder = write_searched(tmp_path, "format = 1\n")
    book = (folder / "codebook.toml").read_text("utf-8")
    assert book.count(FOUND) == 1
    (folder / "codebook.toml").write_text(book.replace(FOUND, FOUND + MORE), "utf-8")
    lines = (folder / "dropped.csv").read_text("utf-8").splitlines()
    head = f"{lines[0]},source,web,why,rule,on,more,own"
    rows = [f"{line},,,,,,," for line in lines[1:]]
    (folder / "dropped.csv").write_text("\n".join([head, *rows]) + "\n", "utf-8")
    for name, text in (("candidates", ROWS), ("search_log", RUNS)):
        with (folder / f"{name}.csv").open("a", encoding="utf-8") as table:
            table.write(text)
    return folder


def settled(data, *decisions, **given):
    decide(str(data), decisions)
    after = with_agreed(load_corpus(str(data)), given)
    return list(after.tables["candidates"].names()), list(after.tables["dropped"].records())


def out(key, reader="Ann", reason="X1", note="", day="2026-01-05"):
    return Decision(key, reader, "exclude", "title", reason, note, day)


def test_a_row_of_the_log_has_what_candidate_and_decision_have(data):
    kept, log = settled(
        data, out("a", note="it is dry"), Decision("b", "Ann", "include", date="2026-01-05")
    )
    assert kept == ["b", "c", "d"]
    assert log[-1] == {
        "record": "x4", "label": '"=Alder"', "found": "arXiv:2501.00001", "source": "OpenAlex",
        "web": "https://arxiv.org/abs/2501.00001", "step": "title", "why": "it is dry",
        "rule": "X1", "on": "2026-01-05", "more": "found by wet; dry", "own": "",
    }  # fmt: skip
    assert len(log) == 4


def test_the_resolution_counts_and_not_the_first_reader(data):
    resolved = out("c", "resolved", "X2", day="2026-01-09")
    _, log = settled(
        data, out("c", "Ann"), Decision("c", "Bo", "include", date="2026-01-05"), resolved
    )
    assert (log[-1]["rule"], log[-1]["on"], log[-1]["why"]) == ("X2", "2026-01-09", "X2")


def test_a_work_of_a_list_and_one_of_nowhere(data):
    kept, log = settled(data, out("b"), out("d"))
    assert kept == ["a", "c"]
    cells = [(row["record"], row["found"], row["source"], row["more"]) for row in log[-2:]]
    assert cells == [("x4", "b", "lit", "found by lit"), ("x5", "d", "", "")]


def test_what_is_given_goes_before_what_is_known(data):
    _, log = settled(data, out("a"), step="text")
    assert log[-1]["step"] == "text"
