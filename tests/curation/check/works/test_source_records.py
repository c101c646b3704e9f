"""What differs from a stored source record is found at its cell; what is meant is not."""

import pytest

from tests.support.mistakes import Corpus, Edit


@pytest.fixture(scope="module")
def today():
    return Corpus()


def codes(corpus, *edits):
    """Return code and column of the findings of source records after edits."""
    found = corpus.findings([Edit(*edit) for edit in edits])
    return sorted({(one.code, one.column) for one in found if "C420" <= one.code <= "C429"})


@pytest.mark.parametrize(("table", "key", "column", "value", "code"), [
    ("pool", "magrpo", "title", "LLM Collaboration With Multi-Agnet Reinforcement Learning", "C420"),
    ("pool", "magrpo", "title", "LLM Collaboration With Multi-Agent Reinforcement", "C420"),
    ("pool", "magrpo", "first_author", "Chen, Tianle", "C421"),
    ("pool", "magrpo", "venue", "AAAI 2025", "C426"),
    ("pool", "magrpo", "arxiv_id", "2508.04653", "C423"),
    ("pool", "magrpo", "arxiv_id", "", "C423"),
    ("pool", "rema2025", "url", "https://openreview.net/forum?id=ur295YVtmx", "C424"),
    ("pool", "magrpo", "url", "https://arxiv.org/abs/2508.046", "C424"),
    ("pool", "kimi-k2-6", "url", "https://www.kimi.com/blog/kimi-k2-9", "C424"),
    ("bibliography", "magrpo", "authors", "Liu, Shuo; et al.", "C421"),
    ("bibliography", "magrpo", "authors", "Liu, Shuo; Lyu, Xueguang; Amato, Christopher", "C421"),
    ("bibliography", "magrpo", "authors", "Liu, Shuo; Zeyu, Liang; Lyu, Xueguang; Amato, Christopher", "C421"),
    ("bibliography", "magrpo", "authors", "Liu, Shuo; Lyu, Xueguang; Liang, Zeyu; Amato, Christopher", "C421"),
    # The preprint has an author more than the proceedings.
    ("bibliography", "magrpo", "authors", "Liu, Shuo; Chen, Tianle; Liang, Zeyu; Lyu, Xueguang; Amato, Christopher", "C421"),
    ("bibliography", "magrpo", "doi", "10.48550/arXiv.2508.04652", "C422"),
    ("bibliography", "maporl", "doi", "10.48550/arXiv.2502.18439", "C422"),  # the published version has one
    ("bibliography", "magrpo", "first_public", "2025-08-07", "C425"),
    ("bibliography", "maddpg2017", "first_public", "2017-05-30", "C425"),
])  # fmt: skip
def test_a_difference_is_found_at_its_cell(today, table, key, column, value, code):
    assert (code, column) in codes(today, (table, key, column, value))


@pytest.mark.parametrize(("table", "key", "column", "value"), [
    ("pool", "magrpo", "title", "LLM collaboration with multi-agent reinforcement learning"),
    ("bibliography", "magrpo", "first_public", "2025-08"),
    ("bibliography", "magrpo", "first_public", "2025"),
    ("bibliography", "maddpg2017", "first_public", "2017-06-07"),
    ("bibliography", "magrpo", "authors", "Liu, Shuo; Liang, Zeyu; Lyu, Xueguang; Amato, Christopher"),
    ("bibliography", "magrpo", "doi", "10.1609/AAAI.v40i38.40487"),
])  # fmt: skip
def test_what_only_looks_different_is_not(today, table, key, column, value):
    assert codes(today, (table, key, column, value)) == []


@pytest.mark.parametrize(("identifier", "venue", "read_from", "is_later"), [
    ("arXiv:2505.19591", "NeurIPS 2025", "daily listing of arXiv, 2025-05", True),  # announced in September
    ("arXiv:2505.19591", "NeurIPS 2025", "daily listing of arXiv, 2025-10", False),
    ("arXiv:2410.11710", "ICLR 2025", "daily listing of arXiv", True),  # of the month of the identifier
    ("arXiv:2410.11710", "ICLR 2025", "page of the proceedings", False),
    ("arXiv:2511.05269", "ICML 2025 MAS Workshop", "daily listing of arXiv, 2025-11", False),
    ("arXiv:2511.05269", "Peat Letters 2026", "month of the arXiv identifier", True),
    ("arXiv:2511.05269", "arXiv", "daily listing of arXiv, 2025-11", False),
])  # fmt: skip
@pytest.mark.parametrize("venue_from", ["", "reference list of the survey"])
def test_a_venue_is_not_later_than_what_it_was_read_from(
    today, identifier, venue, read_from, is_later, venue_from
):
    cells = {
        "identifier": identifier,
        "venue": venue,
        "read_from": read_from,
        "venue_from": venue_from,
    }
    place = today.keys("source_records")[1]
    edits = [("source_records", place, column, cell) for column, cell in cells.items()]
    assert (("C429", "venue") in codes(today, *edits)) == (is_later and not venue_from)


def test_a_difference_that_is_corrected_is_meant(today):
    title = "Exact Is Easier"
    edits = [
        ("pool", "coma2018", "title", title),
        ("corrections", "coma2018", "column", "title"),
        ("corrections", "coma2018", "corrected", title),
    ]
    assert ("C420", "title") not in codes(today, *edits)
    assert ("C420", "title") in codes(today, edits[0])


def test_a_withdrawn_work_is_named_at_its_entry(today):
    assert codes(today, ("source_records", "agentspawn", "status", "withdrawn")) == [
        ("C427", "key")
    ]


def test_an_identifier_belongs_to_one_entry(today):
    assert codes(today, ("source_records", "agentspawn", "identifier", "arXiv:2508.04652")) == [
        ("C423", "arxiv_id"), ("C428", "identifier"),
    ]  # fmt: skip
    found = codes(today, ("source_records", "agentspawn", "identifier", "nonsense"))
    assert ("C428", "identifier") in found


@pytest.mark.parametrize(("column", "code", "compared"), [
    ("screening_label", "C420", 26), ("identifier", "C423", 27),
])  # fmt: skip
def test_swapped_cells_of_excluded_records_are_found(today, column, code, compared):
    """Each record gets the cell of the next one; only what its source does not state is missed."""
    cells = today.column("exclusions", column)
    others = [*cells][1:] + [*cells][:1]
    edits = [
        Edit("exclusions", key, column, cells[other])
        for key, other in zip(cells, others, strict=True)
    ]
    found = {one.line for one in today.findings(edits) if (one.code, one.column) == (code, column)}
    assert len(found) == compared


def test_a_source_record_of_an_exclusion_has_its_own_identifier(today):
    place = ("exclusion_records", today.keys("exclusion_records")[1], "identifier")
    assert ("C428", "identifier") in codes(today, (*place, "arXiv:2305.14325"))
