"""A new pool: rows, keys, which columns it has, and one record in them.

What does not fit is kept and named.
"""

import pytest

from corpus.curation.importing.column_plan import ColumnPlan, parse_map, plan_columns
from corpus.curation.importing.kinds import Kind
from corpus.curation.importing.names import BY_ROLE
from corpus.curation.importing.pool import NO_CONTENT, PLACEHOLDER, Placing, make_pool, settled_cell
from corpus.curation.importing.readers.records import ImportedRecord
from tests.support.imported import recorded


def pool(*rows, maps=()):
    records = recorded(*rows)
    imported = make_pool(records.rows, plan_columns(records.columns, records.rows, parse_map(maps)))
    header = [column.name for column in imported.columns]
    return [dict(zip(header, row, strict=True)) for row in imported.rows], imported


def test_identifiers_dates_and_addresses_are_found():
    (a, b, c), imported = pool(
        {"title": "Peat", "link": "https://arxiv.org/pdf/2103.00001v2", "k": "1"},
        {"title": "Bog", "where": "Mires 2018, doi:10.1234/m.5", "venue": "Mires 2018", "k": "2"},
        {"title": "Fen", "date": "12 May 2020", "venue": "Mires 2021", "k": "3"},
    )
    assert (a["arxiv_id"], a["first_public"], a["year"]) == ("2103.00001", "2021-03", "2021")
    assert (b["doi"], b["year"], b["url"]) == ("10.1234/m.5", "2018", "https://doi.org/10.1234/m.5")
    assert (c["first_public"], c["year"]) == ("2020-05-12", "2020")
    assert [line.split(":")[0] for line in imported.found] == ["2", "3", "4"]


def test_a_record_without_a_title_is_named():
    rows, imported = pool({"title": "Peat", "n": "4"}, {"title": "", "n": "4"})
    assert [row["title"] for row in rows] == ["Peat", "untitled"]
    assert [(u.line, u.column) for u in imported.unplaced] == [(3, "title")]


def test_keys_are_made_of_name_year_and_word_and_are_unique():
    rows, _ = pool(
        {"title": "The peat of moss", "authors": "Öberg, Åsa", "year": "2019"},
        {"title": "Peat again", "authors": "Öberg, Åsa", "year": "2019"},
        {"title": "No author at all", "year": "2020"},
        {"title": "漢字"},
    )
    assert [row["key"] for row in rows] == [
        "oberg-2019-peat",
        "oberg-2019-peat-2",
        "2020-no-author",
        "entry",
    ]


def test_own_keys_are_kept_and_invalid_values_go_to_the_notes():
    rows, _ = pool({"key": "Ward:2019_a", "title": "A a"}, {"key": "moor2020", "title": "B b"})
    assert [(row["key"], row["source_key"]) for row in rows] == [
        ("ward-2019-a", "Ward:2019_a"),
        ("moor2020", ""),
    ]


def test_spellings_become_terms_and_order_follows_the_vocabulary():
    rows, imported = pool(
        {"title": "A a", "what": "Heat; moisture"},
        {"title": "B b", "what": "moisture"},
        {"title": "C c", "what": "heat;Moisture; salt"},
        {"title": "D d", "what": "salt"},
    )
    assert [row["what"] for row in rows] == [
        "moisture; heat",
        "moisture",
        "moisture; heat; salt",
        "salt",
    ]
    (column,) = [column for column in imported.columns if column.name == "what"]
    assert column.axis
    assert column.required


def test_a_day_in_the_column_of_years_is_when_the_work_was_first_public():
    rows, imported = pool(
        {"title": "A", "year": "2020/05/12"},
        {"title": "B", "year": "2020"},
        {"title": "C", "year": "c. 2020"},
    )
    assert [(row["year"], row["first_public"], row["notes"]) for row in rows] == [
        ("2020", "2020-05-12", ""), ("2020", "", ""), ("2020", "", "year: c. 2020"),
    ]  # fmt: skip
    assert [unplaced.line for unplaced in imported.unplaced] == [4]


@pytest.mark.parametrize(
    ("day", "date", "is_kept"),
    [("JUL 1", "2017-07-01", False), ("MAY", "2017-05", False), ("SPR", "", True)],
)
def test_a_date_without_a_year_is_of_the_year_of_the_record(day, date, is_kept):
    (row,), imported = pool({"Title": "Peat", "Publication date": day, "Publication year": "2017"})
    assert row.get("first_public", "") == date
    assert bool(imported.unplaced) is is_kept


def test_the_publisher_is_the_venue_of_a_book_only():
    (article, book), _ = pool(
        {"Title": "Peat", "Publisher": "Bog Press", "Howpublished": "Online", "Journal": "Soils"},
        {"Title": "Moss", "Publisher": "Bog Press"},
    )
    assert (article["venue"], article["publisher"]) == ("Soils", "bog_press")
    assert book["venue"] == "Bog Press"


