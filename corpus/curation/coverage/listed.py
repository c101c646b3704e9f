"""Somebody else's list of works, as far as it takes to recognise them."""

from __future__ import annotations

from typing import NamedTuple

from corpus.curation.importing.account import Account, list_account
from corpus.curation.importing.readers import import_rules
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.works import IDENTIFYING, column_roles, works_of
from corpus.curation.lookup.work import Work
from corpus.model.finding import Finding


class WorkList(NamedTuple):
    """A list: its name and records, what could not be read, remarks, and its account."""

    name: str
    works: tuple[Work, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    account: Account | None = None


def read_list(
    path: str, shown: str, name: str, format_: str | None = None, force: bool = False
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

    Raises
    ------
    CorpusError
        Where the file has nothing to read, or its account does not close (I120).
    """
    records = read_foreign(path, shown, name=format_)
    roles = column_roles(records)
    works: list[Work] = []
    findings = list(records.findings)
    for work in works_of(records, roles):
        if work.normal or work.identities:
            works.append(work)
        else:
            problem = "it has neither a title nor an identifier"
            findings.append(import_rules.SKIPPED.at(shown, work.place, problem=problem))
    columns = {column for role in ("title", *IDENTIFYING) for column in roles.get(role, ())}
    kept = {work.place for work in works}
    why = "neither title nor identifier"
    account = list_account(records, kept, why, columns, shown, force)
    return WorkList(name, tuple(works), tuple(findings), tuple(records.remarks), account)
