"""The JSON of a service, read with care: valid, not too deep, an object where one is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from corpus.curation.lookup import lookup_rules as rules
from corpus.model.finding import CorpusError


def read_object(body: bytes, service: str, asked: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer; CorpusError (C707) for anything else."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        problem = f"it is not valid JSON ({error})"
        if isinstance(error, RecursionError):
            problem = "it is nested too deeply"
        raise CorpusError([rules.BAD_ANSWER.at(asked, service=service, problem=problem)]) from None
    if not isinstance(value, dict):
        raise CorpusError(
            [rules.BAD_ANSWER.at(asked, service=service, problem="it is not a JSON object")]
        )
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def text_of(value: Any) -> str:
    """Return a text; the first of a list of texts; an empty one for anything else."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, str):
        return ""
    # JSON can spell half of a surrogate pair, which neither a file nor an address can hold.
    return value.encode("utf-8", "ignore").decode("utf-8")


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return an object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items_of(value: Any) -> Sequence[Any]:
    """Return a list, or an empty one for anything else."""
    return value if isinstance(value, list) else []
