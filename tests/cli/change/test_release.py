"""`corpus release`: the tag on stdout, the report and what is left to do on stderr."""

import re

import pytest

from tests.corpora.full import add_sensor, write_full

TRACKED = """\
[[claims]]
id = "all"
tracked = true
statement = "6 sensors are known."
count = 5
"""


@pytest.fixture
def data(tmp_path):
    """The full corpus with a tracked claim that no longer holds, and no repository."""
    data = write_full(tmp_path)
    claims = data / "claims.toml"
    claims.write_text("format = 1\n\n" + TRACKED, "utf-8")
    add_sensor(data, "fay")
    return data


def test_the_tag_goes_to_stdout_and_the_report_to_stderr(run, data):
    result = run("release", "v1", "--text", "On soil", "--date", "2021-04-01", "--data", data)
    assert (result.exit_code, result.stdout) == (0, "v0.1.0\n"), result.stderr
    lines = result.stderr.splitlines()
    sizes = "Release v1, version 0.1.0, 2021-04-01: 6 entries, 3 excluded, 1 claim, "
    copied = len(list((data / "releases" / "v1").rglob("*.*")))
    assert lines[0] == f"{sizes}{copied} files copied."
    assert lines[1] == "On soil"
    assert "  all: 5 -> 6\n    6 sensors are known.\n" in result.stderr
    assert "git tag v0.1.0" in lines[-1]


def test_a_dry_run_shows_a_diff_that_patch_can_read(run, data):
    citation = data.parent / "CITATION.cff"
    citation.write_bytes(b"cff-version: 1.2.0\ntitle: Soil\nversion: 0.0.9")
    book = data / "codebook.toml"
    title = 'title = "Soil sensors"'
    text = book.read_text("utf-8").replace(title, f'{title}\nversion = "0.0.9"', 1)
    book.write_text(text, "utf-8")
    before = {path: path.read_bytes() for path in data.parent.rglob("*.*") if path.is_file()}
    result = run("release", "v1", "--version", "0.1.0", "--dry-run", "--data", data)
    assert result.exit_code == 0, result.stderr
    assert {path: path.read_bytes() for path in before} == before
    assert "Nothing was written." in result.stderr
    shown = result.stdout
    assert "\n-count = 5\n" in shown
    assert "\n+count = 6\n" in shown
    end = "\\ No newline at end of file"
    assert f"@@ -1,3 +1,4 @@\n cff-version: 1.2.0\n title: Soil\n-version: 0.0.9\n{end}\n" in shown
    assert "\n--- /dev/null\n" in shown


def test_what_prevents_a_release_is_shown_by_a_dry_run_too(run, data):
    add_sensor(data, "gus", depth="rock", senses="water")
    result = run("release", "v1", "--dry-run", "--data", data)
    assert result.exit_code == 1
    assert "v1 is refused" in result.stderr
    assert run("release", "v1", "--data", data).exit_code == 1
    assert not (data / "releases").exists()


def test_after_forty_additions_a_release_moves_the_cutoff(run, tmp_path):
    data = write_full(tmp_path)
    (data / "claims.toml").write_text("format = 1\n", "utf-8")
    for number in range(40):
        add_sensor(data, f"gus{number:02}", seen="2021-06")
    refused = run("release", "v1", "--text", "On soil", "--data", data)
    assert (refused.exit_code, refused.stderr.count("V103")) == (1, 1)
    command = re.search("corpus release (v1 --date [0-9-]+)", refused.stderr)
    assert command is not None
    made = run("release", *command[1].split(), "--text", "On soil", "--data", data)
    assert made.exit_code == 0, made.stderr
    book = (data / "releases" / "v1" / "codebook.toml").read_text("utf-8")
    assert 'cutoff = "2021-06-01"' in book
    assert "45 entries retained" in run("stats", "--data", data).stdout
    assert "cutoff 2021-06-01." in run("stats", "--data", data).stdout
