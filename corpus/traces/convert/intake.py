"""Inputs named on a command line to documents by format: files, folders, what belongs to them, standard input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from corpus.model.finding import CorpusError, Finding
from corpus.traces.convert import FORMATS
from corpus.traces.convert.convert_rules import LOST_MARK, NOTHING_FOUND, UNKNOWN_FORMAT
from corpus.traces.convert.document import RecordedFile, read_document
from corpus.traces.convert.format import Conversion, RecordedFormat
from corpus.traces.convert.redaction import Redaction

AUTO = "auto"
FILES_LIMIT = 500
"""Files that one run may draw in after it by naming them."""
_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")


def format_names() -> tuple[str, ...]:
    """Return what ``--from`` takes."""
    return (AUTO, *(one.name for one in FORMATS))


def read_inputs(
    inputs: Sequence[Path], name: str, stdin: IO[bytes] | None = None
) -> tuple[dict[str, list[RecordedFile]], list[Finding]]:
    """Read all inputs, and the files that belong to them; return the documents by format, and the warnings.

    Raises
    ------
    CorpusError
        Where a named file cannot be read, or no format fits it.
    """
    taken: dict[str, list[RecordedFile]] = {}
    problems: list[Finding] = []
    seen: set[Path] = set()
    for given in inputs:
        folder = given.is_dir()
        strangers: list[Path] = []
        for path in _files(given):
            _take(path, name, (taken, problems, seen, strangers if folder else None), stdin)
        if strangers:
            problems.append(LOST_MARK.at(str(given), count=len(strangers), first=ascii(strangers[0].name)))
    errors = [finding for finding in problems if finding.is_error]
    if errors:
        raise CorpusError(errors)
    if not taken:
        raise CorpusError([UNKNOWN_FORMAT.at(str(one)) for one in inputs])
    return taken, problems


_State = tuple[dict[str, list[RecordedFile]], list[Finding], set[Path], list[Path] | None]


def _take(path: Path, name: str, state: _State, stdin: IO[bytes] | None) -> None:
    """Read one file and its companions into `state`; in a folder, what fits no format is passed over."""
    taken, problems, seen, strangers = state
    if path.resolve() in seen:
        return
    seen.add(path.resolve())
    try:
        document = read_document(path, stdin if str(path) == "-" else None)
    except CorpusError as error:
        if strangers is None:
            problems.extend(error.findings)
        else:
            strangers.append(path)
        return
    found = find_format(document, name)
    if found is None:
        if strangers is None:
            problems.append(UNKNOWN_FORMAT.at(str(path)))
        else:
            strangers.append(path)
        return
    taken.setdefault(found.name, []).append(document)
    problems.extend(document.findings)
    for companion in found.companions(document) if str(path) != "-" else ():
        if os.path.isfile(companion) and len(seen) < FILES_LIMIT:  # false, not an error, where a name is too long
            _take(companion, name, (taken, problems, seen, []), None)


def find_format(document: RecordedFile, name: str) -> RecordedFormat | None:
    """Return the format called `name`, or with ``auto`` the first one that recognises the document."""
    for one in FORMATS:
        if name == one.name or (name == AUTO and one.recognise(document)):
            return one
    return None


def convert_all(taken: dict[str, list[RecordedFile]], redaction: Redaction) -> Iterator[Conversion]:
    """Yield the traces of all documents, format by format.

    Raises
    ------
    CorpusError
        Where the documents of a format hold no event.
    """
    for one in FORMATS:
        documents = taken.get(one.name, [])
        empty = bool(documents)
        for conversion in one.convert(documents, redaction) if documents else ():
            if conversion.trace["events"]:
                empty = False
                yield conversion
        if empty:
            raise CorpusError([NOTHING_FOUND.at(str(documents[0].path), format=one.name)])


def _files(given: Path) -> Iterable[Path]:
    if not given.is_dir():
        return (given,)
    return sorted(path for path in given.rglob("*") if path.name.endswith(_ENDINGS) and path.is_file())
