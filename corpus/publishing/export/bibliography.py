"""What reference managers and citation processors read: BibTeX, CSL-JSON, RIS."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from corpus.analysis.bibliography.works import (
    ARTICLE,
    OTHER,
    PROCEEDINGS,
    REPORT,
    CitedWork,
    PersonName,
    works,
)
from corpus.model.dates import MONTHS
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.publishing.export.cells import filled, one_line
from corpus.publishing.export.export_rules import BAD_BIBTEX_KEY

_VENUE_FIELD = {ARTICLE: "journal", PROCEEDINGS: "booktitle", REPORT: "type"}
_BIBTEX_KEY = re.compile(r"[^\s\"#%'(),={}~\\]+")
_CSL_TYPES = {
    ARTICLE: "article-journal",
    PROCEEDINGS: "paper-conference",
    REPORT: "report",
    OTHER: "webpage",
}
_RIS_TYPES = {ARTICLE: "JOUR", PROCEEDINGS: "CPAPER", REPORT: "RPRT", OTHER: "ELEC"}
_YEAR = re.compile(r"[0-9]{4}")
#: What separates two names for BibTeX.
_AND = re.compile(r"\band\b", re.IGNORECASE)


def bibtex(study: Study) -> str:
    """Return the pool as BibTeX, entries in the pool's order, special characters in LaTeX.

    Raises
    ------
    CorpusError
        X101 where BibTeX does not allow a key.
    """
    pool = study.pool
    key_column = pool.spec.key[0]
    entries = []
    wrong = []
    for work, line in zip(works(study), pool.lines, strict=True):
        if _BIBTEX_KEY.fullmatch(work.key):
            entries.append(bibtex_entry(work, with_keywords=True))
        else:
            wrong.append(BAD_BIBTEX_KEY.at(pool.file, line, key_column, work.key))
    if wrong:
        raise CorpusError(wrong)
    return "\n".join(entries)


def bibtex_entry(work: CitedWork, with_keywords: bool = False) -> str:
    r"""Return one entry, with a line feed at its end.

    Parameters
    ----------
    work : CitedWork
        The entry.
    with_keywords : bool
        Whether to write its tags, as ``axis: term``. The page has them already, so its BibTeX is
        without.

    Examples
    --------
    >>> from corpus.analysis.bibliography.works import parse_names
    >>> work = CitedWork(
    ...     "mire2019", "Mire 50%", parse_names("Poe, É."), True, "misc", "2019", None,
    ...     "", "", "", (), "", "", "", {},
    ... )
    >>> print(bibtex_entry(work), end="")
    @misc{mire2019,
      author = {Poe, {\'E}.},
      title  = {{Mire 50{\%}}},
      year   = {2019},
    }
    """
    fields = {}
    for name, text in _fields(work):
        if text and text != "{}":
            # A month is a string that BibTeX styles define, so it has no braces.
            fields[name] = text if name == "month" else "{" + text + "}"
    if with_keywords and work.keywords:
        # biber divides keywords at commas.
        words = [_latex(word.replace(",", ";")) for word in work.keywords]
        fields["keywords"] = "{" + ", ".join(words) + "}"
    # An entry of which nothing is known has no field; BibTeX allows that.
    width = max(map(len, fields), default=0)
    lines = [f"@{work.kind}{{{work.key},"]
    for name, value in fields.items():
        lines.append(f"  {name:{width}} = {value},")
    lines.append("}\n")
    return "\n".join(lines)


def _fields(work: CitedWork) -> Iterator[tuple[str, str]]:
    """Yield the fields as BibTeX, in the order of the file; those without a value are empty."""
    names = list(map(_name, work.authors))
    if names and not work.complete and work.authors[0].given:
        names.append("others")
    yield "author", " and ".join(names)
    # A second pair of braces keeps the capitals of the title.
    yield "title", "{" + _latex(work.title) + "}"
    yield _VENUE_FIELD.get(work.kind, "howpublished"), _latex(work.venue)
    if work.kind == REPORT:
        # Who issued it: an organisation as author, else the affiliation.
        issuer = work.affiliation
        if work.authors and not work.authors[0].given:
            issuer = work.authors[0].family
        yield "institution", _latex(issuer)
    yield "year", work.year
    # The month of first publication, where the entry is that publication.
    if work.public and work.public.month and work.kind not in _VENUE_FIELD:
        if work.public.month[:4] == work.year:
            yield "month", MONTHS[work.public.start.month - 1].lower()
    yield "doi", _verbatim(work.doi)
    if work.arxiv:
        yield "eprint", work.arxiv
        yield "archiveprefix", "arXiv"
    yield "url", _verbatim(work.address)


def _name(name: PersonName) -> str:
    """Return a name; what BibTeX would split is in braces."""
    family, given = _latex(name.family), _latex(name.given)
    if not given:
        return "{" + family + "}"
    if _AND.search(name.family):
        family = "{" + family + "}"
    if "," in given or _AND.search(given):
        given = "{" + given + "}"
    return f"{family}, {given}"


def _latex(text: str) -> str:
    return str(_encoder().unicode_to_latex(one_line(text)))


@cache
def _encoder() -> Any:
    # The import takes longer than writing a pool of 84 entries; other formats do without it.
    from pylatexenc.latexencode import (
        RULE_DICT,
        UnicodeToLatexConversionRule,
        UnicodeToLatexEncoder,
    )

    # BibTeX counts escaped braces too, so a brace is written by its name.
    braces = {ord("{"): r"\textbraceleft", ord("}"): r"\textbraceright"}
    return UnicodeToLatexEncoder(
        conversion_rules=[UnicodeToLatexConversionRule(RULE_DICT, braces), "defaults"],
        replacement_latex_protection="braces-all",
        unknown_char_policy="keep",
        unknown_char_warning=False,
    )


def _verbatim(text: str) -> str:
    """Return an address; what would break the file (braces, backslash, space) is encoded."""
    return re.sub(r"[{}\\\s]", lambda match: f"%{ord(match.group()):02X}", text)


def csl_json(study: Study) -> str:
    """Return the pool as CSL-JSON; `id` is the key of the entry, `keyword` lists ``axis: term``."""
    return json_text(list(map(_csl_item, works(study))))


def _csl_item(work: CitedWork) -> dict[str, Any]:
    """Return one entry as a CSL item; what is not known is left out."""
    kind, number = _CSL_TYPES[work.kind], ""
    # CSL calls a preprint an article, and a paper in a journal an article of one.
    if work.kind == OTHER and work.arxiv:
        kind, number = "article", f"arXiv:{work.arxiv}"
    venue_field = "publisher"
    if work.kind in (ARTICLE, PROCEEDINGS):
        venue_field = "container-title"
    authors = []
    for name in work.authors:
        author = {"literal": name.family}
        if name.given:
            author = {"family": name.family, "given": name.given}
        authors.append(author)
    issued: dict[str, Any] = {}
    if _YEAR.fullmatch(work.year):  # else `corpus check` names the cell
        issued = {"date-parts": [[int(work.year)]]}
        public = work.public
        # Month and day where that is also its first publication.
        if public is not None and work.kind == OTHER and public.start.year == int(work.year):
            issued = {"date-parts": [list(map(int, public.text.split("-")))]}
    item = {
        "id": work.key,
        "type": kind,
        "title": work.title,
        "author": authors,
        "issued": issued,
        venue_field: work.venue,
        "number": number,
        "DOI": work.doi,
        "URL": work.address,
        "note": work.summary,
        "keyword": ", ".join(work.keywords),
    }
    return filled(item)


def ris(study: Study) -> str:
    """Return the pool as RIS; `ID` is the key of the entry, keywords are ``axis: term``."""
    entries = []
    for work in works(study):
        # A line break in a cell would start a tag of its own.
        lines = [f"{tag}  - {one_line(text)}\n" for tag, text in _ris_fields(work) if text]
        entries.append("".join(lines) + "ER  - \n")
    return "\n".join(entries)


def _ris_fields(work: CitedWork) -> Iterator[tuple[str, str]]:
    kind = _RIS_TYPES[work.kind]
    if work.kind == OTHER and work.arxiv:
        kind = "UNPB"
    yield "TY", kind
    yield "ID", work.key
    yield "TI", work.title
    for name in work.authors:
        yield "AU", name.printed
    yield "PY", work.year
    if work.public is not None and work.public.precision == "day":
        yield "DA", f"{work.public.start:%Y/%m/%d}"
    yield "T2", work.venue
    yield "DO", work.doi
    for address in work.urls:
        yield "UR", address
    # RIS has no number of a preprint; programs show this one.
    if work.arxiv:
        yield "AN", f"arXiv:{work.arxiv}"
    yield "AB", work.summary
    for keyword in work.keywords:
        yield "KW", keyword
    yield "N1", work.notes
