"""What others write is read here as it was, and what is written here is read by others; biber finds nothing wrong."""

import json
import re
import shutil
import subprocess

import bibtexparser
import openpyxl
import pypandoc
import pytest
import rispy
from bibtexparser.model import Entry as BibtexEntry
from bibtexparser.model import Field
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lists import folded, of_csl, ours, pandoc
from pybtex.database import BibliographyData, Person
from pybtex.database import Entry as PybtexEntry

from corpus.publishing.export.bibliography import bibtex, csl_json, ris
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

WORDS = st.lists(
    st.sampled_from(["Peat", "Moss", "Über", "fens", "Łódź", "C++", "of", "bogs", "café", "naïve"]),
    min_size=2,
    max_size=7,
)
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from(["Loam", "van Gogh", "Öst", "Nguyễn", "O'Neil", "Silt-Moor", "de la Cruz"]),
        st.sampled_from(["Ann", "Bo C.", "Çelik", "J.-P.", "Vincent"]),
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip
WORK = st.fixed_dictionaries(
    {
        "title": WORDS.map(" ".join),
        "people": PEOPLE,
        "year": st.integers(1900, 2026).map(str),
        "venue": st.sampled_from(["Journal of Fens", "Bogs & Mires", "Annals of Peat"]),
        "doi": st.integers(1, 99).map("10.1234/peat.{}".format),
    }
)
WORKS = st.lists(WORK, min_size=1, max_size=5, unique_by=lambda work: work["title"].casefold())
PROPERTY = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def by_pybtex(works):
    entries = {}
    for number, work in enumerate(works):
        fields = {
            "title": work["title"],
            "year": work["year"],
            "journal": work["venue"],
            "doi": work["doi"],
        }
        people = [Person(f"{family}, {given}") for family, given in work["people"]]
        entries[f"k{number}"] = PybtexEntry("article", fields, {"author": people})
    return BibliographyData(entries).to_string("bibtex")


def by_bibtexparser(works):
    library = bibtexparser.Library()
    for number, work in enumerate(works):
        people = " and ".join(", ".join(name) for name in work["people"])
        cells = {**work, "author": people, "journal": work["venue"].replace("&", r"\&")}
        names = ("title", "author", "year", "journal", "doi")
        fields = [Field(name, f"{{{cells[name]}}}") for name in names]
        library.add(BibtexEntry("article", f"k{number}", fields))
    return bibtexparser.write_string(library, unparse_stack=[])


def by_rispy(works):
    entries = []
    for work in works:
        people = [", ".join(name) for name in work["people"]]
        entries.append({
            "type_of_reference": "JOUR", "title": work["title"], "authors": people, "year": work["year"],
            "secondary_title": work["venue"], "doi": work["doi"],
        })  # fmt: skip
    return rispy.dumps(entries)


def by_pandoc(works):
    """CSL as Pandoc writes it of what it read."""
    items = []
    for number, work in enumerate(works):
        people = [{"family": family, "given": given} for family, given in work["people"]]
        items.append({
            "id": f"k{number}", "type": "article-journal", "title": work["title"], "author": people,
            "issued": {"date-parts": [[int(work["year"])]]}, "container-title": work["venue"], "DOI": work["doi"],
        })  # fmt: skip
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), "-f", "csljson", "-t", "csljson"], input=json.dumps(items), capture_output=True, text=True, check=True
    )  # fmt: skip
    return done.stdout


WRITERS = {"a.bib": by_pybtex, "b.bib": by_bibtexparser, "a.ris": by_rispy, "a.json": by_pandoc}


@pytest.mark.parametrize("name", WRITERS)
def test_what_their_writers_write_is_read_as_it_was(name, tmp_path):
    @PROPERTY
    @given(WORKS)
    def reads(works):
        path = tmp_path / name
        path.write_text(WRITERS[name](works), "utf-8")
        _, mine = ours(path)
        expected = [
            (folded(work["title"]), tuple(folded(family) for family, _ in work["people"]), work["year"], work["doi"])
            for work in works
        ]  # fmt: skip
        assert [tuple(entry) for entry in mine.values()] == expected

    reads()


def test_a_workbook_of_theirs_is_read_as_it_was(tmp_path):
    @PROPERTY
    @given(WORKS)
    def reads(works):
        book = openpyxl.Workbook()
        book.active.append(["Title", "Authors", "Year", "DOI"])
        for work in works:
            people = "; ".join(", ".join(name) for name in work["people"])
            book.active.append([work["title"], people, int(work["year"]), work["doi"]])
        book.save(tmp_path / "a.xlsx")
        _, mine = ours(tmp_path / "a.xlsx")
        assert [work.title for work in mine.values()] == [folded(work["title"]) for work in works]
        assert [len(work.families) for work in mine.values()] == [
            len(work["people"]) for work in works
        ]

    reads()


@pytest.fixture(scope="module")
def shipped():
    return load_corpus(str(REAL))


@pytest.mark.parametrize(
    ("format_", "write", "name"), [("bibtex", bibtex, "p.bib"), ("csljson", csl_json, "p.json")]
)
def test_pandoc_reads_the_shipped_corpus(format_, write, name, shipped, tmp_path):
    (tmp_path / name).write_text(write(shipped), "utf-8")
    theirs = of_csl(pandoc(tmp_path / name, format_))
    _, mine = ours(tmp_path / name)
    assert theirs.keys() == mine.keys() == {key.casefold() for key in shipped.pool.column("key")}
    assert {key: work for key, work in theirs.items() if work.year != mine[key].year} == {}
    assert {key: work for key, work in theirs.items() if work.title != mine[key].title} == {}


def test_rispy_reads_the_shipped_corpus(shipped):
    titles = [entry["title"] for entry in rispy.loads(ris(shipped))]
    assert titles == list(shipped.pool.column("title"))


def test_biber_and_plain_latex_take_the_export(shipped, tmp_path):
    (tmp_path / "pool.bib").write_text(bibtex(shipped), "utf-8")
    checked = subprocess.run(
        ["biber", "--tool", "--validate-datamodel", "pool.bib"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
    # Entries on arXiv alone have howpublished beside eprint, which the data model knows.
    assert re.findall(r"(?:ERROR|Legacy|Invalid field).*", checked.stdout) == []
    (tmp_path / "a.tex").write_text(
        r"\documentclass{article}\begin{document}\nocite{*}\bibliographystyle{plain}\bibliography{pool}\end{document}"
    )
    latex = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "a"]
    for command in (latex, ["bibtex", "a"], latex):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True)
        assert done.returncode == 0, done.stdout[-1500:]
    assert shutil.which("pdflatex")
