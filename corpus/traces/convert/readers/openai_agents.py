"""Traces and spans of the OpenAI Agents SDK, as they are exported."""

from collections import defaultdict
from dataclasses import replace

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.spans.dialects import USAGE, recorded_span
from corpus.traces.convert.spans.tree import runs
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.convert.usage import NO_USAGE, Usage, stated_usage
from corpus.traces.document import rows_of
from corpus.traces.lookup import listed, text, value


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trace id."""
    written = []
    for row in rows_of(documents):
        for one in listed(row.value, "data"):
            if text(one, "object") == "trace.span" and text(one, "id"):
                written.append((one, recorded_span(one, "openai-agents")))
    # A turn is written after the model calls in it. Response spans have no usage of their own, but
    # their turn has: it is that of its only call, and where there are several nobody can tell.
    usages: dict[str, Usage] = {}
    calls: dict[str, list[str]] = defaultdict(list)
    for one, span in written:
        if span.kind == "model":
            usages[span.id] = _usage(one, "usage")
            calls[span.parent].append(span.id)
    lost: dict[str, Usage] = defaultdict(Usage)
    for one, span in written:
        own = calls[span.id]
        is_turn = text(one, "span_data.type") in ("custom", "turn")
        if not is_turn or any(usages[call].total for call in own):
            continue
        usage = _usage(one, "data.usage")
        if len(own) == 1:
            usages[own[0]] = usage
        elif span.name != "task":
            lost[span.trace] = lost[span.trace].plus(usage)
    spans = []
    for one, span in written:
        usage, failed = NO_USAGE, bool(value(one, "error"))
        if span.kind == "model":
            usage = replace(usages[span.id], model=text(one, "span_data.model"))
        elif span.kind == "guard":
            # Whether a guardrail fired; that it failed itself would be another matter.
            failed = value(one, "span_data.triggered") is True
        spans.append(replace(span, usage=usage, failed=failed))
    for group in runs(spans):
        run = SpanRecorder(group[0].trace, "openai-agents", redaction)
        if spent := lost[group[0].trace].total:
            run.missing("tokens of a turn without a model call, or of several", "usage", spent)
        # A turn states that the model decides, so a decision is not inferred.
        yield run.conversion(group)


def _usage(written: object, path: str) -> Usage:
    """Return the tokens; cached ones are part of the input here, reasoning of the output."""
    return stated_usage(value(written, f"span_data.{path}"), **USAGE["openai-agents"])


FORMAT = RecordedFormat("openai-agents", convert)
