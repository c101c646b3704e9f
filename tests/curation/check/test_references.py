"""What rows of different tables say of each other: where it is found, and what is advised."""

import tomllib

import pytest

from corpus.curation.check import protocol, references
from corpus.curation.check.check import check_corpus
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.sheet import sheet_of
from tests.corpora.full import without_columns, write_full
from tests.corpora.minimal import CODEBOOK
from tests.support.changing import rewrite
from tests.support.checked import findings_of


def found(data, code):
    return [f for f in check_corpus(str(data)) if f.code == code]


def edit(data, name, old, new):
    rewrite(data / name, old, new)


def test_an_undeclared_source_is_answered_with_the_nearest(minimal):
    edit(minimal, "rejected.csv", "X2,library", "X2,libary")
    (finding,) = found(minimal, "C407")
    assert (finding.line, finding.column, finding.value) == (3, "source", "libary")
    assert "'library'" in finding.hint
    edit(minimal, "rejected.csv", "X2,libary", "X2,")
    assert found(minimal, "C407") == []  # C201 says that it is empty


def test_a_key_with_stray_whitespace_is_not_suggested(minimal):
    edit(minimal, "sensors.csv", "\nfen,", "\nfen ,")
    (finding,) = found(minimal, "C401")
    assert (finding.line, finding.value) == (3, "fen")
    assert (
        "did you mean" not in finding.hint
    )  # whoever followed it would break the second table as well


MORE = """
[tables.fixed]
file = "fixed.csv"
role = "corrections"
key = ["id", "which"]
columns = [
  { name = "which", type = "column", references = "sensors", role = "column", definition = "Column." },
  { name = "id", type = "ref", references = "sensors", role = "key", definition = "Name." },
  { name = "new", type = "text", role = "after", required = false, definition = "Value now." },
]
[tables.judged]
file = "judged.csv"
key = ["id"]
columns = [
  { name = "id", type = "ref", references = "sensors", definition = "Name." },
  { name = "how", type = "text", definition = "How." },
  { name = "probe", type = "term", mirrors = "probe", definition = "Probe." },
  { name = "sum", type = "text", mirrors = "measures", definition = "Measures." },
  { name = "when", type = "text", mirrors = "year", definition = "Year." },
]
"""


def reported(minimal, book=CODEBOOK + MORE, documents=None, **rows):
    """What is said about the tiny corpus with these rows of some tables."""
    read = parse_codebook(tomllib.loads(book))
    tables = load_corpus(str(minimal)).tables
    sheets = {}
    for name, spec in read.tables.items():
        known = tables[name].rows if name in tables else []
        sheets[name] = sheet_of(Table(spec, spec.file, rows.get(name, known), range(2, 99)))
    study = Study(read, {}, "", documents or {})
    found = findings_of([references, protocol], sheets, study)
    words = " ".join(f"{f.message} {f.hint}" for f in found)
    return [f"{f.code} {f.file}:{f.line} {f.column} {f.value}" for f in found], words


def test_every_reference_of_every_table_is_followed(minimal):
    fixed = [("nme", "clay", "A"), ("name", "cley", "A"), ("name", "zzzzz", "A")]
    judged = [("cley", "well", "optical", "heat", "")]
    found, words = reported(minimal, fixed=fixed, judged=judged)
    assert found == [
        "C401 fixed.csv:2 which nme", "C401 fixed.csv:3 id cley", "C401 fixed.csv:4 id zzzzz",
        "C401 judged.csv:2 id cley",
    ]  # fmt: skip
    assert "did you mean 'name'" in words
    assert "sensors.csv" in words


def test_a_copied_tag_is_that_of_the_pool(minimal):
    judged = [
        ("clay", "well", "dielectric", "moisture; salt", "2020"),
        ("fen", "well", "acoustic", "moisture", "2021"),
        ("till", "well", "none", "salt", "2018"),
    ]
    found, words = reported(minimal, judged=judged)
    assert found == [
        "C406 judged.csv:3 probe acoustic", "C406 judged.csv:4 sum salt", "C406 judged.csv:4 when 2018",
    ]  # fmt: skip
    assert "optical" in words
    assert "heat" in words


