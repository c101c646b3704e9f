"""What a format is, so that a further one is one further record, and what a trace may show of it.

Hashes in place of content, and names that look like names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from corpus.traces.contents import Content, Contents, digest, is_reference
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, record, table_of

INFERRED = "inferred"
DROPPED = "dropped"
AMBIGUOUS = "ambiguous"
MISSING = "missing"

TRACES = "trace"
"""The name of traces as a format: they are converted already."""

_NAME = re.compile(r"[\w][\w.:()+# -]{0,63}")
# At most one slash, between a maker and a model: more of them look like a path.
_MODEL = re.compile(r"[\w][\w.:@+-]{0,63}(?:/[\w][\w.:@+-]{0,63})?")
_TOKEN = re.compile(r"[\w][\w.:-]{0,95}")
_WORDS_OF_A_NAME = 5
# What no name, key or identifier may have: addresses of people and machines, credentials by their
# prefixes, numbers of cards, accounts and telephones, folders of a person.
_PRIVATE = r"""
    ://|@(?=[\w-]+\.[A-Za-z]|localhost)|\barn:|-----BEGIN.*|/(?:home|Users)/|[A-Za-z]:\\
    |\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\bAIza[\w-]{16,}|\beyJ[\w-]{8,}\.[\w-]+
    |\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|sk[-_]|pk_|rk_|hf_|npm_|pypi-|ya29\.|SG\.)[\w.-]{16,}
    |\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}\b
    |(?<![\w.:-])\+?\d(?:[ -]?\d){8,}(?![\w:-])
    |\b(?:\d{1,3}\.){3}\d{1,3}\b
    |\b(?:[A-Za-z0-9-]+\.)+(?:com|net|org|io|dev|cloud|local|internal|intranet|corp|lan|home|example)\b
"""
_DIGITS = re.compile(r"\d(?:[ .-]?\d){8,}")
_IS_PRIVATE = re.compile(_PRIVATE, re.VERBOSE)
_SPACE = re.compile(r"\s|\Z")


_FORMATS = table_of(__file__, "formats.toml")


@dataclass(frozen=True, slots=True)
class Redaction:
    """The rule for one conversion.

    Attributes
    ----------
    contents : Contents or None
        Where contents are kept beside the trace; None where they stay in the source.
    """

    contents: Contents | None = None

    def content(self, written: object, role: str, *, may_be_empty: bool = False) -> str | None:
        """Return the hash of a content, and keep it where that was asked for.

        None of an empty one, unless it may be empty: a tool may answer nothing.

        Parameters
        ----------
        written : object
            A text, or a value of JSON.
        role : str
            As in :class:`~corpus.traces.contents.Content`.

        Examples
        --------
        >>> Redaction().content("hello", "user")
        'sha256:2cf24dba5fb0a30e'
        """
        # An empty object is what recorders write in place of what they hide.
        if written in (None, {}) or (not may_be_empty and written in ("", [])):
            return None
        # What our writers wrote of a trace has the hash in place of the content.
        if isinstance(written, str) and is_reference(written):
            return written
        content = Content.of(role, written)
        if self.contents is not None:
            self.contents.add(content)
        return content.hash

    def name(self, name: str, kind: str) -> str:
        """Return the name of an agent, role or tool.

        Or ``kind-hash`` where it may be something else.

        A name has at most 64 letters, digits and ``_ . : ( ) + # -`` or spaces, at most five words,
        and no nine digits in a row: paths, addresses, numbers and sentences are not names.

        Examples
        --------
        >>> Redaction().name("web_searcher", "agent"), Redaction().name("/home/ada/notes", "agent")
        ('web_searcher', 'agent-bc892435')
        """
        if not name:
            return kind
        is_name = _NAME.fullmatch(name) and len(name.split()) <= _WORDS_OF_A_NAME
        if is_name and not _IS_PRIVATE.search(name) and not _DIGITS.search(name):
            return name
        return f"{kind}-{digest(name)[:8]}"

    def model(self, name: str) -> str:
        """Return the name of a model, such as ``maker/model-1``, or ``model-hash``.

        Examples
        --------
        >>> Redaction().model("maker/model-1"), Redaction().model("/home/ada/mine.bin")
        ('maker/model-1', 'model-defbfc96')
        """
        if not name or (_MODEL.fullmatch(name) and not _IS_PRIVATE.search(name)):
            return name
        return f"model-{digest(name)[:8]}"

    def token(self, token: str) -> str:
        """Return an identifier of the source, such as a call id.

        Or its hash where it does not look like one, and nothing where there is none.
        """
        if not token or (_TOKEN.fullmatch(token) and not _IS_PRIVATE.search(token)):
            return token
        return f"id-{digest(token)[:12]}"

    def safe(self, written: Any) -> Any:
        """Return a value of JSON in which keys and texts have a hash in place of what is private.

        Converters redact what they know to be a name or an identifier. This is asked last, of all
        that leaves: what a recorder writes next year is in fields that nobody knows yet.

        Examples
        --------
        >>> Redaction().safe({"of ada@mire.example": ["web_searcher", 3]})
        {'of hidden-0d8d692f': ['web_searcher', 3]}
        """
        if isinstance(written, str):
            return _safe(written)
        if isinstance(written, dict):
            return {_safe(key): self.safe(value) for key, value in written.items()}
        return list(map(self.safe, written)) if isinstance(written, list) else written

    def redacted(self, conversion: Conversion, files: Collection[str]) -> Conversion:
        """Return a conversion as it may leave; a loss may be at a line of one of the files."""
        losses = []
        for one in conversion.losses:
            is_line = one.place.rpartition(":")[0] in files
            place = self.safe(one.place) if is_line else self.token(one.place)
            losses.append(Loss(one.kind, place, self.safe(one.what), one.count))
        trace = conversion.trace
        # Edges have nothing but ids that were made up here: a third of all texts.
        others = {name: one for name, one in trace.items() if name != "edges"}
        return Conversion(trace | self.safe(others), tuple(losses))


@lru_cache(4096)
def _safe(text: str) -> str:
    if is_reference(text):
        return text
    pieces = []
    end = 0
    for found in _IS_PRIVATE.finditer(text):
        if found.start() < end:
            continue
        # The whole words that something private is in.
        start = max(end, *(text.rfind(space, end, found.start()) + 1 for space in " \t\n\r"))
        space = _SPACE.search(text, found.end())
        pieces.append(text[end:start])
        end = space.start() if space else len(text)
        pieces.append(f"hidden-{digest(text[start:end])[:8]}")
    return "".join([*pieces, text[end:]])


def unnamed(kind: str, file_name: str) -> str:
    """Return an identifier for what has none in its file.

    The kind and a hash of the name of the file.
    """
    return f"{kind}-{digest(file_name)}"


@dataclass(slots=True)
class Loss:
    """One difference between a trace and its source.

    Attributes
    ----------
    kind : str
        ``missing`` (calls, agents or tokens that the source tells of are in no count), ``inferred``
        (the trace states more than the source), ``dropped`` (less) or ``ambiguous`` (one reading of
        several).
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


