"""Emptiness in the shipped claims: said of what was examined, and of nothing else.

A claim that no row has some property is also true where nobody looked. So it counts the rows whose
cell tells that somebody did, and says how many these are as soon as there are others.
"""

from dataclasses import replace

from corpus.analysis.claims.claim import selected
from corpus.analysis.claims.evaluate import DOCUMENT
from corpus.analysis.claims.parser import parse_claims
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data

STUDY = load_corpus(shipped_data())
CLAIMS = parse_claims(STUDY.documents[DOCUMENT], STUDY.codebook)[0].claims
#: Vocabulary -> the terms of a cell that nobody could fill from the source as a whole, or about which
#: there is nothing to find.
NOT_EXAMINED = {
    "measure_coverage": {"not_looked_for", "not_in_abstract"},
    "disclosure": {"unknown"},
    "grade": {"unknown", "no_such_decision"},
    "who_read": {"own_summary", "survey", "third_party", "not_read"},
}


def examined_and_not(selection):
    """How many of the rows that a claim is about were examined, and how many were not."""
    table = STUDY.tables[selection.table]
    examined, others = 0, 0
    for column in table.spec.columns:
        unread = NOT_EXAMINED.get(column.vocabulary or "")
        if unread is None or column.name not in selection.columns:
            continue
        filters = tuple(test for test in selection.filters if test.column.name != column.name)
        rows = selected(replace(selection, filters=filters), STUDY)
        terms = [row[table.spec.position(column.name)] for row in rows]
        others += sum(term in unread for term in terms)
        examined += sum(term not in unread for term in terms)
    return examined, others


def test_a_claim_of_emptiness_says_how_many_rows_were_examined():
    for claim in CLAIMS:
        if claim.expectation.kind == "empty":
            for examined, others in map(examined_and_not, claim.selections):
                assert not others or f" {examined} " in f" {claim.statement} ", claim.id


def test_the_terms_of_cells_that_were_not_examined_are_declared():
    for vocabulary, terms in NOT_EXAMINED.items():
        assert terms <= set(STUDY.codebook.vocabularies[vocabulary].ids), vocabulary


def test_a_cell_that_was_not_searched_is_printed_as_a_question_mark():
    terms = STUDY.codebook.vocabularies["measure_coverage"].terms
    printed = {term.id: term.short for term in terms}
    assert {printed[term] for term in NOT_EXAMINED["measure_coverage"]} == {"?"}
    assert printed["not_in_full_text"] != "?"


DECISIONS = list(STUDY.tables["decisions"].records())


def test_every_entry_that_trains_is_judged_for_every_decision():
    decisions = STUDY.codebook.vocabularies["decision"].ids
    trains = [key for key, entry in STUDY.entries.items() if entry.cell("is_rl") != "no"]
    judged = {(row["key"], row["decision"]) for row in DECISIONS}
    assert {(key, decision) for key in trains for decision in decisions} - judged == set()


def test_a_judgement_of_a_decision_names_where_it_can_be_read():
    for row in DECISIONS:
        is_known = row["grade"] != "unknown"
        assert row["address"] or not is_known, row["key"]
        assert bool(row["evidence"]) is is_known, row["key"]
