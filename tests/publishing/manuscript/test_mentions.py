import pytest

from corpus.analysis.numbers.published import published_numbers
from corpus.publishing.manuscript.check import find_mentions
from corpus.publishing.manuscript.running_text import running_text
from corpus.publishing.outputs.catalogue import OUTPUTS
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

CORPUS = load_corpus(str(REAL))
NUMBERS = published_numbers(CORPUS)


def mentions(text):
    """Return each mention's number and whether it is right."""
    return [
        (m.quantity.value, m.right) for m in find_mentions(text, CORPUS, NUMBERS) if m.candidates
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("eighty-three entries in the pool", [(83, False)]),
        ("an 84-entry curated pool", [(84, True)]),
        ("the corpus comprises Eighty-Four papers", [(84, True)]),
        ("32 excluded records and 116 audited records", [(32, True), (116, True)]),
        ("a 31-record exclusion log", [(31, False)]),
        ("only 7 orchestrator tags", [(7, False)]),
        ("7 role credit tags", [(7, False)]),
        (
            "3 role tags, 10 role tags",
            [(3, True), (10, True)],
        ),  # reward or credit: both may be meant
        ("rl_method 42, benchmark 18, survey 6", [(42, True), (18, True), (6, False)]),
        ("RL_METHOD 42, Benchmark 18, Survey 6", [(42, True), (18, True), (6, False)]),
        (
            "NA 36, role 10, tool 0",
            [(36, True), (10, True), (0, True)],
        ),  # the axis that fits best is meant
        ("no more than 8 orchestrator tags", [(8, True)]),
        ("at least 7 orchestrator tags, but 84 retained entries", [(7, True), (84, True)]),
        (
            "| x | 1 | 2 |\n| shared | 10 |\n| hybrid | 14 |\n| role | 3 |\n| x | 4 | 5 |",
            [(10, True), (14, False), (3, True)],
        ),
        (
            "shared & 1 & 2\n\nrl_method 42, benchmark 18, survey 6",
            [(42, True), (18, True), (6, False)],
        ),
        ("| shared | 10 | hybrid | 14 | role | 3 |", [(10, True), (14, False), (3, True)]),
        (
            "rl_method 42, benchmark 18, industry 9, survey 9",
            [(42, True), (18, True), (9, False), (9, False)],
        ),
        (
            "abstract_screen 16, full_text_screen 9, artifact_screen 5",
            [(16, True), (9, True), (5, False)],
        ),
        (
            "| shared | 10 | 20% |\n| hybrid | 14 | 29% |\n| role | 3 | 6% |",
            [(10, True), (14, False), (3, True)],
        ),
    ],
)
def test_plain_statements_are_found(text, found):
    assert mentions(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "16 agents worked in parallel for 3 turns",
        "two surveys cover this, and 3 frameworks do not",
        "7 orchestrator tags among the methods",
        "5 orchestrator tags that are strict",
        "five strict orchestrator tags",
        "84.5 retained entries, v84 retained entries, 1984 papers",
        "one retained work is a report",
        "see Table 3 entries and Section 5 rows",
        "rl_method 42, benchmark 18, industry 9, survey 9, framework 9",  # fewer than half of the numbers are ours
        "| shared | 10 | 9 |\n| hybrid | 15 | 6 |\n| role | 3 | 0 |",
        "shared & 10 & 9\nhybrid & 15 & 6\nrole & 3 & 0",
        "shared 4, hybrid 9, role 1",  # another list: no number of it is ours
        "| shared | 0 | 9 | 1 |\n| hybrid | 1 | 6 | 4 |\n| role | 3 | 0 | 0 |",
        "shared/agent 9, hybrid/agent 6, role/role 3",
        "shared 10, hybrid 15, role " + "3" * 5000,  # Python converts no number as long as this
        "3" * 5000 + " retained entries",
        "",
    ],
)
def test_other_numbers_are_left_alone(text):
    assert mentions(text) == []


def test_the_generated_reports_raise_no_alarm():
    read = ("statistics.md", "sparsity.md", "papers.md", "screening.md", "claims.md")
    made = [output for output in OUTPUTS if output.path.removeprefix("reports/") in read]
    assert len(made) == len(read)
    for output in made:
        text = output.content(CORPUS).decode()
        wrong = [
            m.text
            for m in find_mentions(running_text(text, "md"), CORPUS, NUMBERS)
            if m.verdict == "wrong"
        ]
        assert wrong == []
