"""The TOML files of a corpus: the codebook, and the documents it names (claims, protocol)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

import tomli

from corpus.model.codebook import Codebook
from corpus.model.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Source
from corpus.tables import table_rules as rules
from corpus.tables.content import decode, read_bytes
from corpus.tables.location import CODEBOOK_FILE, is_interrupted, shown_path
from corpus.tables.reader import marker_findings

_AT_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")


def read_toml(path: str, shown: str) -> dict[str, Any]:
    """Read a TOML file strictly; CorpusError with the line where it cannot be understood (C101 to C108, C119)."""
    return parse_toml(read_document(path, shown), shown)


def read_document(path: str, shown: str) -> str:
    """Read the text of a file; CorpusError (C101 to C108) where it is missing or no sound UTF-8."""
    data, findings = read_bytes(path, shown)
    if findings:
        raise CorpusError(findings)
    text, findings = decode(data, shown, is_table=False)
    if findings:
        raise CorpusError(findings)
    return text


def parse_toml(text: str, shown: str) -> dict[str, Any]:
    """Decode TOML; CorpusError (C119, or C113 for conflict markers) with the line where it is wrong."""
    try:
        return tomli.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        if markers := marker_findings(text, shown):
            raise CorpusError(markers) from None
        place = _AT_LINE.search(str(error))
        line, char = (int(place[1]), int(place[2])) if place else (text.count("\n"), 0)
        problem = str(error).split(" (at ")[0] or "nested too deeply"
        raise CorpusError([rules.BAD_TOML.at(shown, line, char=char, problem=problem)]) from None


def read_codebook(data: str) -> Codebook:
    """Read the codebook of a data folder, the first thing that every command reads.

    An interrupted change of the tables is completed or undone on the way, so that no table is read before.

    Raises
    ------
    CorpusError
        C001 and file rules where the codebook is wrong, C125 where an interrupted change cannot be settled.
    UsageProblem
        Where another process has been replacing tables for too long.
    """
    path = os.path.join(data, CODEBOOK_FILE)
    shown = shown_path(path)
    text = read_document(path, shown)
    try:
        book = parse_codebook(parse_toml(text, shown), shown)
    except CorpusError as error:
        from corpus.model.codebook_lines import (
            with_lines,  # only a wrong codebook needs it; start-up does not
        )

        raise CorpusError(with_lines(error.findings, text)) from None
    if is_interrupted(data):
        from corpus.tables.lock import (
            settle_interrupted,  # almost never needed; start-up does not pay for it
        )

        settle_interrupted(data, book)
    return book


def read_documents(data: str, book: Codebook) -> tuple[dict[str, dict[str, Any]], list[Finding]]:
    """Read the TOML files that the codebook declares under `documents`; return the sound ones, and findings."""
    documents: dict[str, dict[str, Any]] = {}
    findings: list[Finding] = []
    declared = book.settings.get("documents", {})
    for name, file in declared.items() if isinstance(declared, dict) else ():
        path = os.path.join(data, str(file))
        try:
            documents[str(name)] = read_toml(path, shown_path(path))
        except CorpusError as error:
            findings += error.findings
    return documents, findings


def read_sources(data: str, book: Codebook, names: Iterable[str]) -> dict[str, Source]:
    """Return the file and the text of declared documents that are known to be sound."""
    sources = {}
    for name in names:
        path = os.path.join(data, str(book.settings["documents"][name]))
        sources[name] = Source(shown_path(path), read_document(path, shown_path(path)))
    return sources
