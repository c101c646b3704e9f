"""The schema of a table, and the loop over the same rules, agree about every cell."""

import tomllib
from datetime import date

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandera.errors import SchemaErrors

import corpus
from corpus.model.codebook import COLUMN_TYPES
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError
from corpus.model.table import Table
from corpus.tables import schema
from corpus.tables.cells import CELL_RULES
from corpus.tables.columns import loop_findings
from corpus.tables.schema import schema_findings, table_schema
from corpus.tables.schema_file import schema_text
from corpus.tables.sheet import ColumnarTable, sheet_of
from tests.corpora.minimal import CODEBOOK

BOOK = parse_codebook(tomllib.loads(CODEBOOK))
GOOD = dict(
    zip(
        BOOK.pool.header,
        ("fen", "Light in the fen", "Moor, Bo", "2020", "", "", "optical", "heat", ""),
        strict=True,
    )
)
TODAY = date(2026, 5, 15)
#: A table with a column of each type, none of which is required.
_OPTIONAL = 'vocabulary = "probe", references = "sensors", required = false, definition = "A cell."'
_COLUMNS = [f'{{ name = "{kind}", type = "{kind}", {_OPTIONAL} }},' for kind in COLUMN_TYPES]
_COLUMNS.append(f'{{ name = "terms", type = "term", separator = "; ", {_OPTIONAL} }},')
_KINDS = "\n".join(
    ["[tables.kinds]", 'file = "kinds.csv"', 'key = ["text"]', "columns = [", *_COLUMNS, "]"]
)
OF_TYPES = parse_codebook(tomllib.loads(CODEBOOK + _KINDS))
KINDS = OF_TYPES.tables["kinds"]


def sheet(*rows):
    """The pool with these cells, its keys fen0, fen1, ... if none is given."""
    cells = [tuple((GOOD | {"id": f"fen{n}"} | row).values()) for n, row in enumerate(rows)]
    return sheet_of(Table(BOOK.pool, "f", cells, [2 * n + 2 for n in range(len(rows))]))


def both_ways(table, book):
    by_schema = sorted(schema_findings(table, book, TODAY))
    assert sorted(loop_findings(table, book, TODAY)) == by_schema
    return by_schema


def places(*rows):
    found = both_ways(sheet(*rows), BOOK)
    return [f"{one.code} {one.line} {one.column} {one.value}" for one in found]


def test_every_broken_cell_is_reported_at_its_place():
    rows = [
        {"year": "20", "arxiv": "x"},
        {},
        {"probe": "optic", "measures": "heat; heet", "who": "todo"},
        {"id": "A b", "measures": "heat; heat"},
        {"id": "fen1"},
    ]
    assert places(*rows) == [
        "C204 2 arxiv x", "C208 2 year 20", "C202 6 measures heet", "C202 6 probe optic", "C213 6 who todo",
        "C203 8 id A b", "C219 8 measures heat; heat", "C301 10 id fen1",
    ]  # fmt: skip


def test_cells_of_optional_columns_may_be_empty_and_nothing_else():
    assert places({}, {"arxiv": "x", "link": "x", "remark": "todo"}) == [
        "C204 4 arxiv x", "C207 4 link x", "C213 4 remark todo",
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["id", "name", "who", "year", "probe", "measures"])
def test_a_required_cell_may_not_be_empty(column):
    assert places({column: ""}, {}) == [f"C201 2 {column} "]


def test_an_open_cell_waits_and_is_no_broken_one():
    assert places({"probe": "TODO", "name": "TODO", "measures": "TODO"}) == []
    with pytest.raises(SchemaErrors):
        table_schema(BOOK.pool, BOOK, TODAY).validate(
            schema.text_frame(sheet({"probe": "TODO"}).columns), lazy=True
        )


likely = st.one_of(
    st.text(st.sampled_from("aZ0 9.-+=@$\\/'\";,:(){}[]~^\t\n\u00a0\u200bé\u0301\u0435"), max_size=24),
    st.sampled_from([cell for rule in CELL_RULES for cell in (*rule.right, *rule.wrong)]),
    st.sampled_from(["optical", "optical; acoustic", "optical;acoustic", "optical; optical", "none\n"]),
    st.from_regex(r"[0-9]{4}\.[0-9]{4,5}", fullmatch=True),
    st.from_regex(r"https?://[a-z.@:]{1,12}/[a-z ;]{0,8}", fullmatch=True),
    st.from_regex(r"[12][0-9]{3}(-[01][0-9](-[0-3][0-9])?)?", fullmatch=True),
    st.text(max_size=30),
).filter(lambda cell: "\0" not in cell)  # fmt: skip


