"""BibTeX, as reference managers and screening tools export it, by pybtex."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pybtex.database import Entry, Person, PybtexError
from pybtex.database.input.bibtex import Parser
from pylatexenc.latex2text import LatexNodes2Text

from corpus.curation.importing.persons import whole_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.curation.lookup.bibtex import stray_fields
from corpus.curation.lookup.candidate import person
from corpus.curation.lookup.string_macros import MacrosTooLarge, StringMacros
from corpus.model.finding import CorpusError, Finding

_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_SKIPPED_KINDS = ("comment", "preamble")
#: Fields that are addresses and identifiers; what is LaTeX in them only protects characters.
_ADDRESSES = ("url", "doi", "eprint", "ee", "bdsk-url-1", "bdsk-url-2", "pdf", "link")
_LINK = re.compile(r"\\href\s*\{((?:[^{}]|\{[^{}]*\})*)\}.*", re.DOTALL)
_ADDRESS_COMMAND = re.compile(r"\\(?:url|path|nolinkurl)\b")
_TILDE = re.compile(r"\\textasciitilde(?:\s|\{\})?|\\~(?:\{\})?|\$\\sim\$|\\sim\b")
#: Where a text is more than letters and braces to LaTeX: commands, math, comments, ligatures.
_SPECIAL = re.compile(r"[\\$~%&#]|--|``|''|[!?]`")
#: DBLP numbers people of one name.
_HOMONYM = re.compile(r"0[0-9]{3}")
MAX_ENTRY = 200_000
MAX_DEPTH = 50


def read_bibtex(text: str, shown: str) -> Records:
    """Read BibTeX entry by entry; skip a malformed one with a warning (I106) and read the rest.

    Raises
    ------
    CorpusError
        I104 where the string macros expand without limit.
    """
    findings: list[Finding] = []
    records = []
    macros = StringMacros()
    first = _ENTRY.search(text)
    preface = text[: first.start()] if first else ""
    stray = list(stray_fields(preface.replace("@", " ")))
    stray += stray_fields(text[len(preface) :], preface.count("\n"))
    for line, words in stray:
        problem = "it is outside any entry; an @ or a brace is missing or one too many"
        findings.append(rules.SKIPPED.at(shown, line, value=words, problem=problem))
    for line, kind, part in _chunks(text):
        if kind in _SKIPPED_KINDS:
            continue
        try:
            problem, cells = _entry(part, kind, macros)
        except MacrosTooLarge as error:
            finding = rules.NOT_THE_FORMAT.at(shown, line, format="BibTeX", problem=str(error))
            raise CorpusError([finding]) from None
        if problem:
            start = part[:60].split("\n")[0]
            findings.append(rules.SKIPPED.at(shown, line, value=start, problem=problem))
        elif kind != "string":
            records.append(ImportedRecord(line, cells))
    return gather("BibTeX", records, findings)


def _chunks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and text of everything that starts like an entry at the start of a line."""
    starts = list(_ENTRY.finditer(text))
    positions = [*(match.start() for match in starts), len(text)]
    line = 1
    counted = 0
    for match, end in zip(starts, positions[1:], strict=True):
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        yield line, match[1].lower(), text[start:end]


def _entry(part: str, kind: str, macros: StringMacros) -> tuple[str, dict[str, Cell]]:
    """Return what is wrong with one entry, or its fields.

    The definition of a string has no fields; it goes to `macros`.
    """
    if len(part) > MAX_ENTRY:
        return f"it has more than {MAX_ENTRY // 1000} kB", {}
    if _depth(part) > MAX_DEPTH:
        return f"braces are nested more than {MAX_DEPTH} deep", {}
    parser = Parser(encoding="utf-8")
    parser.macros = macros
    try:
        entries = parser.parse_string(part).entries
    except MacrosTooLarge:
        raise
    except PybtexError as error:
        return " ".join(str(error).split())[:200], {}
    if kind == "string" and not entries:
        return "", {}
    if len(entries) != 1:
        return "it contains no entry", {}
    [(key, entry)] = entries.items()
    return "", {"key": str(key), **_cells(entry)}


def _cells(entry: Entry) -> dict[str, Cell]:
    cells: dict[str, Cell] = {"type": str(entry.type)}
    for role, people in entry.persons.items():
        is_author = str(role).lower() == "author"
        names = []
        for each in people:
            name = _name(each)
            if not name or name == "others":
                continue
            # Authors are split once more later; editors are text.
            names.append(whole_name(name) if is_author else name)
        cells[str(role).lower()] = tuple(names)
    for field, value in entry.fields.items():
        name = str(field).lower()
        if name == "type":
            # The column of that name has the kind of the entry; of a report it is where it is.
            name = "howpublished" if entry.type in ("techreport", "report") else "type of work"
        if name in _ADDRESSES:
            cells[name] = address_text(str(value))
        else:
            cells[name] = plain_text(str(value))
    return cells


def _name(name: Person) -> str:
    given = [*name.first_names, *name.middle_names]
    family = [*name.prelast_names, *name.last_names, *name.lineage_names]
    if len(family) > 1 and _HOMONYM.fullmatch(family[-1]):
        family.pop()
    elif given and _HOMONYM.fullmatch(" ".join(family)):
        # "Antonio Rago 0001": pybtex takes the number of DBLP for the family name.
        return _name(Person(" ".join(given)))
    return person(plain_text(" ".join(family)), plain_text(" ".join(given)))


def _depth(part: str) -> int:
    depth = deepest = 0
    for brace in re.findall(r"[{}]", part):
        depth += 1 if brace == "{" else -1
        deepest = max(deepest, depth)
    return deepest


@cache
def _converter() -> LatexNodes2Text:
    # Building it takes longer than converting a title.
    return LatexNodes2Text(math_mode="verbatim")


def plain_text(latex: str) -> str:
    r"""Turn LaTeX into plain text.

    Examples
    --------
    >>> plain_text(r"{Peat} \& M{\"u}ller's moss")
    "Peat & Müller's moss"
    """
    if _SPECIAL.search(latex):
        return str(_converter().latex_to_text(latex))
    # Nine in ten fields have nothing special but braces; this is a hundred times faster.
    return latex.replace("{", "").replace("}", "")


def address_text(latex: str) -> str:
    r"""Return an address or identifier without the LaTeX that protects its characters.

    A percent sign starts no comment here, and `~` is a character of its own.

    Examples
    --------
    >>> address_text(r"\url{https://a.example/x\_y\%20z{\~{}}b}")
    'https://a.example/x_y%20z~b'
    >>> address_text(r"10.1007/978-3{\_}1"), address_text(r"$\sim$ann")
    ('10.1007/978-3_1', '~ann')
    """
    text = _ADDRESS_COMMAND.sub("", _LINK.sub(r"\1", latex))
    text = _TILDE.sub("~", text)
    text = text.replace(r"\textunderscore", "_")
    return re.sub(r"\\([_%&#$^{}~-])|[{}]", r"\1", text).strip()
