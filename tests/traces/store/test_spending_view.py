"""Tokens and prices of a store, asked for in SQL: the same numbers as of each trace by itself."""

import copy
import json
import random

import pytest

from corpus.traces.measures.prices import priced, read_prices
from corpus.traces.measures.spending import spending
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.store.query import ask
from corpus.traces.store.store import Store
from tests.support.made_traces import pair, run_of
from tests.support.stores import bring

PRICES = "model,kind,price\n" + "".join(
    f"{model},{kind},{price}\n"
    for model, kind, price in (
        ("m-1", "input", 3),
        ("m-1", "cached", 0.3),
        ("m-1", "cache_write", 3.75),
        ("m-1", "output", 15),
        ("m-2", "input", 1),
        ("m-2", "output", 5),
        ("m-2", "reasoning", 7),
    )
)


def spent(seed):
    """A run whose events state tokens in every way: in all, by kind, of no model, not at all."""
    luck = random.Random(seed)
    trace = pair()
    trace["trace_id"] = f"run-{seed}"
    for event in trace["events"]:
        if luck.random() < 0.3:
            continue
        event["x_model"] = luck.choice(["m-1", "m-2", "m-3"])
        if luck.random() < 0.1:
            del event["x_model"]
        for kind in TOKEN_KINDS:
            if luck.random() < 0.5:
                event[f"x_tokens_{kind}"] = luck.randint(0, 500)
        if luck.random() < 0.6:
            event["x_tokens"] = luck.randint(0, 2000)
    trace["costs"]["tokens"] = 0
    return trace


@pytest.fixture
def runs(tmp_path):
    traces = [spent(seed) for seed in range(12)]
    lines = tmp_path / "a.jsonl"
    lines.write_text("".join(json.dumps(trace) + "\n" for trace in traces), encoding="utf-8")
    bring(tmp_path / "st", lines)
    (tmp_path / "prices.csv").write_text(PRICES)
    return traces


def rows(tmp_path, question, *, with_prices=False):
    prices = read_prices(tmp_path / "prices.csv") if with_prices else None
    with ask(Store(tmp_path / "st"), question, prices=prices) as found:
        return list(found.rows)


def alone(trace):
    """Agent, model, and a run in which only their events state tokens, for each pair of the two."""
    owners = [(one["agent"], one.get("x_model", "")) for one in trace["events"]]
    for owner in set(owners):
        kept = copy.deepcopy(trace)
        for one, its in zip(kept["events"], owners, strict=True):
            for key in list(one):
                if its != owner and "tokens" in key:
                    del one[key]
        run = run_of(kept)
        if spending(run)[0]:
            yield *owner, run


def test_sums_are_those_of_each_trace(runs, tmp_path):
    kinds = ", ".join(f"tokens_{kind}" for kind in TOKEN_KINDS)
    found = rows(tmp_path, f"SELECT trace_id, agent, model, tokens, {kinds} FROM spending")
    expected = []
    for trace in runs:
        for agent, model, run in alone(trace):
            expected.append((trace["trace_id"], agent, model, *spending(run)[2].values()))
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_prices_are_those_of_each_model(runs, tmp_path):
    question = "SELECT trace_id, agent, model, price, unpriced_tokens FROM spending"
    found = {row[:3]: row[3:] for row in rows(tmp_path, question, with_prices=True)}
    table = read_prices(tmp_path / "prices.csv")
    compared = 0
    for trace in runs:
        for agent, model, run in alone(trace):
            _, details = priced(table, run, spending(run)[1])
            price, unpriced = found[trace["trace_id"], agent, model]
            missing = sum(part["tokens"] for part in details["unpriced"])
            assert unpriced == pytest.approx(missing)
            if missing:
                assert price is None
            else:
                assert price == pytest.approx(details["price_by_model"][model])
                compared += 1
    assert compared > 5


def test_the_command_takes_a_table_and_reports_its_faults(run, runs, tmp_path):
    question = "SELECT model, sum(price) AS price FROM spending GROUP BY 1 ORDER BY 1"
    arguments = ("trace", "query", "st", question, "--format", "json", "--prices", "prices.csv")
    result = run(*arguments, cwd=tmp_path)
    assert result.exit_code == 0
    assert {"m-1", "m-2"} <= {row["model"] for row in json.loads(result.stdout)}
    (tmp_path / "prices.csv").write_text("model,kind,price\nm-1,inputs,3\n")
    result = run(*arguments, cwd=tmp_path)
    assert (result.exit_code, "OT401" in result.stderr) == (1, True)