def test_a_copied_tag_is_not_compared_with_an_undeclared_one(minimal):
    """The pool must be fixed first: an undeclared tag is nothing to copy."""
    clay, fen, till = load_corpus(str(minimal)).tables["sensors"].rows
    sensors = [
        (*clay[:6], "", *clay[7:]),
        (*fen[:6], "optic", *fen[7:]),
        (*till[:3], "", *till[4:7], "heat; heet", ""),
    ]
    judged = [
        ("clay", "well", "none", "salt", "2020"),
        ("fen", "well", "none", "moisture", "2021"),
        ("till", "well", "none", "heat", "2019"),
    ]
    assert reported(minimal, sensors=sensors, judged=judged)[0] == [
        "C406 judged.csv:2 sum salt", "C406 judged.csv:4 when 2019",
    ]  # fmt: skip


def test_a_correction_must_be_in_the_pool_whatever_else_is_wrong(minimal):
    fixed = [
        ("nme", "clay", "A"),
        ("year", "clay", "2020"),
        ("year", "fen", "2020"),
        ("remark", "till", ""),
        ("year", "cley", "1"),
    ]
    judged = [("clay", "well", "none", "moisture; salt", "2020")]
    found, words = reported(minimal, fixed=fixed, judged=judged)
    assert [place for place in found if not place.startswith("C401")] == [
        "C406 judged.csv:2 probe none",
        "C405 fixed.csv:4 year 2020",
    ]
    assert "2021" in words


@pytest.mark.parametrize(("old", "new", "places"), [
    ("2020", "2021", []), ("2021", "2021", ["C417 fixed.csv:2 new 2021"]), ("2021", "2020", ["C405 fixed.csv:2 year 2020"]),
    ("", "", ["C405 fixed.csv:2 year ", "C417 fixed.csv:2 new "]),
])  # fmt: skip
def test_a_correction_changes_something(minimal, old, new, places):
    column = (
        '{ name = "old", type = "text", role = "before", required = false, definition = "Was." },'
    )
    book = (CODEBOOK + MORE).replace('  { name = "new",', f'  {column}\n  {{ name = "new",')
    found, _ = reported(minimal, book=book, fixed=[("year", "fen", old, new)])
    assert sorted(place for place in found if "fixed.csv:2" in place) == places


def test_an_entry_needs_a_bibliography_that_names_it_by_a_plain_key(minimal):
    plain = CODEBOOK.replace(
        '{ name = "id", type = "ref", references = "sensors", role',
        '{ name = "id", type = "key", role',
    )
    rows = [("clay", "Loam, Ann", "", "2020"), ("fen", "Moor, Bo", "", "2021")]
    assert reported(minimal, plain, papers=rows)[0] == ["C402 sensors.csv:4 id till"]


@pytest.mark.parametrize(
    ("name", "section"), [("source", "sources"), ("label", "query_families"), ("stage", "stages")]
)
def test_the_log_names_what_the_protocol_declares(minimal, name, section):
    book = CODEBOOK.replace(
        '{ name = "label", type = "text", role = "title"',
        '{ name = "label", type = "text", role = "query_family"',
    )
    row = ("X1", "arXiv", "mud", "1", "abstract")
    place = parse_codebook(tomllib.loads(book)).tables["rejected"].position(name)
    declared = {section: [{"id": "other"}, {"name": "without id"}, "id of nothing", {"id": 7}]}
    found, words = reported(minimal, book, {"protocol": declared}, rejected=[row])
    assert found == [f"C407 rejected.csv:2 {name} {row[place]}"]
    assert "other, 7" in words
    assert (
        reported(minimal, book, {"protocol": {section: [{"id": row[place]}]}}, rejected=[row])[0]
        == []
    )
    assert reported(minimal, book, {"protocol": {section: "none"}}, rejected=[row])[0] == []


def test_a_pool_without_identifiers_has_a_bibliography_all_the_same(tmp_path):
    data = write_full(tmp_path)
    without_columns(data, "sensors", "arxiv", "url")
    assert [f for f in check_corpus(str(data)) if f.code[:2] == "C4"] == []
    dated = data / "dated.csv"
    dated.write_text(
        "".join(line for line in dated.read_text().splitlines(True) if not line.startswith("cy"))
    )
    assert [(f.code, f.line, f.value) for f in check_corpus(str(data)) if f.code[:2] == "C4"] == [
        ("C402", 4, "cy")
    ]


