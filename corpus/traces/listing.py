"""The list of formats, as text for a terminal and as the page in docs.

Both come from the format records.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import ALL_EVENTS, OTHER_EVENTS, RecordedFormat
from corpus.traces.emit import TARGETS
from corpus.traces.emit.target import Target

_INTRODUCTION = """\
# Trace formats

`corpus trace convert` turns the runs that other programs record into orchestration traces. This
page is written by `corpus trace formats --markdown`; each section is one module under
`corpus/traces/convert/`, and a further format is one further module.

No format records everything that a trace can hold. What a format never records is listed here; what
was inferred, dropped or ambiguous in one given input is written by `--loss FILE`. Whatever a
converter had to infer is marked in the trace: `x_inferred` on an event names the keys that the
source does not state, `edge:ID` means the edge that arrives from the event ID, and `true` an event
that the source does not state at all. Lines and files that were skipped belong to no trace: they
come last, under the `trace_id` null.

What holds for all formats:

- The first prompt and later ones are events of type `human_intervention`, with the role `task` or
  `user`.
- A model call is a step (`x_steps`) and is counted on one event; so are its tokens (`x_tokens`):
  all that went in, the cached part included, and all that came out. Where the source states them,
  the kinds are in `x_tokens_input`, `x_tokens_cached`, `x_tokens_cache_write`, `x_tokens_output`
  and `x_tokens_reasoning`, and the model is in `x_model`. Tokens of two models are on two events.
- A person's interruption depends on what it interrupts; rows that the recorder writes in the name
  of a person are not human events.
- Call ids are unique in a trace: where two agents have one id, the second is `ID.2`.
- An answer to the user is a `return` of the top agent to `user`.
- Content is kept as a short hash (`sha256:` and 16 digits) unless `--no-redact` is given. Equal
  contents have equal hashes, so a reader who can guess a content can confirm it. Names of agents
  and tools are kept where they look like names, and hashed where they may be a path, an address or
  a sentence. With `--no-redact`, half a surrogate pair, which no trace may hold, becomes U+FFFD.
- What has no place in the events of a trace is in its metrics: `corpus.steps` (model steps), of
  Claude Code sessions `corpus.main_steps`, `corpus.spawn_calls` and `corpus.spawn_calls_failed`
  (calls that started no sub-agent), of Who&When logs `corpus.mistake_step`, whose events carry
  `x_mistake`.
- Names, times and counts that are missing or of a wrong type are left out or inferred, never
  guessed in silence.
"""
_VERSIONS_HEAD = """\
## Recorder versions

For each of these a made-up run, with what a reader would count in it, is in
`tests/support/recorded_versions.py` under the name in the column sample. Other versions are read as
far as they write the same; rows, tags, attributes and kinds of spans without a known meaning are in
the loss report with their counts. Spans of which no attribute is known are refused, and the message
names the attributes. What each format loses is in its section.

| format | recorder | sample | kinds of tokens |
|---|---|---|---|"""
_IN_WORDS = (ALL_EVENTS, OTHER_EVENTS)
_TARGETS_HEAD = """\
# Formats that are written

`corpus trace convert INPUT --to FORMAT` writes a trace, or a recorded run, in the format of
another program. What the format has no place for is in the report of `--loss`, with what was lost
on the way in. What the trace does not state is left out, never written as 0. Of several traces,
ATIF has one document each, on one line each; the others hold all of them in one document.

What is written in ATIF, OTLP and OpenInference can be read back: agents, tool calls with their ids,
tokens by kind and model, and the order of events stay; types of events that the format does not
have are inferred again. Times count from the start of the run, since a trace has no date: they are
written as from 2 January 1970.
"""
_COLUMNS = 100
_TABLE_HEAD = "| event | found in |\n|---|---|"


def formats_text() -> str:
    """List every format with where its events come from and what it loses, for a terminal."""
    lines: list[str] = []
    for one in FORMATS:
        versions = ", ".join(version.recorder for version in one.versions)
        facts = [f"versions: {versions}", *_facts(one)]
        lines += _paragraphs(f"{one.name}  {one.title}", facts)
    for target in TARGETS:
        lines += _paragraphs(f"--to {target.name}  {target.title}", _facts(target))
    return "\n".join(lines)


def _facts(one: RecordedFormat | Target) -> list[str]:
    """Return what is found or written where, then what is lost."""
    mapped = [f"{part}: {place}" for part, place in one.maps]
    lost = [f"loses {loss}" for loss in one.loses]
    return mapped + lost


def _paragraphs(title: str, facts: Iterable[str]) -> list[str]:
    """Return a title and facts below it, each with a hanging indent, and an empty line."""
    lines = textwrap.wrap(title, _COLUMNS, subsequent_indent=" " * 4)
    for fact in facts:
        lines += textwrap.wrap(f"  {fact}", _COLUMNS, subsequent_indent=" " * 8)
    return [*lines, ""]


def formats_markdown() -> str:
    """Return the page docs/trace-formats.md."""
    lines = [_INTRODUCTION, _VERSIONS_HEAD]
    for one in FORMATS:
        lines += _version_rows(one)
    lines.append("")
    sections = [_section(one) for one in FORMATS]
    targets = [_target_section(target) for target in TARGETS]
    return "\n".join([*lines, *sections, _TARGETS_HEAD, *targets])


def _target_section(target: Target) -> str:
    lines = [f"## --to {target.name}", "", f"{target.title}.", "", "| of a trace | written as |"]
    lines.append("|---|---|")
    for part, place in target.maps:
        lines.append(f"| {part} | {place} |")
    lines += ["", "It has no place for:", ""]
    lines += [f"- {loss}" for loss in target.loses]
    return "\n".join(lines) + "\n"


def _version_rows(one: RecordedFormat) -> list[str]:
    kinds = ", ".join(one.tokens).replace("_", " ") or "none"
    rows = []
    for version in one.versions:
        cells = (f"[{one.name}](#{one.name})", version.recorder, version.sample, kinds)
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _section(one: RecordedFormat) -> str:
    lines = [f"## {one.name}", "", f"{one.title}.", "", _TABLE_HEAD]
    for event, source in one.maps:
        events = event.replace(", ", "`, `")
        shown = event if event in _IN_WORDS else f"`{events}`"
        lines.append(f"| {shown} | {source} |")
    lines += ["", "It cannot tell:", ""]
    lines += [f"- {loss}" for loss in one.loses]
    return "\n".join(lines) + "\n"
