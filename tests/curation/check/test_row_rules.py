"""The canonical form of a large table, which is read off Arrow's buffers, is that of the writer."""

import tomllib

import pyarrow as pa
import pytest

from corpus.curation.check import row_rules as checks
from corpus.curation.edit.proposal import new_row
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.table import Table
from corpus.tables.sheet import ColumnarTable, sheet_of
from tests.corpora.minimal import CODEBOOK
from tests.support.checked import row_findings


def of_keys(*keys, table="sensors"):
    """What is said about the keys of a table that holds nothing else."""
    book = parse_codebook(tomllib.loads(CODEBOOK))
    spec = book.tables[table]
    columns = {name: [""] * len(keys) for name in spec.header}
    for place, name in enumerate(spec.key):
        columns[name] = [key.split("/")[place] for key in keys]
    arrow = pa.table(columns, pa.schema([(name, pa.string()) for name in columns]))
    found = row_findings(ColumnarTable(spec, "f", arrow), book, checks)
    return [f"{one.line} {one.value}" for one in found if one.code == "C308"]


@pytest.mark.parametrize(("keys", "found"), [
    ((), []), (("a",), []), (("a", "b"), []), (("a", "b", "c"), []),
    (("a", "a"), []), (("b", "a"), ["3 a"]), (("a", "c", "b"), ["4 b"]), (("c", "a", "b"), ["3 a"]),
    (("b", "a", "b"), ["3 a"]),
])  # fmt: skip
def test_the_first_row_out_of_order_is_reported(keys, found):
    assert of_keys(*keys) == found


def canonical(header, rows, text):
    """Whether the file of a table of texts is said to be canonical."""
    columns = [{"name": name, "type": "text", "definition": "Any."} for name in header]
    book = parse_codebook(
        {
            "format": 1,
            "tables": {
                "t": {"file": "f.csv", "role": "pool", "key": header[:1], "columns": columns}
            },
        }
    )
    sheet = sheet_of(Table(book.pool, "f", rows, list(range(2, len(rows) + 2)), text))
    return "C309" not in [finding.code for finding in row_findings(sheet, book, checks)]


def test_an_empty_cell_is_quoted_where_it_is_the_whole_row():
    assert canonical(["x"], [("",), ("b",)], 'x\n""\nb\n')
    assert canonical(["x"], [], "x\n")
    assert canonical(["x"], [("a",), ("b",)], "x\na\nb\n")
    assert not canonical(["x"], [("a",), ("b",)], 'x\n"a"\nb\n')
    assert canonical(["x", "y"], [("", "b")], "x,y\n,b\n")
    assert not canonical(["x", "y"], [("", "b")], 'x,y\n"",b\n')


def reported(*rows, rules=(), codebook=CODEBOOK):
    """What is said about rows of the pool that have these cells and no other, with other rules in the codebook."""
    data = tomllib.loads(codebook)
    book = parse_codebook({**data, "rules": list(rules) or data["rules"]})
    whole = {"probe": "none", "measures": "heat"}
    cells = [new_row(book.pool, {"id": f"k{n}", **whole, **row}) for n, row in enumerate(rows)]
    sheet = sheet_of(Table(book.pool, "f", cells, [3 * n + 2 for n in range(len(rows))]))
    return [finding for finding in row_findings(sheet, book, checks) if finding.code != "C309"]


def places(found):
    return [f"{one.code} {one.line} {one.column} {one.value}" for one in found]


def rule(when, then, table=""):
    return {"id": "r", "table": table, "when": when, "then": then, "reason": "because of the moss"}


def test_a_rule_with_several_columns_applies_where_all_of_them_match():
    asked = rule(
        {"probe": ["none", "optical"], "measures": ["heat", "moisture"]},
        {"probe": ["optical"], "measures": ["heat"]},
    )
    rows = [
        {"probe": "none", "measures": "heat"}, {"probe": "optical", "measures": "heat"}, {"probe": "none", "measures": "salt"},
        {"probe": "acoustic", "measures": "heat"}, {"probe": "none", "measures": "moisture"},
    ]  # fmt: skip
    found = reported(*rows, rules=[asked])
    assert places(found) == ["C302 2 probe none", "C302 14 probe none", "C302 14 measures moisture"]
    for words in (
        "probe is none or optical and measures is heat or moisture",
        "must be optical",
        "because of the moss",
    ):
        assert words in found[0].message + found[0].hint


