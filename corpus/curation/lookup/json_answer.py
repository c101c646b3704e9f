"""The JSON of a service, read with care: valid, not too deep, an object where one is expected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from corpus.curation.lookup import lookup_rules as rules


def read_object(body: bytes, service: str, asked: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer; CorpusError (C707) for anything else."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except ValueError as error:
        problem = f"it is not valid JSON ({error})"
    except RecursionError:
        problem = "it is nested too deeply"
    else:
        if isinstance(value, dict):
            return value
        problem = "it is not a JSON object"
    raise rules.BAD_ANSWER.error(asked, service=service, problem=problem)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def value_at(value: Any, path: str) -> Any:
    """Return what is at a path such as ``author.name``, of a list on the way in its first item.

    None where nothing is.
    """
    for name in path.split("."):
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def text_at(value: Any, path: str) -> str:
    """Return the text at a path, or the first of several; an empty one for anything else."""
    found = value_at(value, path)
    if isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, str):
        return ""
    # JSON can spell half of a surrogate pair, which neither a file nor an address can hold.
    return found.encode("utf-8", "ignore").decode("utf-8")


def items_at(value: Any, path: str) -> Sequence[Any]:
    """Return the list at a path; an empty one for anything else."""
    found = value_at(value, path)
    if not isinstance(found, list):
        return []
    return found