def test_an_arxiv_doi_is_that_of_the_identifier_of_the_entry(minimal):
    papers = [
        ("clay", "Loam, Ann", "10.48550/arXiv.2003.00001", "2020-03"),
        ("fen", "Moor, Bo", "10.48550/arXiv.2102.00001", "2021-02"),
        ("till", "Stein, Cy", "10.1234/till", "2019"),
    ]
    assert reported(minimal, papers=papers)[0] == [
        "C412 papers.csv:3 doi 10.48550/arXiv.2102.00001"
    ]
    papers[0] = ("clay", "Loam, Ann", "10.48550/arxiv.2003.00002", "2020-03")
    found, words = reported(
        minimal, papers=[*papers[:1], papers[2], ("fen", "Moor, Bo", "", "2021")]
    )
    assert found == ["C412 papers.csv:2 doi 10.48550/arxiv.2003.00002"]
    assert "arXiv:2003.00001" in words


def test_an_arxiv_doi_of_a_candidate_is_compared_with_its_own_identifier(minimal):
    columns = """
[tables.proposed]
file = "proposed.csv"
role = "candidates"
key = ["id"]
columns = [
  { name = "id", type = "key", role = "key", definition = "Name." },
  { name = "title", type = "text", role = "title", definition = "Title." },
  { name = "arxiv", type = "arxiv", required = false, definition = "Preprint." },
  { name = "doi", type = "doi", required = false, definition = "DOI." },
]
"""
    rows = [
        ("c-1", "Rain", "2003.00001", "10.48550/arXiv.2003.00001"),
        ("c-2", "Snow", "2003.00002", "10.48550/arXiv.2003.00003"),
        ("c-3", "Hail", "2003.00004", "10.1234/hail"),
    ]
    found, _ = reported(minimal, CODEBOOK + columns, proposed=rows)
    assert found == ["C412 proposed.csv:3 doi 10.48550/arXiv.2003.00003"]


def test_an_arxiv_doi_in_the_pool_itself_is_compared_too(minimal):
    book = CODEBOOK.replace(
        '{ name = "remark", type = "text", role = "notes"', '{ name = "remark", type = "doi"'
    )
    clay, fen, till = load_corpus(str(minimal)).tables["sensors"].rows
    sensors = [
        (*clay[:-1], "10.48550/arXiv.2003.00001"),
        (*fen[:-1], "10.48550/arXiv.2102.00001"),
        (*till[:-1], ""),
    ]
    assert reported(minimal, book, sensors=sensors)[0] == [
        "C412 sensors.csv:3 remark 10.48550/arXiv.2102.00001"
    ]


CODED = """
[tables.coded]
file = "coded.csv"
role = "reasons"
key = ["nr"]
columns = [
  { name = "nr", type = "ref", references = "rejected", role = "key", definition = "Record." },
  { name = "why", type = "text", definition = "Reason." },
]
"""


def test_every_exclusion_has_a_coded_reason_where_reasons_are_coded(minimal):
    book = CODEBOOK + CODED
    assert reported(minimal, book, coded=[("X1", "mud"), ("X2", "magic")])[0] == []
    assert reported(minimal, book, coded=[("X1", "mud")])[0] == ["C413 rejected.csv:3 nr X2"]
    found, _ = reported(minimal, book, coded=[("X1", "mud"), ("X3", "typing error")])
    assert found == ["C401 coded.csv:3 nr X3", "C413 rejected.csv:3 nr X2"]
    assert reported(minimal, CODEBOOK)[0] == []


def test_a_person_is_written_in_one_way(minimal):
    papers = [
        ("clay", "Loam, Ann; Silt von Dee, Eve", "", "2020-03"),
        ("fen", "Moor, Bo; von Dee, Eve Silt; Loam, A.", "", "2021"),
        ("till", "Stein, Cy; Silt von Dee, Eve; Möor-Bo", "", "2019"),
    ]
    found, words = reported(minimal, papers=papers)
    assert found == [
        "C414 papers.csv:3 authors von Dee, Eve Silt",
        "C414 papers.csv:4 authors Möor-Bo",
    ]
    assert "'Silt von Dee, Eve'" in words
    assert "'Moor, Bo'" in words
    clay, *others = load_corpus(str(minimal)).tables["sensors"].rows
    sensors = [(clay[0], clay[1], "Ann, Loam", *clay[3:]), *others]
    papers = [("clay", "Loam, Ann", "", "2020"), ("fen", "Loam, Ann", "", "2021")]
    assert (
        "C414 sensors.csv:2 who Ann, Loam" in reported(minimal, sensors=sensors, papers=papers)[0]
    )
