"""Libraries and tools of the extra `conformance`: without them their tests are skipped, but never where CI runs."""

import os
import warnings
from importlib import import_module
from pathlib import Path
from sys import executable

import pytest

_ADVICE = "pip install -e '.[conformance]'"


def needed(module):
    """Import a library of the extra; skip the test, or the module at whose top this is called, where it is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # their dependencies use what newer Pythons call old
            return import_module(module)
    except ModuleNotFoundError as error:
        _missing(f"{error.name} is missing: {_ADVICE}")
        raise AssertionError("unreachable") from error


def needed_tool(name):
    """Return the path of a command of the extra, beside the running Python."""
    path = Path(executable).parent / name
    if not path.exists():
        _missing(f"{name} is missing: {_ADVICE}")
    return str(path)


def _missing(reason):
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)
