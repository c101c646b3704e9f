"""From the bytes of one document to a run, or to findings that tell why not.

The fast way decodes into the model and proves that nothing was lost: encoded again, the trace must
have as many keys as the bytes had. A text that fails goes the thorough way: the parser of the
standard library with hooks for everything that RFC 8259 readers disagree on.
"""

import json
import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from corpus.model.finding import Finding, Rule
from corpus.traces.model import KNOWN_COSTS, REQUIRED_COSTS, Trace
from corpus.traces.reading.pointer_lines import locate, token_place, values
from corpus.traces.reading.reading import NOT_JSON, TraceText
from corpus.traces.reading.structure import REQUIRED, Problem, problems, shown
from corpus.traces.run import Run

DUPLICATE_ID = Rule(
    "OT002",
    "event id {value} is already used by {first}",
    "give each event its own id",
    title="Duplicate event id",
    reason="Edges name events by id.",
)
DANGLING_EDGE = Rule(
    "OT003",
    "unknown event {value} as {end} of the edge",
    "add the event or remove the edge",
    title="An edge names an unknown event",
    reason="Such an edge hides a cause: paths, waste and untrusted content would be wrong.",
)


_DECODER = msgspec.json.Decoder(Trace)
_ENCODER = msgspec.json.Encoder()
#: Digits from which on a whole number may be too large for a double.
_LONGEST_INT = 309
_WHOLE = "write one whole JSON text and nothing after it, or one per line in a file called .jsonl"


#: Findings that are listed for one check of one trace: a million events can break a rule each.
MOST = 100
#: Findings that a command shows of a broken trace when it only leaves the trace out.
EACH = 10


class _NotJson(Exception):
    """The text is not JSON: problem, line, character and remedy."""


def decode(document: TraceText) -> tuple[Trace | None, list[Finding]]:
    """Decode one document: None with errors, else maybe with warnings.

    Examples
    --------
    >>> raw = b'{"trace_id": "1", "trace_id": "2"}'
    >>> trace, findings = decode(TraceText("a.json", 1, raw, True))
    >>> trace, findings[0].code
    (None, 'OT005')
    """
    raw = document.raw
    try:
        trace = _DECODER.decode(raw)
        # msgspec does not look inside strings that it skips.
        is_utf8 = raw.isascii() or bool(raw.decode())
        # The types allow costs that lack a required one, or have a negative one.
        has_costs = trace.costs.keys() >= {*REQUIRED_COSTS}
        has_costs = has_costs and all(trace.costs.get(name, 0) >= 0 for name in KNOWN_COSTS)
        if is_utf8 and has_costs and _is_complete(raw, trace):
            return trace, []
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Only the thorough way knows what to report.
        pass
    try:
        return _decode_thoroughly(document)
    except _NotJson as error:
        problem, line, char, remedy = error.args
        if not document.alone:
            line = document.line
        finding = NOT_JSON.at(document.file, line, char=char, problem=problem, remedy=remedy)
        return None, [finding]


def _is_complete(raw: bytes, trace: Trace) -> bool:
    """Whether no object of `raw` has a duplicate key.

    msgspec keeps the last of two equal keys without a word. Each key has its colon, and the colons
    inside strings are the same in both texts as long as none is escaped, so a difference in number
    is a lost key. Where the model does not know all keys, plain values take its place.
    """
    # A colon may be written as an escape.
    if b"\\u003" in raw and (b"\\u003a" in raw or b"\\u003A" in raw):
        return False
    colons = raw.count(b":")
    # Some colons may be inside of texts and escaped, or the model does not know their keys.
    return any(
        colons == _ENCODER.encode(known).count(b":") for known in (trace, msgspec.json.decode(raw))
    )


def _utf8_text(raw: bytes) -> str:
    """Return the text that `raw` encodes in UTF-8."""
    if not raw.strip():
        raise _NotJson("the text is empty", 1, 1, "write a trace, or leave the file out")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        char = error.start - raw.rfind(b"\n", 0, error.start)
        problem = f"byte {raw[error.start]:#04x} is not UTF-8"
        raise _NotJson(problem, line, char, "save it as UTF-8") from None


def _has_half_pair(lexeme: str) -> bool:
    """Whether a quoted string has half a surrogate pair."""
    if lexeme[0] != '"' or "\\u" not in lexeme:
        return False
    return any("\ud800" <= character <= "\udfff" for character in json.loads(lexeme))


