"""One record in the columns of a pool: what does not fit is kept and named."""

from datetime import date

import pytest

from corpus.curation.importing.kinds import Kind, Spelled
from corpus.curation.importing.meaning import BY_ROLE
from corpus.curation.importing.placing import NO_CONTENT, PLACEHOLDER, Placing, settled_cell
from corpus.curation.importing.plan import ColumnPlan
from corpus.curation.importing.pool import column_types
from corpus.curation.importing.readers.records import ImportedRecord

TODAY = date(2026, 1, 15)


def known(role, source=""):
    field = BY_ROLE[role]
    return ColumnPlan(source or role, field.column, role, Kind(field.type))


def extra(name, kind, **more):
    return ColumnPlan(name, name, "", Kind(kind), **more)


def placed(plans, **cells):
    """Place one record; return its cells and what did not fit as (column, value)."""
    placing = Placing(ImportedRecord(7, cells), column_types(plans), TODAY)
    found = placing.placed(plans)
    assert all(item.line == 7 for item in placing.unplaced)
    return found, [(item.column, item.value) for item in placing.unplaced]


@pytest.mark.parametrize(
    ("cell", "doi", "is_kept"),
    [
        ("10.1234/Ab", "10.1234/Ab", False),
        ("https://doi.org/10.1234/ab", "10.1234/ab", False),
        ("doi: 10.1234/ab.", "10.1234/ab", False),
        ("10.1234/ab [doi]", "10.1234/ab", False),
        ("10.1234/ab (retracted)", "10.1234/ab", True),
        ("10.1234/ab and 10.1234/cd", "10.1234/ab", True),
        (("10.1234/ab", "10.1234/cd"), "10.1234/ab", True),
        (("10.1234/ab", "10.1234/AB"), "10.1234/ab", False),
        (("n/a", "10.1234/ab"), "10.1234/ab", True),
        ("soon", "", True),
    ],
)
def test_a_doi_and_what_is_beside_it(cell, doi, is_kept):
    found, unplaced = placed([known("doi")], doi=cell)
    assert found.get("doi", "") == doi
    assert bool(unplaced) is is_kept
    assert ("notes" in found) is is_kept


@pytest.mark.parametrize(
    ("cell", "arxiv", "is_kept"),
    [
        ("arXiv:2101.00001v2 [cs.AI]", "2101.00001", False),
        ("2101.00001, also 2101.00001v1", "2101.00001", False),
        ("2101.00001, 2101.00002", "2101.00001", True),
        ("cs.AI", "", True),
        ("2513.01", "", True),  # no such month
    ],
)
def test_an_arxiv_identifier_and_what_is_beside_it(cell, arxiv, is_kept):
    found, unplaced = placed([known("arxiv")], arxiv=cell)
    assert found.get("arxiv_id", "") == arxiv
    assert unplaced == ([("arxiv", cell)] if is_kept else [])
    assert found.get("notes", "") == (f"arxiv: {cell}" if is_kept else "")


@pytest.mark.parametrize(
    ("cell", "url", "is_kept"),
    [
        ("https://a.example/x.", "https://a.example/x", False),
        (
            "www.a.example, arxiv.org/abs/1",
            "https://www.a.example ; https://arxiv.org/abs/1",
            False,
        ),
        (("https://a.example", "https://a.example"), "https://a.example", False),
        ("see https://a.example", "https://a.example", True),
        ("on the shelf", "", True),
    ],
)
def test_addresses_and_what_is_beside_them(cell, url, is_kept):
    found, unplaced = placed([known("url")], url=cell)
    assert found.get("url", "") == url
    assert bool(unplaced) is is_kept


@pytest.mark.parametrize(
    ("cell", "year", "day", "is_kept"),
    [
        ("2020", "2020", "", False),
        ("2020//", "2020", "", False),
        ("12 May 2020", "2020", "2020-05-12", False),
        ("2020 (online 2019)", "", "", True),
        ("published 2020", "2020", "", True),
        ("soon", "", "", True),
    ],
)
def test_a_year_and_what_is_beside_it(cell, year, day, is_kept):
    found, unplaced = placed([known("year")], year=cell)
    assert (found.get("year", ""), found.get("first_public", "")) == (year, day)
    assert bool(unplaced) is is_kept


def test_a_day_among_years_that_contradicts_the_date_is_kept():
    found, unplaced = placed([known("date"), known("year")], date="2020-05-01", year="2020-06-01")
    assert (found["first_public"], found["year"]) == ("2020-06-01", "2020")
    assert unplaced == [("date", "2020-05-01")]


def test_a_cut_list_of_authors_is_named():
    found, unplaced = placed([known("authors")], authors=("Ward, Ann", "et al."))
    assert found["authors"] == "Ward, Ann"
    assert [column for column, _ in unplaced] == ["authors"]


