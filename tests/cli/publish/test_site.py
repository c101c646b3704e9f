"""`corpus site`."""

from tests.support.conformance import needed


def test_without_a_file_it_writes_to_standard_output(run, minimal):
    result = run("site", "--data", minimal)
    assert result.stdout.startswith("<!doctype html>")
    assert result.stderr == ""


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
