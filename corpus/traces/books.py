"""The books of a conversion: what the source holds, counted a second time, and where it went.

Nothing of the converters is used here but the way to take a value out of JSON: what a span is,
whose tokens are a sum, and how long a run lasted is read anew, so that a mistake of one reading
shows as a difference. Converters tell what they merged and what they left out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product
from typing import Any, NamedTuple

from corpus.traces.convert.format import (
    AGENTS,
    CALL_SECONDS,
    MODEL_CALLS,
    OUTPUT,
    SECONDS,
    TOKENS,
    TOOL_CALLS,
    Amounts,
    Conversion,
)
from corpus.traces.document import RecordedFile, rows_of
from corpus.traces.lookup import (
    JsonObject,
    count,
    first_text,
    is_number,
    iso_time,
    items,
    parsed,
    record,
    records,
    table_of,
    text,
    time_of,
    value,
)

_TABLE = table_of(__file__, "books.toml")
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
        parts = {"merged": self.merged, "reported": self.reported, "missing": self.difference}
        line = f"{self.what} {_shown(self.source)} = {_shown(self.kept)} kept"
        for word, amount in parts.items():
            if amount:
                line += f" + {_shown(amount)} {word}"
        return line


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


def balances(
    taken: Mapping[str, Sequence[RecordedFile]], conversions: Iterable[Conversion]
) -> list[Balance]:
    """Return the books of a conversion by format; traces have none."""
    conversions = list(conversions)
    found = []
    for name, documents in taken.items():
        if name not in COUNTS:
            continue
        source = COUNTS[name](documents)
        kept, merged, reported = Amounts(), Amounts(), Amounts()
        for conversion in conversions:
            if conversion.trace.get("system") == name:
                kept.add(_kept(conversion.trace))
                merged.add(conversion.merged)
                reported.add(conversion.reported)
        for what in COUNTED:
            if what in source:
                sides = source[what], kept[what], merged[what], reported[what]
                found.append(Balance(name, what, *sides))
    return found


def _kept(trace: JsonObject) -> dict[str, float]:
    """Count what a trace holds."""
    kept = Amounts({TOKENS: trace["costs"]["tokens"], SECONDS: trace["costs"]["wall_clock_s"]})
    called: dict[str, float] = {}
    agents = set()
    for event in trace["events"]:
        kind, time = event["type"], event["t"]
        kept[MODEL_CALLS] += event.get("x_steps", 0)
        kept[OUTPUT] += event.get("x_tokens_output", 0)
        if event["agent"] != "user" and kind != "tool_result":
            agents.add(event["agent"])
        if kind == "spawn" and "to" in event:
            agents.add(event["to"])
        if event.get("x_steps"):
            start, end = event.get("x_step_t"), event.get("x_step_end")
            if start is None:
                start, end = time, event.get("x_end")
            if end is not None:
                kept[CALL_SECONDS] += end - start
        if kind == "tool_call":
            kept[TOOL_CALLS] += 1
            called[event.get("x_call_id", "")] = time
        elif kind == "tool_result":
            kept[CALL_SECONDS] += time - called.get(event.get("x_call_id", ""), time)
    kept[AGENTS] = len(agents)
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
        found = _first(node, [path])
        # Numbers, objects and lists are not words.
        if not isinstance(found, str | bool):
            found = None
        is_one = str(found).strip() in wanted.split("|")
        if is_one == (word == "!="):
            return False
    return True


def _number(node: object, stated: Any) -> int:
    """Return what a find counts for a quantity: a number, how much is at a path, or a sum."""
    if isinstance(stated, int):
        return stated
    if isinstance(stated, str):
        return sum(isinstance(one, dict) for one in _at(node, stated))
    sums = [0]
    for paths in stated:
        sums.append(sum(count(_first(node, [path])) for path in paths))
    return max(sums)


def _finds(row: object, rule: JsonObject) -> Iterator[Any]:
    """Yield what a rule finds in a row."""
    if not _has_marks(row, rule.get("row", "")):
        return
    before: Any = None
    for one in chain.from_iterable(_at(row, path) for path in rule["at"]):
        follows = any(_has_marks(before, mark) for mark in rule.get("after", ()))
        before = one
        if not follows and _has_marks(one, rule.get("is", "")):
            yield one


def _by_rules(rules: Sequence[JsonObject], documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count conversations by the rules of their format."""
    largest: dict[tuple[Any, ...], int] = {}
    total = Amounts()
    for number, rule in enumerate(rules):
        total |= dict.fromkeys(rule["counts"], 0)
        for document in documents:
            for place, row in enumerate(document.objects):
                within = {"input": (), "file": (document.path,)}
                spot = within.get(rule.get("within", ""), (document.path, place))
                for one in _finds(row.value, rule):
                    key: list[Any] = [] if "key" in rule else [len(largest)]
                    for paths in rule.get("key", ()):
                        key.append(_first(one, paths) or _first(row.value, paths))
                    names = [str(key)]
                    if "words" in rule:
                        names = re.findall(rule["words"], str(key[0]))
                    for name, (what, stated) in product(names, rule["counts"].items()):
                        find = (what, number, *spot, name)
                        largest[find] = max(largest.get(find, 0), _number(one, stated))
    for (what, *_), amount in largest.items():
        total[what] += amount
    return total


