"""Fixtures of the converters: recorded runs, and the way to convert them."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.traces.convert.format import Conversion
from corpus.traces.convert.intake import convert_all, read_inputs
from corpus.traces.convert.redaction import Redaction
from tests.support.recorded_traces import SECRET, Recorder, Run, helper, say, task, use, well_formed


@pytest.fixture
def two_helpers() -> Recorder:
    """Three Task calls, the first of which fails before it starts; helpers of 3 and 7 steps, one after the other."""
    log = Recorder()
    log.ask("main", SECRET)
    log.step("main", "m1", say("thinking"), use("c1", "Todo"), input_tokens=10, output_tokens=4)
    log.result("main", "c1", "noted")
    log.step("main", "m2", task("t0", "bad call"), task("t1", "look left"), input_tokens=20, output_tokens=6)
    log.result("main", "t0", "InputValidationError", error=True)
    helper(log, "left", "look left", steps=3)
    log.result("main", "t1", [say("done left")], totalTokens=99)
    log.step("main", "m3", task("t2", "look right"), input_tokens=30, output_tokens=5)
    helper(log, "right", "look right", steps=7)
    log.result("main", "t2", [say("done right")], totalTokens=99)
    for number in range(4, 10):
        log.step("main", f"m{number}", use(f"d{number}", "Edit"), input_tokens=5, output_tokens=5)
        log.result("main", f"d{number}", "edited")
    log.step("main", "m10", say("finished"), input_tokens=5, output_tokens=5)
    return log


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def run() -> Run:
    """Convert files, and hold every trace against what the schema says about ids, times and edges."""

    def convert(*paths: Path, name: str = "auto", redact: bool = True) -> list[Conversion]:
        documents, _ = read_inputs(paths, name)
        conversions = list(convert_all(documents, Redaction(redact)))
        for one in conversions:
            well_formed(one.trace)
        return conversions

    return convert
