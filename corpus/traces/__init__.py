"""Orchestration traces: runs of LLM teams, read, validated, measured, drawn and converted.

The package imports :mod:`corpus.model`, :mod:`corpus.printing` and :mod:`corpus.canvas`, and
nothing of the corpus of papers. Inside it, imports run one way::

    checks > measures > reading > run > graph > model

``store``, ``training``, ``draw``, ``view``, ``convert`` and ``emit`` use these. For Python,
:func:`read` returns runs as frames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.traces.frames import TraceFrames, read

__all__ = ["TraceFrames", "read"]


def __getattr__(name: str) -> Any:
    """Import the API on first use: commands need parts of the package and load no more."""
    if name in __all__:
        from corpus.traces import frames

        return getattr(frames, name)
    raise AttributeError(f"module 'corpus.traces' has no attribute {name!r}")
