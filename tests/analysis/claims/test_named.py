"""Rows that name claims: the names are checked, and a filled cell marks an open question as started."""

import tomllib

import pytest

from corpus.analysis.claims.evaluate import claim_findings, holding_claims
from corpus.analysis.claims.named import question_states
from corpus.analysis.sparsity.sparsity_report import sparsity_report
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.making import with_claims

CODEBOOK = """
format = 1
[corpus]
id = "wells"
title = "Wells"
[tables.wells]
file = "wells.csv"
role = "pool"
key = ["well"]
columns = [
  { name = "well", type = "key", role = "key", definition = "Key." },
  { name = "depth", type = "term", axis = true, definition = "Depth." },
]
[tables.questions]
file = "questions.csv"
title = "Questions"
key = ["question"]
columns = [
  { name = "question", type = "key", role = "key", definition = "Key." },
  { name = "while", type = "text", role = "open_while", required = false, definition = "Claim." },
]
[tables.grounds]
file = "grounds.csv"
key = ["ground"]
columns = [
  { name = "ground", type = "key", role = "key", definition = "Key." },
  { name = "rests_on", type = "text", role = "claim", definition = "Claim." },
]
[vocabularies.depth]
title = "Depth"
definition = "How deep."
terms = [ { id = "deep", definition = "Deep." }, { id = "flat", definition = "Flat." } ]
"""
CLAIMS = """
format = 1
[[claims]]
id = "none-deep"
statement = "No well is deep."
where = { depth = "deep" }
empty = true
[[claims]]
id = "one-flat"
statement = "One well is flat."
where = { depth = "flat" }
count = 1
"""


def study(questions, grounds=(), wells=(("a", "flat"),), claims=CLAIMS):
    book = parse_codebook(tomllib.loads(CODEBOOK))
    tables = {}
    for name, rows in (("wells", wells), ("questions", questions), ("grounds", grounds)):
        lines = list(range(2, 2 + len(rows)))
        tables[name] = Table(book.tables[name], f"{name}.csv", list(rows), lines)
    return with_claims(Study(book, tables, ""), claims)


def states(corpus):
    return question_states(corpus.tables["questions"], holding_claims(corpus))


@pytest.mark.parametrize("table", ["questions", "grounds"])
def test_a_name_of_no_claim_is_a_finding_on_its_cell(table):
    rows = {"questions": [("q", "none-deep")], "grounds": [("g", "one-flat")]}
    rows[table] = [*rows[table], ("x", "none-deap")]
    (found,) = claim_findings(study(**rows))
    column = {"questions": "while", "grounds": "rests_on"}[table]
    assert (found.code, found.file, found.line, found.column) == ("C604", f"{table}.csv", 3, column)
    assert found.value == "none-deap"
    assert "'none-deep'" in found.message  # the nearest claim


def test_an_empty_cell_names_nothing():
    corpus = study([("q", "")])
    assert claim_findings(corpus) == []
    assert states(corpus) == {}


def test_a_mistake_in_the_named_claim_is_one_finding():
    broken = study([("q", "none-deep")], claims=CLAIMS.replace("empty = true", "empty = 3"))
    assert {found.code for found in claim_findings(broken)} == {"C602"}


def test_filling_the_cell_marks_the_question_as_started():
    questions = [("dig", "none-deep"), ("fill", "one-flat")]
    before = study(questions)
    assert states(before) == {"dig": "open", "fill": "open"}
    # The other claim was not evaluated.
    assert question_states(before.tables["questions"], {"one-flat": True}) == {"fill": "open"}
    after = study(questions, wells=[("a", "flat"), ("b", "deep")])
    assert states(after) == {"dig": "started", "fill": "open"}


def test_the_gaps_name_the_questions_that_rest_on_their_cells():
    """And only cells that a ground names exactly."""
    corpus = load_corpus(str(REAL))
    asked = {}
    for gap in sparsity_report(corpus).gaps:
        if gap.questions:
            asked[gap.terms] = gap.questions
    assert asked["O5", "dedicated_signal"] == ["directions/reward-stopping"]
    assert asked["token",] == ["directions/credit-tokens"]
    assert ("O3", "untrained") not in asked
