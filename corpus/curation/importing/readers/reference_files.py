"""BibTeX and RIS, as reference managers and screening tools export them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.persons import whole_name
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.curation.lookup.bibtex import stray_fields
from corpus.curation.lookup.candidate import person
from corpus.curation.lookup.string_macros import MacrosTooLarge, StringMacros
from corpus.model.finding import CorpusError, Finding

_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_SKIPPED_KINDS = ("comment", "preamble")
#: RIS ends a date in a slash, where other information may follow.
_DATED = re.compile(r"year|date")
MAX_ENTRY = 200_000
MAX_DEPTH = 50


def read_bibtex(text: str, shown: str) -> Records:
    """Read BibTeX entry by entry; a malformed one is skipped with a warning (I106) and the rest is read.

    Raises
    ------
    CorpusError
        I104 where the string macros expand beyond all measure.
    """
    findings: list[Finding] = []
    records = []
    macros = StringMacros()
    first = _ENTRY.search(text)
    preface = text[: first.start()] if first else ""
    for line, words in [
        *stray_fields(preface.replace("@", " ")),
        *stray_fields(text[len(preface) :], preface.count("\n")),
    ]:
        problem = "it stands in no entry; an @ or a brace is missing or one too many"
        findings.append(rules.SKIPPED.at(shown, line, value=words, problem=problem))
    for line, kind, part in _chunks(text):
        if kind in _SKIPPED_KINDS:
            continue
        try:
            problem, cells = _entry(part, kind, macros)
        except MacrosTooLarge as error:
            raise CorpusError([rules.NOT_THE_FORMAT.at(shown, line, format="BibTeX", problem=str(error))]) from None
        if problem:
            findings.append(rules.SKIPPED.at(shown, line, value=part[:60].split("\n")[0], problem=problem))
        elif kind != "string":
            records.append(ImportedRecord(line, cells))
    return gather("BibTeX", records, findings)


def _chunks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and text of everything that starts like an entry at the start of a line."""
    starts = list(_ENTRY.finditer(text))
    line, at = 1, 0
    for number, match in enumerate(starts):
        line += text.count("\n", at, match.start())
        at = match.start()
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        yield line, match[1].lower(), text[match.start() : end]


def _entry(part: str, kind: str, macros: StringMacros) -> tuple[str, dict[str, Cell]]:
    """Return what is wrong with one entry, or its fields; a definition of a string has none and goes to `macros`."""
    from pybtex.database import PybtexError
    from pybtex.database.input.bibtex import Parser

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
        return "it holds no entry", {}
    (key, entry), *_ = entries.items()
    cells: dict[str, Cell] = {"key": str(key), "type": str(entry.type)}
    for role, people in entry.persons.items():
        names = [
            person(
                _text(" ".join([*p.prelast_names, *p.last_names, *p.lineage_names])),
                _text(" ".join([*p.first_names, *p.middle_names])),
            )
            for p in people
        ]
        kept = (name for name in names if name and name != "others")
        cells[str(role).lower()] = tuple(map(whole_name, kept) if str(role).lower() == "author" else kept)
    for name, value in entry.fields.items():
        cells[str(name).lower()] = str(value) if str(name).lower() in ("url", "doi", "eprint") else _text(str(value))
    return "", cells


def _depth(part: str) -> int:
    depth = deepest = 0
    for sign in re.findall(r"[{}]", part):
        depth += 1 if sign == "{" else -1
        deepest = max(deepest, depth)
    return deepest


def _text(latex: str) -> str:
    """Turn LaTeX into plain text."""
    from pylatexenc.latex2text import LatexNodes2Text

    return str(LatexNodes2Text(math_mode="verbatim").latex_to_text(latex))


def read_ris(text: str, shown: str) -> Records:
    """Read RIS by rispy; lines outside any record are named (I106), the records are read."""
    import rispy
    from rispy.parser import ParseError

    findings = []
    for line, part in enumerate(text.split("\n"), 1):
        if re.match(r"[A-Z][A-Z0-9]  ?-(?! |$)", part):
            findings.append(rules.SKIPPED.at(shown, line, value=part[:80], problem="the tag needs '  - ' after it"))
    try:
        entries = rispy.loads(text)
    except (OSError, ParseError) as error:  # which of them for text outside a record depends on rispy's version
        findings.append(rules.SKIPPED.at(shown, 0, problem=" ".join(str(error).split())[:200]))
        entries = rispy.loads(_records_only(text))
    records = []
    for number, entry in enumerate(entries, 1):
        cells: dict[str, Cell] = {}
        for name, value in entry.items():
            if isinstance(value, list):
                cells[name] = tuple(map(str, value))
            elif isinstance(value, dict):
                cells.update({f"{name} {tag}": " ".join(map(str, part)) for tag, part in value.items()})
            else:
                cells[name] = str(value).rstrip("/") if _DATED.search(name) else str(value)
        records.append(ImportedRecord(number, cells))
    return gather("RIS", records, findings)


def _records_only(text: str) -> str:
    """Return the lines from each TY to the ER line that follows it; what has no ER line is no record."""
    kept: list[str] = []
    record: list[str] = []
    for line in text.split("\n"):
        if record or line.startswith("TY  - "):
            record.append(line)
        if record and line.startswith("ER  -"):
            kept += record
            record = []
    return "\n".join(kept) + "\n"