def test_of_two_columns_for_one_field_the_first_filled_one_counts():
    plans = [known("venue", "journal"), known("venue", "book")]
    assert placed(plans, journal="Mires", book="Mires") == ({"venue": "Mires"}, [])
    assert placed(plans, book="Bogs") == ({"venue": "Bogs"}, [])
    found, unplaced = placed(plans, journal="Mires", book="Bogs")
    assert (found["venue"], found["notes"]) == ("Mires", "book: Bogs")
    assert unplaced == [("book", "Bogs")]


def test_terms_are_written_in_the_order_of_their_vocabulary():
    terms = (Spelled("wet", "Wet", {"Wet": 2, "wet": 1}), Spelled("dry", "dry", {"dry": 1}))
    plan = extra("soil", "tags", separator="; ", terms=terms)._replace(kind=Kind("tags", "", ","))
    assert placed([plan], soil="dry, wet, Wet")[0] == {"soil": "wet; dry"}


def test_a_cell_without_content_is_named_and_empty():
    found, unplaced = placed([known("venue"), extra("x", "text")], venue="N/A", x="-")
    assert found == {}
    assert unplaced == [("venue", "N/A"), ("x", "-")]


def test_a_list_starts_with_a_dash_and_not_with_a_formula():
    assert placed([extra("x", "text")], x="- one - two")[0] == {"x": "– one - two"}


def test_notes_come_first_and_nothing_of_them_is_lost():
    plans = [known("doi"), known("notes")]
    found, _ = placed(plans, doi="soon", notes=("old", "new"))
    assert found == {"notes": "old; new; doi: soon"}


def test_what_other_cells_agree_on_fills_what_is_empty():
    plans = [known("title"), known("venue"), extra("x", "text"), extra("abstract", "text")]
    found, _ = placed(
        plans, title="Peat", venue="Mires 2021", x="see 10.1234/ab", abstract="unlike 10.1234/other"
    )
    assert (found["doi"], found["year"], found["url"]) == (
        "10.1234/ab",
        "2021",
        "https://doi.org/10.1234/ab",
    )
    two, _ = placed(plans, x="10.1234/ab or 10.1234/cd")
    assert "doi" not in two


@pytest.mark.parametrize(("length", "is_found"), [(299, True), (300, False)])
def test_a_long_text_may_name_other_works(length, is_found):
    text = "10.1234/ab " + "x" * (length - len("10.1234/ab "))
    assert ("doi" in placed([extra("x", "text")], x=text)[0]) is is_found


def test_names_that_may_belong_together_otherwise_are_kept_as_they_are_written():
    found, unplaced = placed([known("authors")], authors="Ward, Ann, Moor, Bo")
    assert found["notes"] == "authors: Ward, Ann, Moor, Bo"
    assert unplaced == [("authors", "Ward, Ann, Moor, Bo")]


@pytest.mark.parametrize(
    ("cell", "type_"),
    [
        ("Peat", "text"),
        ("2101.00001", "arxiv"),
        ("2026", "year"),
        ("2026-01-15", "date"),
        ("", "url"),
    ],
)
def test_a_cell_that_passes_stays_as_it_is(cell, type_):
    assert settled_cell(cell, type_, TODAY) == (cell, "")


@pytest.mark.parametrize(
    ("cell", "type_", "settled"),
    [
        ("=1+1", "text", "“=1+1”"),
        ("-1 peat", "text", "– 1 peat"),
        ("@ann", "text", "“@ann”"),
        ("GrÃ¼n", "text", "Grün"),
        (r"\emph{Peat} and $x_0$", "text", "Peat and x_0"),
        ("Ward, Ann; ; Ward, Ann", "names", "Ward, Ann"),
        ("a\u202eb", "text", "ab"),
    ],
)
def test_what_can_be_fixed_is_fixed_and_named(cell, type_, settled):
    found, problem = settled_cell(cell, type_, TODAY)
    assert found == settled
    assert problem


@pytest.mark.parametrize(
    ("cell", "type_"),
    [
        ("2030", "year"),
        ("2026-01-16", "date"),
        ("a.example", "url"),
        ("twelve", "integer"),
        ("10.1234", "doi"),
        ("2612.00001", "arxiv"),
    ],
)
def test_a_value_without_the_form_of_its_type_goes_to_the_notes(cell, type_):
    found, problem = settled_cell(cell, type_, TODAY)
    assert found == ""
    assert problem not in ("", PLACEHOLDER, NO_CONTENT)


@pytest.mark.parametrize("cell", ["TODO", "tbd", "\u200b"])
def test_a_cell_without_content_is_empty_and_nothing_is_lost(cell):
    found, problem = settled_cell(cell, "text", TODAY)
    assert found == ""
    assert problem in (PLACEHOLDER, NO_CONTENT)
