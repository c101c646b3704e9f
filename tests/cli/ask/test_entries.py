"""What a reader sees of `corpus list` and `corpus show`."""

import json

import pytest

from corpus.cli import options


def test_an_excluded_record_is_shown_with_everything_about_it(run, real):
    result = run("show", "2308.08155", "--data", real)
    assert result.exit_code == 0
    assert result.stdout.startswith("Not in the pool")
    for part in ("E003", "AutoGen", "full_text_screen", "prompted team", "exclusions.csv:4"):
        assert part in result.stdout
    document = json.loads(run("show", "e003", "--format", "json", "--data", real).stdout)
    assert document["excluded"]["record_id"] == "E003"
    assert set(document["tables"]) == {"near_misses", "exclusion_criteria"}


def test_an_entry_is_shown_by_its_identifier(run, real):
    by_key = run("show", "halo", "--format", "json", "--data", real).stdout
    address = "https://arxiv.org/abs/2505.13516v2"
    assert run("show", address, "--format", "json", "--data", real).stdout == by_key


def test_an_entry_is_a_card_first_and_everything_on_request(run, real):
    brief = run("show", "puppeteer", "--data", real).stdout
    whole = run("show", "puppeteer", "--all", "--data", real).stdout
    card = brief[: brief.index("Tags:")].rstrip()
    assert "Neighbours" in card
    assert whole.startswith(card)
    assert "credit_granularity orchestrator" in brief
    assert len(brief.splitlines()) < 50 < len(whole.splitlines())


def test_a_misspelt_key_is_wrong_usage_with_the_nearest(run, minimal):
    result = run("show", "cley", "--data", minimal)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean clay" in result.stderr


@pytest.mark.parametrize("width", [20, 40, 80])
def test_columns_that_do_not_fit_become_blocks(run, minimal, monkeypatch, width):
    monkeypatch.setattr(options, "terminal_columns", lambda: width)
    result = run("list", "--columns", "all", "--data", minimal)
    assert result.exit_code == 0
    blocks = result.stdout.split("\n\n")
    assert len(blocks) == 3
    assert [line.split()[0] for line in blocks[2].splitlines() if line[0] != " "] == [
        "id", "name", "who", "year", "probe", "measures",
    ]  # fmt: skip
    assert "https://arxiv.org/abs/2003.00001" in result.stdout.replace("\n", "").replace(" ", "")
    assert max(map(len, result.stdout.splitlines())) <= max(width, 42)


def test_columns_that_fit_are_a_table_and_a_pipe_gets_one(run, minimal, monkeypatch):
    piped = run("list", "--columns", "all", "--data", minimal).stdout
    assert len(piped.splitlines()) == 5
    monkeypatch.setattr(options, "terminal_columns", lambda: 80)
    assert len(run("list", "--data", minimal).stdout.splitlines()) == 5
    assert len(run("list", "--columns", "id,name", "--data", minimal).stdout.splitlines()) == 5


@pytest.mark.parametrize(("arguments", "meant"), [
    (["list", "--where", "yaer>=2020"], "year"), (["list", "--where", "probe=optcal"], "optical"), (["list", "--sort", "-yaer"], "year"),
    (["list", "--columns", "id,nmae"], "name"), (["list", "--table", "rejekted"], "rejected"), (["stats", "--by", "prob", "measures"], "probe"),
    (["stats", "--where", "measure=salt"], "measures"), (["sparsity", "--where", "probe!=acustic"], "acoustic"),
    (["sparsity", "--by", "probe", "mesures"], "measures"), (["list", "--table", "rejected", "--where", "stage=ful_text"], "full_text"),
    (["export", "bibtx"], "bibtex"), (["export", "parquet", "--table", "sensor"], "sensors"), (["export", "json", "--where", "probe=optcal"], "optical"),
    (["edit", "clay", "--set", "yaer=2021"], "year"), (["edit", "cley", "--set", "year=2021"], "clay"),
])  # fmt: skip
def test_a_misspelt_name_is_answered_with_the_nearest(run, minimal, arguments, meant):
    result = run(*arguments, "--data", minimal)
    assert result.exit_code == 2, result.stderr
    assert f"did you mean '{meant}'" in result.stderr or f"did you mean {meant}" in result.stderr
