"""BibTeX, for bibtex and biber: the pool's keys, special characters in LaTeX."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from corpus.analysis.bibliography.works import (
    ARTICLE,
    PROCEEDINGS,
    REPORT,
    CitedWork,
    PersonName,
    works,
)
from corpus.model.dates import MONTHS
from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.export.cells import one_line
from corpus.publishing.export.export_rules import BAD_BIBTEX_KEY

_VENUE_FIELD = {ARTICLE: "journal", PROCEEDINGS: "booktitle", REPORT: "type"}
_KEY = re.compile(r"[^\s\"#%'(),={}~\\]+")


def export(study: Study) -> bytes:
    """Return the pool as a BibTeX file, entries in the pool's order, tags as keywords.

    Raises
    ------
    CorpusError
        X101 where BibTeX does not allow a key.
    """
    return bibtex_text(study).encode()


def bibtex_text(study: Study) -> str:
    """Return the whole BibTeX file as text; see :func:`export`."""
    pool = study.pool
    key_column = pool.spec.key[0]
    entries = []
    wrong = []
    for work, line in zip(works(study), pool.lines, strict=True):
        if _KEY.fullmatch(work.key):
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


def _fields(work: CitedWork) -> dict[str, str]:
    """Return the fields that have a value as BibTeX, in the order of the file."""
    texts = {
        "author": _authors(work),
        # A second pair of braces keeps the capitals of the title.
        "title": "{" + _latex(work.title) + "}",
        _VENUE_FIELD.get(work.kind, "howpublished"): _latex(work.venue),
        "institution": _institution(work),
        "year": work.year,
        "month": _month(work),
        "doi": _verbatim(work.doi),
        "eprint": work.arxiv,
        "archiveprefix": "arXiv" if work.arxiv else "",
        "url": _verbatim(work.address),
    }
    fields = {}
    for name, text in texts.items():
        if text in ("", "{}"):
            continue
        # A month is a string that BibTeX styles define, so it has no braces.
        fields[name] = text if name == "month" else "{" + text + "}"
    return fields


def _month(work: CitedWork) -> str:
    """Return the month of first publication, where the entry is that publication."""
    if work.public is None or work.kind in _VENUE_FIELD:
        return ""
    if not work.public.month or work.public.month[:4] != work.year:
        return ""
    return MONTHS[work.public.start.month - 1].lower()


def _authors(work: CitedWork) -> str:
    names = [_name(name) for name in work.authors]
    if names and not work.complete and work.authors[0].given:
        names.append("others")
    return " and ".join(names)


def _name(name: PersonName) -> str:
    """Return a name; what BibTeX would split is in braces."""
    family = _latex(name.family)
    given = _latex(name.given)
    if not given:
        return "{" + family + "}"
    if _has_and(name.family):
        family = "{" + family + "}"
    if "," in given or _has_and(given):
        given = "{" + given + "}"
    return f"{family}, {given}"


def _has_and(text: str) -> bool:
    return re.search(r"\band\b", text, re.IGNORECASE) is not None


def _institution(work: CitedWork) -> str:
    """Return who issued a report: an organisation as author, else the affiliation."""
    if work.kind != REPORT:
        return ""
    if work.authors and not work.authors[0].given:
        return _latex(work.authors[0].family)
    return _latex(work.affiliation)


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