@pytest.mark.parametrize(("cell", "broken"), [
    ("salt", True), ("moisture; salt", True), ("salt; moisture", True), ("moisture", False), ("heat", False), ("", False),
])  # fmt: skip
def test_a_rule_looks_at_each_term_of_a_cell(cell, broken):
    """It holds for a row that has one of the terms, whatever else stands in the cell."""
    found = reported(
        {"measures": cell}, rules=[rule({"measures": ["salt"]}, {"probe": ["optical"]})]
    )
    assert places(found) == ["C302 2 probe none"] * broken


@pytest.mark.parametrize(("cell", "broken"), [
    ("heat", False), ("heat; moisture", False), ("moisture; heat", False), ("salt", True), ("heat; salt", True), ("", True), ("TODO", False),
    ("haet", False), ("heat; mosture", False),  # reported as undeclared, once
])  # fmt: skip
def test_a_rule_asks_that_each_term_of_a_cell_be_allowed(cell, broken):
    found = reported(
        {"measures": cell}, rules=[rule({"probe": ["none"]}, {"measures": ["heat", "moisture"]})]
    )
    # C223 reports the open one.
    told = [place for place in places(found) if not place.startswith("C223")]
    assert told == [f"C302 2 measures {cell}"] * broken


def test_a_rule_is_about_its_table_alone():
    book = parse_codebook({
        **tomllib.loads(CODEBOOK), "rules": [rule({"stage": ["abstract"]}, {"stage": ["full_text"]}, "rejected")],
    })  # fmt: skip
    rows = [("X1", "arXiv", "Mud", "1", "abstract"), ("X2", "arXiv", "Silt", "2", "full_text")]
    found = row_findings(sheet_of(Table(book.tables["rejected"], "f", rows, [2, 3])), book, checks)
    assert "C302 2 stage abstract" in places(found)
    assert (
        reported(
            {"probe": "none"},
            rules=[rule({"stage": ["abstract"]}, {"stage": ["full_text"]}, "rejected")],
        )
        == []
    )


def test_a_pool_without_years_has_none_to_compare():
    codebook = CODEBOOK.replace('type = "year", role = "year"', 'type = "text"')
    row = {"arxiv": "2003.00001", "year": "1990", "link": "https://arxiv.org/abs/2003.00002"}
    assert [f.code for f in reported(row, codebook=codebook)] == ["C307"]


ADDRESS = "https://arxiv.org/abs/2003.00001"


@pytest.mark.parametrize(("year", "wrong"), [
    ("2019", True), ("2020", False), ("2021", False), ("2023", False), ("2024", True), ("20x0", False), ("²020", False), ("", False),
])  # fmt: skip
def test_a_year_is_not_before_the_preprint_nor_long_after_it(year, wrong):
    found = reported({"arxiv": "2003.00001", "year": year, "link": ADDRESS})
    assert places(found) == ["C306 2 arxiv 2003.00001"] * wrong
    assert all("March 2020" in finding.message and year in finding.message for finding in found)


@pytest.mark.parametrize(("link", "wrong"), [
    (ADDRESS, False), ("", False), ("https://fen.example/2003.00002", False), ("https://arxiv.org/pdf/2003.00001v2", False),
    (ADDRESS[:-1] + "2", True), ("https://ArXiv.org/abs/2003.00002", True), ("https://arxiv.org/pdf/2003.00002v1", True),
    (f"https://fen.example/a ; {ADDRESS[:-1]}2", True), (f"{ADDRESS[:-1]}2 ; {ADDRESS}", False), ("https://arxiv.org/", False),
])  # fmt: skip
def test_an_address_names_the_identifier_of_its_row(link, wrong):
    found = reported({"arxiv": "2003.00001", "year": "2020", "link": link})
    assert places(found) == [f"C307 2 link {link}"] * wrong
    assert all(
        "2003.00001" in finding.message and "2003.00002" in finding.message for finding in found
    )


def test_each_row_is_compared_with_its_own_identifier():
    """Also below one whose identifier has another form, which its column is told about."""
    rows = [
        {"arxiv": "2003.1", "year": "2001", "link": ADDRESS}, {}, {"arxiv": "hep-th/9901001", "year": "2020"},
        {"arxiv": "2003.00002", "year": "2020", "link": ADDRESS},
    ]  # fmt: skip
    assert places(reported(*rows)) == ["C306 8 arxiv hep-th/9901001", f"C307 11 link {ADDRESS}"]


