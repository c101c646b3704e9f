"""From the bytes of one document to a trace, or to findings that say why not.

The quick way decodes into the model and proves that nothing was lost: encoded again, the trace must have as many keys
as the bytes had. A text that fails goes the thorough way: the standard library's parser with hooks for everything
that RFC 8259 readers disagree on.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from corpus.model.finding import Finding
from corpus.traces.model import KNOWN_COSTS, REQUIRED_COSTS, Event, Trace
from corpus.traces.reading.pointer_lines import LARGEST, Lines, locate, pointer, token_place, values
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import ADDED, REQUIRED, Problem, fits, problems, shown
from corpus.traces.trace_rules import ADDED_KEY, BAD_NUMBER, NOT_JSON

_DECODER: Final = msgspec.json.Decoder(Trace)
_ENCODER: Final = msgspec.json.Encoder()
_EVENT_KEYS: Final = frozenset(Event.__struct_encode_fields__)
_HIDDEN: Final = re.compile(rb"\\u003[aA]")
_REQUIRED_COSTS: Final = frozenset(REQUIRED_COSTS)
_PART: Final = 10_000
_MARKS: Final = {
    b"\xef\xbb\xbf": "a UTF-8 byte order mark",
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_NO_NUMBERS: Final = frozenset(("NaN", "Infinity", "-Infinity"))
_DEEP: Final = 100
"""Nesting at which a value that is nested too deeply is pointed at."""
_WHOLE: Final = "one JSON text and nothing after it; one trace a line needs a name in .jsonl"
_LINE: Final = "one whole trace a line; a line that breaks off was not written to its end"


class Decoded(NamedTuple):
    """A trace, or None with the errors that forbid it; warnings may stand beside a trace."""

    trace: Trace | None
    findings: list[Finding]


class _NotJson(Exception):
    """The text is not JSON: problem, line, character and remedy."""


def decode(document: TraceText) -> Decoded:
    """Decode one document.

    Examples
    --------
    >>> decode(TraceText("a.json", 1, b'{"trace_id": "1", "trace_id": "2"}', True)).findings[0].code
    'OT005'
    """
    raw = document.raw
    try:
        trace = _DECODER.decode(raw)
        if _is_utf8(raw) and _complete(raw, trace) and _costs_hold(trace):
            return Decoded(trace, [])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return _thorough(document)
    except _NotJson as error:
        problem, line, char, remedy = error.args
        line = line if document.alone else document.line
        return Decoded(None, [NOT_JSON.at(document.file, line, char=char, problem=problem, remedy=remedy)])


def _is_utf8(raw: bytes) -> bool:
    """Whether `raw` is UTF-8; decoding alone does not look inside what it skips."""
    return raw.isascii() or bool(raw.decode())


def _complete(raw: bytes, trace: Trace) -> bool:
    """Whether no key of `raw` stands twice in its object.

    Each key has its colon, and what strings hold of colons is the same in both texts as long as none is spelled by
    number. Where the model does not know all keys, plain values take its place.
    """
    if _spelled(raw):
        return False
    colons = raw.count(b":")
    return colons == _colons(trace) or colons == _ENCODER.encode(msgspec.json.decode(raw)).count(b":")


def _spelled(raw: bytes) -> bool:
    """Whether a colon may be spelled by number."""
    return b"\\u003" in raw and _HIDDEN.search(raw) is not None


def further_keys(raw: bytes, trace: Trace) -> list[str | None]:
    """Return for each event the keys that the model skips, as one JSON object; nothing where no event has any."""
    if not _spelled(raw) and raw.count(b":") == _colons(trace):
        return []
    found = [{key: event[key] for key in event.keys() - _EVENT_KEYS} for event in msgspec.json.decode(raw)["events"]]
    if not any(found):
        return []
    return [json.dumps(keys, ensure_ascii=False, sort_keys=True) if keys else None for keys in found]


def _colons(trace: Trace) -> int:
    """Count the colons of a trace written as JSON, by parts, so that it is never there as a whole."""
    if len(trace.events) + len(trace.edges) <= _PART:
        return _ENCODER.encode(trace).count(b":")
    buffer = bytearray()
    rest = msgspec.structs.replace(trace, events=trace.events[:1], edges=[])
    _ENCODER.encode_into(rest, buffer)
    count = buffer.count(b":")
    for members in (trace.events[1:], trace.edges):
        for start in range(0, len(members), _PART):
            _ENCODER.encode_into(members[start : start + _PART], buffer)
            count += buffer.count(b":")
    return count


def _costs_hold(trace: Trace) -> bool:
    """Whether the required costs are there and no known one is negative, which the types cannot say."""
    costs = trace.costs
    if not costs.keys() >= _REQUIRED_COSTS:
        return False
    return min(costs.values()) >= 0 or all(costs.get(name, 0) >= 0 for name in KNOWN_COSTS)


def _text(raw: bytes) -> str:
    """Return the text that `raw` spells in UTF-8."""
    if not raw.strip():
        raise _NotJson("nothing is here", 1, 1, "write a trace, or leave the file out")
    for mark, what in _MARKS.items():
        if raw.startswith(mark):
            raise _NotJson(f"the text begins with {what}", 1, 1, "save it as UTF-8 without a byte order mark")
    if b"\x00" in raw[:4]:
        raise _NotJson("the text is not UTF-8 (it looks like UTF-16 or UTF-32)", 1, 1, "save it as UTF-8")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        char = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        raise _NotJson(f"byte {raw[error.start]:#04x} is not UTF-8", line, char, "save it as UTF-8") from None


class _NoNumber(Exception):
    """A constant that is no number in JSON."""


class _Depth:
    """Tells the bracket from which on a text is nested deeply."""

    def __init__(self) -> None:
        self.level = 0

    def __call__(self, lexeme: str) -> bool:
        self.level += (lexeme in "[{") - (lexeme in "]}")
        return self.level >= _DEEP


def _is_half(lexeme: str) -> bool:
    """Whether a string holds half a surrogate pair."""
    return lexeme[0] == '"' and "\\u" in lexeme and any("\ud800" <= sign <= "\udfff" for sign in json.loads(lexeme))


class _Strict:
    """A parser that notes doubled keys and raises where Python takes more than JSON allows."""

    def __init__(self, remedy: str) -> None:
        self.remedy = remedy
        self.doubled: list[str] = []
        self.overflow = False

    def parse(self, text: str) -> Any:
        try:
            return json.loads(
                text,
                object_pairs_hook=self._object,
                parse_constant=self._constant,
                parse_float=self._float,
                parse_int=self._int,
            )
        except json.JSONDecodeError as error:
            problem = f"not JSON: {error.msg.removesuffix(' at').removesuffix(' starting')}"
            raise _NotJson(problem, error.lineno, error.colno, self.remedy) from None
        except RecursionError:
            place = token_place(text, _Depth())
            raise _NotJson("nested too deeply", *place, "a trace is flat: flatten the value") from None
        except _NoNumber as error:
            place = token_place(text, _NO_NUMBERS.__contains__)
            raise _NotJson(f"{error} is not JSON", *place, "write a finite number, or leave the key out") from None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.doubled.append(key)
                seen.add(key)
        return value

    def _constant(self, name: str) -> Any:
        raise _NoNumber(name)

    def _float(self, digits: str) -> float:
        number = float(digits)
        self.overflow = self.overflow or math.isinf(number)
        return number

    def _int(self, digits: str) -> int | float:
        if len(digits) < 309:
            return int(digits)
        return self._float(digits)


def _thorough(document: TraceText) -> Decoded:
    """Decode with every check, and say all that is wrong."""
    text = _text(document.raw if document.alone else document.raw.rstrip(b"\r\n"))
    parser = _Strict(_WHOLE if document.alone else _LINE)
    value = parser.parse(text)
    if "\\u" in text and (broken := _lone_surrogate(value)):
        place = token_place(text, _is_half)
        raise _NotJson(f"half a surrogate pair in {ascii(broken)[:60]}", *place, "escape the whole character")
    is_trace = isinstance(value, dict) and any(key in value for key in REQUIRED)
    findings = _doubled(document, text, parser.doubled) if is_trace else []
    found: list[Problem] = [] if _converts(value) and not parser.overflow else list(problems(value))
    if parser.overflow:
        found = [problem for problem in found if problem.rule is not ADDED_KEY]
        found += _overflowing(value, {problem.path for problem in found})
    findings += placed(document, found, text)
    if any(finding.is_error for finding in findings):
        return Decoded(None, findings)
    return Decoded(msgspec.convert(_without_misfits(value), Trace), findings)


def _converts(value: Any) -> bool:
    """Whether `value` fits the model as it stands."""
    try:
        return _costs_hold(msgspec.convert(value, Trace))
    except (msgspec.ValidationError, OverflowError):
        return False


def _without_misfits(value: dict[str, Any]) -> dict[str, Any]:
    """Return the trace without ``x_`` keys whose value is not what they hold."""
    events = [
        {key: member for key, member in event.items() if key not in ADDED or fits(key, member)}
        for event in value["events"]
    ]
    return {**value, "events": events}


def _inside(value: Any) -> Iterator[tuple[list[str | int], Any]]:
    """Yield every value inside `value`, and itself, with the keys that lead to it; without recursion."""
    yield [], value
    path: list[str | int] = []
    stack = [_children(value)]
    while stack:
        for key, member in stack[-1]:
            yield [*path, key], member
            if isinstance(member, dict | list):
                path.append(key)
                stack.append(_children(member))
                break
        else:
            stack.pop()
            del path[-1:]


def _children(value: Any) -> Iterator[tuple[str | int, Any]]:
    """Return an iterator over the members of an object or a list; of nothing else."""
    if isinstance(value, dict):
        return iter(value.items())
    return iter(enumerate(value if isinstance(value, list) else ()))


def _lone_surrogate(value: Any) -> str:
    """Return a string or key that holds half a surrogate pair, or nothing."""
    try:
        _ENCODER.encode(value)
    except UnicodeEncodeError as error:
        return str(error.object)
    return ""


def _overflowing(value: Any, known: set[str]) -> list[Problem]:
    """List the numbers too large to be one that no other problem names."""
    return [
        Problem(BAD_NUMBER, pointer(*path), shown(member), {"name": pointer(*path), "fault": "too large for a number"})
        for path, member in _inside(value)
        if isinstance(member, float) and math.isinf(member) and pointer(*path) not in known
    ]


def _doubled(document: TraceText, text: str, keys: list[str]) -> list[Finding]:
    """Say where keys stand twice in one object."""
    remedy = "keep one of the two"
    if keys and len(text) > LARGEST:
        return [
            NOT_JSON.at(document.file, document.line, "", keys[0], problem=f"{len(keys)} doubled keys", remedy=remedy)
        ]
    if not keys:
        return []
    lines = Lines(text)
    findings = []
    for path, offset, again in values(text):
        if again:
            line, char = lines.place(offset)
            problem = f"the key at {shown(path)} stands twice in its object"
            line = line if document.alone else document.line
            findings.append(
                NOT_JSON.at(
                    document.file, line, path, path.rpartition("/")[2], char=char, problem=problem, remedy=remedy
                )
            )
    return findings


def placed(document: TraceText, found: list[Problem], text: str | None = None) -> list[Finding]:
    """Turn problems into findings; in a file that is one trace, with the line and character where they stand.

    In a file of lines the line is known, and the pointer says the rest.
    """
    where: dict[str, tuple[int, int]] = {}
    if document.alone and len(document.raw) <= LARGEST:
        text = document.raw.decode() if text is None else text
        where = locate(text, {problem.path for problem in found})
    elsewhere = (0 if document.alone else document.line, 0)
    findings = []
    for rule, path, value, places in found:
        line, char = where.get(path, elsewhere)
        told = {name: shown(one) if isinstance(one, str) else one for name, one in places.items()}
        findings.append(rule.at(document.file, line, path, shown(value), char=char, **told))
    return findings
