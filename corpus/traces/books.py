"""The books of a conversion: what the source holds, counted a second time, and where it went.

Nothing of the converters is used here but the way to take a value out of JSON: what a span is,
whose tokens are a sum, and how long a run lasted is read anew, so that a mistake of one reading
shows as a difference. Converters tell what they merged and what they left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import tomli

from corpus.traces.convert.format import (
    AGENTS,
    CALL_SECONDS,
    MODEL_CALLS,
    OUTPUT,
    SECONDS,
    TOKENS,
    TOOL_CALLS,
    Conversion,
)
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import (
    JsonObject,
    count,
    is_number,
    iso_time,
    items,
    parsed,
    records,
    text,
    time_of,
    value,
)

_TABLE = tomli.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
COUNTED = (MODEL_CALLS, TOOL_CALLS, AGENTS, TOKENS, OUTPUT, SECONDS, CALL_SECONDS)
_TOLERANCE = 0.001
"""Seconds that two sums may differ by: recorders state microseconds."""


class Balance(NamedTuple):
    """One quantity of all runs of a format: source = kept + merged + reported, or a difference."""

    format: str
    what: str
    source: float
    kept: float
    merged: float
    reported: float

    @property
    def difference(self) -> float:
        """What is neither in a trace nor told; 0 where the books close."""
        apart = self.source - self.kept - self.merged - self.reported
        # A sum of many times is as exact as its parts.
        return 0 if abs(apart) <= _TOLERANCE * max(1, self.source / 100) else round(apart, 6)

    def __str__(self) -> str:
        """Write the balance as a part of a line."""
        if self.kept == self.source:
            return f"{self.what} {_shown(self.source)} kept"
        parts = [f"{_shown(self.kept)} kept"]
        others = (
            ("merged", self.merged),
            ("reported", self.reported),
            ("missing", self.difference),
        )
        parts += [f"{_shown(amount)} {word}" for word, amount in others if amount]
        return f"{self.what} {_shown(self.source)} = {' + '.join(parts)}"


def _shown(amount: float) -> str:
    return f"{round(amount):,}" if amount == round(amount) else f"{amount:,.3f}"


class SourceSpan(NamedTuple):
    """What one span of a source states, read for the books alone."""

    id: str
    parent: str
    trace: str
    kind: str
    start: float | None
    end: float | None
    tokens: int = 0
    output: int = 0

    @property
    def seconds(self) -> float:
        """How long it lasted; 0 where a time is missing or both are the wrong way round."""
        if self.start is None or self.end is None:
            return 0.0
        return max(0.0, self.end - self.start)


def balances(
    taken: Mapping[str, Sequence[RecordedFile]], conversions: Iterable[Conversion]
) -> list[Balance]:
    """Return the books of a conversion by format; traces have none."""
    by_format: dict[str, list[Conversion]] = {}
    for conversion in conversions:
        by_format.setdefault(conversion.trace.get("system", ""), []).append(conversion)
    found = []
    for name, documents in taken.items():
        if name not in COUNTS:
            continue
        source = COUNTS[name](documents)
        kept: dict[str, float] = defaultdict(float)
        merged: dict[str, float] = defaultdict(float)
        reported: dict[str, float] = defaultdict(float)
        for conversion in by_format.get(name, ()):
            _add(kept, _kept(conversion.trace))
            _add(merged, conversion.merged)
            # A call of a session may be a spawn or a message in the trace.
            if not conversion.merged:
                for event in conversion.trace["events"]:
                    is_of_agents = event["type"] in ("spawn", "message")
                    merged[TOOL_CALLS] += is_of_agents and "x_call_id" in event
            _add(reported, conversion.reported)
        for what in COUNTED:
            if what in source:
                amounts = (source[what], kept[what], merged[what], reported[what])
                found.append(Balance(name, what, *amounts))
    return found


def _add(total: dict[str, float], amounts: Mapping[str, float]) -> None:
    for what, amount in amounts.items():
        total[what] = total.get(what, 0) + amount


def _kept(trace: JsonObject) -> dict[str, float]:
    """Count what a trace holds."""
    kept: dict[str, float] = defaultdict(float)
    called: dict[str, float] = {}
    agents = set()
    for event in trace["events"]:
        kept[MODEL_CALLS] += event.get("x_steps", 0)
        kept[OUTPUT] += event.get("x_tokens_output", 0)
        if event["agent"] != "user" and event["type"] != "tool_result":
            agents.add(event["agent"])
        if event["type"] == "spawn" and "to" in event:
            agents.add(event["to"])
        if event.get("x_steps"):
            start, end = event.get("x_step_t"), event.get("x_step_end")
            if start is None:
                start, end = event["t"], event.get("x_end")
            kept[CALL_SECONDS] += 0 if end is None else end - start
        if event["type"] == "tool_call":
            kept[TOOL_CALLS] += 1
            called[event.get("x_call_id", "")] = event["t"]
        elif event["type"] == "tool_result":
            kept[CALL_SECONDS] += event["t"] - called.get(event.get("x_call_id", ""), event["t"])
    kept[AGENTS] = len(agents)
    kept[TOKENS] = trace["costs"]["tokens"]
    kept[SECONDS] = trace["costs"]["wall_clock_s"]
    return kept


def _objects(node: object) -> Iterator[JsonObject]:
    """Yield every object of a JSON value; what is inside of one comes after it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _at(node: object, path: str) -> list[Any]:
    """Return what is at a path, as the table of this module writes paths."""
    found = [node]
    for step in path.split(".") if path else ():
        inner: list[Any] = []
        for one in map(parsed, found):
            if step == "**":
                inner += _objects(one)
            elif step == "*":
                inner += one if isinstance(one, list) else [one]
            elif isinstance(one, dict) and step in one:
                inner.append(one[step])
        found = inner
    return found


