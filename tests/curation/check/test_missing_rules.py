"""Rules about cells that contradict each other or the codebook: where each is found, and not."""

from __future__ import annotations

import pytest

from corpus.curation.check import check_rules as rules
from corpus.curation.check.text import text_trouble
from corpus.curation.check.works.years import year_limits
from corpus.model.finding import CorpusError
from tests.support.mistakes import Corpus, Edit


@pytest.fixture(scope="module")
def today():
    return Corpus()


def has(corpus, code, column, *edits):
    found = corpus.findings([Edit(*edit) for edit in edits])
    return (code, column) in {(finding.code, finding.column) for finding in found}


@pytest.mark.parametrize(("code", "column", "edits"), [
    ("C311", "reward_type", [("pool", "magrpo", "reward_type", "individual"), ("pool", "magrpo", "credit_granularity", "team")]),
    ("C311", "would_be_reward_type", [("near_misses", "E003", "would_be_reward_type", "individual"), ("near_misses", "E003", "would_be_credit_granularity", "team")]),
    ("C312", "key", [("pool", "malt", "key", "MAE")]),
    ("C313", "url", [("pool", "kimi-k2-6", "url", "https://kimi.com/blog/kimi-k2-5.html/")]),
    ("C314", "url", [("pool", "magrpo", "url", "http://arxiv.org/abs/2508.04652")]),
    ("C314", "url", [("pool", "kimi-k2-6", "url", "http://www.kimi.com/blog/kimi-k2-6")]),
    ("C315", "year", [("pool", "hera", "year", "2027")]),
    ("C315", "year", [("pool", "hera", "year", "2025")]),
    ("C315", "year", [("bibliography", "dec-pomdp2002", "first_public", "1999")]),
    ("C316", "key", [("pool", "gaia2023", "year", "2022"), ("bibliography", "gaia2023", "first_public", "2022-11-21")]),
    ("C222", "title", [("pool", "magrpo", "title", "LLM COLLABORATION WITH RL")]),
    ("C221", "title", [("pool", "magrpo", "title", "LLM C\u043ellaboration")]),
    ("C415", "date_screened", [("exclusions", "E001", "date_screened", "2026-05-05")]),
    ("C415", "date_screened", [("exclusions", "E001", "date_screened", "2023-04-30")]),
    ("C416", "criterion", [("exclusions", "E004", "stage", "abstract_screen")]),
    ("C417", "corrected", [("corrections", "wasp2025", "published", "NeurIPS 2025 D&B")]),
    ("C318", "identifier", [("exclusions", "E001", "identifier", "arXiv:2305.14326")]),
    ("C318", "identifier", [("exclusions", "E001", "url", "https://arxiv.org/pdf/2305.14326")]),
    ("C302", "credit_granularity", [("pool", "magrpo", "is_rl", "no")]),
    ("C302", "orchestration_form", [("pool", "wasp2025", "category", "classical_marl"), ("pool", "wasp2025", "orchestration_form", "harness")]),
    ("C317", "notes", [("pool", "tmcht2025", "notes", "NeurIPS 2024 datasets track; measures utility and security of one agent, not of a team")]),
])  # fmt: skip
def test_it_is_found_at_its_cell(today, code, column, edits):
    assert has(today, code, column, *edits)


@pytest.mark.parametrize(("code", "column", "edits"), [
    ("C311", "reward_type", [("pool", "magrpo", "reward_type", "individual"), ("pool", "magrpo", "credit_granularity", "agent")]),
    ("C313", "url", [("pool", "kimi-k2-6", "url", "https://www.kimi.com/blog/kimi-k2-7")]),
    ("C314", "url", [("pool", "kimi-k2-6", "url", "http://fen.example/k2")]),
    ("C315", "year", [("pool", "depart2026", "year", "2025")]),
    ("C222", "title", [("pool", "magrpo", "title", "MAGRPO")]),
    ("C415", "date_screened", [("exclusions", "E001", "date_screened", "2026-05-04")]),
    ("C318", "identifier", [("exclusions", "E001", "url", "https://fen.example/debate")]),
    ("C318", "identifier", [("exclusions", "E001", "url", "https://arxiv.org/abs/2305.14325v2 ; https://doi.org/10.1000/x")]),
    ("C416", "criterion", [("exclusions", "E004", "stage", "full_text_screen")]),
])  # fmt: skip
def test_what_is_plausible_is_not(today, code, column, edits):
    assert not has(today, code, column, *edits)


@pytest.mark.parametrize(("text", "found"), [
    ("Part \u0410 of learning", False),  # alone, it may be a name
    ("Multi-\u0410gent learning", True),
    ("Multi-Ag\u0435nt learning", True),
    ("A \uff21gent for learning", True),
    ("\u03c4-bench and \u03b2-VAE", False),
    ("\u041c\u043e\u0441\u043a\u0432\u0430 in one word", False),
])  # fmt: skip
def test_letters_of_another_script_are_found_inside_latin_words(text, found):
    assert (rules.LOOK_ALIKE in [rule for rule, _ in text_trouble(text)]) is found


@pytest.mark.parametrize("section", [
    {"after_first_public": "one"}, {"in_keys": 3}, {"unknown": 1}, {"after_first_public": True},
])  # fmt: skip
def test_a_mistake_in_the_limits_is_refused(today, section):
    book = today.book._replace(settings={"years": section})
    with pytest.raises(CorpusError) as error:
        year_limits(book, "codebook.toml")
    assert {finding.code for finding in error.value.findings} == {"C001"}
