"""Addresses: the same one in two rows, http where https exists, hosts that are those of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.codebook import Codebook
from corpus.model.finding import Finding
from corpus.model.identifiers import find_arxiv, identities, split_addresses
from corpus.tables.sheet import ColumnarTable

Sheets = Mapping[str, ColumnarTable]

_PREPRINT = r"^https?://arxiv\.org/abs/[0-9]{4}\.[0-9]{4,5}$"
#: Archives that answer by https, also where no other address of the corpus shows it; without www.
_BY_HTTPS = frozenset({
    "aclanthology.org", "arxiv.org", "dl.acm.org", "doi.org", "dx.doi.org", "github.com",
    "huggingface.co", "nature.com", "openreview.net", "proceedings.mlr.press",
})  # fmt: skip


class _Holder(NamedTuple):
    """The row that has an address."""

    sheet: ColumnarTable
    position: int


def address_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Check the addresses of all tables.

    The same address is looked for among the works, in pool and exclusion logs: in an evidence table
    several rows may rest on one page. Where an address holds an identifier, the check for the same
    work (C303) reports it.
    """
    found = [*_insecure(sheets), *_look_alikes(sheets)]
    first: dict[str, _Holder] = {}
    for sheet in sheets.values():
        if sheet.spec.name == book.pool.name or sheet.spec.role == "exclusions":
            found += _repeated(sheet, first)
            found += _mirrors(sheet)
    return found


def _url_columns(sheet: ColumnarTable) -> list[str]:
    """Return the columns of addresses; none of a table without rows."""
    # Many releases of Arrow crash when they look for the rows of a mask without any.
    if not len(sheet):
        return []
    return [column.name for column in sheet.spec.columns if column.type == "url"]


def _insecure(sheets: Sheets) -> Iterator[Finding]:
    doubtful = []
    for sheet in sheets.values():
        for name in _url_columns(sheet):
            plain = pc.match_substring(sheet.columns[name], "http://")
            for position in pc.indices_nonzero(plain).to_pylist():
                doubtful.append((sheet, name, position))
    # The hosts are collected only where somebody asks: most corpora have no such address.
    hosts: frozenset[str] = frozenset()
    if doubtful:
        hosts = hosts_by_https(sheets)
    for sheet, name, position in doubtful:
        cell = sheet.cell(name, position)
        line = sheet.line(position)
        for address in split_addresses(cell):
            host = host_of(address)
            if address.startswith("http://") and host in hosts:
                yield rules.INSECURE_ADDRESS.at(sheet.file, line, name, cell, advice=host)


def _look_alikes(sheets: Sheets) -> Iterator[Finding]:
    """Yield addresses whose host has the name of an archive in it and is another one."""
    for sheet in sheets.values():
        for name in _url_columns(sheet):
            column = sheet.columns[name]
            # Most addresses are those of a preprint: only the others are looked at one by one.
            elsewhere = pc.invert(pc.match_substring_regex(column, _PREPRINT))
            for position in pc.indices_nonzero(elsewhere).to_pylist():
                cell = sheet.cell(name, position)
                for host in map(host_of, split_addresses(cell)):
                    archives = [archive for archive in _BY_HTTPS if archive in host]
                    if archives and not any(_is_at(host, archive) for archive in archives):
                        place = (sheet.file, sheet.line(position), name, cell)
                        yield rules.FOREIGN_HOST.at(*place, advice=host, other=archives[0])


def _mirrors(sheet: ColumnarTable) -> Iterator[Finding]:
    """Yield addresses that hold the arXiv identifier of their row at a host that is not arXiv."""
    spec = sheet.spec
    identified = [column.name for column in spec.columns if column.type == "arxiv"]
    identified += [column.name for column in spec.columns if column.role == "identifier"]
    for name in _url_columns(sheet):
        column = sheet.columns[name]
        elsewhere = pc.invert(pc.match_substring_regex(column, _PREPRINT))
        for position in pc.indices_nonzero(elsewhere).to_pylist():
            known = {find_arxiv(sheet.cell(column, position)) for column in identified} - {None}
            cell = sheet.cell(name, position)
            for address in split_addresses(cell):
                host = host_of(address)
                named = [arxiv for arxiv in known if arxiv and arxiv in address]
                if named and not (_is_at(host, "arxiv.org") or _is_at(host, "doi.org")):
                    place = (sheet.file, sheet.line(position), name, cell)
                    yield rules.FOREIGN_HOST.at(*place, advice=host, other="arxiv.org")


def _is_at(host: str, archive: str) -> bool:
    return host == archive or host.endswith(f".{archive}")


def hosts_by_https(sheets: Sheets) -> frozenset[str]:
    """Return the hosts that answer by https: known archives, and those of other addresses."""
    hosts = set(_BY_HTTPS)
    for sheet in sheets.values():
        for name in _url_columns(sheet):
            for cell in pc.unique(sheet.columns[name]).to_pylist():
                for address in split_addresses(cell):
                    if address.startswith("https://"):
                        hosts.add(host_of(address))
    return frozenset(hosts)


def host_of(address: str) -> str:
    """Return the host of an address in lower case, without www; empty where it has none."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:  # C207 reports it
        return ""


def _repeated(sheet: ColumnarTable, first: dict[str, _Holder]) -> Iterator[Finding]:
    """Yield the addresses that an earlier row has; `first` collects who has which."""
    for name in _url_columns(sheet):
        cells: Any = sheet.columns[name]
        # Most works have the address of their preprint, and C303 compares those.
        elsewhere = pc.invert(pc.match_substring_regex(cells, _PREPRINT))
        for position in pc.indices_nonzero(elsewhere).to_pylist():
            cell = cells[position].as_py()
            for address in split_addresses(cell):
                plain = _comparable(address)
                if not plain:
                    continue
                own = _Holder(sheet, position)
                other = first.setdefault(plain, own)
                if other != own and not identities(address):
                    line = sheet.line(position)
                    key = other.sheet.key(other.position)
                    yield rules.SAME_ADDRESS.at(
                        sheet.file, line, name, cell, advice=address, other=key
                    )


def _comparable(address: str) -> str:
    """Return an address without scheme, www, fragment and the slash at its end.

    Capital letters count in its path, not in its host.
    """
    plain = address.removeprefix("https://").removeprefix("http://").partition("#")[0]
    host, slash, path = plain.partition("/")
    return f"{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/")