def _first(node: object, paths: Sequence[str]) -> Any:
    """Return the first thing at one of some paths that is more than empty, or None."""
    for path in paths:
        for found in _at(node, path):
            if found:
                return found
    return None


def _has_marks(node: object, marks: str) -> bool:
    for mark in marks.split():
        path, word, wanted = re.split("(!?=)", mark, maxsplit=1)
        is_one = str(_first(node, [path])) in wanted.split("|")
        if is_one == (word == "!="):
            return False
    return True


def _number(node: object, stated: Any) -> int:
    """Return what a find counts for a quantity: a number, how much is at a path, or a sum."""
    if isinstance(stated, str):
        return len([one for one in _at(node, stated) if isinstance(one, dict)])
    if isinstance(stated, list):
        sums = [sum(count(_first(node, [path])) for path in paths) for paths in stated]
        return next(filter(None, sums), 0)
    return int(stated)


def _by_rules(rules: Sequence[JsonObject], documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count conversations by the rules of their format."""
    largest: dict[tuple[Any, ...], int] = {}
    for document in documents:
        for place, row in enumerate(document.rows):
            for number, rule in enumerate(rules):
                within = {"input": (), "file": (document.path,)}
                spot = within.get(rule.get("within", ""), (document.path, place))
                found = chain.from_iterable(_at(row.value, path) for path in rule["at"])
                before: Any = None
                for one in found if _has_marks(row.value, rule.get("row", "")) else ():
                    follows = any(_has_marks(before, mark) for mark in rule.get("after", ()))
                    before = one
                    if follows or not _has_marks(one, rule.get("is", "")):
                        continue
                    key: list[Any] = [] if "key" in rule else [len(largest)]
                    for paths in rule.get("key", ()):
                        key.append(_first(one, paths) or _first(row.value, paths))
                    for what, stated in rule["counts"].items():
                        name = (what, number, *spot, *map(str, key))
                        largest[name] = max(largest.get(name, 0), _number(one, stated))
    total: dict[str, float] = defaultdict(float)
    for rule in rules:
        total |= dict.fromkeys(rule["counts"], 0)
    for (what, *_), amount in largest.items():
        total[what] += amount
    return total


_TokenReader: TypeAlias = Callable[[JsonObject, str], tuple[int, int]]


def _of_spans(
    name: str,
    tokens_of: _TokenReader | None,
    documents: Sequence[RecordedFile],
    *,
    adds_up_calls: bool = True,
    repeats: bool = False,
) -> dict[str, float]:
    """Count a format whose files hold spans.

    With `repeats`, its exports hold a span beside and inside of others: one of each id counts.
    """
    table = _TABLE["spans"][name]
    spans: list[SourceSpan] = []
    for one in chain.from_iterable(map(_objects, _rows(documents))):
        is_marked = any(mark in one for mark in table["marks"])
        if not is_marked or not _has_marks(one, table.get("is", "")):
            continue
        if all(isinstance(_first(one, table[field]), str) for field in table["needs"]):
            spans.append(_source_span(one, table, tokens_of))
    if repeats:
        spans = list({span.id: span for span in reversed(spans)}.values())
    return _summed(spans, adds_up_calls=adds_up_calls)


def _source_span(
    one: JsonObject, table: Mapping[str, Any], tokens_of: _TokenReader | None
) -> SourceSpan:
    name, parent, trace, word, start, end, lasted, given = (
        _first(one, table.get(field, ())) for field in _FIELDS
    )
    # The order of a run of LangSmith names all that are above it.
    order = re.findall(r"Z([^.]*)", text(one, "dotted_order")) or [""]
    unit = table.get("unit", 0)
    began, ended = time_of(start, unit), time_of(end, unit)
    if began is not None and is_number(lasted):
        ended = began + lasted * unit
    kind, tokens, output = _kind_and_tokens(_attributes(given))
    kind = kind or _kind_of(str(word))
    stated = tokens_of(one, kind) if tokens_of else (0, 0)
    if stated[0]:
        tokens, output = stated
    above = parent or "".join(order[-2:-1])
    return SourceSpan(name, str(above), str(trace or order[0]), kind, began, ended, tokens, output)


_FIELDS = ("id", "parent", "trace", "kind", "start", "end", "lasted", "given")


def _attributes(given: object) -> JsonObject:
    """Return attributes as a mapping; they may be one, or a list of keys and values."""
    given = parsed(given)
    if isinstance(given, dict):
        return given
    found = {}
    for pair in records(given):
        written = pair.get("value")
        if isinstance(written, dict):
            written = next(iter(written.values()), None)
        found[text(pair, "key")] = written
    return found


def _kind_of(word: str) -> str:
    for kind, words in _TABLE["words"].items():
        if re.fullmatch(words, word, re.IGNORECASE):
            return str(kind)
    return ""


def _summed(spans: Sequence[SourceSpan], *, adds_up_calls: bool = True) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    total |= dict.fromkeys((MODEL_CALLS, TOOL_CALLS, TOKENS, SECONDS), 0)
    parents = {(span.trace, span.id): span.parent for span in spans}
    # What a span states whose descendants state tokens, too, is their sum; where a turn states its
    # own alone, those of an agent that it called are not part of it.
    callers = set() if adds_up_calls else {span.id for span in spans if span.kind == "agent"}
    sums = set()
    times: dict[str, list[float]] = {}
    telling = {span.trace for span in spans if span.kind}
    for span in spans:
        here = span.parent if span.tokens else ""
        while here and here not in callers and (span.trace, here) not in sums:
            sums.add((span.trace, here))
            here = parents.get((span.trace, here), "")
        if span.trace in telling:
            stated = [time for time in (span.start, span.end) if time is not None]
            times.setdefault(span.trace, []).extend(stated)
    for span in spans:
        total[MODEL_CALLS] += span.kind == "model"
        total[TOOL_CALLS] += span.kind == "tool"
        total[AGENTS] += span.kind == "agent"
        if span.kind in ("model", "tool"):
            total[CALL_SECONDS] += span.seconds
        if (span.trace, span.id) not in sums and span.trace in telling:
            total[TOKENS] += span.tokens
            total[OUTPUT] += max(0, span.output)
    if not any(span.output for span in spans) or any(span.output < 0 for span in spans):
        total.pop(OUTPUT, None)
    if not total[AGENTS]:
        del total[AGENTS]
    total[SECONDS] = sum(max(one) - min(one) for one in times.values() if one)
    return total


_STATED = (
    *("gen_ai.operation.name", "openinference.span.kind", "langfuse.observation.type"),
    *("traceloop.span.kind", "ai.operationId", "llm.request.type"),
)
_USAGE = re.compile(
    r"(?:gen_ai\.usage|llm\.usage|llm\.token_count|ai\.usage)\.(input|prompt|output|completion|total)_?(?:tokens)?",
    re.I,
)


def _kind_and_tokens(given: Mapping[str, Any]) -> tuple[str, int, int]:
    """Return what a span with attributes is, and the tokens that it states, all and those out."""
    said = [str(given[name]) for name in _STATED if isinstance(given.get(name), str)]
    kind = next(filter(None, map(_kind_of, said)), "")
    if not any(said) and isinstance(given.get("gen_ai.request.model"), str):
        kind = "model"
    details = parsed(given.get("langfuse.observation.usage_details"))
    if isinstance(details, dict):
        return kind, *_details(details)
    sides = {"in": 0, "out": 0, "total": 0}
    for name in given:
        stated = _USAGE.fullmatch(name)
        if stated is not None:
            side = _SIDES[stated.group(1).lower()]
            sides[side] = max(sides[side], count(given[name]))
    cached = max((count(given[name]) for name in given if _CACHED.search(name)), default=0)
    written = max((count(given[name]) for name in given if _WRITTEN.search(name)), default=0)
    # Before version 6 the Vercel AI SDK passed on counts of Anthropic, which leave out the cache.
    beside = "anthropic" in str(given.get("ai.model.provider"))
    beside = beside and not any("TokenDetails." in name for name in given)
    if cached + written > sides["in"] or beside:
        sides["in"] += cached + written
    thought = max((count(given[name]) for name in given if _THOUGHT.search(name)), default=0)
    if thought > sides["out"]:
        sides["out"] += thought
    crew = dict(
        re.findall(r"\b(prompt_tokens|completion_tokens)=(\d{1,18})", str(given.get(_CREW)))
    )
    if not sides["in"] + sides["out"] and crew:
        sides = {"in": count(crew, "prompt_tokens"), "out": count(crew, "completion_tokens")}
    both = sides["in"] + sides["out"]
    return kind, both or sides.get("total", 0), sides["out"]


_SIDES = {"input": "in", "prompt": "in", "output": "out", "completion": "out", "total": "total"}
_CACHED = re.compile(r"cache_?read|cachedInputTokens", re.I)
_WRITTEN = re.compile(r"cache_?(write|creation)", re.I)
_THOUGHT = re.compile(r"(usage|completion_details).{0,200}reasoning", re.I)
_CREW = "crewai.crew.token_usage"


def _details(details: Mapping[str, Any]) -> tuple[int, int]:
    """Return all tokens of a mapping by kind, and those out; kinds are apart from each other.

    All are the total where it is stated, else the sum. Where the total leaves nothing for them,
    tokens of reasoning are part of the output.
    """
    parts = sum(count(details[kind]) for kind in details if kind != "total")
    out = thought = 0
    for kind in details:
        if _THOUGHTS.search(kind):
            thought = thought or count(details[kind])
        elif _WRITTEN_OUT.match(kind):
            out = out or count(details[kind])
    is_part = "total" in details and count(details, "total") == parts - thought
    return count(details, "total") or parts, out + (0 if is_part else thought)


_THOUGHTS = re.compile(r"reasoning")
_WRITTEN_OUT = re.compile(r"(output|completion)(_?tokens)?$", re.I)


def _sdk_tokens(one: JsonObject, _: str) -> tuple[int, int]:
    data = one.get("span_data")
    # A turn has the usage of its model call; a task and an agent add up what others state.
    usage = None if text(data, "type") in ("task", "agent") else value(data, "usage")
    usage = usage or value(data, "data.usage")
    if text(data, "name") == "task":
        usage = None
    output = count(usage, "output_tokens")
    return count(usage, "input_tokens") + output, output


def _langfuse_tokens(one: JsonObject, _: str) -> tuple[int, int]:
    flat = value(one, "usage")
    # Before version 3, units may be others than tokens.
    is_counted = text(flat, "unit") in ("", "TOKENS")
    usage = parsed(one.get("usageDetails")) or (flat if is_counted else None)
    stated = _details(usage) if isinstance(usage, dict) else (0, 0)
    if stated[0]:
        return stated
    output = count(one, "completionTokens")
    return max(count(one, "promptTokens") + output, count(one, "totalTokens")), output


def _langsmith_tokens(one: JsonObject, kind: str) -> tuple[int, int]:
    tokens = count(one, "total_tokens")
    output = count(one, "completion_tokens") if tokens else 0
    for usage in _objects(one.get("outputs")) if kind == "model" else ():
        sides = count(usage, "input_tokens") + count(usage, "output_tokens")
        sides = sides or count(usage, "prompt_tokens") + count(usage, "completion_tokens")
        if not tokens:
            output = count(usage, "output_tokens") or count(usage, "completion_tokens")
        tokens = tokens or sides or count(usage, "total_tokens")
    return tokens, output


# Of a sample, these tell when something began or ended.
_TIMED = frozenset(
    ["model", "tool", "approval", "input", "span_begin", "span_end", "step", "subtask"]
)


def _inspect(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count the events of each sample as spans of one trace."""
    spans: list[SourceSpan] = []
    samples = chain.from_iterable(map(_objects, _rows(documents)))
    for number, sample in enumerate(samples):
        for event in _objects(sample.get("events")) if "epoch" in sample else ():
            kind = text(event, "event")
            if kind not in _TIMED or event.get("pending") is True:
                continue
            usage = value(event, "output.usage") if kind == "model" else None
            output = count(usage, "output_tokens")
            tokens = max(count(usage, "input_tokens") + output, count(usage, "total_tokens"))
            times = (iso_time(event.get("timestamp")), iso_time(event.get("completed")))
            spans.append(SourceSpan("", "", str(number), kind, *times, tokens, output))
    return _summed(spans)


_CODEX_CALLS = frozenset(
    ["function_call", "custom_tool_call", "local_shell_call", "tool_search_call"]
)
# A call that the server answered is recorded by the model and by the harness, without a common id.
_CODEX_WHOLE = {
    "web_search_call": "web_search",
    "web_search_end": "web_search",
    "image_generation_call": "image_generation",
    "image_generation_end": "image_generation",
}
_CODEX_ENDS = frozenset(
    [
        *("mcp_tool_call_end", "exec_command_end", "patch_apply_end", "view_image_tool_call"),
        "dynamic_tool_call_response",
    ]
)


_CODEX_WRITTEN = _CODEX_CALLS | {"reasoning", "web_search_call", "image_generation_call"}
_CODEX_BETWEEN = frozenset(
    [
        *("function_call_output", "custom_tool_call_output", "tool_search_output"),
        *("task_complete", "turn_aborted", "user_message", "collab_waiting_end"),
    ]
)


def _codex(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count each rollout: calls by their ids, tokens where a report differs from the one before."""
    total: dict[str, float] = defaultdict(float)
    total |= {MODEL_CALLS: 0, TOKENS: 0, OUTPUT: 0, TOOL_CALLS: 0}
    for document in documents:
        before = 0
        in_call = False
        kinds = {text(row.value, "payload.type") for row in document.rows}
        is_prompted = "user_message" in kinds
        modelled: set[str] = set()
        whole: dict[tuple[str, str], int] = defaultdict(int)
        for row in document.rows:
            payload = value(row.value, "payload")
            kind = text(payload, "type")
            name = text(payload, "call_id") or text(payload, "callId")
            # What a model wrote is one call of it until something else comes back to it.
            is_model = kind in _CODEX_WRITTEN or text(payload, "role") == "assistant"
            total[MODEL_CALLS] += is_model and not in_call
            is_between = kind in _CODEX_BETWEEN
            # Before the harness recorded prompts, they were messages of the user alone.
            is_between |= not is_prompted and text(payload, "role") == "user"
            in_call = (in_call or is_model) and not is_between
            if kind in _CODEX_CALLS:
                total[TOOL_CALLS] += 1
                modelled.add(name)
            elif kind in _CODEX_ENDS and name not in modelled:
                total[TOOL_CALLS] += 1
                modelled.add(name)
            elif kind in _CODEX_WHOLE:
                whole[_CODEX_WHOLE[kind], kind] += 1
            stated = count(payload, "info.total_token_usage.total_tokens")
            given = count(payload, "info.last_token_usage.input_tokens")
            output = count(payload, "info.last_token_usage.output_tokens")
            if kind != "token_count" or (stated and stated == before):
                continue
            total[TOKENS] += given + output or max(0, stated - before)
            total[OUTPUT] += output
            before = stated or before
            in_call = in_call and not given + output
        for tool in {tool for tool, _ in whole}:
            total[TOOL_CALLS] += max(times for key, times in whole.items() if key[0] == tool)
    return total


_SAID = ("TextMessage", "MultiModalMessage", "StructuredMessage", "StopMessage")
_ASKED = ("ToolCallRequestEvent", "CodeGenerationEvent")
# Parts of what a later message tells whole; and these with results, in which nobody acts.
_PARTS = ("ThoughtEvent", "ModelClientStreamingChunkEvent", "UserInputRequestedEvent")
_SILENT = (*_PARTS, "ToolCallExecutionEvent", "CodeExecutionEvent", "MemoryQueryEvent")


def _autogen(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count the messages of each result, and of a stream that ends without one."""
    total: dict[str, float] = defaultdict(float)
    total |= {MODEL_CALLS: 0, TOOL_CALLS: 0, AGENTS: 0, TOKENS: 0, OUTPUT: 0, SECONDS: 0}
    for document in documents:
        stream: list[JsonObject] = []
        for row in document.rows:
            results = [one for one in _objects(row.value) if items(one, "messages")]
            if not results and isinstance(row.value, dict):
                stream.append(row.value)
            elif not results:
                results = [{"messages": row.value}]
            for result in results:
                stream = []
                _add(total, _autogen_run(records(result, "messages")))
        _add(total, _autogen_run(stream))
    return total


def _autogen_run(messages: Sequence[JsonObject]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    people = {"user", "human"}
    agents: set[str] = set()
    times: list[float] = []
    for one in messages:
        if text(one, "type") == "UserInputRequestedEvent":
            people.add(text(one, "source"))
    for one in messages:
        kind = text(one, "type").partition("[")[0]
        source = text(one, "source")
        is_person = source in people or source.lower() in people
        output = count(one, "models_usage.completion_tokens")
        tokens = count(one, "models_usage.prompt_tokens") + output
        is_choice = kind in ("SelectSpeakerEvent", "SelectorEvent") and tokens > 0
        is_said = kind in _SAID and (kind == "StopMessage" or not is_person)
        total[MODEL_CALLS] += is_said or is_choice or kind in _ASKED
        if kind == "ToolCallRequestEvent":
            total[TOOL_CALLS] += len(records(one, "content"))
        total[TOOL_CALLS] += kind == "CodeGenerationEvent"
        total[TOKENS] += tokens
        total[OUTPUT] += output
        if not is_person and kind not in _SILENT:
            agents.add(source)
        if kind not in _PARTS and (time := iso_time(one.get("created_at"))) is not None:
            times.append(time)
    total[AGENTS] = len(agents)
    total[SECONDS] = max(times) - min(times) if times else 0
    return total


_TERMINAL = "Computer_terminal"


def _who_and_when(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count the turns of each log; who writes code before the terminal speaks has called it."""
    total: dict[str, float] = defaultdict(float)
    total |= {MODEL_CALLS: 0, TOOL_CALLS: 0, AGENTS: 0}
    for row in _rows(documents):
        for log in row if isinstance(row, list) else [row]:
            turns = items(log, "history")
            speakers = set()
            for place, turn in enumerate(turns):
                name, role = text(turn, "name"), text(turn, "role")
                if name == _TERMINAL or not (name or role):
                    continue
                if not name and role in ("human", "user"):
                    continue
                total[MODEL_CALLS] += 1
                ends = name and text(turn, "content").strip() == "TERMINATE"
                follows = text(value(turns, place + 1), "name") == _TERMINAL
                total[TOOL_CALLS] += bool(name) and follows and not ends
                speaker, _, note = role.partition(" (")
                speakers.add(name or speaker)
                if not name and note.startswith("->"):
                    speakers.add(note.removeprefix("->").removesuffix(")").strip())
            total[AGENTS] += len(speakers)
    return total


def _rows(documents: Sequence[RecordedFile]) -> Iterator[Any]:
    for document in documents:
        for row in document.rows:
            yield row.value


COUNTS: dict[str, Callable[[Sequence[RecordedFile]], dict[str, float]]] = {
    "otlp": partial(_of_spans, "otlp", None),
    "jaeger": partial(_of_spans, "jaeger", None),
    "phoenix": partial(_of_spans, "phoenix", None),
    "openai-agents": partial(_of_spans, "openai-agents", _sdk_tokens, adds_up_calls=False),
    "langfuse": partial(_of_spans, "langfuse", _langfuse_tokens, repeats=True),
    "langsmith": partial(_of_spans, "langsmith", _langsmith_tokens, repeats=True),
    "inspect": _inspect,
    "codex": _codex,
    "autogen": _autogen,
    "who-and-when": _who_and_when,
    "claude-stream": partial(_by_rules, _TABLE["rules"]["claude-code"]),
    **{name: partial(_by_rules, rules) for name, rules in _TABLE["rules"].items()},
}
"""The second count of each format."""
