"""The export of a database that a person searched: anything that `corpus init` reads."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.works import column_roles, works_of
from corpus.curation.lookup.work import Work


class Export(NamedTuple):
    """The records of an export, its number of rows, the SHA-256 of the file, and the account."""

    records: list[Work]
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
    works = works_of(found, column_roles(found))
    records = [work for work in works if work.title]
    kept = {work.place for work in records}
    account = list_account(found, kept, "without a title", found.columns, shown, force)
    digest = sha256(Path(path).read_bytes()).hexdigest()
    return Export(records, len(found.rows), digest, account)