@pytest.mark.parametrize(("year", "venue", "contradicts"), [
    ("2024", "COLM 2025", True), ("2025", "COLM 2025", False), ("2023", "ICLR 2024 Spotlight", True),
    ("2025", "arXiv (ICLR 2026 submitted)", False), ("2025", "ICLR 2026 submission", False), ("2025", "arXiv", False),
    ("2025", "", False), ("2003", "Bog Letters 2002-2003", False), ("2004", "Bog Letters 2002-2003", True),
    ("2025", "Conference on 20250 bogs", False), ("20 25", "COLM 2024", False), ("", "COLM 2024", False),
    ("2025", "Moss 2026", False), ("2025", "Peat 2026", True),
])  # fmt: skip
def test_the_year_of_a_published_work_is_that_of_its_venue(year, venue, contradicts):
    codebook = CODEBOOK.replace(
        'name = "remark", type = "text", role = "notes"',
        'name = "remark", type = "text", role = "venue"',
    )
    codebook += '[venues]\narticle = ["Peat"]\n'
    book = parse_codebook(tomllib.loads(codebook))
    rows = [
        ("a", "n", "w", year, "", "", "none", "heat", venue),
        ("b", "n", "w", "2020", "", "", "none", "heat", "Peat 2020"),
        ("c", "n", "w", year, "", "", "none", "heat", venue),
    ]
    found = row_findings(sheet_of(Table(book.pool, "f", rows, [2, 3, 4])), book, checks)
    places = [(f.line, f.column, f.value) for f in found if f.code == "C310"]
    assert places == [(2, "year", year), (4, "year", year)] * contradicts


@pytest.mark.parametrize(("probe", "measures", "is_impossible"), [
    ("optical", "salt", True), ("optical", "heat; salt", True), ("optical", "heat", False), ("acoustic", "salt", False), ("optical", "", False),
])  # fmt: skip
def test_what_is_declared_impossible_is_an_error_where_it_occurs(probe, measures, is_impossible):
    found = [
        one for one in reported({}, {"probe": probe, "measures": measures}) if one.code == "C311"
    ]
    assert places(found) == [f"C311 5 probe {probe}"] * is_impossible
    assert all(one.is_error and "salt cannot be seen" in one.message + one.hint for one in found)


def test_a_table_that_repeats_axes_is_checked_for_the_impossible_as_well():
    """By the column that it repeats, or the axis that a role names."""
    data = tomllib.loads(CODEBOOK)
    data["tables"]["rejected"]["columns"] += [
        {"name": "kind", "type": "term", "vocabulary": "probe", "role": "probe", "required": False, "definition": "Kind."},
        {"name": "what", "type": "term", "vocabulary": "measures", "role": "measures", "required": False, "definition": "What."},
    ]  # fmt: skip
    book = parse_codebook(data)
    rows = [
        ("X1", "arXiv", "Mud", "1", "abstract", "optical", "salt"),
        ("X2", "arXiv", "Silt", "2", "abstract", "optical", "heat"),
    ]
    found = row_findings(sheet_of(Table(book.tables["rejected"], "f", rows, [2, 3])), book, checks)
    assert "C311 2 kind optical" in places(found)
    assert not [place for place in places(found) if place.startswith("C311 3")]


@pytest.mark.parametrize(("keys", "found"), [
    (("fen", "Fen"), ["C312 5 id Fen"]), (("fen", "fen-b", "FEN", "FEN-B"), ["C312 8 id FEN", "C312 11 id FEN-B"]),
    (("fen", "fen"), []), (("fen", "moss"), []), ((), []),
])  # fmt: skip
def test_keys_that_differ_by_case_alone_are_one(keys, found):
    rows = [{"id": key} for key in keys]
    assert [place for place in places(reported(*rows)) if place.startswith("C312")] == found


LINKED = CODEBOOK.replace(
    'name = "remark", type = "text", role = "notes"',
    'name = "remark", type = "text", role = "identifier"',
)


@pytest.mark.parametrize(("identifier", "link", "is_other"), [
    ("arXiv:2305.14325", "https://arxiv.org/abs/2305.14325", False), ("arXiv:2305.14325", "https://arxiv.org/abs/2305.14326", True),
    ("arXiv:2305.14325", "https://arxiv.org/pdf/2305.14326", True), ("arXiv:2305.14325", "https://fen.example/debate", False),
    ("arXiv:2305.14325", "https://arxiv.org/abs/2305.14325v2 ; https://doi.org/10.1000/x", False), ("", "https://arxiv.org/abs/2305.14325", False),
    ("DOI:10.1234/x", "https://doi.org/10.1234/y", True), ("DOI:10.1234/x", "https://arxiv.org/abs/2305.14325", False), ("Library 7", ADDRESS, False),
])  # fmt: skip
def test_an_identifier_of_any_kind_is_that_of_its_address(identifier, link, is_other):
    found = reported({"remark": identifier, "link": link}, codebook=LINKED)
    assert [place for place in places(found) if place.startswith("C307")] == [
        f"C307 2 link {link}"
    ] * is_other
