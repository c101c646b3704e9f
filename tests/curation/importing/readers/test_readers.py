import io
import json
import zipfile

import openpyxl
import pytest

from corpus.curation.importing.readers.bibtex.bibtex import read_bibtex
from corpus.curation.importing.readers.delimited import SURPLUS, read_delimited
from corpus.curation.importing.readers.excel import read_excel
from corpus.curation.importing.readers.markdown.markdown import read_markdown
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.ris import read_ris
from corpus.curation.importing.readers.structured import read_json, read_json_lines, read_yaml
from corpus.model.finding import CorpusError, UsageProblem


def cells(records):
    return [dict(record.cells) for record in records.rows]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_separator_is_recognised(sign):
    text = f'title{sign}year\n"Peat{sign} and moss"{sign}2019\nBogs{sign}2020\n'
    assert cells(read_delimited(text, "f")) == [
        {
            "title": f"Peat{sign if sign != chr(9) else ' '} and moss".replace("  ", " "),
            "year": "2019",
        },
        {"title": "Bogs", "year": "2020"},
    ]


def test_rows_of_another_length_lose_nothing_and_are_named():
    records = read_delimited("a,b\n1,2,3\n4\n\n5,6,,\n", "f.csv")
    assert cells(records) == [
        {"a": "1", "b": "2", SURPLUS: ("3",)},
        {"a": "4"},
        {"a": "5", "b": "6"},
    ]
    assert [(f.code, f.line) for f in records.findings] == [("I107", 2), ("I107", 3)]


@pytest.mark.parametrize(
    "above", ["sep=;\n", "Our list, of 2024\n\n", "Our list;;\n\n", "A list\n"]
)
def test_lines_above_the_header_are_left_out_and_reported(above):
    records = read_delimited(f"{above}title;year;tag\nPeat;2019;a\nBog, fen;2020;b\n", "f.csv")
    assert records.columns == ("title", "year", "tag")
    assert [record.place for record in records.rows] == [
        above.count("\n") + 2,
        above.count("\n") + 3,
    ]
    assert any(f"line {above.count(chr(10)) + 1};" in remark for remark in records.remarks)


@pytest.mark.parametrize(
    "text", ["title\nPeat\nBog, or fen\nMoss\n", "Title\nPeat, moss\nBog, fen\n"]
)
def test_the_header_of_a_list_in_one_column_is_its_first_line(text):
    records = read_delimited(text, "f.csv")
    assert records.columns[0].casefold() == "title"
    assert len(records.rows) == text.count("\n") - 1


def test_lines_are_those_of_the_file():
    records = read_delimited('a,b\n"x\ny",1\nz,2\n', "f.csv")
    assert [record.place for record in records.rows] == [2, 4]
    assert records.rows[0].cells["a"] == "x y"


def test_a_quote_that_never_ends_is_named_with_its_line():
    with pytest.raises(CorpusError) as caught:
        read_delimited('a,b\n1,2\n"open,3\n4,5\n', "f.csv")
    assert [(f.code, f.line) for f in caught.value.findings] == [("I104", 3)]


def test_empty_and_duplicate_column_names_get_a_number():
    assert read_delimited("a,,a\n1,2,3\n", "f").columns == ("a", "column 2", "a 3")