def _parsed(text: str) -> tuple[Any, bool]:
    """Parse JSON, and tell whether a key is twice in an object.

    Raise where Python accepts more than JSON allows.
    """
    has_duplicates = False

    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal has_duplicates
        value = dict(pairs)
        has_duplicates |= len(pairs) > len(value)
        return value

    def to_constant(name: str) -> Any:
        place = token_place(text, name.__eq__)
        raise _NotJson(f"{name} is not JSON", *place, "write a finite number, or leave the key out")

    def to_float(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            problem = f"{shown(digits)} is too large for a number"
            raise _NotJson(problem, *token_place(text, digits.__eq__), "write a finite number")
        return number

    def to_int(digits: str) -> float:
        # Python refuses to read whole numbers of more than 4,300 digits.
        return to_float(digits) if len(digits) >= _LONGEST_INT else int(digits)

    try:
        value = json.loads(
            text,
            object_pairs_hook=to_object,
            parse_constant=to_constant,
            parse_float=to_float,
            parse_int=to_int,
        )
    except json.JSONDecodeError as error:
        message = error.msg.removesuffix(" at").removesuffix(" starting")
        raise _NotJson(f"not JSON: {message}", error.lineno, error.colno, _WHOLE) from None
    except RecursionError:
        raise _NotJson("nested too deeply", 1, 0, "a trace is flat: flatten the value") from None
    return value, has_duplicates


def _decode_thoroughly(document: TraceText) -> tuple[Trace | None, list[Finding]]:
    """Decode with every check, and report all that is wrong."""
    # The end of a line belongs to the file, not to the trace.
    text = _utf8_text(document.raw if document.alone else document.raw.rstrip(b"\r\n"))
    value, has_duplicates = _parsed(text)
    if "\\u" in text:
        try:
            _ENCODER.encode(value)
        except UnicodeEncodeError as error:
            # Half a surrogate pair, which UTF-8 cannot encode.
            line, char = token_place(text, _has_half_pair)
            problem = f"half a surrogate pair in {ascii(error.object)[:60]}"
            raise _NotJson(problem, line, char, "escape the whole character") from None
    findings = []
    if has_duplicates and isinstance(value, dict) and not value.keys().isdisjoint(REQUIRED):
        findings += _duplicate_keys(document, text)
    findings += with_lines(document, list(problems(value)), text)
    if any(finding.is_error for finding in findings):
        return None, findings
    return msgspec.convert(value, Trace), findings


def _duplicate_keys(document: TraceText, text: str) -> list[Finding]:
    """Report each of the duplicate keys with its line; of a very large text only that there are."""
    keys = [(path, place) for path, place, is_duplicate in values(text) if is_duplicate]
    findings = []
    for path, (line, char) in keys or [("", (1, 0))]:
        if not document.alone:
            line = document.line
        key = path.rpartition("/")[2]
        problem = f"duplicate key {shown(path)}".rstrip()
        words = {"problem": problem, "remedy": "keep one of the two"}
        findings.append(NOT_JSON.at(document.file, line, path, key, char=char, **words))
    return findings


def with_lines(document: TraceText, found: list[Problem], text: str | None = None) -> list[Finding]:
    """Turn problems into findings; in a file that is one trace, with line and character.

    In a file of lines the line is known, and the pointer leads to the value.
    """
    where = {}
    elsewhere = (document.line, 0)
    if document.alone:
        where = locate(text or document.raw.decode(), {problem.path for problem in found})
        elsewhere = (0, 0)
    findings = []
    for rule, path, value, stated in found:
        line, char = where.get(path, elsewhere)
        # Texts of the trace may have any length.
        words = dict(zip(stated, map(shown, stated.values()), strict=True))
        findings.append(rule.at(document.file, line, path, shown(value), char=char, **words))
    return findings


def valid_runs(
    documents: Iterable[TraceText | Finding], broken: list[Finding]
) -> Iterator[tuple[TraceText, Run]]:
    """Yield each document without errors with its run; `broken` gets findings of the others."""
    for item in documents:
        if not isinstance(item, TraceText):
            broken.append(item)
            continue
        run, findings = valid_run(item)
        if run is not None:
            yield item, run
        else:
            broken += findings[:EACH]


def valid_run(document: TraceText) -> tuple[Run | None, list[Finding]]:
    """Decode one document; without an error, the findings are the warnings of decoding."""
    trace, findings = decode(document)
    if trace is None:
        return None, findings
    try:
        run = Run(trace)
        if len(run.index) == len(run.events):
            return run, findings
    except KeyError:
        # An edge names an unknown event; the slow check below finds all of them.
        pass
    return None, findings + with_lines(document, list(islice(_id_problems(trace), MOST)))


def _id_problems(trace: Trace) -> Iterator[Problem]:
    """OT002 and OT003: duplicate event ids, edges to unknown events."""
    first: dict[str, int] = {}
    for place, event in enumerate(trace.events):
        known = first.setdefault(event.id, place)
        if known != place:
            first_path = f"/events/{known}"
            yield Problem.at(DUPLICATE_ID, f"/events/{place}/id", event.id, first=first_path)
    for place, edge in enumerate(trace.edges):
        for end, name in (("src", edge.src), ("dst", edge.dst)):
            if name not in first:
                yield Problem.at(DANGLING_EDGE, f"/edges/{place}/{end}", name, end=end)
