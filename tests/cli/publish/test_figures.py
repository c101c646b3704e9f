import csv
import hashlib

from click.testing import CliRunner

from corpus.cli.main import main
from corpus.publishing.figures.figure import read_digest
from tests.conftest import REAL
from tests.corpora.full import write_full


def run(*arguments):
    return CliRunner().invoke(main, ["figures", *map(str, arguments)], catch_exceptions=False)


def test_files_of_each_format_and_the_frame_are_written_and_named(tmp_path):
    out = tmp_path / "new" / "figures"
    wanted = ["--only", "categories,screening", "--format", "svg,png"]
    result = run(*wanted, "--out", out, "--data", REAL)
    assert result.exit_code == 0
    written = {path.name for path in out.iterdir()}
    assert written == {
        f"{n}.{e}" for n in ("categories", "screening") for e in ("csv", "tex", "svg", "png")
    }
    assert {line.rsplit("/", 1)[-1] for line in result.stdout.split()} == written
    with open(out / "categories.csv", encoding="utf-8") as handle:
        assert sum(int(row["entries"]) for row in csv.DictReader(handle)) == 84
    frame = hashlib.sha256((out / "categories.csv").read_bytes()).hexdigest()
    assert frame.encode() in (out / "categories.svg").read_bytes()


def test_a_figure_for_print_has_its_title_in_the_caption_only(tmp_path):
    title = b"Entries by category"
    wanted = ("--only", "categories", "--format", "svg", "--data", REAL, "--out")
    run(*wanted, tmp_path / "plain", "--no-title")
    run(*wanted, tmp_path / "titled")
    plain, titled = tmp_path / "plain", tmp_path / "titled"
    for ending in ("tex", "csv"):
        assert (plain / f"categories.{ending}").read_bytes() == (
            titled / f"categories.{ending}"
        ).read_bytes()
    caption = (plain / "categories.tex").read_bytes()
    assert title in caption
    assert b"\\label{fig:categories}" in caption
    digests = {read_digest((made / "categories.svg").read_bytes()) for made in (plain, titled)}
    assert len(digests) == 2
    head = b"<!-- " + title + b" -->"
    assert head not in (plain / "categories.svg").read_bytes()
    assert head in (titled / "categories.svg").read_bytes()


def test_wrong_usage_is_reported_and_nothing_is_written(tmp_path):
    out = tmp_path / "figures"
    for wrong in (("--only", "nothing"), ("--format", "svg,jpg")):
        assert run(*wrong, "--out", out).exit_code == 2
    assert not out.exists()


def test_a_bad_declaration_writes_nothing(tmp_path):
    data = write_full(
        tmp_path / "data", '[figures.x]\nkind = "heatmap"\nrows = "depth"\ncolumns = "colour"\n'
    )
    result = run("--data", data, "--out", tmp_path / "figures")
    assert result.exit_code == 1
    assert "figures.x.columns" in result.stderr
    assert not (tmp_path / "figures").exists()


def test_the_list_names_every_figure():
    lines = run("--list").stdout.splitlines()[2:]
    assert [line.split()[0] for line in lines] == [
        "timeline", "reward_by_credit_names", "scale", "units", "reward_by_credit", "form_by_credit",
        "categories", "credit_units", "decisions", "decision_counts", "screening",
    ]  # fmt: skip
