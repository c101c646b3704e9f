"""Inputs named on a command line to documents by format.

Files, folders, what belongs to them, standard input.
"""

import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from corpus.model.finding import WARNING, CorpusError, Finding, Rule
from corpus.tables.packing import plain_name
from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import OTHERS, TRACES, Conversions, RecordedFormat, Redaction
from corpus.traces.document import RecordedFile, read_document

UNKNOWN_FORMAT = Rule(
    "OT202",
    "no known format fits this input",
    "name the format with --from; `corpus trace formats` lists them",
    title="Format not recognised",
    reason="Each format is recognised by marks that only it writes.",
)
NOTHING_FOUND = Rule(
    "OT203",
    "holds no call of a model or a tool and no message, read as {format}",
    "name a recording with the steps of agents, or another format with --from",
    title="Nothing to convert",
    reason="An empty trace would claim that the run did nothing.",
)
LOST_MARK = Rule(
    "OT205",
    "the file is left out: {problem}",
    "name the wanted files on the command line",
    WARNING,
    title="Files left out",
    reason="A folder may hold other files, and a run may name files that cannot be read.",
)
OTHER_RECORDER = Rule(
    "OT207",
    "was written by {recorder}, which is not read",
    "{way}",
    title="Recorder known, not read",
    reason="Some files are recognised only to name the way in that exists.",
)


AUTO = "auto"
FILES_LIMIT = 500
"""Files that one input may bring in by naming them, and these by naming others."""
STDIN = "-"
# An archive of Inspect ends in .eval.
_ENDINGS = (".json", ".jsonl", ".ndjson", ".eval")


def read_inputs(
    inputs: Sequence[Path],
    name: str,
    stdin: IO[bytes] | None = None,
    formats: Sequence[RecordedFormat] = FORMATS,
) -> tuple[dict[str, list[RecordedFile]], list[Finding]]:
    """Read all inputs, and the files that belong to them.

    Parameters
    ----------
    inputs : sequence of pathlib.Path
        Files, folders, or ``-`` for standard input.
    name : str
        That of a format, or ``auto``.
    stdin : binary file, optional
        Read for the input ``-``.
    formats : sequence of RecordedFormat
        The formats that inputs may have.

    Returns
    -------
    tuple of (dict, list of Finding)
        The documents by the name of their format, and the warnings.

    Raises
    ------
    CorpusError
        Where a named file cannot be read, or no format fits it.
    """
    intake = _Intake(name, stdin, formats)
    # Files in folders whose recorder is known and not read.
    named: list[Finding] = []
    for given in inputs:
        # os.path answers where Path raises: for a name that is too long, or in a closed folder.
        if os.path.isdir(given):
            # What fits no format is left out, and told.
            for path in sorted(given.rglob("*")):
                if plain_name(path.name).endswith(_ENDINGS) and os.path.isfile(path):
                    if problems := intake.take_run(path):
                        intake.leave_out(path, problems[0].message)
                        named += [one for one in problems if one.code == OTHER_RECORDER.code]
        else:
            # What is wrong with a file that the user named is a problem.
            intake.problems += intake.take_run(given)
    errors = [finding for finding in intake.problems if finding.is_error]
    if errors:
        raise CorpusError(errors)
    if not intake.taken:
        raise CorpusError(named or [UNKNOWN_FORMAT.at(str(one)) for one in inputs])
    return intake.taken, intake.problems


@dataclass(slots=True)
class _Intake:
    """The documents read so far; a file is read once, however often it is named."""

    name: str
    stdin: IO[bytes] | None
    formats: Sequence[RecordedFormat]
    taken: dict[str, list[RecordedFile]] = field(default_factory=dict)
    problems: list[Finding] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)

    def leave_out(self, path: Path, problem: str) -> None:
        """Warn that a file of a folder, or of a run, was not taken."""
        self.problems.append(LOST_MARK.at(str(path), problem=problem))

    def take_run(self, path: Path) -> list[Finding]:
        """Read one file and its companions; return why it was not taken, nothing where it was."""
        # A queue, since files may name each other in a chain of any length.
        waiting: deque[Path] = deque()
        problems = self._take(path, waiting)
        brought = 0
        while waiting:
            companion = waiting.popleft()
            if not os.path.isfile(companion) or companion.resolve() in self.seen:
                continue
            brought += 1
            if brought > FILES_LIMIT:
                self.leave_out(companion, f"more than {FILES_LIMIT} files belong to {path.name}")
            elif others := self._take(companion, waiting):
                self.leave_out(companion, others[0].message)
        return problems

    def _take(self, path: Path, companions: deque[Path]) -> list[Finding]:
        """Read one file, and add its companions; return why it was not taken."""
        if path.resolve() in self.seen:
            return []
        self.seen.add(path.resolve())
        is_piped = str(path) == STDIN
        try:
            document = read_document(path, self.stdin if is_piped else None)
            found = format_of(document, self.name, self.formats)
        except CorpusError as error:
            return list(error.findings)
        self.taken.setdefault(found.name, []).append(document)
        self.problems.extend(document.findings)
        if not is_piped:
            companions.extend(found.companions(document))
        return []


def format_of(
    document: RecordedFile, name: str = AUTO, formats: Sequence[RecordedFormat] = FORMATS
) -> RecordedFormat:
    """Return the format called `name`, or with ``auto`` the first that recognises the document.

    Raises
    ------
    CorpusError
        Where none does; of a recorder that is known all the same, it names the way that exists.
    """
    for other in OTHERS.values() if name == AUTO else ():
        if document.has_any(*other["marks"]):
            title, way = other["title"], other["way"]
            raise OTHER_RECORDER.error(str(document.path), recorder=title, way=way)
    for one in formats:
        if name == one.name or (name == AUTO and one.recognise(document)):
            return one
    raise UNKNOWN_FORMAT.error(str(document.path))


def convert_all(
    taken: dict[str, list[RecordedFile]],
    redaction: Redaction,
    formats: Sequence[RecordedFormat] = FORMATS,
) -> Conversions:
    """Yield the traces of all documents, format by format.

    Raises
    ------
    CorpusError
        Where the documents of a format hold no event.
    """
    for one in formats:
        documents = taken.get(one.name)
        if not documents:
            continue
        is_any = False
        names = {document.path.name for document in documents}
        for conversion in one.convert(documents, redaction):
            # What is a trace already is checked with all others, also without an event.
            if one.name == TRACES:
                is_any = True
                yield conversion
            elif conversion.trace["events"]:
                is_any = True
                yield redaction.redacted(conversion, names)
        if not is_any:
            raise NOTHING_FOUND.error(str(documents[0].path), format=one.name)