def workbook(*sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_excel_reads_the_first_sheet_with_rows_below_its_title():
    import datetime

    data = workbook(
        ("Cover", [["My survey"]]),
        ("Pool", [["My survey", None], [], ["Title", "Seen", "n", "x"], ["Peat", datetime.datetime(2020, 5, 1), 3.0, True]]),
        ("More", [["a", "b"], [1, 2]]),
    )  # fmt: skip
    records = read_excel(data, "f.xlsx")
    assert cells(records) == [{"Title": "Peat", "Seen": "2020-05-01", "n": "3", "x": "yes"}]
    assert records.rows[0].place == 4
    assert any("'More'" in remark for remark in records.remarks)
    assert cells(read_excel(data, "f.xlsx", "More")) == [{"a": "1", "b": "2"}]
    with pytest.raises(UsageProblem):
        read_excel(data, "f.xlsx", "Nowhere")


def test_the_sheet_with_titles_and_authors_wins_over_a_summary():
    data = workbook(
        ("Summary", [["Topic", "Papers"], ["moss", 3]]),
        ("Papers", [["Title", "Authors", "Year"], ["Peat", "Ward, Ann", 2019]]),
    )
    assert cells(read_excel(data, "f.xlsx")) == [
        {"Title": "Peat", "Authors": "Ward, Ann", "Year": "2019"}
    ]


def test_a_header_of_two_lines_and_merged_cells_are_resolved():
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Our list", None, None, None, None],
        ["Paper", None, None, "Method", None],
        ["Title", "Authors", "Year", "sensor", "depth"],
        ["Peat", "Ward, Ann", 2019, "optical", "shallow"],
        ["Bog", "Moor, Bo", 2020, None, "deep"],
    ):
        sheet.append(row)
    for merged in ("A1:E1", "A2:C2", "D2:E2", "D4:D5"):
        sheet.merge_cells(merged)
    buffer = io.BytesIO()
    book.save(buffer)
    records = read_excel(buffer.getvalue(), "f.xlsx")
    assert cells(records) == [
        {
            "Title": "Peat",
            "Authors": "Ward, Ann",
            "Year": "2019",
            "Method sensor": "optical",
            "Method depth": "shallow",
        },
        {
            "Title": "Bog",
            "Authors": "Moor, Bo",
            "Year": "2020",
            "Method sensor": "optical",
            "Method depth": "deep",
        },
    ]
    assert [record.place for record in records.rows] == [4, 5]


def test_a_workbook_that_unpacks_to_a_thousand_times_its_size_is_refused():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(CorpusError) as caught:
        read_excel(buffer.getvalue(), "f.xlsx")
    assert [finding.code for finding in caught.value.findings] == ["I104"]


@pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0old xls", b"PK\x03\x04 cut off"])
def test_a_file_that_is_not_a_workbook_is_a_finding(data):
    with pytest.raises(CorpusError) as caught:
        read_excel(data, "f.xlsx")
    assert caught.value.findings[0].code == "I104"


PAPERS = [
    {
        "title": "Peat",
        "authors": ["Ward, Ann", "Moor, Bo"],
        "year": 2019,
        "open": True,
        "where": {"lat": 5},
        "x": None,
    },
    {"title": "Bog", "authors": [{"family": "Fen", "given": "Di"}, {"literal": "Bog Trust"}]},
]
EXPECTED = [
    {
        "title": "Peat",
        "authors": ("Ward, Ann", "Moor, Bo"),
        "year": "2019",
        "open": "yes",
        "where.lat": "5",
    },
    {"title": "Bog", "authors": ("Fen, Di", "{Bog Trust}")},
]


@pytest.mark.parametrize("content", [PAPERS, {"version": 1, "papers": PAPERS}])
def test_json_lists_and_objects_around_them(content):
    assert cells(read_json(json.dumps(content), "f")) == EXPECTED


def test_an_object_of_objects_keeps_its_names():
    assert cells(read_json('{"peat": {"y": 1}, "bog": {"y": 2}}', "f")) == [
        {"key": "peat", "y": "1"},
        {"key": "bog", "y": "2"},
    ]


def test_json_lines_skip_what_cannot_be_read():
    records = read_json_lines('{"a": 1}\n{"a": \n\n{"a": 3}\n', "f")
    assert cells(records) == [{"a": "1"}, {"a": "3"}]
    assert [(f.code, f.line) for f in records.findings] == [("I106", 2)]


def test_yaml_keeps_texts_as_they_are():
    text = "- title: Peat\n  country: no\n  id: 2508.03680\n  date: 2020-05-01\n  tags: [a, b]\n"
    assert cells(read_yaml(text, "f")) == [
        {
            "title": "Peat",
            "country": "no",
            "id": "2508.03680",
            "date": "2020-05-01",
            "tags": ("a", "b"),
        }
    ]


