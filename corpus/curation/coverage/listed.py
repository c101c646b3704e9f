"""Somebody else's list of works, as far as it takes to recognise them."""

from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.plan import IDENTIFYING, column_roles, works_of
from corpus.curation.importing.readers import import_rules
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import Records
from corpus.model.work import Work


class WorkList(NamedTuple):
    """A list of somebody else, or the export of a database that a person searched.

    Attributes
    ----------
    name : str
        What it is called.
    works : tuple of Work
        Its records.
    records : Records
        How it was read, and what could not be.
    account : Account
        What became of the file.
    digest : str
        The SHA-256 of the file.
    """

    name: str
    works: tuple[Work, ...]
    records: Records
    account: Account
    digest: str


def read_list(
    path: str,
    shown: str,
    name: str,
    format_: str | None = None,
    force: bool = False,
    titled: bool = False,
) -> WorkList:
    """Read a list of works in any form that `corpus init` reads.

    Records with neither title nor identifier are left out and named (I106): nothing can recognise
    them.

    Parameters
    ----------
    path, shown : str
        The file, and its name in findings.
    name : str
        What the list is called.
    format_ : str, optional
        The format, where the file does not show it.
    force : bool
        Whether to go on where the account of the file does not close.
    titled : bool
        Whether to leave out all records without a title: nobody could screen them.

    Raises
    ------
    CorpusError
        Where the file has nothing to read, or its account does not close (I120).
    """
    records = read_foreign(path, shown, name=format_)
    roles = column_roles(records)
    findings = list(records.findings)
    works = []
    why, problem = "neither title nor identifier", "it has neither a title nor an identifier"
    if titled:
        why, problem = "without a title", "it has no title"
    for work in works_of(records, roles):
        if (titled and work.title) or (work.marks and not titled):
            works.append(work)
        else:
            findings.append(import_rules.SKIPPED.at(shown, work.place, problem=problem))
    columns = set(records.columns)
    if not titled:
        columns = set(chain.from_iterable(roles.get(role, ()) for role in ("title", *IDENTIFYING)))
    account = list_account(records, {work.place for work in works}, why, columns, shown, force)
    digest = sha256(Path(path).read_bytes()).hexdigest()
    return WorkList(name, tuple(works), records._replace(findings=findings), account, digest)