@pytest.mark.parametrize("few", [0, schema._FEW], ids=["patterns of Arrow", "patterns of re"])
@given(cells=st.lists(likely, min_size=1, max_size=40, unique=True))
def test_schema_and_loop_agree_for_every_type(few, cells):
    rows = [(cell,) * len(KINDS.header) for cell in cells]
    table = sheet_of(Table(KINDS, "f", rows, list(range(2, len(rows) + 2))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_FEW", few)
        both_ways(table, OF_TYPES)


def test_cells_that_repeat_are_found_in_every_row(monkeypatch):
    """Of such columns the distinct cells alone are matched."""
    monkeypatch.setattr(schema, "_FEW", 20)
    cells = ["peat", "wet\nland", "=1+1", "\u00e9tang", "e\u0301tang", "", "2020"] * 9
    rows = [(cell,) * len(KINDS.header) for cell in cells]
    found = both_ways(sheet_of(Table(KINDS, "f", rows, list(range(len(rows))))), OF_TYPES)
    assert len([one for one in found if (one.code, one.column) == ("C215", "name")]) == 9


def test_the_schema_alone_finds_what_is_wrong_with_a_frame_of_anybody():
    frame = pd.DataFrame([GOOD | {"id": f"fen{n}"} for n in range(9)])
    frame = frame.mask(frame == "")
    frame["arxiv"] = "2005.00001"
    broken = {
        ("id", 0): "A b", ("id", 1): "fen2", ("name", 2): None, ("name", 3): "n/a", ("year", 4): "1599",
        ("arxiv", 5): "2605.1", ("link", 6): "ftp://a.b", ("probe", 7): "optic", ("measures", 8): "heat; heat",
        ("remark", 0): "", ("remark", 1): "wet\n",
    }  # fmt: skip
    for (name, line), cell in broken.items():
        frame.loc[line, name] = cell
    with pytest.raises(SchemaErrors) as caught:
        table_schema(BOOK.pool, BOOK, TODAY).validate(frame, lazy=True)
    cases = caught.value.failure_cases
    found = set(zip(cases["column"], cases["index"], strict=True))
    assert found == (set(broken) - {("id", 1)}) | {("id", 2)}


def test_a_frame_of_another_shape_is_a_mistake_of_ours_and_no_finding():
    right = sheet({})
    for columns in (right.columns.drop(["remark"]), right.columns.select(right.columns.column_names[::-1]),
                    right.columns.append_column("more", pa.array(["x"], pa.string()))):  # fmt: skip
        with pytest.raises((AssertionError, KeyError)):
            schema_findings(ColumnarTable(right.spec, "f", columns, [2]), BOOK, TODAY)


@pytest.fixture(name="exported")
def exported_schema(tmp_path):
    path = tmp_path / "sensors.schema.yaml"
    path.write_text(schema_text(BOOK.pool, BOOK))
    return path


def test_a_written_schema_is_read_back_from_yaml_and_json(exported):
    frame = schema.text_frame(sheet({}, {"year": "9999"}).columns)
    read = corpus.read_schema(exported)
    read.validate(frame, lazy=True)
    exported.write_text(table_schema(BOOK.pool, BOOK, TODAY).to_json())
    read = corpus.read_schema(exported)
    assert read == table_schema(BOOK.pool, BOOK, TODAY)
    with pytest.raises(SchemaErrors):
        read.validate(frame, lazy=True)


@pytest.mark.parametrize(("old", "new", "value"), [
    ("plain_text", "plaintext", "plaintext"), ("strict:", "stric:", "stric"), ("nullable:", "nulable:", "nulable"),
    ("isin:", "is_in:", "is_in"),
])  # fmt: skip
def test_an_unknown_check_or_key_is_refused(exported, old, new, value):
    exported.write_text(exported.read_text().replace(old, new, 1))
    with pytest.raises(CorpusError) as caught:
        corpus.read_schema(exported)
    (found,) = caught.value.findings
    assert (found.code, found.value) == ("C128", value)


@pytest.mark.parametrize("text", [
    "", "x", "[a", "[" * 50_000, "- a", "columns: 3", "a: &x [*x]", "columns: {a: {dtype: damp}}", "\udcff",
    "columns: {a: {isin: {wet: 3}}}", "columns: {a: {checks: {damp: 3}}}", 'columns: !!python/object/apply:os.system ["x"]',
])  # fmt: skip
def test_what_is_no_schema_is_a_finding(tmp_path, text):
    path = tmp_path / "schema.yaml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CorpusError) as caught:
        corpus.read_schema(path)
    assert {one.code for one in caught.value.findings} <= {"C128", "C104", "C106"}
