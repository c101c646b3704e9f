"""The pool for reference managers, read back by a reader of each format."""

import json
from dataclasses import replace

import pytest
import rispy
from click.testing import CliRunner
from pybtex.database import parse_string

from corpus.analysis.bibliography.works import CitedWork, parse_names
from corpus.cli.main import main
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError
from corpus.publishing.export.bibliography import bibtex, bibtex_entry, csl_json, ris
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, full, full_of, sensor

HOSTILE = [
    r"\input{/etc/passwd}",
    "}} @misc{evil, title = {x",
    "50% of ~ ^ _ # $ & {",
    'a "quoted" title',
    "漢字 and العربية",
    "tab\tnew\nline\x1b[31m",
    "x" * 5000,
]


def test_every_entry_of_the_shipped_corpus_is_read_back_under_its_key():
    corpus = load_corpus(str(REAL))
    read = parse_string(bibtex(corpus), "bibtex")
    assert sorted(read.entries) == sorted(corpus.pool.column("key"))
    luo = read.entries["agent-lightning"]
    assert luo.type == "misc"
    assert luo.fields["eprint"] == "2508.03680"
    assert [str(person) for person in luo.persons["author"]][:2] == ["Luo, Xufang", "Zhang, Yuge"]


LIST = r"""
@article{a, title={Peat in fens of $\mathcal{L}$ and ℒ, 漢字}, author={Loam, Ann and {Institute of Fens, Bogs} and others}, year=2003,
  journal={Nature}, volume=3, number=4, pages={1--9}, abstract={We saw it.}}
@inproceedings{d, title={Peat in pools}, author={King, Jr., Bo}, year=2005, booktitle={NeurIPS}, editor={Silt, Dee}}
@phdthesis{e, title={Peat in theses}, author={Moor, Bo}, year=2006, school={Fen University}}
@book{f, title={Peat in books}, author={Moor, Bo}, year=2007, publisher={Fen Press}, isbn={978}}
@incollection{g, title={Peat in chapters}, author={Moor, Bo}, year=2008, booktitle={Handbook of Peat}, publisher={Fen Press}}
"""


@pytest.fixture(scope="module")
def imported_list(tmp_path_factory):
    """A corpus that `corpus init` made of a list of several kinds of works."""
    folder = tmp_path_factory.mktemp("list")
    (folder / "list.bib").write_text(LIST, "utf-8")
    arguments = ["init", str(folder / "new"), "--from", str(folder / "list.bib")]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return load_corpus(str(folder / "new" / "data"))


def test_what_the_pool_has_is_written_to_bibtex(imported_list):
    entries = list(parse_string(bibtex(imported_list), "bibtex").entries.values())
    kinds = {entry.type: dict(entry.fields) for entry in entries}
    assert sorted(kinds) == ["article", "book", "incollection", "inproceedings", "phdthesis"]
    article, book = kinds["article"], kinds["book"]
    assert (article["journal"], article["volume"], article["number"]) == ("Nature", "3", "4")
    assert (article["pages"], article["abstract"]) == ("1--9", "We saw it.")
    assert (book["publisher"], book["isbn"]) == ("Fen Press", "978")
    assert kinds["phdthesis"]["school"] == "Fen University"
    chapter = kinds["incollection"]
    assert (chapter["booktitle"], chapter["publisher"]) == ("Handbook of Peat", "Fen Press")
    (first,) = [entry for entry in entries if entry.type == "article"]
    people = first.persons["author"]
    assert [str(person) for person in people] == [
        "Loam, Ann",
        "{Institute of Fens, Bogs}",
        "others",
    ]
    (talk,) = [entry for entry in entries if entry.type == "inproceedings"]
    assert str(talk.persons["editor"][0]) == "Silt, Dee"


def test_what_the_pool_has_is_written_to_csl_and_ris(imported_list):
    items = {item["type"]: item for item in json.loads(csl_json(imported_list))}
    article = items["article-journal"]
    assert (article["volume"], article["issue"], article["page"]) == ("3", "4", "1–9")
    assert article["author"][1:] == [{"literal": "Institute of Fens, Bogs"}, {"literal": "others"}]
    assert (items["thesis"]["publisher"], items["book"]["ISBN"]) == ("Fen University", "978")
    assert items["paper-conference"]["editor"] == [{"family": "Silt", "given": "Dee"}]
    read = {entry["type_of_reference"]: entry for entry in rispy.loads(ris(imported_list))}
    assert sorted(read) == ["BOOK", "CHAP", "CPAPER", "JOUR", "THES"]
    journal = read["JOUR"]
    assert (journal["volume"], journal["start_page"], journal["end_page"]) == ("3", "1", "9")
    assert journal["authors"] == ["Loam, Ann", "Institute of Fens, Bogs", "et al."]
    assert journal["abstract"] == "We saw it."


def test_organisations_keep_their_braces_and_a_first_author_alone_gets_others():
    text = bibtex(full())
    assert "author        = {Ward, Ann and {Soil Trust}}" in text
    assert "author   = {{Soil Trust}}" in text
    assert "and others" not in text
    shipped = load_corpus(str(REAL))
    alone = bibtex(shipped.with_tables({shipped.codebook.pool.name: shipped.pool}))
    assert "{Luo, Xufang and others}" in alone
    assert "{{Anthropic}}" in alone


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_and_names_stay_one_entry(title):
    names = title.replace(";", " ").replace(",", " ")
    corpus = full_of(sensor("a", name=title, authors=names, venue=title), sensor("b"))
    read = parse_string(bibtex(corpus), "bibtex").entries
    assert list(read) == ["a", "b"]
    assert "\x1b" not in bibtex(corpus)