def test_columns_come_in_their_order_and_the_named_group_is_one():
    _, imported = pool(
        {"title": "A a", "date": "2020-05", "soil": "wet", "Main topic": "moss", "n": "1", "tldr": "x"},
        {"title": "B b", "date": "2020-06", "soil": "dry", "Main topic": "moss", "n": "2", "tldr": ""},
        {"title": "C c", "date": "2020-07", "soil": "wet", "Main topic": "fern", "n": "3", "tldr": ""},
        {"title": "D d", "date": "2020-08", "soil": "dry", "Main topic": "fern", "n": "4", "tldr": ""},
    )  # fmt: skip
    assert [column.name for column in imported.columns] == [
        "key", "title", "authors", "year", "first_public", "venue", "arxiv_id", "doi", "url",
        "soil", "main_topic", "n", "summary", "notes",
    ]  # fmt: skip
    declared = {column.name: column for column in imported.columns}
    assert [column.name for column in imported.columns if column.role == "group"] == ["main_topic"]
    assert (declared["n"].type, declared["n"].label) == ("integer", "N")
    assert declared["main_topic"].label == "Main topic"
    assert [column.name for column in imported.columns if column.vocabulary] == [
        "soil",
        "main_topic",
    ]
    required = {name for name, column in declared.items() if column.required}
    assert required == {"key", "title", "soil", "main_topic"}


def test_a_first_author_replaces_the_column_of_authors():
    _, imported = pool({"title": "A a", "First author": "Ward, Ann", "institution": "Bog Trust"})
    names = [column.name for column in imported.columns]
    assert names[:5] == ["key", "title", "first_author", "affiliation", "year"]


def test_a_key_that_means_nothing_is_not_taken():
    rows, _ = pool({"key": "todo", "title": "A a"}, {"key": "none such", "title": "B b"})
    assert [row["key"] for row in rows] == ["entry-todo", "none-such"]


def test_the_month_of_an_identifier_is_no_year_where_there_is_one():
    rows, _ = pool({"title": "A a", "arxiv": "2103.00001", "year": "2022"})
    assert (rows[0]["year"], rows[0]["first_public"]) == ("2022", "2021-03")


def known(role, source=""):
    field = BY_ROLE[role]
    return ColumnPlan(source or role, field.column, role, Kind(field.type))


def extra(name, kind, **more):
    return ColumnPlan(name, name, "", Kind(kind), **more)


def placed(plans, **cells):
    """Place one record; return its cells and what did not fit as (column, value)."""
    placing = Placing(plans)
    found = placing.placed(ImportedRecord(7, cells))
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


def test_a_cut_list_of_authors_is_named():
    found, unplaced = placed([known("authors")], authors=("Ward, Ann", "et al."))
    assert found["authors"] == "Ward, Ann; et al."
    assert [column for column, _ in unplaced] == ["authors"]


def test_of_two_columns_for_one_field_the_first_filled_one_counts():
    plans = [known("venue", "journal"), known("venue", "book")]
    assert placed(plans, journal="Mires", book="Mires") == ({"venue": "Mires"}, [])
    assert placed(plans, book="Bogs") == ({"venue": "Bogs"}, [])
    found, unplaced = placed(plans, journal="Mires", book="Bogs")
    assert (found["venue"], found["notes"]) == ("Mires", "book: Bogs")
    assert unplaced == [("book", "Bogs")]


def test_notes_come_first_and_nothing_of_them_is_lost():
    plans = [known("doi"), known("notes")]
    found, _ = placed(plans, doi="soon", notes=("old", "new"))
    assert found == {"notes": "old; new; doi: soon"}


@pytest.mark.parametrize(("length", "is_found"), [(299, True), (300, False)])
def test_a_long_text_may_name_other_works(length, is_found):
    text = "10.1234/ab " + "x" * (length - len("10.1234/ab "))
    assert ("doi" in placed([extra("x", "text")], x=text)[0]) is is_found


def test_names_that_may_belong_together_otherwise_are_kept_as_they_are_written():
    found, unplaced = placed([known("authors")], authors="Ward, Ann, Moor, Bo")
    assert found["notes"] == "authors: Ward, Ann, Moor, Bo"
    assert unplaced == [("authors", "Ward, Ann, Moor, Bo")]


@pytest.mark.parametrize(
    ("cell", "type_", "settled"),
    [
        ("=1+1", "text", "“=1+1”"),
        ("-1 peat", "text", "– 1 peat"),
        ("@ann", "text", "“@ann”"),
        ("GrÃ¼n", "text", "Grün"),
        (r"\emph{Peat} and $x_0$", "text", "Peat and x_0"),
        ("Ward, Ann; ; Ward, Ann", "names", "Ward, Ann; Ward, Ann"),
        ("a\u202eb", "text", "ab"),
    ],
)
def test_what_can_be_fixed_is_fixed_and_named(cell, type_, settled):
    found, problem = settled_cell(cell, type_)
    assert found == settled
    assert problem


@pytest.mark.parametrize(
    ("cell", "type_"),
    [
        ("2999", "year"),
        ("2999-01-16", "date"),
        ("a.example", "url"),
        ("twelve", "integer"),
        ("10.1234", "doi"),
        ("9912.00001", "arxiv"),
    ],
)
def test_a_value_without_the_form_of_its_type_goes_to_the_notes(cell, type_):
    found, problem = settled_cell(cell, type_)
    assert found == ""
    assert problem not in ("", PLACEHOLDER, NO_CONTENT)


@pytest.mark.parametrize("cell", ["TODO", "tbd", "\u200b"])
def test_a_cell_without_content_is_empty_and_nothing_is_lost(cell):
    found, problem = settled_cell(cell, "text")
    assert found == ""
    assert problem in (PLACEHOLDER, NO_CONTENT)
