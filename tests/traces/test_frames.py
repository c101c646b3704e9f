"""Traces as frames: what a program reads is what the command line prints."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import corpus
from corpus.cli.main import main
from corpus.model.finding import UsageProblem
from tests.support.imported import findings_of
from tests.support.made_traces import event, pair

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "data/traces/examples"


@pytest.fixture
def made(tmp_path):
    """Two runs in one file, the second without usage."""
    first = pair()
    event(first, "ask").update(x_tokens=600, x_tokens_output=40, x_model="m")
    second = {**pair(), "trace_id": "second"}
    second["costs"] = {**second["costs"], "tokens": 0}
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(trace) + "\n" for trace in (first, second)))
    return path


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text("model,kind,price\nm,output,10\n")
    return path


def test_measures_are_those_of_the_command_line(made):
    printed = CliRunner().invoke(main, ["trace", "stats", str(made), "--format", "csv"]).stdout
    frame = corpus.traces.read(made).measures()
    rows = list(csv.DictReader(printed.splitlines()))
    assert list(frame.columns) == list(rows[0])
    for number, row in enumerate(rows):
        assert frame.tokens_output.isna()[number] == (row["tokens_output"] == "")
        assert float(row["agent_busy_s"]) == frame.agent_busy_s[number]
    assert frame.tokens.tolist() == [600, pd.NA]


def test_events_and_edges_have_a_row_each_and_name_their_trace(made):
    runs = corpus.traces.read(made)
    assert len(runs.events()) == len(runs.edges()) == 16
    asked = runs["pair"].events().set_index("id").loc["ask"]
    assert (asked.x_tokens, asked.x_tokens_output, asked.x_model) == (600, 40, "m")
    assert asked[["x_tokens_input", "trusted"]].isna().all()
    assert set(runs["second"].edges().trace_id) == {"second"}


def test_agents_have_their_tokens_and_seconds(made):
    agents = corpus.traces.read(made)["pair"].agents().set_index("agent")
    assert agents.tokens.dropna().to_dict() == {"ann": 600}
    assert agents.busy_s.to_dict() == {"lead": 1, "ann": 4, "bob": 2}


def test_prices_are_further_columns(made, prices):
    frame = corpus.traces.read(made).measures(prices=prices)
    assert frame.unpriced_tokens.tolist() == [560, pd.NA]


def test_a_picture_has_the_format_of_its_name(made, tmp_path):
    run = corpus.traces.read(made)["pair"]
    picture = run.draw(tmp_path / "run.png")
    assert picture == (tmp_path / "run.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    with pytest.raises(UsageProblem):
        run.draw(tmp_path / "run.docx")
    with pytest.raises(UsageProblem):
        corpus.traces.read(made).draw()


def test_a_broken_trace_is_refused_with_its_place(made):
    with made.open("a") as stream:
        stream.write('{"trace_id": ""}\n')
    assert {finding.line for finding in findings_of(corpus.traces.read, made)} == {3}


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageProblem):
        corpus.traces.read(tmp_path / "none.json")
    with pytest.raises(UsageProblem):
        corpus.traces.read(tmp_path)
    with pytest.raises(KeyError):
        corpus.traces.read(EXAMPLES)["none"]


def test_a_file_without_a_trace_gives_frames_with_columns_and_no_row(made, tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    some, none = corpus.traces.read(made), corpus.traces.read(path)
    for frame, empty in (
        (some.measures(), none.measures()),
        (some.events(), none.events()),
        (some.edges(), none.edges()),
        (some.agents(), none.agents()),
    ):
        assert len(empty) == 0
        assert empty.dtypes.to_dict() == frame.dtypes.to_dict()


def test_traces_are_read_without_pandas_and_matplotlib():
    # In a fresh process: the other tests have loaded both.
    code = f"""
import sys
import corpus.traces
runs = corpus.traces.read({str(EXAMPLES)!r})
assert len(runs) > 1
print(sorted(sys.modules.keys() & {{"pandas", "matplotlib", "pyarrow"}}))
runs.measures()
print("pandas" in sys.modules, "matplotlib" in sys.modules)
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert ended.stdout.splitlines() == ["[]", "True False"]
