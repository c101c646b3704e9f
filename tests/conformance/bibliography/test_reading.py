"""The same files read by us and by others: as many works, and the same title, authors, year and DOI.

Where they differ the table names how many entries do and why; more or fewer fail.
"""

import json

import bibtexparser
import nbib
import openpyxl
import pytest
import python_calamine
import rispy
from citeproc.source.json import CiteProcJSON
from lists import SAMPLES, TEXLIVE, differences, folded, of_csl, ours, pandoc, source_distribution
from pybtex.database import parse_file

from corpus.curation.importing.readers.reading import read_foreign

LOGOS = "Pandoc drops names of programs that are commands (\\BibTeX, \\MF) and words in capitals"
MAIN = "Pandoc takes the title of the whole work (maintitle) for that of a volume"
RANGE = "volumes have years of their own; Pandoc takes that of the whole work"
ACCENT = "Pandoc takes {\\'{E}}douard Masterly for an organisation, and no year from \\switchargs"
ADDRESS = "Pandoc keeps the resolver of a DOI, and splits names of societies"

# fmt: off
#: File of TeX Live -> Pandoc's format, works, fields in which entries differ, and why.
LISTS = {
    "base/xampl.bib": ("bibtex", 36, {"families": 2, "year": 1}, ACCENT),
    "ieeetran/IEEEexample.bib": ("bibtex", 72, {"title": 5}, LOGOS),
    "biblatex/biblatex/biblatex-examples.bib": ("biblatex", 90, {"title": 8}, MAIN),
    "beebe/texgraph.bib": ("bibtex", 170, {"title": 42, "families": 3, "doi": 3}, f"{LOGOS}; {ADDRESS}"),
    "beebe/epodd.bib": ("bibtex", 183, {"title": 2}, LOGOS),
    "archaeologie/archaeologie-examples.bib": ("bibtex", 65, {"title": 4, "year": 6}, f"{MAIN}; {RANGE}"),
}
# fmt: on


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_tex_live_by_pandoc(name):
    format_, number, expected, _ = LISTS[name]
    records, mine = ours(TEXLIVE / name)
    theirs = of_csl(pandoc(TEXLIVE / name, format_))
    assert len(records.rows) == number
    # Pandoc counts sets and data of others as works.
    assert number <= len(theirs) <= number + 2
    assert differences(mine, theirs) == expected


#: Records that bibtexparser leaves out where we read them: it stops at habits of people.
LOST_BY_BIBTEXPARSER = {"xampl.bib": 0, "IEEEexample.bib": 0, "epodd.bib": 0}


@pytest.mark.parametrize("name", ["base/xampl.bib", "ieeetran/IEEEexample.bib", "beebe/epodd.bib"])
def test_lists_of_tex_live_by_bibtexparser(name):
    library = bibtexparser.parse_file(str(TEXLIVE / name))
    records, _ = ours(TEXLIVE / name)
    lost = len(records.rows) - len(library.entries)
    assert lost == LOST_BY_BIBTEXPARSER[name.rpartition("/")[2]]


@pytest.mark.parametrize("name", ["xampl.bib", "IEEEtran.bib", "extrafields.bib", "cyrillic.bib"])
def test_files_of_pybtex_have_as_many_works_for_both(name, tmp_path_factory):
    folder = source_distribution("pybtex", tmp_path_factory.mktemp("pybtex"))
    (path,) = folder.glob(f"*/tests/data/{name}")
    records, _ = ours(path)
    assert len(records.rows) == len(parse_file(str(path), "bibtex").entries)


def test_samples_of_ris_by_rispy():
    path = SAMPLES / "mendeley.ris"
    with path.open(encoding="utf-8-sig") as file:
        theirs = rispy.load(file)
    records, mine = ours(path)
    assert len(records.rows) == len(theirs)
    for work, entry in zip(mine.values(), theirs, strict=True):
        assert work.title == folded(entry.get("title") or entry["primary_title"])
        assert work.doi == entry.get("doi", "").lower()
        assert len(work.families) == len(entry.get("authors") or entry.get("first_authors", []))


@pytest.mark.parametrize(
    ("name", "format_", "unread"),
    # Pandoc takes no DOI from electronic-resource-num.
    [("mendeley.ris", "ris", set()), ("endnote.xml", "endnotexml", {"doi"})],
)
def test_samples_of_ris_and_endnote_by_pandoc(name, format_, unread):
    records, mine = ours(SAMPLES / name)
    theirs = of_csl(pandoc(SAMPLES / name, format_))
    assert len(records.rows) == len(theirs)
    pairs = zip(sorted(mine.values()), sorted(theirs.values()), strict=True)
    assert set().union(*(differences({"": one}, {"": other}) for one, other in pairs)) == unread


def test_samples_of_pubmed_by_nbib():
    path = SAMPLES / "pubmed.nbib"
    theirs = nbib.read_file(str(path))
    records, mine = ours(path)
    assert len(records.rows) == len(theirs)
    titles = [folded(entry["title"]) for entry in theirs]
    assert [work.title for work in mine.values()] == titles


def test_samples_of_csl_by_citeproc_and_pandoc():
    path = SAMPLES / "csl.json"
    read = CiteProcJSON(json.loads(path.read_text("utf-8")))
    records, mine = ours(path)
    assert len(records.rows) == len(read)
    theirs = of_csl(pandoc(path, "csljson"))
    assert sorted(work.title for work in mine.values()) == sorted(w.title for w in theirs.values())


def test_a_workbook_by_calamine_and_openpyxl(tmp_path):
    book = openpyxl.Workbook()
    rows = [
        ("Title", "Year", "Ratio", "Open"),
        ("Peat", 2020, 0.5, True),
        ("Moss & fen", 1999, 2.0, None),
    ]
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    found = [list(row.cells.values()) for row in read_foreign(str(tmp_path / "a.xlsx"), "a").rows]
    theirs = (
        python_calamine.load_workbook(str(tmp_path / "a.xlsx")).get_sheet_by_index(0).to_python()
    )
    assert found == [["Peat", "2020", "0.5", "yes"], ["Moss & fen", "1999", "2"]]
    assert [row[0] for row in theirs[1:]] == [row[0] for row in found]
