"""What counts as JSON: RFC 8259 texts in UTF-8, each key once; everything else is OT005 with a place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.traces.reading import decoding
from corpus.traces.reading.decoding import decode, valid_run
from corpus.traces.reading.reading import TraceText
from tests.support.made_traces import codes_of, document, edge, event, pair

SOUND = json.dumps(pair())


def found_in(raw, line=1, name="a.json"):
    """The one finding of a file, or of a line of a file of lines."""
    _, (finding,) = decode(TraceText(name, line, raw, name == "a.json"))
    return finding


def swapped(old, new):
    assert old in SOUND
    return SOUND.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" \n",
        b"{",
        b'{"trace_id"}',
        b"[1,]",
        b'{"a":1,}',
        b"[01]",
        b"[1.]",
        b"[.5]",
        b"[+1]",
        b"[1e]",
        b"[0x1]",
        b"[NaN]",
        b"[-Infinity]",
        b"['a']",
        b"[1]]",
        b"[1] x",
        b"{} {}",
        b'{"a":1}\n{"a":1}',
        b'["\x01"]',
        b'["\t"]',
        b'["\\x41"]',
        b'["\\u12G4"]',
        b'["\\ud800"]',
        b'["\\udc00\\ud800"]',
        b'["\xff"]',
        b'["\xed\xa0\x80"]',
        b'["\xc0\xaf"]',
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        "{}".encode("utf-16-le"),
        "{}".encode("utf-32-be"),
        b"\x0c[]",
        b"[1\x00]",
        b"nul",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"/* note */ {}",
    ],
)
def test_what_is_not_json_is_refused(raw):
    assert codes_of(raw) == ["OT005"]


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (swapped('"task_id": "tea"', '"task_id": "tea", "task_id": "tea"'), "/task_id"),
        (swapped('"tool": "shop"', '"tool": "shop", "tool": "pub"'), "/events/3/tool"),
        (swapped('"tool": "shop"', '"tool": "shop", "t\\u006fol": "pub"'), "/events/3/tool"),
        (swapped('"tool": "shop"', '"tool" : "shop", "tool" \n: "pub"'), "/events/3/tool"),
        (swapped('"tool": "shop"', '"note": {"a": 1, "a": 1}'), "/events/3/note/a"),
        (swapped('"tool": "shop"', '"tool": "\\u0022:", "note": 1, "note": 2'), "/events/3/note"),
        (swapped('"team": 0.5', '"team": 0.5, "team": 0.5'), "/rewards/team"),
        (swapped('"type": "spawn"}', '"type": "spawn", "type": "causal"}'), "/edges/0/type"),
    ],
)
def test_a_duplicate_key_is_found_at_any_depth(raw, place):
    finding = found_in(raw)
    assert (finding.code, finding.column) == ("OT005", place)
    assert finding.char > 0


@pytest.mark.parametrize(
    "note",
    [
        '":"',
        '"a\\":b"',
        '":::"',
        '{"k": ":", "\\":": 1}',
        '"x\\u0022:\\u003a"',
        '"\u00fc \\u00e4"',
        "[[], {}]",
    ],
)
def test_free_keys_and_odd_strings_are_fine(note):
    assert codes_of(swapped('"tool": "shop"', f'"tool": "shop", "note": {note}')) == []


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 5000])
def test_a_number_too_large_for_a_double_is_refused_everywhere(number):
    for raw in (
        swapped('"tokens": 600', f'"tokens": {number}'),
        swapped('"tool": "shop"', f'"tool": "shop", "note": [{number}]'),
        swapped('"x_steps": 2', f'"x_steps": {number}'),
    ):
        assert codes_of(raw) == ["OT005"]


def test_bytes_that_are_not_utf8_are_found_in_values_that_nobody_reads():
    raw = swapped('"tool": "shop"', '"tool": "shop", "note": "?"').replace(b'"?"', b'"\xff"')
    finding = found_in(raw)
    assert (finding.code, finding.line, finding.char) == ("OT005", 1, raw.index(b"\xff") + 1)


def test_a_value_that_does_not_fit_an_x_key_is_left_out_of_the_trace():
    trace = pair()
    event(trace, "ask")["x_steps"] = "many"
    decoded, (finding,) = decode(document(trace))
    assert "x_steps" not in json.loads(decoding._ENCODER.encode(decoded))["events"][3]
    assert finding.code == "OT118"


def test_in_a_file_of_lines_the_line_of_the_file_counts():
    _, found = decode(TraceText("a.jsonl", 7, b'{"trace_id": "a", "trace_id": \n"b"}', False))
    assert {finding.line for finding in found} == {7}


texts = st.text(alphabet='a":\\ {}\u00e9\u2028', max_size=4)


@given(st.lists(st.tuples(texts, texts), max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_the_key_count_finds_exactly_the_duplicate_keys(pairs, ascii_only, indent):
    """An object with the pairs as written has OT005 if and only if two keys are equal."""
    body = ",".join(
        f"{json.dumps(key, ensure_ascii=ascii_only)}{' ' * (indent or 0)}:{json.dumps(text, ensure_ascii=ascii_only)}"
        for key, text in pairs
    )
    raw = swapped('"tool": "shop"', f'"note": {{{body}}}')
    doubled = len({key for key, _ in pairs}) < len(pairs)
    assert (
        codes_of(raw) == ["OT005"] * (len(pairs) - len({key for key, _ in pairs}))
        if doubled
        else codes_of(raw) == []
    )


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b"", (1, 1)),
        (b'{"a": "NaN",\n "b": [1, NaN]}', (2, 11)),
        (b'{"a":\n -Infinity}', (2, 2)),
        (b'{"a": "\\ud834\\udd1e",\n "b": "\\ud834"}', (2, 7)),
        (b'{\n"\\udd1e": 1}', (2, 1)),
    ],
)
def test_what_is_not_json_has_its_line_and_character(raw, place):
    finding = found_in(raw)
    assert (finding.code, finding.line, finding.char) == ("OT005", *place)


def findings(trace):
    run, found = valid_run(document(trace))
    assert (run is None) == any(one.is_error for one in found)
    return [(one.code, one.column, one.value) for one in found]


def test_every_further_event_of_one_id_is_named():
    trace = pair()
    for place in (2, 5):
        trace["events"][place]["id"] = "plan"
    trace["edges"] = []
    assert findings(trace) == [("OT002", "/events/2/id", "plan"), ("OT002", "/events/5/id", "plan")]
    _, found = valid_run(document(trace))
    assert all("/events/0" in one.message for one in found)


def test_each_end_of_an_edge_that_names_no_event_is_named():
    trace = pair()
    trace["edges"] = [edge("nobody", "plan"), edge("plan", "nowhere"), edge("x", "y")]
    assert findings(trace) == [
        ("OT003", "/edges/0/src", "nobody"),
        ("OT003", "/edges/1/dst", "nowhere"),
        ("OT003", "/edges/2/src", "x"),
        ("OT003", "/edges/2/dst", "y"),
    ]
