"""A plugin of pytest: which functions each test reaches, fixtures of whole modules included, and how much it computes."""

from __future__ import annotations

import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

#: A function: its file, relative to the project, and its first line.
Function = tuple[str, int]


def _processor_seconds() -> float:
    """Return what this process and those that it has waited for have used: a busy machine changes nothing."""
    return sum(os.times()[:4])


class Reach:
    """Records while tests run."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}/"
        self.seconds: dict[str, float] = {}
        self.reached: dict[str, set[Function]] = {}
        self._codes: set[CodeType] = set()
        self._of_fixture: dict[int, set[CodeType]] = defaultdict(set)

    def _record(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            self._codes.add(frame.f_code)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Keep what a fixture reaches: a page that is written once is read by many tests."""
        before, self._codes = self._codes, set()
        yield
        self._of_fixture[id(fixturedef)] |= self._codes
        self._codes |= before

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test."""
        self._codes = set()
        start = _processor_seconds()
        threading.setprofile(self._record)
        sys.setprofile(self._record)
        yield
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # the stub of Python 3.11 lacks None
        self.seconds[item.nodeid] = _processor_seconds() - start
        fixtures = getattr(item, "_fixtureinfo", None)
        codes = set(self._codes)
        if fixtures is not None:
            for definitions in fixtures.name2fixturedefs.values():
                codes |= self._of_fixture[id(definitions[-1])]
        self.reached[item.nodeid] = {
            (code.co_filename[len(self.package) :], code.co_firstlineno)
            for code in codes
            if code.co_filename.startswith(self.package)
        }
