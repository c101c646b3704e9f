"""What a format is: one record per module, so that a further format is one further file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.lookup import JsonObject
from corpus.traces.convert.redaction import Redaction

INFERRED = "inferred"
DROPPED = "dropped"
AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Loss:
    """One difference between a trace and its source.

    Attributes
    ----------
    kind : str
        ``inferred`` (the trace states more than the source), ``dropped`` (less) or ``ambiguous``
        (one reading of several).
    place : str
        ``file:line``, the id of a span, or the name of the field; the first place of `count`.
    what : str
        What happened, in words that repeat no content.
    count : int
        How often it happened.
    """

    kind: str
    place: str
    what: str
    count: int = 1

    def as_dict(self) -> JsonObject:
        """Return the loss as plain values, for JSON."""
        return asdict(self)


class LossList:
    """What is lost of one run; equal losses are counted."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Loss] = {}

    def add(self, kind: str, place: str, what: str, count: int = 1) -> None:
        """Note a loss; the first place of equal ones is kept."""
        known = self._found.get((kind, what))
        if known is None:
            self._found[kind, what] = Loss(kind, place, what, count)
        else:
            self._found[kind, what] = replace(known, count=known.count + count)

    def all(self) -> tuple[Loss, ...]:
        """Return the losses in the order in which they were first noted."""
        return tuple(self._found.values())


@dataclass(frozen=True, slots=True)
class Conversion:
    """One trace, ready to be written as JSON, and what was lost on the way."""

    trace: JsonObject
    losses: tuple[Loss, ...]


def no_companions(_: RecordedFile) -> Iterable[Path]:
    """Name no companions: each file of the format is complete."""
    return ()


@dataclass(frozen=True, slots=True)
class RecordedFormat:
    """One format of recorded runs.

    Attributes
    ----------
    name : str
        As in ``--from``.
    title : str
        What writes it, for a reader.
    recognise : callable
        Whether a document is of this format; looks for marks that only this format has.
    convert : callable
        All documents of the format at once, since a run may be spread over files, to one conversion
        per run.
    companions : callable
        Files beside a document that belong to its run; they are read too where they exist.
    """

    name: str
    title: str
    recognise: Callable[[RecordedFile], bool]
    convert: Callable[[Sequence[RecordedFile], Redaction], Iterator[Conversion]]
    companions: Callable[[RecordedFile], Iterable[Path]] = no_companions