class LossList(dict[tuple[str, str], Loss]):
    """What is lost of one run; equal losses are counted, at the first place of them."""

    def add(self, kind: str, place: str, what: str, count: int = 1) -> None:
        """Note a loss."""
        self.setdefault((kind, what), Loss(kind, place, what, 0)).count += count


@dataclass(slots=True)
class Conversion:
    """One trace, ready to be written as JSON, and what was lost on the way.

    Attributes
    ----------
    trace : dict
        As it is written.
    losses : tuple of Loss
        In words.
    """

    trace: JsonObject
    losses: tuple[Loss, ...]


Conversions: TypeAlias = Iterator[Conversion]
Documents: TypeAlias = Sequence[RecordedFile]


@dataclass(frozen=True, slots=True)
class RecordedFormat:
    """One format of recorded runs.

    Attributes
    ----------
    name : str
        As in ``--from``; what writes it and its marks are in ``formats.toml``.
    convert : callable
        All documents of the format at once, since a run may be spread over files, to one conversion
        per run.
    companions : callable
        Files beside a document that belong to its run; they are read too where they exist.
    looks_like : callable
        Whether a document without the marks is of this format.
    """

    name: str
    convert: Callable[[Documents, Redaction], Conversions]
    companions: Callable[[RecordedFile], Iterable[Path]] = lambda _: ()
    looks_like: Callable[[RecordedFile], bool] = lambda _: False

    @property
    def row(self) -> JsonObject:
        """What writes it, its marks, and what no file of it holds, as in ``formats.toml``."""
        return record(_FORMATS, self.name)

    def recognise(self, document: RecordedFile) -> bool:
        """Whether a document is of this format, by what only this format has."""
        return document.has_any(*self.row.get("marks", ())) or self.looks_like(document)


_OTHERS = table_of(__file__, "other_recorders.toml")
OTHERS: dict[str, JsonObject] = _OTHERS["recorders"]
"""Recorders that are recognised only in order to name the way that exists.

By the name that ``--from`` had for it, or might have.
"""
for _other in OTHERS.values():
    _other["way"] = _OTHERS["ways"][_other["way"]]
