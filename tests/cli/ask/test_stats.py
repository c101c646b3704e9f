"""What a survey author sees of `corpus stats`."""

import json
from pathlib import Path

import pytest

from tests.support.golden import golden

#: The published counts; the paper's tables must come out exactly.
PUBLISHED = {
    "category": {"rl_method": 42, "benchmark": 18, "classical_marl": 10, "industry": 6, "survey": 5, "framework": 3},
    "is_rl": {"yes": 49, "no": 26, "partial": 9},
    "reward_type": {
        "NA": 33, "hybrid": 15, "shared": 10, "orchestration": 7, "verifier": 6, "debate": 4, "individual": 4,
        "role": 3, "process": 2, "tool": 0,
    },
    "credit_granularity": {
        "NA": 36, "agent": 23, "role": 10, "orchestrator": 8, "turn": 5, "message": 2, "token": 0, "tool": 0, "team": 0,
    },
    "orchestration_form": {
        "NA": 34, "centralized": 18, "hierarchical": 13, "debate": 8, "planner_executor_critic": 4, "swarm": 4,
        "harness": 3,
    },
    "scenario": {
        "general": 45, "coding": 10, "math": 9, "tool_use": 8, "research": 6, "web": 6, "debate": 0, "NA": 0,
    },
    "is_core": {"core": 54, "supporting": 24, "case": 6},
    "verified": {"yes": 76, "partial": 8, "no": 0},
}  # fmt: skip


def test_the_published_counts_come_out(run, real):
    report = json.loads(run("stats", "--format", "json", "--data", real).stdout)
    assert report["entries"] == 84
    assert {axis: found["counts"] for axis, found in report["axes"].items()} == PUBLISHED
    screened = report["screening"]
    assert (screened["retained"], screened["excluded"], screened["audited"]) == (84, 32, 116)
    assert screened["stages"] == {
        "abstract_screen": 16, "full_text_screen": 9, "artifact_screen": 6, "duplicate_screen": 1,
    }  # fmt: skip


def test_the_overview_is_readable_in_80_columns_and_without_colour(run, real):
    result = run("stats", "--data", real)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "\x1b" not in result.stdout
    golden("stats_overview.txt", result.stdout)


@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "csv"])
def test_terms_without_entries_are_shown(run, minimal, format_):
    result = run("stats", "--by", "probe", "measures", "--format", format_, "--data", minimal)
    golden(f"soil_crosstab.{format_}", result.stdout)
    assert "acoustic" in result.stdout


def test_filters_and_negation(run, minimal):
    def entries(*filters: str) -> int:
        arguments = [part for text in filters for part in ("--where", text)]
        return json.loads(run("stats", *arguments, "--format", "json", "--data", minimal).stdout)[
            "entries"
        ]

    assert entries("probe!=none") == 2
    assert entries("measures=moisture", "measures!=salt") == 1


@pytest.mark.parametrize("place", ["", "data", "deep/er"])
def test_the_corpus_is_found_above_the_working_directory(run, minimal, place):
    folder = minimal.parent / place
    folder.mkdir(parents=True, exist_ok=True)
    assert run("stats", cwd=folder).stdout.startswith("Soil sensors")


def test_outside_a_corpus_the_shipped_dataset_is_counted(run, tmp_path):
    shipped = Path(__file__).parents[3] / "data"
    assert run("stats", cwd=tmp_path).stdout == run("stats", "--data", shipped).stdout


@pytest.mark.parametrize(("old", "new", "code", "line"), [
    ("dielectric,moisture", "dielektric,moisture", "C202", 2),
    ("none,heat", ",heat", "C201", 4),
    ("fen,Light", "clay,Light", "C301", 3),
    ("moisture; salt", "moisture;salt", "C202", 2),
    (",2021,", ",2021,2021,", "C114", 3),
])  # fmt: skip
def test_nothing_is_counted_while_something_is_wrong(run, minimal, old, new, code, line):
    file = minimal / "sensors.csv"
    file.write_text(file.read_text().replace(old, new, 1))
    result = run("stats", cwd=minimal)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"sensors.csv:{line}" in result.stderr
    assert code in result.stderr
    assert "corpus check" in result.stderr


def test_candidates_are_counted_only_when_asked_for(run):
    alone = json.loads(run("stats", "--format", "json").stdout)
    assert alone["entries"] == 84
    both = json.loads(run("stats", "--with-candidates", "--format", "json").stdout)
    total = both["with_candidates"][-1]
    assert int(total["pool"]) + int(total["candidates"]) == int(total["together"])
    refused = run("stats", "--with-candidates", "--where", "category=survey")
    assert refused.exit_code == 2


def test_values_of_any_column_are_counted_alone_and_against_an_axis(run, minimal):
    found = json.loads(
        run("stats", "--count", "year", "--by", "year", "probe", "--format", "json", "--data", minimal).stdout
    )  # fmt: skip
    assert found["axes"]["year"]["counts"] == {"2019": 1, "2020": 1, "2021": 1}
    assert found["crosstabs"][0]["cells"]["2020"]["dielectric"] == 1
    assert "year" in run("stats", "--count", "yaer", "--data", minimal).stderr
