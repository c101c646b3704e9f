"""What the corpus exports, `init` reads back: equal in the fields that the format has."""

from functools import cache, partial
from pathlib import Path

import pytest

from corpus.analysis.bibliography.works import works
from corpus.curation.importing.column_plan import plan_columns
from corpus.curation.importing.pool import make_pool
from corpus.curation.importing.readers.reading import read_foreign
from corpus.publishing.export.formats import export_bytes
from corpus.tables.corpus_reader import load_corpus

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def study():
    return load_corpus(str(DATA))


@pytest.fixture(scope="module")
def known(study):
    """The works by key, as an import of all their fields would give them."""
    found = {}
    for work in works(study):
        names = "; ".join(name.printed for name in work.authors)
        found[work.key.lower()] = {
            "title": work.title,
            "authors": names,
            "year": work.year,
            "venue": work.venue,
            "doi": work.doi,
            "arxiv_id": work.arxiv,
            "url": work.urls[0] if work.urls else "",
        }
    return found


@pytest.fixture(scope="module")
def pools(study, tmp_path_factory):
    """Return what comes back of an export; a workbook takes seconds to write and to read."""
    return cache(partial(imported, study, tmp_path_factory.mktemp("exports")))


def imported(study, folder, name):
    """Return the rows of a new pool, by key, that an export in a format becomes."""
    format_ = FORMATS[name][0]
    file = folder / name
    file.write_bytes(export_bytes(format_, study) if format_ else (DATA / name).read_bytes())
    records = read_foreign(str(file), name)
    assert records.findings == []
    pool = make_pool(records.rows, plan_columns(records.columns, records.rows))
    header = [column.name for column in pool.columns]
    return {row[header.index("key")]: dict(zip(header, row, strict=True)) for row in pool.rows}


#: The export format, none for a file of the corpus, and the fields that a format has; what the survey's pool keeps elsewhere (all authors, DOIs) it has not.
FORMATS = {
    "refs.ris": ("ris", ("title", "authors", "year", "venue", "doi", "arxiv_id", "url")),
    "refs.bib": ("bibtex", ("title", "authors", "year", "venue", "doi", "arxiv_id", "url")),
    "refs.json": ("csl-json", ("title", "authors", "year", "venue", "doi", "url")),
    "corpus.json": ("json", ("title", "year", "venue", "arxiv_id", "url")),
    "pool.csv": ("", ("title", "year", "venue", "arxiv_id", "url")),
    "pool.xlsx": ("xlsx", ("title", "year", "venue", "arxiv_id", "url")),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_an_export_comes_back_equal(pools, known, name):
    fields = FORMATS[name][1]
    pool = pools(name)
    assert sorted(pool) == sorted(known)
    for key, work in known.items():
        row = {field: pool[key][field] for field in fields}
        row["url"] = row["url"].split(" ; ")[0]
        # What the pool leaves empty, an import may find in an address.
        expected = {field: work[field] or row[field] for field in fields}
        assert row == expected, key


@pytest.mark.parametrize("name", ["corpus.json", "pool.csv", "pool.xlsx"])
def test_tables_come_back_with_first_author_and_terms(pools, study, name):
    pool = pools(name)
    axes = study.pool.spec.axes
    for key in study.entries:
        entry = study.entry(key)
        row = pool[entry.key.lower()]
        assert row["first_author"] == entry.cell("first_author")
        for axis in axes:
            terms = entry.terms(axis.name)
            written = (
                row[axis.name].split(axis.separator.strip()) if axis.separator else [row[axis.name]]
            )
            assert {part.strip().casefold() for part in written if part.strip()} == {
                term.casefold() for term in terms
            }, (entry.key, axis.name)
