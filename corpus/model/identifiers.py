"""Identifiers of works: arXiv, DOI, OpenReview, ACL Anthology; keys; the normal form of a title.

"Already normal" is a type: only a ``parse_*`` or ``normal_*`` function of this module makes one.
"""

import re
import unicodedata
from datetime import date
from functools import cache
from typing import NewType
from urllib.parse import quote, unquote

ArxivId = NewType("ArxivId", str)
Doi = NewType("Doi", str)
NormalTitle = NewType("NormalTitle", str)

# Patterns are texts that `_compiled` compiles on first use: a list of entries needs none of them.
#: Archives of the old identifiers; two of them (q-alg, q-bio) begin with a single letter.
_ARCHIVE = r"(?:[a-z]{2,9}(?:-[a-z]{2,4})?|q-[a-z]{3})(?:\.[A-Z]{2})?"
#: The new form began in April 2007 with four digits; since 2015 there are five.
ARXIV = (
    r"(?:0[7-9]|1[0-4])(?:0[1-9]|1[0-2])\.[0-9]{4}|(?:1[5-9]|[2-9][0-9])(?:0[1-9]|1[0-2])\.[0-9]{5}"
    rf"|{_ARCHIVE}/[0-9]{{2}}(?:0[1-9]|1[0-2])[0-9]{{3}}"
)
_ARXIV_ANYWHERE = (
    r"(?i)(?:^|arxiv[:./ ]|arxiv\.org/(?:abs|pdf|html)/|10\.48550/arxiv\.)"
    # People write the archive before a new identifier, too.
    rf"(?:{_ARCHIVE}/(?=[0-9]{{4}}\.))?([0-9]{{4}}\.[0-9]{{4,5}}|{_ARCHIVE}/[0-9]{{7}})"
    r"(?:v[0-9]+)?(?![0-9])"
)
DOI = r"10\.[0-9]{4,9}/[!-~]+"
_DOI_ANYWHERE = r"(?i)(?:^|doi:\s*|doi\.org/)(10\.[0-9]{4,9}/[!-~]+)"
_DOI_BEGUN = r"(?i)(?:^|doi:\s*|doi\.org/)(10\.[0-9]{4,9}/\S*)"
KEY = r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*"
_OPENREVIEW = r"(?i)openreview(?:\.net/(?:forum|pdf)\?id=|:)([A-Za-z0-9_-]{6,})"
_ACL = (
    r"(?i)(?:aclanthology\.org/|acl:)"
    r"([0-9]{4}\.[a-z0-9_-]+\.[0-9]+|[A-Z][0-9]{2}-[0-9]{4})"
)
_PMID = (
    r"(?i)(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|^pmid:)([0-9]{1,8})(?![0-9])"
)

#: What separates several addresses in a cell.
ADDRESS_JOINT = " ; "
#: Letters that Unicode does not split into an ASCII letter and an accent, as they are
#: transcribed.
_TRANSCRIBED = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
})  # fmt: skip


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def parse_arxiv(text: str) -> ArxivId:
    """Return an arXiv identifier (new or old form) that is written exactly, without version.

    Raises
    ------
    ValueError
        For anything else, also for a month that does not exist.

    Examples
    --------
    >>> parse_arxiv("2508.03680")
    '2508.03680'
    >>> parse_arxiv("2508.0368")
    Traceback (most recent call last):
    ValueError: '2508.0368' is not an arXiv identifier
    """
    if _compiled(ARXIV).fullmatch(text):
        return ArxivId(text)
    raise ValueError(f"{text!r} is not an arXiv identifier")


def arxiv_month(identifier: ArxivId) -> date:
    """Return the first day of the month in which an identifier was assigned.

    Examples
    --------
    >>> arxiv_month(parse_arxiv("hep-th/9901001"))
    datetime.date(1999, 1, 1)
    """
    _, slash, digits = identifier.rpartition("/")
    # arXiv began in August 1991; identifiers with a slash were assigned until March 2007.
    century = 1900 if slash and digits >= "91" else 2000
    year = century + int(digits[:2])
    return date(year, int(digits[2:4]), 1)


def find_arxiv(text: str) -> ArxivId | None:
    """Return the arXiv identifier that an address or a citation holds, without version, or None.

    Examples
    --------
    >>> find_arxiv("https://arxiv.org/abs/2508.03680v2")
    '2508.03680'
    """
    match = _compiled(_ARXIV_ANYWHERE).search(text.strip())
    if match is None:
        return None
    try:
        return parse_arxiv(match[1])
    except ValueError:  # a month that does not exist
        return None


def parse_doi(text: str) -> Doi:
    """Return a DOI in lower case, without resolver.

    Raises
    ------
    ValueError
        For anything that is not a DOI.

    Examples
    --------
    >>> parse_doi("10.48550/arXiv.2508.03680")
    '10.48550/arxiv.2508.03680'
    """
    if not _compiled(DOI).fullmatch(text):
        raise ValueError(f"{text!r} is not a DOI")
    return Doi(text.lower())