@pytest.mark.parametrize(
    ("read", "text", "line"),
    [
        (read_json, '{\n "a": ', 2),
        (read_json, "3", 0),
        (read_json, "[" * 100_000, 0),
        (read_yaml, "a: [1\nb: 2\n", 2),
        (read_yaml, "a: &x [1]\nb: [*x, *x]\n", 0),
    ],
)
def test_what_is_not_the_format_is_a_finding(read, text, line):
    with pytest.raises(CorpusError) as caught:
        read(text, "f")
    assert [(f.code, f.line) for f in caught.value.findings] == [("I104", line)]


def test_a_yaml_tag_makes_no_object():
    assert cells(read_yaml("!!python/object/apply:os.system ['true']", "f")) == [{"value": "true"}]


BIB = r"""
% a comment
@string{jsm = "Journal of Soil Moisture"}
@article{ward2019,
  author = {Ward, Ann and {Bog Trust} and M{\"u}ller, J{\'o}n},
  title = {{Peat} \& 50\% moss},
  journal = jsm, year = 2019,
}
@article{broken,
  title = {never closed,
  year = 2020
}
@misc{fine, title = {Fine}, author = {Moor, Bo and others}, eprint = {2103.00001}}
@article{deep, title = {DEEP}}
""".replace("DEEP", "{" * 60 + "}" * 60)


def test_a_malformed_bibtex_entry_is_named_and_the_rest_is_read():
    records = read_bibtex(BIB, "f.bib")
    assert cells(records) == [
        {
            "key": "ward2019",
            "type": "article",
            "author": ("Ward, Ann", "{Bog Trust}", "Müller, Jón"),
            "title": "Peat & 50% moss",
            "journal": "Journal of Soil Moisture",
            "year": "2019",
        },
        {
            "key": "fine",
            "type": "misc",
            "title": "Fine",
            "author": ("Moor, Bo",),
            "eprint": "2103.00001",
        },
    ]
    assert [(f.code, f.line) for f in records.findings] == [("I106", 9), ("I106", 14)]


def test_thousands_of_open_braces_end_soon():
    records = read_bibtex(
        "@article{a, title = {" + "{" * 20_000 + "\n@misc{b, title={B}}\n", "f.bib"
    )
    assert [record.cells["title"] for record in records.rows] == ["B"]
    assert [f.code for f in records.findings] == ["I106"]


RIS = """TY  - JOUR
TI  - Peat
AU  - Ward, Ann
AU  - Moor, Bo
PY  - 2019
KW  - moss
KW  - bog
ER  -

stray text
TY  - CHAP
TI  - Bog
ER  -
"""


def test_ris_records_are_read_and_stray_text_is_named():
    records = read_ris(RIS, "f.ris")
    assert [record.cells["authors"] for record in records.rows if "authors" in record.cells] == [
        ("Ward, Ann", "Moor, Bo")
    ]
    assert [record.cells["title"] for record in records.rows] == ["Peat", "Bog"]
    assert records.rows[0].cells["keywords"] == ("moss", "bog")


AWESOME = """# Awesome bogs

## Contents
- [Sensors](#sensors)

## Sensors
Some words with a [link](https://nowhere.example).

### Optical
- [Light in the fen](https://arxiv.org/abs/2103.00001) - Moor et al., *SenSys 2021*. [[code](https://git.example/fen)]
- **Peat by eye**: <https://eye.example/paper>

## Maps
| Paper | Year | Where |
|---|---|---|
| [Bogs of the north](https://north.example) | 2019 | far \\| north |
| Bogs of the south | 2020 | |
"""


def test_awesome_lists_and_tables_with_their_headings():
    records = read_markdown(AWESOME, "README.md")
    assert cells(records) == [
        {
            "section": "Sensors",
            "subsection": "Optical",
            "title": "Light in the fen",
            "url": "https://arxiv.org/abs/2103.00001",
            "authors": "Moor et al",
            "venue": "SenSys 2021",
            "code": "https://git.example/fen",
        },
        {"section": "Sensors", "subsection": "Optical", "title": "Peat by eye",
         "url": "https://eye.example/paper"},
        {"section": "Maps", "Paper": "Bogs of the north", "url": "https://north.example", "Year": "2019",
         "Where": "far | north"},
        {"section": "Maps", "Paper": "Bogs of the south", "Year": "2020"},
    ]  # fmt: skip
    assert [record.place for record in records.rows][:2] == [10, 11]


