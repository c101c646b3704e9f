"""Recorded runs of other programs to orchestration traces: one module per format.

A further format is one further module that exposes a ``FORMAT``, and one line in :data:`FORMATS`.
"""

from corpus.traces.convert.format import Conversion, Loss, RecordedFormat, Redaction
from corpus.traces.convert.readers import (
    agent_lightning,
    atif,
    autogen,
    chat,
    codex,
    gemini_cli,
    inspect,
    langfuse,
    langsmith,
    mlflow,
    nemo_gym,
    openai_agents,
    otlp,
    phoenix,
    rllm,
    session_trace,
    verifiers,
    who_and_when,
)
from corpus.traces.convert.readers.claude_code import session as claude_code

_READERS = (
    *(claude_code, codex, otlp, phoenix, mlflow, langfuse, inspect),
    *(langsmith, openai_agents, who_and_when, atif, gemini_cli, autogen, nemo_gym, verifiers),
    *(rllm, agent_lightning, session_trace, chat),
)
FORMATS: tuple[RecordedFormat, ...] = tuple(reader.FORMAT for reader in _READERS)
"""All formats; with ``auto`` the first that recognises a document takes it."""

__all__ = ["FORMATS", "Conversion", "Loss", "RecordedFormat", "Redaction"]