def find_doi(text: str) -> Doi | None:
    """Return the DOI that an address or a citation holds, in lower case, or None.

    A DOI that breaks off in dots is not one: the rest of it may be the DOI of another work.

    Examples
    --------
    >>> find_doi("https://doi.org/10.1145/3658617.")
    '10.1145/3658617'
    >>> find_doi("https://doi.org/10.1145/36..."), find_doi("10.1145/...")
    (None, None)
    >>> find_doi("https://doi.org/10.1021%2Facs.5c%3C1%3E")
    '10.1021/acs.5c<1>'
    """
    stripped = text.strip()
    if "%" in stripped:
        # An address has some characters of a DOI by their numbers.
        stripped = _compiled("%[0-9A-Fa-f]{2}").sub(lambda code: unquote(code[0]), stripped)
    match = _compiled(_DOI_ANYWHERE).search(stripped)
    if match is None or match[1].endswith(".."):
        return None
    # An ellipsis may be one character, and a letter that is not ASCII goes on as well.
    following = stripped[match.end() : match.end() + 1]
    if following == "…" or following.isalnum():
        return None
    try:
        return parse_doi(match[1].rstrip(".,;)"))
    except ValueError:
        return None


def begun_doi(text: str) -> str:
    """Return what an address or a citation gives of a DOI that is not complete, or an empty string.

    Examples
    --------
    >>> begun_doi("https://doi.org/10.1145/..."), begun_doi("doi:10.1145/3658617"), begun_doi("https://fen.example/")
    ('10.1145/...', '', '')
    """
    match = _compiled(_DOI_BEGUN).search(text.strip())
    if match is None or find_doi(text) is not None:
        return ""
    return match[1]


def is_key(text: str) -> bool:
    """Return whether a text can be a key: at most 80 ASCII letters, digits, single hyphens."""
    return len(text) <= 80 and _compiled(KEY).fullmatch(text) is not None


def identities(*texts: str) -> frozenset[str]:
    """Return the identities in cells: ``arxiv:``, ``doi:``, ``openreview:``, ``acl:`` and the like.

    Two rows that share one describe the same work. A DOI that arXiv assigned counts as the arXiv
    identifier, and one of the ACL Anthology as the Anthology identifier.

    Examples
    --------
    >>> sorted(identities("2508.03680", "https://openreview.net/forum?id=ur295YVtmt"))
    ['arxiv:2508.03680', 'openreview:ur295YVtmt']
    """
    found = set()
    for text in texts:
        for part in text.split():
            # Most addresses have none of these words, which are found at once.
            lower = part.lower()
            if arxiv := find_arxiv(part):
                found.add(f"arxiv:{arxiv}")
            elif "10." in part and (doi := find_doi(part)):
                # A DOI that the ACL Anthology assigned.
                found.add(f"doi:{doi}".replace("doi:10.18653/v1/", "acl:"))
            if "openreview" in lower and (review := _compiled(_OPENREVIEW).search(part)):
                found.add(f"openreview:{review[1]}")
            if "acl" in lower and (acl := _compiled(_ACL).search(part)):
                found.add(f"acl:{acl[1].lower()}")
            if "pubmed" in lower or "pmid" in lower:
                found.update(f"pmid:{number}" for number in _compiled(_PMID).findall(part))
    return frozenset(found)


def normal_title(text: str) -> NormalTitle:
    """Return a title without case, accents, punctuation and whitespace, for comparison.

    Examples
    --------
    >>> normal_title("Dr. MAS: Stable RL — for LLMs") == normal_title("DR MAS stable rl for llms")
    True
    """
    # Decomposed, an accent is a character of its own, and not one that isalnum() keeps.
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return NormalTitle("".join(filter(str.isalnum, decomposed)))


def ascii_text(text: str) -> str:
    """Return a text in lower-case ASCII: without accents, special letters transcribed, no others.

    Examples
    --------
    >>> ascii_text("Łukasz Weiß-Ørsted")
    'lukasz weiss-orsted'
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_TRANSCRIBED))
    # Decomposing may bring capitals back: the one character ℡ becomes TEL.
    return decomposed.encode("ascii", "ignore").decode().lower()


def arxiv_page(identifier: str) -> str:
    """Return the address of a preprint."""
    return f"https://arxiv.org/abs/{identifier}"


def arxiv_doi(identifier: str) -> str:
    """Return the DOI that arXiv registers for a preprint."""
    return f"10.48550/arXiv.{identifier}"


def doi_page(doi: str) -> str:
    """Return the address to which a DOI resolves.

    Examples
    --------
    >>> doi_page("10.1002/12:6<375::AID-FEN480>3.0.CO;2-M")
    'https://doi.org/10.1002/12:6%3C375::AID-FEN480%3E3.0.CO;2-M'
    """
    return f"https://doi.org/{quote(doi, safe='/:;()!$&*+,=@~')}"


def openreview_page(forum: str) -> str:
    """Return the address of a submission."""
    return f"https://openreview.net/forum?id={forum}"


def anthology_page(identifier: str) -> str:
    """Return the address of a paper of the ACL Anthology, to which endings such as .bib go."""
    return f"https://aclanthology.org/{identifier}"


def split_addresses(cell: str) -> list[str]:
    """Return the addresses in a cell; one empty text of an empty cell."""
    return cell.split(ADDRESS_JOINT)