def test_an_address_with_braces_cannot_end_its_field():
    corpus = full_of(sensor("a", url="https://soil.example/}{\\x"))
    assert (
        parse_string(bibtex(corpus), "bibtex").entries["a"].fields["url"]
        == "https://soil.example/%7D%7B%5Cx"
    )


def test_a_key_that_bibtex_does_not_take_is_a_finding():
    with pytest.raises(CorpusError) as caught:
        bibtex(full_of(sensor("a b"), sensor("c")))
    assert [(finding.code, finding.line, finding.column) for finding in caught.value.findings] == [
        ("X101", 2, "sensor")
    ]


def _work(**changes):
    work = CitedWork(
        "a",
        "Peat",
        parse_names("Poe, Al"),
        True,
        "misc",
        "2020",
        None,
        "",
        "",
        "",
        (),
        "",
        "",
        "",
        {},
    )
    return replace(work, **changes)


@pytest.mark.parametrize(
    ("public", "kind", "month"),
    [
        ("2020-03-09", "misc", "mar"),
        ("2020-12", "misc", "dec"),
        ("2020", "misc", ""),
        ("2019-12-31", "misc", ""),  # of another year than the work
        ("2020-03-09", "article", ""),
    ],
)
def test_a_month_is_that_of_the_work(public, kind, month):
    entry = bibtex_entry(_work(public=parse_date(public), kind=kind))
    assert (f"month  = {month}," in entry) is bool(month)
    assert ("month" in entry) is bool(month)


def test_a_name_is_not_divided_at_its_own_words():
    names = parse_names("Rock and Roll Society; And, Ann; Poe, Al, Jr")
    entry = bibtex_entry(_work(authors=names, complete=False))
    assert "author = {{Rock and Roll Society} and {And}, Ann and " in entry
    assert " and others" in entry  # the list is cut
    assert "and others}" in bibtex_entry(_work(complete=False))


def test_a_report_names_who_issued_it():
    assert "institution = {Mire Institute}" in bibtex_entry(
        _work(kind="techreport", affiliation="Mire Institute")
    )
    trust = parse_names("Bog Trust")
    assert "institution = {Bog Trust}" in bibtex_entry(
        _work(kind="techreport", authors=trust, affiliation="x")
    )
    assert "institution" not in bibtex_entry(_work(affiliation="Mire Institute"))


def test_csl_names_dates_and_venues():
    items = {item["id"]: item for item in json.loads(csl_json(load_corpus(str(REAL))))}
    preprint = items["agent-lightning"]
    assert preprint["type"] == "article"
    assert preprint["number"] == "arXiv:2508.03680"
    assert preprint["issued"] == {"date-parts": [[2025, 8, 5]]}
    assert preprint["author"][0] == {"family": "Luo", "given": "Xufang"}
    assert items["anthropic-trustworthy"]["author"] == [{"literal": "Anthropic"}]
    assert items["qmix2018"]["container-title"] == "ICML 2018"
    assert items["qmix2018"]["issued"] == {"date-parts": [[2018]]}


def test_ris_is_read_back():
    corpus = load_corpus(str(REAL))
    read = rispy.loads(ris(corpus))
    assert [entry["id"] for entry in read] == corpus.pool.column("key")
    assert [entry["title"] for entry in read] == corpus.pool.column("title")
    first = read[0]
    assert first["authors"][0] == "Luo, Xufang"
    assert first["year"] == "2025"
    assert "category: framework" in first["keywords"]


def test_ris_a_cell_cannot_start_a_field_or_an_entry_of_its_own():
    corpus = full_of(sensor("a", name="x\nER  - \n\nTY  - JOUR\rTI  - evil"), sensor("b"))
    read = rispy.loads(ris(corpus))
    assert [entry["id"] for entry in read] == ["a", "b"]
    assert read[0]["title"] == "x ER - TY - JOUR TI - evil"


def test_ris_an_identifier_names_its_kind_and_only_a_work_that_has_one():
    ada, eve = ROWS["sensors"][0], ROWS["sensors"][4]
    read = rispy.loads(ris(full_of(ada, eve)))
    assert [entry.get("accession_number") for entry in read] == ["arXiv:2011.00010", None]


def test_ris_kinds_of_works_keywords_and_notes():
    ada, _, _, dot, eve = ROWS["sensors"]
    read = rispy.loads(ris(full_of(ada, dot, eve)))
    assert [entry["type_of_reference"] for entry in read] == ["JOUR", "CPAPER", "ELEC"]
    (preprint,) = rispy.loads(ris(full_of(sensor("a", arxiv="2101.00001"))))
    assert preprint["type_of_reference"] == "UNPB"
    assert read[2]["urls"] == ["https://soil.example/a", "https://soil.example/b"]
    assert read[0]["secondary_title"] == "Journal of Soil"
    assert not ris(full()).startswith("1.")


@pytest.mark.parametrize(
    ("seen", "date"), [("2019-05-06", "2019/05/06"), ("2019-05", None), ("2019", None)]
)
def test_ris_a_date_is_written_only_where_the_day_is_known(seen, date):
    corpus = full_of(sensor("a", year="2019"), rows={"dated": [("a", seen)]})
    (entry,) = rispy.loads(ris(corpus))
    assert (entry.get("date"), entry["year"]) == (date, "2019")
