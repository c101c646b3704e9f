"""What reference managers and citation processors read: BibTeX, CSL-JSON, RIS."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from corpus.analysis.bibliography.works import (
    AND_OTHERS,
    ARTICLE,
    BOOK,
    CHAPTER,
    MASTERS,
    OTHER,
    PROCEEDINGS,
    REPORT,
    THESIS,
    CitedWork,
    PersonName,
    parse_names,
    works,
)
from corpus.model.dates import MONTHS
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.printing.json_document import json_text
from corpus.printing.latex import kernel_latex
from corpus.publishing.export.cells import filled, one_line

BAD_BIBTEX_KEY = Rule(
    "X101",
    "{value} has a character that BibTeX does not allow in a key",
    "use letters, digits and hyphens",
    title="Invalid BibTeX key",
    reason="A manuscript cites entries by the keys of the pool.",
)


#: By kind of work: the field of its venue in BibTeX, its type and the field of its venue in CSL,
#: its type in RIS. What appeared nowhere but on arXiv is a preprint, which BibTeX does not know.
# fmt: off
_KINDS = {
    ARTICLE: ("journal", "article-journal", "container-title", "JOUR"),
    PROCEEDINGS: ("booktitle", "paper-conference", "container-title", "CPAPER"),
    REPORT: ("type", "report", "publisher", "RPRT"),
    BOOK: ("publisher", "book", "publisher", "BOOK"),
    CHAPTER: ("booktitle", "chapter", "container-title", "CHAP"),
    THESIS: ("school", "thesis", "publisher", "THES"),
    MASTERS: ("school", "thesis", "publisher", "THES"),
    OTHER: ("howpublished", "webpage", "publisher", "ELEC"),
}
_PREPRINT = ("howpublished", "article", "publisher", "UNPB")
#: Details of a work: their names in the pool -> in BibTeX, CSL and RIS; empty where a format
#: writes them in its own way or has no field.
_DETAILS = {
    "editor": ("editor", "", "ED"),
    "volume": ("volume", "volume", "VL"),
    "number": ("number", "issue", "IS"),
    "pages": ("pages", "page", ""),
    "publisher": ("publisher", "publisher", "PB"),
    "school": ("school", "publisher", "PB"),
    "institution": ("institution", "publisher", "PB"),
    "series": ("series", "collection-title", ""),
    "edition": ("edition", "edition", "ET"),
    "isbn": ("isbn", "ISBN", "SN"),
    "issn": ("issn", "ISSN", "SN"),
    "abstract": ("abstract", "abstract", ""),
}
# fmt: on
#: How a list of authors ends that is cut, in CSL as Pandoc writes it.
_OTHERS = {"literal": "others"}
_BIBTEX_KEY = re.compile(r"[^\s\"#%'(),={}~\\]+")
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
    fields = _fields(work)
    keywords = _keywords(work)
    if with_keywords and keywords:
        # biber divides keywords at commas.
        fields["keywords"] = ", ".join(_latex(word.replace(",", ";")) for word in keywords)
    # An entry of which nothing is known has no field; BibTeX allows that.
    width = max(map(len, fields), default=0)
    lines = [f"@{work.kind}{{{work.key},"]
    for name, value in fields.items():
        # A month is a string that BibTeX styles define, so it has no braces.
        braced = value if name == "month" else f"{{{value}}}"
        lines.append(f"  {name:{width}} = {braced},")
    lines.append("}\n")
    return "\n".join(lines)


def _fields(work: CitedWork) -> dict[str, str]:
    """Return the fields that have a value, in the order of the file."""
    names = list(map(_name, work.authors))
    if names and not work.complete and (len(names) > 1 or work.authors[0].given):
        names.append("others")
    issuer = month = ""
    if work.kind == REPORT:
        # Who issued it: an organisation as author, else the affiliation.
        issuer = work.affiliation
        if work.authors and not work.authors[0].given:
            issuer = work.authors[0].family
    # The month of first publication, where the entry is that publication.
    if work.kind == OTHER and work.public and work.public.month[:4] == work.year:
        month = MONTHS[work.public.start.month - 1].lower()
    fields = {
        "author": " and ".join(names),
        # A second pair of braces keeps the capitals.
        "title": work.title and f"{{{_latex(work.title)}}}",
        _KINDS[work.kind][0]: _latex(work.venue),
        "institution": _latex(issuer),
        "year": work.year,
        "month": month,
        "doi": _verbatim(work.doi),
        "eprint": work.arxiv,
        "archiveprefix": work.arxiv and "arXiv",
        "url": _verbatim(work.address),
    }
    for name, cell in _details(work, 0):
        if name == "editor":
            cell = " and ".join(map(_name, parse_names(cell)))
        elif name == "pages":
            cell = re.sub("[–—]", "--", cell)
        else:
            cell = _latex(cell)
        fields[name] = fields.get(name) or cell
    return filled(fields)


def _details(work: CitedWork, place: int) -> Iterator[tuple[str, str]]:
    """Yield the details of a work that a format has a field for, by the name of the field."""
    for name, cell in work.details.items():
        field = _DETAILS.get(name, ("", "", ""))[place]
        if field:
            yield field, cell


def _keywords(work: CitedWork) -> list[str]:
    """Return the tags of a work, and the keywords that the pool has of it."""
    own = map(str.strip, re.split("[;,]", work.details.get("keywords", "")))
    return list(dict.fromkeys(filter(None, [*work.keywords, *own])))


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
    """Return LaTeX of a text; letters that LaTeX's kernel lacks stay for other engines."""
    return "".join(map(_latex_of, one_line(text)))


