"""The Python interface: it answers as the command line does, and shows itself in a notebook."""

import json
import subprocess
import sys

import pytest

import corpus
from corpus.model.finding import UsageProblem
from tests.conftest import REAL

LIGHT = """
import sys, corpus
heavy = {"pandas", "numpy", "pyarrow", "rapidfuzz", "pandera", "click", "jinja2"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
loaded = corpus.load(sys.argv[1])
repr(loaded)
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


@pytest.fixture
def tiny(minimal):
    return corpus.load(str(minimal))


def test_importing_and_loading_stay_light(minimal):
    subprocess.run([sys.executable, "-c", LIGHT, str(minimal)], check=True)


def test_it_shows_title_size_and_axes(tiny):
    shown = repr(tiny)
    for part in ("Soil sensors", "3 sensors", "2 excluded records", "axes: probe, measures"):
        assert part in shown
    assert "1 sensors" in repr(tiny.where("year>=2020", probe=["optical", "none"]))


def test_shares_are_those_of_stats(run, real):
    loaded = corpus.load(str(real))
    printed = run("stats", "--data", real, "--format", "markdown").stdout
    counted = loaded.counts("credit_granularity")
    assert f"| agent | 23 | {counted.share['agent']:.0%} |" in printed
    assert round(counted.share["agent"], 2) == 0.48
    assert counted.share.isna().to_dict()["NA"]
    assert counted.share.sum() == pytest.approx(1)


def test_a_key_is_the_index_as_pandas_users_expect():
    loaded = corpus.load(str(REAL))
    pool = loaded.pool
    assert "key" not in pool.columns
    assert pool.reset_index().columns[0] == "key"
    assert pool.sort_values("key").index.is_monotonic_increasing
    assert pool.groupby("key").size().tolist() == [1] * len(pool)
    merged = pool.merge(loaded["bibliography"], on="key")
    assert merged.index.equals(pool.index)
    kept = loaded.where("Category=survey")
    assert kept[["title"]].equals(kept.pool[["title"]])


def test_columns_are_named_as_tables_show_them_too():
    loaded = corpus.load(str(REAL))
    assert len(loaded.where("Role in survey=core").pool) == len(loaded.where(is_core="core").pool)
    assert loaded.counts("Reward").equals(loaded.counts("reward_type"))
    with pytest.raises(UsageProblem, match="did you mean 'Credit'"):
        loaded.where("Credi=message")


def test_filters_are_those_of_the_command_line(run, real):
    loaded = corpus.load(str(real))
    for conditions in (
        ["year>=2026"], ["category=RL METHOD,Benchmark", "is_rl!=no"], ["arxiv_id="], ["year>2020", "year<=2024"],
    ):  # fmt: skip
        flags = [flag for condition in conditions for flag in ("--where", condition)]
        listed = json.loads(run("list", *flags, "--format", "json", "--data", real).stdout)
        kept = loaded.where(*conditions)
        assert kept.pool.index.tolist() == [row["key"] for row in listed] != []
    assert len(loaded.where(year=2026).pool) == len(loaded.where("year=2026").pool) > 0
    assert len(loaded.where(year=[2025, 2026]).pool) == len(loaded.where("year=2025,2026").pool)
    assert len(loaded.where("year>=2026").where(is_rl="yes").pool) == len(
        loaded.where("year>=2026", is_rl="yes").pool
    )


def test_a_declared_figure_shows_the_entries_that_pass_and_a_notebook_shows_it(tiny):
    whole, part = tiny.draw("probe"), tiny.where(probe="optical").draw("probe", width=3)
    shown = [{text.get_text() for text in figure.axes[0].texts} for figure in (whole, part)]
    assert ("1 (50%)" in shown[0], "1 (100%)" in shown[1]) == (True, True)
    assert (part.get_figwidth(), part._repr_png_()[1:4]) == (3, b"PNG")


@pytest.mark.parametrize(("ask", "meant"), [
    (lambda c: c["sensor"], "sensors"), (lambda c: c.where(prob="none"), "probe"), (lambda c: c.where("yaer>2019"), "year"),
    (lambda c: c.where(probe="optcal"), "optical"), (lambda c: c.counts("prob"), "probe"),
    (lambda c: c.show("cley"), "clay"), (lambda c: c.draw("prob"), "probe"), (lambda c: c.gaps(by=[("prob", "measures")]), "probe"),
])  # fmt: skip
def test_a_misspelt_name_is_answered_with_the_nearest(tiny, ask, meant):
    with pytest.raises(UsageProblem, match=f"did you mean '?{meant}"):
        ask(tiny)


def test_an_unknown_table_is_a_key_error_too(tiny):
    with pytest.raises(KeyError):
        tiny["sensor"]


def test_gaps_are_those_of_the_command_line(run, real):
    printed = json.loads(run("sparsity", "--format", "json", "--data", real).stdout)
    found = corpus.load(str(real)).gaps()
    assert len(found) == len(printed["gaps"])
    for (rank, gap), other in zip(found.iterrows(), printed["gaps"], strict=True):
        assert (rank, gap.kind, gap.terms) == (other["rank"], other["kind"], " / ".join(other["terms"]))  # fmt: skip
    assert len(corpus.load(str(real)).gaps(by=[("category", "is_rl")], threshold=5)) > 0


def test_claims_are_those_of_the_command_line(run, real):
    pool = real / "pool.csv"
    text = pool.read_text("utf-8")
    old = "partial,orchestration,role,hierarchical"
    assert text.count(old) == 1
    pool.write_text(text.replace(old, old.replace("role", "orchestrator")), "utf-8")
    printed = json.loads(run("claims", "--failing", "--format", "json", "--data", real).stdout)
    found = corpus.load(str(real)).claims(failing=True)
    assert found.result.to_dict() == {item["id"]: item["result"] for item in printed["claims"]}
    assert found.difference["orchestrator-credit"] == "extra: halo"
    assert found.margin["orchestrator-credit"] == 0


def test_check_finds_what_the_command_finds(run, minimal):
    sensors = minimal / "sensors.csv"
    sensors.write_text(sensors.read_text("utf-8").replace("none,heat", "none,salt"), "utf-8")
    printed = json.loads(run("check", "--format", "json", "--data", minimal).stdout)["findings"]
    found = corpus.load(str(minimal)).check()
    assert found[["code", "line", "value"]].values.tolist() == [
        [item["code"], item["line"], item["value"]] for item in printed
    ]
    assert len(found) == 1


def test_a_corpus_without_traces_is_told_so(tiny):
    with pytest.raises(UsageProblem):
        tiny.traces()


def test_show_finds_what_was_left_out(tiny):
    assert tiny.show("arXiv:1901.00001v4").stage == "abstract"
    assert tiny.show("2003.00001").name == "clay"


def test_every_column_is_described(tiny):
    described = tiny.columns
    assert described.loc[("sensors", "probe"), "definition"] == "Kind of probe."
    assert described.loc[("papers", "doi"), "type"] == "doi"
