"""A manuscript of sixty statements, half of them wrong: what is found, and what is left alone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from corpus.analysis.numbers.published import published_numbers
from corpus.publishing.manuscript.mentions import find_mentions
from corpus.publishing.manuscript.phrases import VALUES
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

CORPUS = load_corpus(str(REAL))
NUMBERS = published_numbers(CORPUS)
WORDS = {value: word for word, value in VALUES.items()}
PAIRS = tomllib.loads(Path(__file__).with_name("statements.toml").read_text())["pairs"]


def spelled(number: int) -> str:
    """Return a number up to ninety-nine in words; the table is that of the program."""
    if number in WORDS:
        return WORDS[number]
    return f"{WORDS[number // 10 * 10]}-{WORDS[number % 10]}"


def counted(conditions: str) -> int:
    wanted = dict(re.findall(r"(\w+)=(\w+)", conditions))
    return sum(
        all(entry.cell(column) == value for column, value in wanted.items())
        for entry in CORPUS.entries.values()
    )


def filled(match: re.Match[str]) -> str:
    """Replace one {...} of the file."""
    more = int(match["more"].replace(" ", "") or 0)
    if match["count"] is not None:
        return str(counted(match["count"]) + more)
    number = NUMBERS[match["name"]]
    value = int(number.value) + more
    if match["words"]:
        return spelled(value)
    return f"{value}%" if number.text.endswith("%") else str(value)


def statement(text: str) -> str:
    return re.sub(
        r"\{(?:=count (?P<count>[\w= ]+?)|(?P<name>\w+))(?P<more> ?[+-]\d+|)(?P<words>:w)?\}",
        filled,
        text,
    )


def contradictions(text: str) -> list[str]:
    mentions = find_mentions(text, CORPUS, NUMBERS)
    return [m.text for m in mentions if m.judged and not m.right]


def test_there_are_sixty_statements():
    assert len(PAIRS) == 30


def test_wrong_numbers_are_found():
    wrong = [statement(pair["wrong"]) for pair in PAIRS]
    missed = [text for text in wrong if not contradictions(text)]
    assert len(missed) <= 3, missed


def test_no_right_number_is_flagged():
    right = [statement(pair["right"]) for pair in PAIRS]
    assert [found for text in right for found in contradictions(text)] == []


def test_one_manuscript_gives_what_its_sentences_give():
    sentences = [statement(pair[side]) for pair in PAIRS for side in ("right", "wrong")]
    alone = [found for text in sentences for found in contradictions(text)]
    assert contradictions(" ".join(sentences)) == alone


@pytest.mark.parametrize(
    "text",
    [
        "The corpus contains {PoolSize} works, of which {IsRlYes} train with reinforcement learning.",
        "The pool of {PoolSize} papers was screened from {AuditedCount} records.",
        "{OrchestrationFormSwarm} entries use the swarm form and {OrchestrationFormHarness} a harness.",
        "A majority of the entries are core.",
        "The text is set in two columns.",
        "The May refresh added 11 entries to the pool.",
        "The recent 500-paper agentic RL survey covers single agents.",
        "{CategoryRlMethod} entries are not 40 methods trained by RL.",
        "Their corpus has 40 papers with shared reward in another domain.",
        "Each paper trains 3 agents in 2 teams; 12 of these papers use a swarm.",
    ],
)
def test_other_right_sentences_are_not_flagged(text):
    assert contradictions(statement(text)) == []


@pytest.mark.parametrize(
    "text", ["The May refresh added 11 entries to the pool.", "3 papers by Smith appeared."]
)
def test_what_cannot_be_judged_is_listed(text):
    (found,) = find_mentions(text, CORPUS, NUMBERS)
    assert not found.judged


def test_a_number_of_a_percentage_may_be_spelled():
    share = NUMBERS["VerifiedYesShare"]
    text = f"{spelled(int(share.value))} percent of the entries are verified."
    (found,) = find_mentions(text.capitalize(), CORPUS, NUMBERS)
    assert (found.judged, found.right) == (True, True)
