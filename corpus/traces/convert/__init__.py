"""Recorded runs of other programs to orchestration traces: one module per format.

A further format is one further module that exposes a ``FORMAT``, and one line in :data:`FORMATS`.
"""

from corpus.traces.convert import codex, who_and_when
from corpus.traces.convert.claude_code import session as claude_code
from corpus.traces.convert.conversations import atif, autogen, gemini_cli, rollouts, sessions
from corpus.traces.convert.format import Conversion, Loss, RecordedFormat, Redaction
from corpus.traces.convert.spans import agent_lightning, attribute_spans, inspect_logs, typed_spans

FORMATS: tuple[RecordedFormat, ...] = (
    claude_code.FORMAT,
    claude_code.STREAM,
    codex.FORMAT,
    attribute_spans.OTLP,
    attribute_spans.JAEGER,
    attribute_spans.PHOENIX,
    attribute_spans.MLFLOW,
    typed_spans.LANGFUSE,
    inspect_logs.FORMAT,
    typed_spans.LANGSMITH,
    typed_spans.OPENAI_AGENTS,
    who_and_when.FORMAT,
    atif.FORMAT,
    gemini_cli.FORMAT,
    autogen.FORMAT,
    rollouts.NEMO_GYM,
    rollouts.VERIFIERS,
    rollouts.RLLM,
    agent_lightning.FORMAT,
    sessions.FORMAT,
    rollouts.CHAT,
)
"""All formats; with ``auto`` the first that recognises a document takes it."""

__all__ = ["FORMATS", "Conversion", "Loss", "RecordedFormat", "Redaction"]