def _objects_by_scope(
    table: JsonObject, documents: Sequence[RecordedFile]
) -> Iterator[tuple[str, JsonObject]]:
    """Yield objects; where the spans of a trace are those inside of one, with the number of it."""
    objects = chain.from_iterable(_objects(row.value) for row in rows_of(documents))
    for number, one in enumerate(objects):
        if "inside" not in table:
            yield "", one
        elif table["of"] in one:
            yield from product([str(number)], _objects(one.get(table["inside"])))


def _of_spans(table: JsonObject, documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count a format whose files hold spans."""
    unit = table.get("unit", 0)
    spans = []
    for scope, one in _objects_by_scope(table, documents):
        is_marked = any(mark in one for mark in table["marks"])
        if not is_marked or not _has_marks(one, table.get("is", "")):
            continue
        if not all(isinstance(_first(one, table[field]), str) for field in table["needs"]):
            continue
        name, parent, trace, word, start, end, lasted, given = (
            _first(one, table.get(field, ())) for field in _FIELDS
        )
        # The order of a run of LangSmith names all that are above it.
        order = re.findall(r"Z([^.]*)", text(one, "dotted_order")) or [""]
        above, trace = parent or "".join(order[-2:-1]), trace or order[0] or scope
        began, ended = time_of(start, unit), time_of(end, unit)
        if began is not None and is_number(lasted):
            ended = began + lasted * unit
        kind, *spent = _kind_and_tokens(parsed(given))
        kind = kind or _kind_of(str(word))
        stated = _stated_tokens(one, table)
        if stated[0]:
            spent = list(stated)
        spans.append(SourceSpan(name, str(above), str(trace), kind, began, ended, *spent))
    if table.get("repeats"):
        spans = list({span.id: span for span in reversed(spans)}.values())
    return _summed(spans, table.get("adds_up_calls", True))


_FIELDS = ("id", "parent", "trace", "kind", "start", "end", "lasted", "given")


def _stated_tokens(one: JsonObject, table: JsonObject) -> tuple[int, int]:
    """Return the tokens of the first rule by which there are any: all, and those out."""
    for rule in table.get("spent", ()):
        if not _has_marks(one, rule.get("is", "")):
            continue
        details = _first(one, rule.get("details", ()))
        if isinstance(details, dict):
            tokens, output = _details(details)
        else:
            tokens, output = _number(one, rule["tokens"]), _number(one, rule["output"])
        if tokens:
            return tokens, output
    return 0, 0


def _kind_of(word: str) -> str:
    for kind, words in _TABLE["words"].items():
        if re.fullmatch(words, word, re.IGNORECASE):
            return str(kind)
    return ""


def _summed(spans: Sequence[SourceSpan], adds_up_calls: bool) -> dict[str, float]:
    total = Amounts(dict.fromkeys((MODEL_CALLS, TOOL_CALLS, TOKENS, SECONDS), 0))
    traces: dict[str, list[SourceSpan]] = {}
    for span in spans:
        traces.setdefault(span.trace, []).append(span)
    for of_trace in traces.values():
        if not any(span.kind for span in of_trace):
            continue
        parents = {span.id: span.parent for span in of_trace}
        # What a span states whose descendants state tokens, too, is their sum; where a turn states
        # its own alone, those of an agent that it called are not part of it.
        callers = set() if adds_up_calls else {one.id for one in of_trace if one.kind == "agent"}
        sums = set()
        times: list[float] = []
        for span in of_trace:
            here = span.parent if span.tokens else ""
            while here and here not in callers and here not in sums:
                sums.add(here)
                here = parents.get(here, "")
            times += [time for time in (span.start, span.end) if time is not None]
        for span in of_trace:
            total[MODEL_CALLS] += span.kind == "model"
            total[TOOL_CALLS] += span.kind == "tool"
            total[AGENTS] += span.kind == "agent"
            if span.kind in ("model", "tool"):
                start, end = span.start, span.end
                if start is None or end is None:
                    start = end = 0.0
                # Both may be the wrong way round.
                total[CALL_SECONDS] += max(0.0, end - start)
            if span.id not in sums:
                total[TOKENS] += span.tokens
                total[OUTPUT] += span.output
        if times:
            total[SECONDS] += max(times) - min(times)
    # Not every recorder states these.
    for what in (AGENTS, OUTPUT):
        if not total[what]:
            total.pop(what, None)
    return total


_ATTRIBUTES = _TABLE["attributes"]
_USAGE = {side: re.compile(words, re.IGNORECASE) for side, words in _TABLE["usage"].items()}


def _kind_and_tokens(stated: object) -> tuple[str, int, int]:
    """Return what a span with attributes is, and the tokens that it states, all and those out.

    Attributes may be a mapping, or a list of keys and values.
    """
    given = record(stated)
    for pair in records(stated):
        written = pair.get("value")
        if isinstance(written, dict):
            written = next(iter(written.values()), None)
        given[text(pair, "key")] = written
    said = [first_text(given, name) for name in _ATTRIBUTES["kind"]]
    kind = next(filter(None, map(_kind_of, said)), "")
    if not any(said) and isinstance(given.get(_ATTRIBUTES["model"]), str):
        kind = "model"
    details = parsed(given.get(_ATTRIBUTES["details"]))
    if isinstance(details, dict):
        return kind, *_details(details)
    sides = dict.fromkeys(_USAGE, 0)
    for name, written in given.items():
        for side, words in _USAGE.items():
            if words.search(name):
                sides[side] = max(sides[side], count(written))
    sent, got, total, cached, kept, thought = sides.values()
    # Before version 6 the Vercel AI SDK passed on counts of Anthropic, which leave out the cache.
    beside = "anthropic" in str(given.get("ai.model.provider"))
    beside = beside and not any("TokenDetails." in name for name in given)
    if cached + kept > sent or beside:
        sent += cached + kept
    if thought > got:
        got += thought
    if not sent + got:
        # The usage of a whole crew is one text.
        crew = dict(re.findall(r"\b(\w{1,40})=(\d{1,18})\b", str(given.get(_ATTRIBUTES["crew"]))))
        sent, got = count(crew, "prompt_tokens"), count(crew, "completion_tokens")
    return kind, sent + got or total, got


def _details(details: Mapping[str, Any]) -> tuple[int, int]:
    """Return all tokens of a mapping by kind, and those out; kinds are apart from each other.

    All are the total where it is stated, else the sum. Where the total leaves nothing for them,
    tokens of reasoning are part of the output.
    """
    total = parts = out = thought = 0
    for kind, written in details.items():
        number = count(written)
        if kind == "total":
            total = number
            continue
        parts += number
        if "reasoning" in kind:
            thought = thought or number
        elif re.match(_TABLE["details"]["out"], kind, re.IGNORECASE):
            out = out or number
    is_part = "total" in details and total == parts - thought
    return total or parts, out if is_part else out + thought


_CODEX: dict[str, Any] = _TABLE["codex"]


def _codex(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count each rollout: calls by their ids, tokens where a report differs from the one before."""
    total = Amounts(dict.fromkeys((MODEL_CALLS, TOKENS, OUTPUT, TOOL_CALLS), 0))
    for document in documents:
        before = 0
        in_call = False
        kinds = {text(row.value, "payload.type") for row in document.rows}
        is_prompted = "user_message" in kinds
        modelled = set()
        # A call that the server answered is recorded by the model and by the harness, without a
        # common id.
        whole: dict[str, Counter[str]] = defaultdict(Counter)
        for row in document.rows:
            payload = value(row.value, "payload")
            kind = text(payload, "type")
            name = text(payload, "call_id") or text(payload, "callId")
            # What a model wrote is one call of it until something else comes back to it.
            is_model = kind in _CODEX["written"] or text(payload, "role") == "assistant"
            total[MODEL_CALLS] += is_model and not in_call
            is_between = kind in _CODEX["between"]
            # Before the harness recorded prompts, they were messages of the user alone.
            is_between |= not is_prompted and text(payload, "role") == "user"
            in_call = (in_call or is_model) and not is_between
            is_end = kind in _CODEX["ends"] and name not in modelled
            if is_end or kind in _CODEX["calls"]:
                total[TOOL_CALLS] += 1
                modelled.add(name)
            elif kind in _CODEX["whole"]:
                whole[_CODEX["whole"][kind]][kind] += 1
            stated = count(payload, "info.total_token_usage.total_tokens")
            given = count(payload, "info.last_token_usage.input_tokens")
            output = count(payload, "info.last_token_usage.output_tokens")
            if kind != "token_count" or (stated and stated == before):
                continue
            total[TOKENS] += given + output or max(0, stated - before)
            total[OUTPUT] += output
            before = stated or before
            in_call = in_call and not given + output
        for times in whole.values():
            total[TOOL_CALLS] += max(times.values())
    return total


_AUTOGEN: dict[str, list[str]] = _TABLE["autogen"]


def _autogen(documents: Sequence[RecordedFile]) -> dict[str, float]:
    """Count the messages of each result, and of a stream that ends without one."""
    total = Amounts(dict.fromkeys(COUNTED[:-1], 0))
    for document in documents:
        stream = []
        for row in document.rows:
            results = [one for one in _objects(row.value) if items(one, "messages")]
            if not results and isinstance(row.value, dict):
                stream.append(row.value)
            elif not results:
                results = [{"messages": row.value}]
            for result in results:
                stream = []
                total.add(_autogen_run(records(result, "messages")))
        total.add(_autogen_run(stream))
    return total


def _autogen_run(messages: Sequence[JsonObject]) -> dict[str, float]:
    total = Amounts()
    people = {"user", "human"}
    agents = set()
    times = []
    for one in messages:
        if text(one, "type") == "UserInputRequestedEvent":
            people.add(text(one, "source"))
    for one in messages:
        kind = text(one, "type").partition("[")[0]
        source = text(one, "source")
        is_person = source in people or source.lower() in people
        output = count(one, "models_usage.completion_tokens")
        tokens = count(one, "models_usage.prompt_tokens") + output
        is_choice = kind in _AUTOGEN["chosen"] and tokens > 0
        is_said = kind in _AUTOGEN["said"] and (kind == "StopMessage" or not is_person)
        total[MODEL_CALLS] += is_said or is_choice or kind in _AUTOGEN["asked"]
        if kind == "ToolCallRequestEvent":
            total[TOOL_CALLS] += len(records(one, "content"))
        total[TOOL_CALLS] += kind == "CodeGenerationEvent"
        total[TOKENS] += tokens
        total[OUTPUT] += output
        if not is_person and kind not in _AUTOGEN["silent"]:
            agents.add(source)
        if kind not in _AUTOGEN["parts"] and (time := iso_time(one.get("created_at"))) is not None:
            times.append(time)
    total[AGENTS] = len(agents)
    total[SECONDS] = max(times) - min(times) if times else 0
    return total


COUNTS: dict[str, Callable[[Sequence[RecordedFile]], dict[str, float]]] = {
    "codex": _codex,
    "autogen": _autogen,
    **{name: partial(_of_spans, table) for name, table in _TABLE["spans"].items()},
    **{name: partial(_by_rules, rules) for name, rules in _TABLE["rules"].items()},
    "claude-stream": partial(_by_rules, _TABLE["rules"]["claude-code"]),
}
"""The second count of each format."""
