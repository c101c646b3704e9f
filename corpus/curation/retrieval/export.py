"""The export of a database that a person searched: anything that `corpus init` reads."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from corpus.curation.coverage.listed import column_roles, joined_cell, year_of
from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.meaning import is_abstract
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.retrieval.record import Retrieved, abstract_of
from corpus.model.identifiers import find_arxiv, find_doi


class Export(NamedTuple):
    """The records of an export, its number of rows, the SHA-256 of the file, and the account."""

    records: list[Retrieved]
    rows: int
    digest: str
    account: Account


def read_export(path: str, shown: str, format_: str | None = None, force: bool = False) -> Export:
    """Read an export.

    Records without a title are left out: nobody could screen them.

    Raises
    ------
    CorpusError
        Where the file has nothing to read; I120 where its account does not close, unless `force`.
    """
    found = read_foreign(path, shown, name=format_)
    roles = column_roles(found)
    abstracts = list(filter(is_abstract, found.columns))
    records: list[Retrieved] = []
    kept: set[int] = set()
    for row in found.rows:
        cells = {role: joined_cell(row.cells, names) for role, names in roles.items()}
        title = cells.get("title", "")
        if not title:
            continue
        kept.add(row.place)
        addresses = [cells.get(role, "") for role in ("arxiv", "doi", "url")]
        records.append(
            Retrieved(
                title=title,
                authors=cells.get("authors", ""),
                year=year_of(cells),
                venue=cells.get("venue", ""),
                arxiv=next(filter(None, map(find_arxiv, addresses)), ""),
                doi=next(filter(None, map(find_doi, addresses[1:])), ""),
                url=cells.get("url", "").split(" ; ")[0],
                abstract=abstract_of(joined_cell(row.cells, abstracts)),
            )
        )
    account = list_account(found, kept, "without a title", found.columns, shown, force)
    digest = sha256(Path(path).read_bytes()).hexdigest()
    return Export(records, len(found.rows), digest, account)
