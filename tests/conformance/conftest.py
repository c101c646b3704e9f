"""Fixtures of all groups: a team with a model of its own, and the comparison of its script with the recording."""

import os
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

import pytest
from endpoint import Endpoint
from team import KINDS, Script, counted

#: The section of this page has a row for each comparison that passed: `WITNESSES=1 make conformance-recorders`.
PAGE = Path(__file__).parents[2] / "docs" / "trace-formats.md"
HEADING = "## Witnesses"

# Nothing leaves this machine: whatever is not on the loopback interface goes to a proxy that nobody runs.
os.environ |= dict.fromkeys(["HTTP_PROXY", "HTTPS_PROXY"], "http://127.0.0.1:9")
os.environ |= {
    "NO_PROXY": "127.0.0.1,localhost",
    "DO_NOT_TRACK": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}
os.environ |= {
    "OTEL_SDK_DISABLED": "false",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "true",
}


@pytest.fixture
def play():
    """Return a function that gives a script a model: `play(TEAM, {"ask": "ask_{}"})`."""
    with ExitStack() as running:
        yield lambda *script, **options: running.enter_context(Endpoint(Script(*script, **options)))


@pytest.fixture
def compare(tmp_path):
    """Return a function that compares what was played with what a recording of it has.

    `kinds` are those of the tokens that the recorder writes, `lacks` the parts that it does not write, and `differs` those that our trace has otherwise, each with
    the reason; that they are the same after all is a failure, too. Of a recorder that names its agents itself, `renamed`
    ones are told by who acts first; what has no order, as runs and what was done at the same time, is not `ordered`.
    """

    def compare(
        recorder,
        model,
        *files,
        kinds=KINDS,
        release=None,
        renamed=False,
        ordered=True,
        lacks=None,
        differs=None,
    ):
        lacks, differs = lacks or {}, differs or {}
        expected = model.script.expected(kinds)
        found = counted(files, tmp_path, forced="tokens" in lacks)
        if renamed:
            names = dict(
                zip(dict.fromkeys(found["steps"]), dict.fromkeys(expected["steps"]), strict=False)
            )
            found = rename(found, names)
            found["agents"].sort()
        for part in () if ordered else ("steps", "tools"):
            found[part].sort()
            expected[part].sort()
        other = {
            part: (found[part], value) for part, value in expected.items() if found[part] != value
        }
        unknown = {part: values for part, values in other.items() if part not in lacks | differs}
        assert not unknown, f"(counted, played): {unknown}"
        assert other.keys() == lacks.keys() | differs.keys(), "these are equal by now"
        if os.environ.get("WITNESSES"):
            equal = "all" if kinds == KINDS else f"all (tokens: {', '.join(kinds)})"
            for reason in dict.fromkeys((lacks | differs).values()):
                parts = [part for part in other if (lacks | differs)[part] == reason]
                equal += f" but {', '.join(parts)}: {reason}"
            note(recorder, release or version(recorder.split()[0]), equal)

    return compare


def rename(value, names):
    """Return lists of names, and of pairs of names, with other names."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {
            key: inner if key == "tokens" else rename(inner, names) for key, inner in value.items()
        }
    return type(value)(rename(one, names) for one in value)


def note(recorder, release, equal):
    """Put the row of a recorder into the table of the page, in place of an earlier one."""
    before, _, section = PAGE.read_text(encoding="utf-8").partition(f"\n{HEADING}\n")
    lines = section.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|---")) + 1
    end = next(
        (place for place in range(start, len(lines)) if not lines[place].startswith("|")),
        len(lines),
    )
    rows = {line.split("|")[1].strip(): line for line in lines[start:end]}
    rows[recorder] = f"| {recorder} | {release} | {equal} |"
    lines[start:end] = [rows[name] for name in sorted(rows, key=str.lower)]
    PAGE.write_text("\n".join([before, HEADING, *lines, ""]), encoding="utf-8")
