"""Orchestration traces to formats of other programs: one module per format.

A further format is one further module that exposes a :class:`Target`, and one line in
:data:`TARGETS`.
"""

from __future__ import annotations

from corpus.traces.emit import atif, chrome
from corpus.traces.emit.spans import OTLP
from corpus.traces.emit.target import Emitted, Target

TARGETS: tuple[Target, ...] = (atif.TARGET, OTLP, chrome.TARGET)
"""All formats that traces are written in."""

__all__ = ["TARGETS", "Emitted", "Target"]
