"""Which cells become links: only addresses that begin with http:// or https://."""

import re

from corpus.model.identifiers import arxiv_page, doi_page, split_addresses

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+", re.IGNORECASE)
_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7}")
_SCHEME = re.compile(r"^https?://(www\.)?", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")


def addresses(cell: str) -> list[str]:
    """Return the web addresses of a cell that has nothing else, several separated by ' ; '.

    Examples
    --------
    >>> addresses("https://a.example/x ; https://b.example/")
    ['https://a.example/x', 'https://b.example/']
    >>> addresses("javascript:alert(1)"), addresses("see https://a.example/")
    ([], [])
    """
    parts = list(map(str.strip, split_addresses(cell)))
    if not all(map(_WEB.fullmatch, parts)):
        return []
    return parts


def links(cell: str, kind: str) -> list[tuple[str, str]]:
    """Return (address, text) for a cell of column type `kind`; none where the cell is plain text.

    Examples
    --------
    >>> links("2508.03680", "arxiv")
    [('https://arxiv.org/abs/2508.03680', 'arXiv:2508.03680')]
    >>> links("10.1000/a b", "doi")
    []
    """
    if kind == "arxiv" and _ARXIV.fullmatch(cell):
        return [(arxiv_page(cell), f"arXiv:{cell}")]
    if kind == "doi" and _DOI.fullmatch(cell):
        return [(doi_page(cell), f"doi:{cell}")]
    if kind in ("url", "text"):
        # Readers like to see an address without scheme and closing slash.
        return [(address, _SCHEME.sub("", address).rstrip("/")) for address in addresses(cell)]
    return []
