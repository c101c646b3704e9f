"""Addresses: the same one in two rows, http where https exists, PDFs, hosts of others."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc

from corpus.model.codebook import Codebook
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import (
    ADDRESS_JOINT,
    arxiv_page,
    find_arxiv,
    identities,
    split_addresses,
)
from corpus.tables.arrays import integers, repeated_values
from corpus.tables.sheet import ColumnarTable, Sheets

SAME_ADDRESS = Rule(
    "C313",
    "the address {advice} is also that of {other}",
    "give each work its own address, or keep one row",
    WARNING,
    title="The same address twice",
    reason="Two rows with one address are one work, or one was copied from the other.",
)
INSECURE_ADDRESS = Rule(
    "C314",
    "{advice} is served by https as well",
    "write https://",
    WARNING,
    title="http where https exists",
    reason="One page under two addresses is not recognised as one. A host counts where "
    "it is a known archive, or where another address of the corpus has it.",
)
FOREIGN_HOST = Rule(
    "C443",
    "the host {advice} is not {other}",
    "write the address at {other}, or accept the mirror with the reason",
    WARNING,
    title="Address at a host that looks like another",
    reason="A copy elsewhere can be another text; a host that is named like an archive is not it.",
)
PDF_ADDRESS = Rule(
    "C445",
    "the page of the work is {advice}",
    "write the address of the page: `corpus check --fix`",
    WARNING,
    title="Address of a PDF at an archive",
    reason="A PDF is one version of the work; the page names every version, and "
    "whether the work was withdrawn.",
)


#: Position and column of an address, and the address.
Places = Sequence[tuple[int, str, str]]

_EMPTY_OR_PREPRINT = r"^(?:https?://arxiv\.org/abs/[0-9]{4}\.[0-9]{4,5})?$"
#: What every identifier of arXiv has.
_NUMBERED = re.compile("[0-9]{4}[.][0-9]{4}|/[0-9]{7}")
#: Archives that answer by https, also where no other address of the corpus shows it; without www.
_BY_HTTPS = (
    "aclanthology.org", "arxiv.org", "dl.acm.org", "doi.org", "dx.doi.org", "github.com",
    "huggingface.co", "nature.com", "openreview.net", "proceedings.mlr.press",
)  # fmt: skip
#: What an address has, in lower case, that can be at the wrong host or of a PDF at an archive.
_TELLING = "|".join([_NUMBERED.pattern, *map(re.escape, _BY_HTTPS)])
#: In lower case; see :func:`_comparable`, which keeps the letters of a path.
_NOT_COMPARED = r"(?s)^(?:https://)?(?:http://)?(?:www\.)?|/*(?:#.*)?$"


def address_findings(sheets: Sheets, book: Codebook) -> list[Finding]:
    """Check the addresses of all tables.

    The same address is looked for among the works, in pool and exclusion logs: in an evidence table
    several rows may rest on one page. Where an address holds an identifier, the check for the same
    work (C303) reports it.
    """
    found = [*_insecure(sheets)]
    # Sheet and position of the row that has an address.
    first: dict[str, tuple[ColumnarTable, int]] = {}
    for sheet, places in _doubtful_addresses(sheets):
        found += _of_archives(sheet, places)
        if sheet.spec.name == book.pool.name or sheet.spec.role == "exclusions":
            found += _of_works(sheet, places, first)
    return found


def _insecure(sheets: Sheets) -> Iterator[Finding]:
    doubtful = []
    for sheet in sheets.values():
        for name in sheet.url_columns:
            for position in sheet.where(pc.match_substring(sheet.columns[name], "http://")):
                doubtful.append((sheet, name, position))
    # The hosts are collected only where somebody asks: most corpora have no such address.
    if not doubtful:
        return
    hosts = hosts_by_https(sheets)
    for sheet, name, position in doubtful:
        for address in split_addresses(sheet.cell(name, position)):
            host = host_of(address)
            if address.startswith("http://") and host in hosts:
                yield sheet.finding(INSECURE_ADDRESS, position, name, advice=host)


def _doubtful_addresses(sheets: Sheets) -> Iterator[tuple[ColumnarTable, Places]]:
    """Yield the addresses of each column that may have a finding, few of many.

    Most works have that of their preprint. Of the others, only those are looked at one by one that
    name an archive, hold something like an identifier, or are perhaps in two places.
    """
    columns = []
    for sheet in sheets.values():
        for name in sheet.url_columns:
            cells = sheet.columns[name].combine_chunks()
            others = pc.invert(pc.match_substring_regex(cells, _EMPTY_OR_PREPRINT))
            split = pc.split_pattern(cells.filter(others), ADDRESS_JOINT)
            positions = integers(sheet.where(others)).take(pc.list_parent_indices(split))
            addresses = pc.list_flatten(split)
            lower = pc.utf8_lower(addresses)
            telling = pc.match_substring_regex(lower, _TELLING)
            plain = pc.replace_substring_regex(lower, _NOT_COMPARED, "")
            columns.append((sheet, name, positions, addresses, telling, plain))
    repeated = repeated_values(pa.chunked_array([column[-1] for column in columns], pa.string()))
    for sheet, name, positions, addresses, telling, plain in columns:
        doubtful = pc.or_(telling, pc.is_in(plain, repeated))
        kept = (positions.filter(doubtful).to_pylist(), addresses.filter(doubtful).to_pylist())
        yield sheet, [(position, name, address) for position, address in zip(*kept, strict=True)]


def _of_archives(sheet: ColumnarTable, places: Places) -> Iterator[Finding]:
    """Yield hosts that have the name of an archive in them, and PDFs at archives."""
    for position, name, address in places:
        host = host_of(address)
        archives = [archive for archive in _BY_HTTPS if archive in host]
        if archives and not any(_is_at(host, archive) for archive in archives):
            yield sheet.finding(FOREIGN_HOST, position, name, advice=host, other=archives[0])
        # There are many addresses, and few of PDFs.
        if "pdf" in address and page_of(address) != address:
            yield sheet.finding(PDF_ADDRESS, position, name, advice=page_of(address))


def page_of(address: str) -> str:
    """Return the address of a work's page for that of its PDF at an archive, else the address.

    Examples
    --------
    >>> page_of("https://arxiv.org/pdf/2508.03680v2")
    'https://arxiv.org/abs/2508.03680'
    >>> page_of("https://openreview.net/pdf?id=ur295YVtmt")
    'https://openreview.net/forum?id=ur295YVtmt'
    >>> page_of("https://aclanthology.org/2025.fen-main.1.pdf")
    'https://aclanthology.org/2025.fen-main.1'
    """
    host, path = host_of(address), address.partition("://")[2].partition("/")[2]
    arxiv = find_arxiv(address)
    if host == "arxiv.org" and path.startswith("pdf/") and arxiv:
        return arxiv_page(arxiv)
    if host == "openreview.net":
        return address.replace("/pdf?id=", "/forum?id=", 1)
    if host == "aclanthology.org" and identities(address):
        return address.removesuffix(".pdf")
    return address


def _of_works(
    sheet: ColumnarTable, places: Places, first: dict[str, tuple[ColumnarTable, int]]
) -> Iterator[Finding]:
    """Yield mirrors of arXiv, and addresses of an earlier row; `first` collects who has which."""
    columns = sheet.spec.columns
    identified = [one.name for one in columns if one.type == "arxiv" or one.role == "identifier"]
    of_works = sheet.spec.by_role("url")
    own = [of_works.name] if of_works else sheet.url_columns
    for position, name, address in places:
        host = host_of(address)
        is_official = _is_at(host, "arxiv.org") or _is_at(host, "doi.org")
        # Most addresses hold nothing that looks like an identifier.
        if not is_official and _NUMBERED.search(address):
            known = {find_arxiv(sheet.cell(column, position)) for column in identified}
            if any(arxiv and arxiv in address for arxiv in known):
                yield sheet.finding(FOREIGN_HOST, position, name, advice=host, other="arxiv.org")
        # A repository, as another column may have it, can have the code of two works.
        plain = _comparable(address) if name in own else ""
        # C303 compares the addresses of preprints.
        if plain and not identities(address):
            holder, row = first.setdefault(plain, (sheet, position))
            if (holder, row) != (sheet, position):
                other = holder.key(row)
                yield sheet.finding(SAME_ADDRESS, position, name, advice=address, other=other)


def _is_at(host: str, archive: str) -> bool:
    return host == archive or host.endswith(f".{archive}")


def hosts_by_https(sheets: Sheets) -> frozenset[str]:
    """Return the hosts that answer by https: known archives, and those of other addresses."""
    hosts = set(_BY_HTTPS)
    for sheet in sheets.values():
        for name in sheet.url_columns:
            for cell in pc.unique(sheet.columns[name]).to_pylist():
                for address in split_addresses(cell):
                    if address.startswith("https://"):
                        hosts.add(host_of(address))
    return frozenset(hosts)


def host_of(address: str) -> str:
    """Return the host of an address in lower case, without www; empty where it has none."""
    # All of it is before the third slash. Addresses are many, hosts are few.
    return _host("/".join(address.split("/", 3)[:3]))


@lru_cache(maxsize=10_000)
def _host(start: str) -> str:
    try:
        return (urlsplit(start).hostname or "").removeprefix("www.")
    except ValueError:  # C207 reports it
        return ""


def _comparable(address: str) -> str:
    """Return an address without scheme, www, fragment and the slash at its end.

    Capital letters count in its path, not in its host.
    """
    plain = address.removeprefix("https://").removeprefix("http://").partition("#")[0]
    host, slash, path = plain.partition("/")
    return f"{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/")
