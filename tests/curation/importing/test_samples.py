"""One made-up file per format and habit: each gives the works of `expected.csv`, and passes its own check.

Of ProQuest these are the columns of its spreadsheet ("StoreId", "pubtitle").

`python -m benchmarks imports` measures the same files, or a folder of one's own.
"""

import csv
from pathlib import Path

import pytest

from benchmarks.imports import import_file
from corpus.curation.importing.readers.reading import format_of

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(path for path in SAMPLES.iterdir() if path.name != "expected.csv")
#: What a file does not have as the others do: its form tells it otherwise.
_YEARS_IN_VENUES = {
    "Light in the fen: optical probes": {"venue": "Journal of Wet Soils 2019"},
    "Salt and moss": {"venue": "Proceedings of Mires 2020"},
}
DIFFERENT = {
    "web-of-science-tab.txt": {"Salt and moss": {"title": '"Salt" and moss'}},
    "markdown-links.md": _YEARS_IN_VENUES,
    "markdown-quoted.md": _YEARS_IN_VENUES,
    "markdown-annotated.md": _YEARS_IN_VENUES,
}
#: Records that the source excludes, and the reasons that it gives.
EXCLUDED = {"asreview.csv": 2, "covidence.csv": 2, "rayyan.csv": 1, "decisions.csv": 1}


def expected(name):
    with open(SAMPLES / "expected.csv", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    return [row | DIFFERENT.get(name, {}).get(row["title"], {}) for row in rows]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_habit_gives_the_same_works(path, tmp_path):
    done = import_file(path, tmp_path / "corpus")
    assert done.refused == ""
    works = sorted(done.pool, key=lambda row: row["doi"])
    wanted = expected(path.name)
    found = [{name: row[name] for name in wanted[0]} for row in works]
    assert [row | {"doi": row["doi"].lower()} for row in found] == wanted
    assert done.excluded == EXCLUDED.get(path.name, 0)
    assert {finding.code for finding in done.findings} <= {"C002"}


def test_every_format_has_a_sample():
    from corpus.curation.importing.readers.reading import FORMATS

    of_workbooks = {"excel", "ods", "xls", "tsv"}  # made in the tests of the readers
    found = {format_of(path.suffix, path.read_bytes()).name for path in FILES}
    assert found | of_workbooks >= set(FORMATS)