RAYYAN = (
    "key,title,year,authors,notes\n"
    'rayyan-1,Peat,2019,"Ward, Ann and Moor, Bo","RAYYAN-INCLUSION: {""Di""=>""Excluded""} | '
    'RAYYAN-LABELS: field,moss | RAYYAN-EXCLUSION-REASONS: wrong soil"\n'
)


def test_rayyans_notes_are_split_into_columns(tmp_path):
    file = tmp_path / "articles.csv"
    file.write_text(RAYYAN)
    (record,) = cells(read_foreign(str(file), "articles.csv"))
    assert record["inclusion"] == ("Excluded",)
    assert record["labels"] == ("field", "moss")
    assert record["exclusion reasons"] == ("wrong soil",)


@pytest.mark.parametrize(
    ("content", "format_"),
    [
        (b"TY  - JOUR\nTI  - A\nER  - \n", "RIS"),
        (b"@misc{a, title={A}}\n", "BibTeX"),
        (b'[{"title": "A"}]', "JSON"),
        (b'{"title": "A"}\n{"title": "B"}\n', "JSON Lines"),
        (b"# List\n## Bogs\n- [A](https://a.example)\n", "Markdown"),
        (b"- title: A\n", "YAML"),
        (b"title;year\nA;2019\n", "CSV"),
        (workbook(("S", [["title", "year"], ["A", 2019]])), "Excel"),
    ],
)
def test_the_format_is_recognised_by_the_content(tmp_path, content, format_):
    file = tmp_path / "export.txt"
    file.write_bytes(content)
    records = read_foreign(str(file), "export.txt")
    assert records.format == format_
    assert records.rows[0].cells["title"] == "A"


def test_a_file_without_records_is_a_finding(tmp_path):
    file = tmp_path / "empty.csv"
    for content in ("", "title,year\n", "\n\n"):
        file.write_text(content)
        with pytest.raises(CorpusError) as caught:
            read_foreign(str(file), "empty.csv")
        assert caught.value.findings[-1].code == "I105"


ADDED = {"Taxa": "birds\nbats", "Authors": "Ward, Ann\nMoor, Bo", "Title": "A title in\ntwo lines"}


@pytest.mark.parametrize("kind", ["csv", "excel"])
def test_lines_within_a_cell_are_a_list_where_they_repeat(kind):
    rows = [list(ADDED), list(ADDED.values())]
    rows += [
        ["bats, frogs", "Fen, Cy", "B"],
        ["frogs\nbirds", "Fen, Cy", "C"],
        ["bats", "Till, Di\nWard, Ann", "D"],
    ]
    if kind == "excel":
        records = read_excel(workbook(("s", rows)), "f")
    else:
        records = read_delimited(
            "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows), "f"
        )
    assert [row.get("Taxa") for row in cells(records)] == [
        "birds; bats",
        "bats, frogs",
        "frogs; birds",
        "bats",
    ]
    assert [row.get("Authors") for row in cells(records)][::3] == [
        "Ward, Ann; Moor, Bo",
        "Till, Di; Ward, Ann",
    ]
    assert records.rows[0].cells["Title"] == "A title in two lines"


def test_dates_of_ris_end_in_slashes():
    text = "TY  - JOUR\nTI  - Peat\nPY  - 2020/05/12/\nER  - \n\nTY  - JOUR\nTI  - Bog\nPY  - 2021///\nER  - \n"
    assert [row["year"] for row in cells(read_ris(text, "f"))] == ["2020/05/12", "2021"]


def test_lists_as_python_prints_them_are_lists():
    text = (
        "title;authors;tags\nPeat;['Ward, Ann', 'Moor, Bo'];[]\n"
        "Bog;[x];['__import__(1)', 1]\nFen;['a'];['b', 'c']\n"
    )
    assert cells(read_delimited(text, "f")) == [
        {"title": "Peat", "authors": ("Ward, Ann", "Moor, Bo")},
        {"title": "Bog", "authors": "[x]", "tags": "['__import__(1)', 1]"},
        {"title": "Fen", "authors": ("a",), "tags": ("b", "c")},
    ]
