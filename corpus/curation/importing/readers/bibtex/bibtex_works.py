"""The works of a BibTeX file for `corpus add`: all of them, or none where one is damaged."""

from __future__ import annotations

from corpus.curation.importing.loose_dates import read_date
from corpus.curation.importing.persons import split_authors
from corpus.curation.importing.readers.bibtex.bibtex import read_bibtex
from corpus.curation.importing.readers.content import decode_foreign
from corpus.curation.importing.readers.records import ImportedRecord, texts_of
from corpus.curation.lookup.lookup_rules import BAD_BIBTEX
from corpus.curation.lookup.service_text import clean
from corpus.model.finding import CorpusError
from corpus.model.identifiers import (
    ArxivId,
    arxiv_month,
    arxiv_page,
    doi_page,
    find_arxiv,
    find_doi,
)
from corpus.model.work import Work

MAX_BYTES = 10_000_000
_VENUES = ("booktitle", "journal", "journaltitle", "howpublished", "institution", "school")
_ARXIV = ("eprint", "url", "doi", "journal", "journaltitle")


def bibtex_works(data: bytes, shown: str) -> list[Work]:
    """Read every entry of a BibTeX file.

    Raises
    ------
    CorpusError
        C710 with the line where the file is too large, or something in it cannot be read.
    """
    if len(data) > MAX_BYTES:
        raise BAD_BIBTEX.error(shown, problem=f"it has more than {MAX_BYTES // 1_000_000} MB")
    try:
        text, _ = decode_foreign(data, shown, "utf-8")
        records = read_bibtex(text, shown)
        # An import leaves a damaged entry out and reports it; `add` writes all or nothing.
        if records.findings:
            raise CorpusError(records.findings)
    except CorpusError as error:
        first = error.findings[0]
        raise BAD_BIBTEX.error(shown, first.line, problem=first.message) from None
    if not records.rows:
        raise BAD_BIBTEX.error(shown, problem="there is no entry in it")
    works = []
    keys: set[str] = set()
    for record in records.rows:
        key = str(record.cells.get("key", ""))
        if key in keys - {""}:
            problem = f"two entries have the key {key[:60]!r}"
            raise BAD_BIBTEX.error(shown, record.place, problem=problem)
        keys.add(key)
        work = _work(record)
        if not work.title:
            problem = f"entry {key[:60]!r} has no title"
            raise BAD_BIBTEX.error(shown, record.place, problem=problem)
        works.append(work)
    return works


def _work(record: ImportedRecord) -> Work:
    cells = {name: clean("; ".join(texts_of(cell))) for name, cell in record.cells.items()}
    arxiv: ArxivId | None = None
    for name in _ARXIV:
        arxiv = arxiv or find_arxiv(cells.get(name, ""))
    venue = date = evidence = ""
    for name in _VENUES:
        venue = venue or cells.get(name, "")
    # What follows a day, such as the end of a range, is left out, and a day that does not exist.
    day = cells.get("date", "").partition("/")[0]
    year, month = cells.get("year", ""), cells.get("month", "")
    for text in (day[:10], day[:7], day[:4], f"{month} {year}", f"{year}-{month}", year):
        date = date or read_date(text)
    year = date[:4]
    if date:
        evidence = "BibTeX entry"
    doi = find_doi(cells.get("doi", ""))
    url = cells.get("url", "")
    if not url.startswith(("https://", "http://")):
        url = doi_page(doi) if doi else ""
    if arxiv:
        venue = venue or "arXiv"
        url = url or arxiv_page(arxiv)
        first = f"{arxiv_month(arxiv):%Y-%m}"
        # What arXiv had first was public before its venue printed it, and a year is less exact.
        if first.startswith(date) or first < date[: len(first)]:
            date, evidence = first, "arXiv identifier"
    return Work(
        source="BibTeX",
        title=cells.get("title", ""),
        authors=split_authors(record.cells.get("author", ())),
        year=year or date[:4],
        venue=venue,
        arxiv=arxiv or "",
        doi=doi or "",
        url=url,
        first_public=date,
        evidence=evidence,
    )
