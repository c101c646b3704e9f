"""`corpus trace prices`: a table of prices is shown, and brought up to date."""

import json
from functools import partial

import pytest

from corpus.traces.measures.prices import read_prices
from tests.support.made_traces import event, pair
from tests.support.trace_commands import trace

call = partial(trace, "prices")


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "run.json"
    made = pair()
    event(made, "ask").update(x_model="claude-sonnet-4-20250514", x_tokens=9)
    event(made, "tea").update(x_model="openai/gpt-4o", x_tokens=9)
    path.write_text(json.dumps(made))
    return path


def test_todays_prices_of_the_models_of_a_run_are_written_with_their_date(run, tmp_path):
    pytest.importorskip("genai_prices")
    table = tmp_path / "prices.csv"
    table.write_text("model,kind,price\nmine,input,7\nopenai/gpt-4o,input,99\n")
    result = call(table, "--update", run)
    assert result.exit_code == 0, result.stderr
    first, header, *_ = table.read_text().splitlines()
    assert first.startswith("# genai-prices")
    assert header == "model,kind,price"
    prices = read_prices(table)
    assert prices["claude-sonnet-4-20250514", "cache_write_1h"] > 0
    # What the package does not know keeps its price; what it knows does not.
    assert prices["mine", "input"] == 7
    assert prices["openai/gpt-4o", "input"] < 99
    assert "mine: not in genai-prices" in result.stderr


def test_a_table_is_shown(tmp_path):
    table = tmp_path / "prices.csv"
    table.write_text("model,kind,price\nmine,input,7\n")
    result = call(table)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].split() == ["mine", "input", "7"]
    assert call(tmp_path / "none.csv").exit_code == 1
    assert call(tmp_path / "none.csv", "--update").exit_code == 2
