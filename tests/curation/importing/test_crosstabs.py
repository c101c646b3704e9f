"""The cross-tabulations of a new corpus cross columns whose gaps mean something."""

import tomllib

import pytest
from click.testing import CliRunner

from corpus.cli.main import main

COLUMNS = {
    "Method": ["probe", "probe", "radar", "radar", "camera", "camera"],
    "Family": ["contact", "contact", "remote", "remote", "remote", "remote"],
    "Country": ["FI", "SE", "FI", "SE", "NO", "NO"],
    "Season": ["winter", "summer", "summer", "winter", "winter", "spring"],
    "Language": ["en"] * 6,
    "Site": [],
}


def crosstabs(folder, *names):
    rows = [
        [
            f"Sensing number {number}",
            *[([*COLUMNS[name]] or [f"s{number}"] * 6)[number % 6] for name in names],
        ]
        for number in range(12)
    ]
    text = "\n".join(",".join(row) for row in [["Title", *names], *rows])
    (folder / "list.csv").write_text(f"{text}\n", "utf-8")
    kinds = [f"--map={name}={name.lower().replace(' ', '_')}:term" for name in names]
    done = CliRunner().invoke(
        main, ["init", str(folder / "new"), "--from", str(folder / "list.csv"), *kinds]
    )
    assert done.exit_code == 0, done.output
    book = tomllib.loads((folder / "new/data/codebook.toml").read_text("utf-8"))
    return [(pair["rows"], pair["columns"]) for pair in book.get("crosstabs", [])]


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["Method", "Country"], [("method", "country")]),
        (["Method", "Family"], []),  # a hierarchy
        (["Language", "Method"], []),  # one value
        (["Family", "Method", "Country"], [("family", "country"), ("method", "country")]),
        (["Site", "Method", "Country"], [("method", "country")]),  # nearly all distinct
        (["Method", "Country", "Season"], [("method", "country"), ("method", "season"), ("country", "season")]),
    ],
)  # fmt: skip
def test_columns_are_crossed_by_what_they_hold(tmp_path, names, pairs):
    assert crosstabs(tmp_path, *names) == pairs
