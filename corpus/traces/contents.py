"""What agents wrote, in a file beside the trace: each content once, found by its hash."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator
from typing import IO, Any

import msgspec

from corpus.model.finding import WARNING, Finding, Rule

BAD_CONTENT = Rule(
    "OT006",
    "{problem}",
    "write the file again, with `corpus trace convert ... --contents FILE`",
    title="Content that is not that of its hash",
    reason="A line that was edited or cut would put words into an agent's mouth.",
)
STRAY_CONTENT = Rule(
    "OT121",
    "no event of the traces refers to {value}",
    "name the traces of the contents, or remove the line",
    WARNING,
    title="Content of no event",
    reason="It may be what the owner of another run did not want to publish.",
)


#: Hexadecimal digits kept of a SHA-256: enough to tell contents apart, too few to stand for them.
HASH_DIGITS = 16
_REFERENCE = re.compile(f"sha256:[0-9a-f]{{{HASH_DIGITS}}}")
JSON = "application/json"
PLAIN = "text/plain"


def is_reference(name: str) -> bool:
    """Whether a text is the hash of a content, as traces refer to it."""
    return _REFERENCE.fullmatch(name) is not None


class Content(msgspec.Struct, frozen=True):
    """One line of the file.

    Attributes
    ----------
    hash : str
        ``sha256:`` and the first digits of the SHA-256 of `text` in UTF-8; what events refer to.
    role : str
        What it was where it was first written: ``user``, ``assistant``, ``system``, ``tool`` (an
        answer), ``tool_call`` (arguments), ``reasoning``, ``tool_definitions``, ``messages`` (all
        that a model was given) or ``tokens`` (ids, log probabilities, masks).
    media_type : str
        ``text/plain``, or ``application/json`` where the recorder holds more than a text.
    text : str
        The text itself, or JSON.
    """

    hash: str
    role: str
    media_type: str
    text: str

    @classmethod
    def of(cls, role: str, written: object) -> Content:
        """Return a content with its hash; anything but a text is written as JSON first."""
        media_type, text = PLAIN, written
        if not isinstance(text, str):
            media_type, text = JSON, json.dumps(written, sort_keys=True, ensure_ascii=True)
        if not text.isascii():
            text = encodable(text)
        return cls(f"sha256:{digest(text)}", role, media_type, text)

    @property
    def value(self) -> Any:
        """The text, or what the JSON holds; without infinite numbers, which JSON does not have."""
        if self.media_type != JSON:
            return self.text
        try:
            return json.loads(self.text, parse_constant=str)
        except (ValueError, RecursionError):
            return self.text


class Contents:
    """The contents of one or more traces, on disk; in memory is only where each of them begins.

    Parameters
    ----------
    file : binary file, optional
        Holds one content per line; a temporary one without it.
    """

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._file: IO[bytes] = file or tempfile.TemporaryFile()  # noqa: SIM115 # see close
        self._places: dict[str, tuple[int, int]] = {}

    def close(self) -> None:
        """Close the file; a temporary one is gone then."""
        self._file.close()

    def add(self, content: Content) -> None:
        """Write a content, unless its hash is known."""
        if content.hash in self._places:
            return
        self._places[content.hash] = self._file.seek(0, 2), len(self._places) + 1
        # ASCII, so that no line separator of Unicode ends a line for another reader.
        line = json.dumps(msgspec.to_builtins(content), ensure_ascii=True)
        self._file.write(f"{line}\n".encode())

    def __contains__(self, name: str) -> bool:
        """Whether there is a content with this hash; the file is not read."""
        return name in self._places

    def get(self, name: object) -> Content | None:
        """Return the content of a hash, or None."""
        if not isinstance(name, str) or name not in self._places:
            return None
        self._file.seek(self._places[name][0])
        return msgspec.json.decode(self._file.readline(), type=Content)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file."""
        self._file.seek(0)
        yield from self._file

    def take(self, name: str) -> list[Finding]:
        """Find the contents of the file, called `name`, and return what is wrong with them."""
        findings = []
        place = self._file.seek(0)
        for number, line in enumerate(iter(self._file.readline, b""), 1):
            begins, place = place, place + len(line)
            try:
                content = msgspec.json.decode(line, type=Content)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                if line.strip():
                    problem = "not JSON with the texts hash, role, media_type and text"
                    findings.append(BAD_CONTENT.at(name, number, problem=problem))
                continue
            self._places.setdefault(content.hash, (begins, number))
            if content.hash != f"sha256:{digest(content.text)}":
                problem = "the hash is that of another text"
                findings.append(BAD_CONTENT.at(name, number, "hash", content.hash, problem=problem))
        return findings

    def strays(self, name: str, known: set[str]) -> list[Finding]:
        """Return a warning for each content whose hash is not `known`."""
        found = []
        for stray, (_, line) in self._places.items():
            if stray not in known:
                found.append(STRAY_CONTENT.at(name, line, "hash", stray))
        return found


def encodable(written: str) -> str:
    """Replace half surrogate pairs, which no trace may hold.

    Recorders that cut text by length leave them.
    """
    return written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def digest(written: str) -> str:
    """Return the first digits of the SHA-256 of a text."""
    # JSON may hold half of a surrogate pair, which strict UTF-8 refuses.
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]
