"""BibTeX, for bibtex and biber: the keys are those of the pool, special characters are written in LaTeX."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from corpus.analysis.bibliography.venues import ARTICLE, PROCEEDINGS, REPORT
from corpus.analysis.bibliography.works import CitedWork, PersonName, works
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.export.export_rules import BAD_BIBTEX_KEY

_VENUE_FIELD = {ARTICLE: "journal", PROCEEDINGS: "booktitle", REPORT: "type"}
_KEY = re.compile(r"[^\s\"#%'(),={}~\\]+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def export(corpus: Study) -> bytes:
    """Return the pool as a BibTeX file, entries in the pool's order.

    Raises
    ------
    CorpusError
        X101 where a key cannot stand in a BibTeX file.
    """
    return bibtex_text(corpus).encode()


def bibtex_text(corpus: Study) -> str:
    """Return the whole BibTeX file as text; see :func:`export`."""
    found = works(corpus)
    wrong = [
        BAD_BIBTEX_KEY.at(corpus.pool.file, line, corpus.codebook.pool.key[0], work.key)
        for work, line in zip(found, corpus.pool.lines, strict=True)
        if not _KEY.fullmatch(work.key)
    ]
    if wrong:
        raise CorpusError(wrong)
    return "\n".join(bibtex_entry(work) for work in found)


def bibtex_entry(work: CitedWork) -> str:
    r"""Return one entry, with a line feed at its end.

    Examples
    --------
    >>> from corpus.analysis.bibliography.works import parse_names
    >>> work = CitedWork("mire2019", "Mire 50%", parse_names("Poe, É."), True, "misc", "2019", None, "", "", "", (), "", "",
    ...     "", {})
    >>> print(bibtex_entry(work), end="")
    @misc{mire2019,
      author = {Poe, {\'E}.},
      title  = {{Mire 50{\%}}},
      year   = {2019},
    }
    """
    fields = _fields(work)
    width = max(map(len, fields))
    lines = [f"  {name:{width}} = {value}," for name, value in fields.items()]
    return "".join(f"{line}\n" for line in [f"@{work.kind}{{{work.key},", *lines, "}"])


def _fields(work: CitedWork) -> dict[str, str]:
    venue_field = _VENUE_FIELD.get(work.kind, "howpublished")
    fields = {
        "author": _authors(work),
        "title": "{" + _latex(work.title) + "}",
        venue_field: _latex(work.venue),
        "institution": _institution(work) if work.kind == REPORT else "",
        "year": work.year,
        "month": "",
        "doi": _verbatim(work.doi),
        "eprint": work.arxiv,
        "archiveprefix": "arXiv" if work.arxiv else "",
        "url": _verbatim(work.urls[0]) if work.urls else "",
    }
    written = {name: "{" + value + "}" for name, value in fields.items() if value not in ("", "{}")}
    if work.public and work.public.month and work.kind not in _VENUE_FIELD and work.public.month[:4] == work.year:
        # The month of first publication is that of the entry only where the entry is its first publication.
        at = list(written).index("year") + 1
        pairs = list(written.items())
        pairs.insert(at, ("month", _MONTHS[work.public.start.month - 1]))
        return dict(pairs)
    return written


def _authors(work: CitedWork) -> str:
    names = [_name(name) for name in work.authors]
    if names and not work.complete and work.authors[0].given:
        names.append("others")
    return " and ".join(names)


def _name(name: PersonName) -> str:
    """Write a name; one without given name (an organisation) in braces, so that BibTeX does not take it apart."""
    family, given = _latex(name.family), _latex(name.given)
    if not given:
        return "{" + family + "}"
    if re.search(r"\band\b", name.family, re.IGNORECASE):
        family = "{" + family + "}"
    if "," in given or re.search(r"\band\b", given, re.IGNORECASE):
        given = "{" + given + "}"
    return f"{family}, {given}"


def _institution(work: CitedWork) -> str:
    """Return who issued a report: its author where that is an organisation, else the affiliation."""
    if work.authors and not work.authors[0].given:
        return _latex(work.authors[0].family)
    return _latex(work.affiliation)


def _latex(text: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return str(_encoder().unicode_to_latex(plain))


@cache
def _encoder() -> Any:
    """Make the LaTeX encoder; BibTeX counts escaped braces too, so a brace is written by its name."""
    from pylatexenc.latexencode import (
        RULE_DICT,
        UnicodeToLatexConversionRule,
        UnicodeToLatexEncoder,
    )

    braces = {ord("{"): r"\textbraceleft", ord("}"): r"\textbraceright"}
    return UnicodeToLatexEncoder(
        conversion_rules=[UnicodeToLatexConversionRule(RULE_DICT, braces), "defaults"],
        replacement_latex_protection="braces-all",
        unknown_char_policy="keep",
        unknown_char_warning=False,
    )


def _verbatim(text: str) -> str:
    """Return an address as it stands; braces, backslashes and blanks, which would break the file, in percent form."""
    return re.sub(r"[{}\\\s]", lambda match: f"%{ord(match.group()):02X}", text)
