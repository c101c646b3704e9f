"""`corpus site`: one page, or a folder with a page for each entry."""

import pytest

from tests.support.conformance import needed


def test_without_a_file_it_writes_to_standard_output(run, minimal):
    result = run("site", "--data", minimal)
    assert result.stdout.startswith("<!doctype html>")
    assert result.stderr == ""


def test_a_text_that_is_still_to_be_written_is_named(run, minimal, tmp_path):
    assert "corpus] title" not in run("site", "-o", tmp_path / "a.html", cwd=minimal).stderr
    book = minimal / "codebook.toml"
    book.write_text(book.read_text("utf-8").replace('"Soil sensors"', '"TODO: a title"'), "utf-8")
    result = run("site", "-o", tmp_path / "b.html", cwd=minimal)
    assert (result.exit_code, "[corpus] title" in result.stderr) == (0, True)


def test_the_page_is_valid_html(run, minimal):
    page = run("site", "--data", minimal).stdout
    needed("html5lib").HTMLParser(strict=True).parse(page)


def test_the_same_corpus_gives_the_same_bytes(run, real):
    assert run("site", "--data", real).stdout == run("site", "--data", real).stdout


def test_a_corpus_with_errors_gives_no_page(run, minimal, tmp_path):
    broken = (minimal / "sensors.csv").read_text(encoding="utf-8").replace("optical", "optisch")
    (minimal / "sensors.csv").write_text(broken, encoding="utf-8")
    result = run("site", "--data", minimal, "-o", tmp_path / "page.html")
    assert result.exit_code == 1
    assert "sensors.csv:3" in result.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_folder_has_the_page_and_a_page_for_each_entry(run, minimal, tmp_path):
    out = tmp_path / "out"
    result = run("site", "--data", minimal, "--pages", out, "--address", "https://soil.example/x")
    assert (result.exit_code, result.stdout) == (0, "")
    index = (out / "index.html").read_text("utf-8")
    assert index.startswith("<!doctype html>")
    pages = {path.relative_to(out).as_posix() for path in out.rglob("*.html")}
    assert pages == {"index.html", *(f"entries/{key}.html" for key in ("clay", "fen", "till"))}
    assert "https://soil.example/x" in (out / "sitemap.xml").read_text("utf-8")


@pytest.mark.parametrize(
    "options",
    [
        ("--pages", "out", "-o", "page.html"),
        ("--address", "https://soil.example/"),
        ("--pages", "out", "--address", "javascript:alert(1)"),
        ("--pages", "out", "--address", "soil.example"),
    ],
)
def test_options_that_do_not_go_together_write_nothing(run, minimal, options):
    before = sorted(minimal.parent.rglob("*"))
    assert run("site", *options, "--data", minimal, cwd=minimal.parent).exit_code == 2
    assert sorted(minimal.parent.rglob("*")) == before