@cache
def _latex_of(character: str) -> str:
    if not character.isascii():
        return kernel_latex(character)
    return str(_encoder().unicode_to_latex(character))


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


def _kind(work: CitedWork) -> tuple[str, str, str, str]:
    """Return the row of :data:`_KINDS` for a work, with preprints apart."""
    if work.kind == OTHER and work.arxiv:
        return _PREPRINT
    return _KINDS[work.kind]


def _csl_item(work: CitedWork) -> dict[str, Any]:
    """Return one entry as a CSL item; what is not known is left out."""
    _, kind, venue_field, _ = _kind(work)
    authors = list(map(_csl_name, work.authors))
    if authors and not work.complete:
        authors.append(_OTHERS)
    issued = {}
    if re.fullmatch("[0-9]{4}", work.year):  # else `corpus check` names the cell
        parts, public = [int(work.year)], work.public
        # Month and day where that is also its first publication.
        if public is not None and work.kind == OTHER and public.start.year == parts[0]:
            parts = list(map(int, public.text.split("-")))
        issued = {"date-parts": [parts]}
    item = {
        "id": work.key,
        "type": kind,
        "title": work.title,
        "author": authors,
        "issued": issued,
        venue_field: work.venue,
        "number": f"arXiv:{work.arxiv}" if kind == "article" else "",
        "DOI": work.doi,
        "URL": work.address,
        "note": work.summary,
        "keyword": ", ".join(_keywords(work)),
    }
    for name, cell in _details(work, 1):
        item[name] = item.get(name) or cell
    editors = [_csl_name(name) for name in parse_names(work.details.get("editor", ""))]
    return filled({**item, "editor": editors})


def _csl_name(name: PersonName) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}


def ris(study: Study) -> str:
    """Return the pool as RIS; `ID` is the key of the entry, keywords are ``axis: term``."""
    entries = []
    for work in works(study):
        # A line break in a cell would start a tag of its own.
        lines = [f"{tag}  - {one_line(text)}\n" for tag, text in _ris_fields(work) if text]
        entries.append("".join(lines) + "ER  - \n")
    return "\n".join(entries)


def _ris_fields(work: CitedWork) -> Iterator[tuple[str, str]]:
    yield "TY", _kind(work)[-1]
    yield "ID", work.key
    yield "TI", work.title
    for name in work.authors:
        yield "AU", name.printed
    if work.authors and not work.complete:
        yield "AU", AND_OTHERS
    for name in parse_names(work.details.get("editor", "")):
        yield "ED", name.printed
    yield "PY", work.year
    if work.public is not None and work.public.precision == "day":
        yield "DA", f"{work.public.start:%Y/%m/%d}"
    first, *last = re.split("[-–—]+", work.details.get("pages", ""))
    venue = "PB" if work.kind in (BOOK, THESIS, MASTERS) else "T2"
    yield venue, work.venue
    yield "T3" if work.kind in (PROCEEDINGS, CHAPTER) else "T2", work.details.get("series", "")
    for detail, (*_, tag) in _DETAILS.items():
        if tag not in ("", "ED", venue):
            yield tag, work.details.get(detail, "")
    yield "SP", first
    yield "EP", "".join(last[-1:])
    yield "DO", work.doi
    for address in work.urls:
        yield "UR", address
    # RIS has no number of a preprint; programs show this one.
    if work.arxiv:
        yield "AN", f"arXiv:{work.arxiv}"
    yield "AB", work.details.get("abstract", "") or work.summary
    for keyword in _keywords(work):
        yield "KW", keyword
    yield "N1", work.notes
