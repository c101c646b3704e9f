"""What a span represents, by the attributes of the conventions that recorders follow.

Names change faster than meanings: they are in ``dialects.toml``.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corpus.traces.convert.events import USER
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.spans.tree import Span
from corpus.traces.convert.usage import Usage, stated_usage
from corpus.traces.lookup import (
    JsonObject,
    count,
    first_text,
    parsed,
    record,
    stated_count,
    table_of,
    time_of,
    value,
)

_TABLE = table_of(__file__, "dialects.toml")
NAMES = _TABLE["names"]
"""Attributes by what they name; the first that a span has counts."""
_TOKENS = _TABLE["tokens"]
_DETAILS = _TABLE["details"]


def _kinds(table: JsonObject) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name, words_by_kind in table.items():
        for kind, words in words_by_kind.items():
            found[name].update(dict.fromkeys(words, kind))
    return found


_CONVENTIONS = _kinds(_TABLE["conventions"])
TYPES = _kinds(_TABLE["types"])
"""Kind of a span by its type, in lower case, of the recorders that have types of their own."""
WORDS = _TABLE["words"]
"""Words that tell what is what."""
USAGE = _TABLE["usage"]
"""Where recorders write tokens."""
_GROUPING = "grouping"


# OpenLLMetry writes the usage of CrewAI on the span of the crew only, and as text.
_CREW_USAGE = "crewai.crew.token_usage"
_CREW_COUNT = re.compile(r"\b(\w{1,40})=(\d{1,18})\b")


def agent_in_title(title: str) -> str:
    """Return the name of an agent by that of its span.

    Examples
    --------
    >>> agent_in_title("invoke_agent planner")
    'planner'
    """
    name = title.removeprefix("invoke_agent").strip()
    for ending in WORDS["run_endings"]:
        name = name.removesuffix(ending)
    return name or "agent"


def recorded_span(written: object, recorder: str, **more: Any) -> Span:
    """Return a span by the paths at which its recorder writes the fields."""
    fields = dict(_TABLE["fields"][recorder])
    unit = fields.pop("unit", 0)
    found: JsonObject = {}
    for name, paths in fields.items():
        here = None
        for path in paths:
            if here is None:
                here = value(written, path)
        if name in ("start", "end"):
            here = time_of(here, unit)
        elif name not in ("asked", "answered") and not isinstance(here, str):
            here = ""
        found[name] = here
    kinds = TYPES.get(recorder, {})
    word = found.pop("kind", "")
    if word.lower() in kinds:
        found["kind"] = kinds[word.lower()]
    else:
        found["unknown"] = word
    return Span(**{**found, **more})


def recorded_usage(written: object, places: Sequence[JsonObject], model: str) -> Usage:
    """Return the tokens at the first of some places that states any."""
    for place in places:
        node = value(written, place["at"])
        found = stated_usage(node, model, **place["paths"])
        # Where one side is not stated, the total tells of it.
        found = replace(found, unsorted=max(0, count(node, "total_tokens") - found.total))
        if found.total:
            return found
    return Usage(model=model)


def read_span(span: Span) -> Span:
    """Fill in kind, name, usage and target of a span from its attributes."""
    given = span.given
    kind, unknown = _kind(given)
    found = replace(
        span,
        kind=kind,
        usage=_usage(given),
        agent=first_text(given, *NAMES["agent"]),
        agent_id=first_text(given, "gen_ai.agent.id"),
        call=first_text(given, *NAMES["call"]),
        asked=_first_value(given, NAMES["asked"]),
        answered=_first_value(given, NAMES["answered"]),
        failed=span.failed or first_text(given, "langfuse.observation.level") == "ERROR",
        contents=_contents(given) if kind == "model" else {},
        unknown=unknown,
    )
    if kind == "agent":
        name = first_text(given, *NAMES["agent_span"])
        if not name and first_text(given, "langfuse.observation.type"):
            # Langfuse has no attribute for it: what is observed is named by its span.
            name = agent_in_title(span.title)
        return replace(found, name=name)
    if kind != "tool":
        return found
    target = first_text(given, "gen_ai.transfer.target.name", "gen_ai.transfer.target.id")
    if given.get("gen_ai.transfer.mode") == "pass_control":
        if given.get("gen_ai.transfer.target.type") == "human":
            # A person goes on.
            target = USER
        if target:
            return replace(found, kind="handoff", target=target)
    # The name of the span is "execute_tool NAME" or "NAME.tool".
    in_title = span.title.removeprefix("execute_tool").strip().removesuffix(".tool")
    name = first_text(given, *NAMES["tool"]) or in_title or span.title
    if name == "(merged tools)":
        # Google ADK: a span around calls made together, each of which has one of its own.
        return replace(found, kind="other")
    return replace(found, name=name)


def _contents(given: JsonObject) -> JsonObject:
    """Return what a model was given and wrote beside its input and output, by role."""
    stated = {
        "system": words_of(_first_value(given, NAMES["system"]) or "")[0],
        "tool_definitions": parsed(_first_value(given, NAMES["tools"])),
        "reasoning": _first_value(given, NAMES["thoughts"]),
    }
    sampled = record(parsed(given.get("llm.invocation_parameters")))
    sampled = {name: sampled.get(name) for name in _TABLE["sampled"]}
    for name, keys in _TABLE["sampled"].items():
        found = parsed(_first_value(given, keys))
        # One reason for each of several answers, of which one is asked for.
        sampled[name] = found[0] if isinstance(found, list) and found else sampled[name] or found
    stated["tokens"] = {name: one for name, one in sampled.items() if one is not None}
    for role, words in _TABLE["numbered"].items():
        beginnings = tuple(words)
        parts: dict[str, JsonObject] = defaultdict(dict)
        for key in given:
            if not key.startswith(beginnings):
                continue
            beginning = next(filter(key.startswith, beginnings))
            number, _, name = key.removeprefix(beginning).partition(".")
            # A message of several parts: message.contents.0.message_content.text
            name = name.removeprefix("message.")
            if name.endswith("message_content.text"):
                name = "content"
            part = parts[number.zfill(6)]
            if name.startswith("tool_calls."):
                _, place, name = name.split(".", 2)
                part = part.setdefault("tool_calls", defaultdict(dict))[place]
                name = name.removeprefix("tool_call.").removeprefix("function.")
            elif name.startswith("function_call"):
                part = part.setdefault("function_call", {})
                name = name.removeprefix("function_call").strip("._").removesuffix("_json")
            part.setdefault(name, given[key])
        for part in parts.values():
            if "tool_calls" in part:
                part["tool_calls"] = list(part["tool_calls"].values())
        if parts and not stated.get(role):
            stated[role] = [parts[number] for number in sorted(parts)]
    return stated


def _kind(given: Mapping[str, Any]) -> tuple[str, str]:
    """Return the kind of a span, and what it states as its kind where that has no meaning here."""
    stated = False
    unknown = ""
    for attribute in filter(given.__contains__, _CONVENTIONS):
        written = first_text(given, attribute)
        kind = _CONVENTIONS[attribute].get(written.lower())
        if kind is not None and kind != _GROUPING:
            # One convention that knows the span is enough.
            return kind, ""
        stated = stated or bool(written)
        if written and kind is None and not unknown:
            unknown = f"{attribute} {written}"
    # Before version 1.27 of the GenAI conventions no attribute told that a span is a model call;
    # the model that was asked for told it. Some instrumentations still leave the operation out.
    if not stated and first_text(given, "gen_ai.request.model"):
        return "model", unknown
    return "other", unknown


def _first_value(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((given[key] for key in keys if key in given), None)


def _usage(given: Mapping[str, Any]) -> Usage:
    model = first_text(given, *NAMES["model"])
    details = parsed(given.get("langfuse.observation.usage_details"))
    if isinstance(details, dict):
        return usage_of_details(record(details), model)
    counts: dict[str, Any] = {kind: _first_count(given, names) for kind, names in _TOKENS.items()}
    total = counts.pop("total")
    is_beside = "ai.usage.cachedInputTokens" in given
    is_beside &= not any(key.startswith("ai.usage.inputTokenDetails.") for key in given)
    if is_beside and "anthropic" in first_text(given, "ai.model.provider"):
        # The Vercel AI SDK passed on the counts of the provider until version 5; those of Anthropic
        # leave out what was read from a cache.
        counts["input"] = (counts["input"] or 0) + (counts["cached"] or 0)
    found = Usage(**counts, model=model).apart()
    if found.total:
        return found
    if _CREW_USAGE in given:
        # The usage of a whole crew is written as "prompt_tokens=5 total_tokens=7".
        stated = dict(_CREW_COUNT.findall(first_text(given, _CREW_USAGE)))
        cached, output = "cached_prompt_tokens", "completion_tokens"
        return stated_usage(stated, model, input="prompt_tokens", cached=cached, output=output)
    return replace(found, unsorted=total or 0)


def _first_count(given: Mapping[str, Any], keys: Sequence[str]) -> int | None:
    """Return the first number above 0, else 0 where a key states it, else None."""
    # Most keys are of other dialects: asking first is what keeps large runs fast.
    counts = [stated_count(given[key]) for key in keys if key in given]
    return next(filter(None, counts), 0 if 0 in counts else None)


def usage_of_details(details: Mapping[str, Any], model: str) -> Usage:
    """Return the usage that a mapping from kinds of tokens to counts states.

    Unlike with most providers, the kinds of Langfuse are beside each other (its issue 9386), so
    that they add up to ``total``: cached tokens are not part of the input, nor reasoning tokens of
    the output. Some integrations pass on the counts of the provider all the same. Where they state
    the total of the provider, it tells which of the two holds.

    Parameters
    ----------
    details : mapping of str to object
        Kinds are free text; those of the SDKs of the large providers are known here.
    model : str
        The model that was called.

    Examples
    --------
    >>> usage_of_details({"input": 20, "input_cached_tokens": 80, "output": 5}, "m").input
    20
    >>> usage_of_details({"output": 5, "output_reasoning_tokens": 2, "total": 7}, "m").output
    7
    >>> usage_of_details({"input": 100, "input_cached_tokens": 80, "total": 100}, "m").input
    20
    """
    stated = {kind: _first_count(details, words) for kind, words in _DETAILS.items()}
    tokens_in, tokens_out, total, cached, cache_write, reasoning = stated.values()
    apart = (cached or 0) + (cache_write or 0)
    if tokens_in is not None and apart <= tokens_in:
        with_output = tokens_in + (tokens_out or 0)
        if total in (with_output, with_output + (reasoning or 0)):
            # The total leaves nothing beside the input for a cache.
            tokens_in -= apart
    # An SDK that reports reasoning as part of the output writes such a total.
    is_part = (tokens_in or 0) + apart + (tokens_out or 0) == total
    if reasoning is not None and not is_part:
        tokens_out = (tokens_out or 0) + reasoning
    usage = Usage(tokens_in, cached, cache_write, tokens_out, reasoning, model=model)
    # Kinds that are not known here, such as tokens of images and audio.
    return replace(usage, unsorted=max(0, (total or 0) - usage.total))
