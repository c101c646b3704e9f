"""Tables of prices, and what a run costs by them."""

import pytest

from corpus.traces.measures.metrics import measure
from corpus.traces.measures.prices import NO_KIND, read_prices
from corpus.traces.measures.prices import priced as priced_by
from tests.support.imported import findings_of
from tests.support.made_traces import event, pair, run_of

TABLE = """\
model,kind,price
m,input,3
m,cached,0.3
m,output,15
n,output,8
n,reasoning,2
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(TABLE)
    return path


def priced(table, trace):
    """The measures, the price of each model, and the tokens without a price."""
    run = run_of(trace)
    models = measure(run).details["models"]
    measures, unpriced = priced_by(read_prices(table), run, models)
    prices = {name: one["price"] for name, one in models.items()}
    return measures, prices, [tuple(one.values()) for one in unpriced]


def bought(**usage):
    """A run all of whose tokens are on one event."""
    trace = pair()
    keys = {f"x_tokens_{kind}": number for kind, number in usage.items() if kind != "model"}
    tokens = sum(number for kind, number in usage.items() if kind not in ("model", "reasoning"))
    event(trace, "ask").update(keys, x_tokens=tokens, x_model=usage["model"])
    trace["costs"]["tokens"] = tokens
    return trace


def test_each_kind_has_its_price(table):
    measures, _, unpriced = priced(table, bought(model="m", input=1000, cached=50_000, output=200))
    assert unpriced == []
    price = (1000 * 3 + 50_000 * 0.3 + 200 * 15) / 1e6
    assert measures == {"price": pytest.approx(price), "unpriced_tokens": 0}


def test_reasoning_is_output_unless_it_has_a_price_of_its_own(table):
    _, as_output, _ = priced(table, bought(model="m", output=100, reasoning=60))
    assert as_output["m"] == pytest.approx(100 * 15 / 1e6)
    _, alone, _ = priced(table, bought(model="n", output=100, reasoning=60))
    assert alone["n"] == pytest.approx((40 * 8 + 60 * 2) / 1e6)


def test_a_class_without_a_price_of_its_own_has_none(table):
    trace = bought(model="m", input=1000, cache_write=500)
    event(trace, "ask")["x_tokens_cache_write_1h"] = 200
    event(trace, "ask")["x_tokens_input_audio"] = 300
    _, _, unpriced = priced(table, trace)
    assert unpriced == [
        ("m", "cache_write", 300),
        ("m", "cache_write_1h", 200),
        ("m", "input_audio", 300),
    ]
    rows = "m,cache_write,4\nm,cache_write_1h,6\nm,input_audio,30\n"
    table.write_text(f"# of today\n{TABLE}{rows}")
    measures, _, _ = priced(table, trace)
    whole = (700 * 3 + 300 * 30 + 300 * 4 + 200 * 6) / 1e6
    assert measures == {"price": pytest.approx(whole), "unpriced_tokens": 0}


@pytest.mark.parametrize(
    ("trace", "unpriced"),
    [
        (bought(model="new", output=7), [("new", "output", 7)]),
        (bought(model="m", input=1, cache_write=9), [("m", "cache_write", 9)]),
        (pair(), [("", NO_KIND, 600)]),
    ],
)
def test_tokens_without_a_price_are_listed_and_leave_the_price_open(table, trace, unpriced):
    measures, _, found = priced(table, trace)
    assert found == unpriced
    assert measures["price"] is None


def test_a_run_without_usage_has_no_price(table):
    trace = pair()
    trace["costs"]["tokens"] = 0
    assert priced(table, trace)[0] == {"price": None, "unpriced_tokens": None}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("", [(1, "")]),
        ("model,kind,price\n", [(1, "")]),
        ("model;kind;price\nm;input;3\n", [(1, "")]),
        ("model,kind,price\nm,input\n", [(2, "")]),
        ("model,kind,price\nm,inputs,3\n,input,3\n", [(2, "kind"), (3, "model")]),
        ("model,kind,price\nm,input,free\nm,output,-1\n", [(2, "price"), (3, "price")]),
        ("model,kind,price\nm,input,nan\nm,output,1_0\n", [(2, "price"), (3, "price")]),
        ("model,kind,price\nm,input,3\nm,input,3\n", [(3, "model")]),
        ('model,kind,price\nm,"input,3\n', [(2, "")]),
    ],
)
def test_a_fault_of_the_table_is_found_where_it_is(tmp_path, text, places):
    path = tmp_path / "prices.csv"
    path.write_text(text)
    findings = findings_of(read_prices, path)
    assert [(finding.line, finding.column) for finding in findings] == places
    assert {finding.code for finding in findings} == {"OT401"}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_wrong_byte_is_named_with_its_line_after_a_byte_order_mark_too(tmp_path, mark):
    path = tmp_path / "prices.csv"
    path.write_bytes(mark + b"model,kind,price\n\xff,input,3\n")
    (finding,) = findings_of(read_prices, path)
    assert (finding.line, "0xff" in finding.message) == (2, True)
