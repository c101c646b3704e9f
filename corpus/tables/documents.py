"""The TOML files of a corpus: the codebook, and the documents it names (claims, protocol)."""

import re
from functools import lru_cache
from typing import Any

import tomli

from corpus.model.codebook import Codebook, Source
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import CorpusError, Rule
from corpus.tables.content import decode, marker_findings, read_bytes
from corpus.tables.location import CODEBOOK_FILE, file_of, is_interrupted, shown_path

BAD_TOML = Rule(
    "C119",
    "{problem}",
    "correct the line; strings need quotation marks, a backslash is written twice",
    title="Not valid TOML",
    reason="The file cannot be understood.",
)


_AT_LINE = r"\(at line (\d+), column (\d+)\)"


def read_document(path: str, shown: str) -> str:
    """Read the text of a file; CorpusError (C101 to C108) where it is missing or not UTF-8."""
    data, findings = read_bytes(path, shown)
    if findings:
        raise CorpusError(findings)
    return decode_document(data, shown)


def decode_document(data: bytes, shown: str) -> str:
    """Return the text in the bytes of a file; CorpusError (C104 to C108) where it is not UTF-8."""
    # TOML allows the line ends of Windows, which git makes of ours in a clone there.
    text, findings = decode(data.replace(b"\r\n", b"\n"), shown, is_table=False)
    if findings:
        raise CorpusError(findings)
    return text


def parse_toml(text: str, shown: str) -> dict[str, Any]:
    """Decode TOML; CorpusError (C119, or C113 for conflict markers) with the line."""
    try:
        return tomli.loads(text)
    except (ValueError, RecursionError) as error:  # thousands of digits are a plain ValueError
        markers = marker_findings(text, shown)
        if markers:
            raise CorpusError(markers) from None
        message = str(error)
        place = re.search(_AT_LINE, message)
        # Without a place, the document ended too early: that is its last line.
        line, char = text.removesuffix("\n").count("\n") + 1, 0
        if place:
            line, char = int(place[1]), int(place[2])
        problem = message.split(" (at ")[0] or "nested too deeply"
        raise CorpusError([BAD_TOML.at(shown, line, char=char, problem=problem)]) from None


def read_codebook(data: str) -> Codebook:
    """Read the codebook of a data folder, the first thing that every command reads.

    Where a change of the files is under way, its end is waited for.

    Raises
    ------
    CorpusError
        C001 and file rules where the codebook is wrong, C125 where a change was interrupted and the
        next writer has to undo it.
    UsageProblem
        Where another process has been replacing tables for too long.
    """
    if is_interrupted(data):
        # Almost never needed; start-up does not pay for it.
        from corpus.tables.writing.lock import wait_for_writer

        wait_for_writer(data)
    source = source_of(data, CODEBOOK_FILE)
    try:
        return parsed_codebook(source)
    except CorpusError as error:
        # Only a wrong codebook needs it; start-up does not pay for it.
        from corpus.model.documents.codebook_lines import with_lines

        raise CorpusError(with_lines(error.findings, source.text)) from None


def source_of(data: str, file: str) -> Source:
    """Read a document of a data folder: its path as it is shown, and its text."""
    path = file_of(data, file)
    shown = shown_path(path)
    return Source(shown, read_document(path, shown))


@lru_cache(maxsize=32)  # one command reads it several times, a history many versions of it
def parsed_codebook(source: Source) -> Codebook:
    """Return what a codebook declares; CorpusError with its mistakes."""
    return parse_codebook(parse_toml(source.text, source.file), source.file)
