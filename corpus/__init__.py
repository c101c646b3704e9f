"""A curated paper pool and the toolkit that checks, counts, draws and prints it.

Examples
--------
>>> import corpus
>>> c = corpus.load()
>>> len(c.pool)
84
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus import traces as traces
    from corpus.api import CorpusFrames, load
    from corpus.tables.schema_file import read_schema

__all__ = ["CorpusFrames", "load", "read_schema"]
_MODULES = {
    "CorpusFrames": "corpus.api",
    "load": "corpus.api",
    "read_schema": "corpus.tables.schema_file",
}
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the API on first use, so that `corpus --help` does not pay for pandas."""
    if name == "traces":
        return import_module("corpus.traces")
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'corpus' has no attribute {name!r}")
