import pytest

from corpus.publishing.outputs.build import build
from corpus.publishing.outputs.output import Output, read_output
from corpus.publishing.outputs.sources import data_sha256
from corpus.tables.documents import read_codebook
from tests.support.built import sources

pytestmark = pytest.mark.usefixtures("without_latex", "without_figures")


def test_text_files_name_their_generator_and_only_the_manifest_the_data(minimal):
    build(sources(minimal), str(minimal.parent))
    digest = data_sha256(str(minimal), read_codebook(str(minimal)))
    named = []
    for path in (minimal.parent / "reports").iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix in (".md", ".tex", ".html", ".bib"):
            assert "corpus build" in text.splitlines()[0]
        if digest in text:
            named.append(path.name)
    assert named == ["manifest.json"]


@pytest.mark.parametrize(("path", "head"), [
    ("reports/a.md", "<!-- Made by corpus build (corpus stats); do not edit. -->\n"),
    ("reports/a.html", "<!-- Made by corpus build (corpus stats); do not edit. -->\n"),
    ("reports/a.tex", "% Made by corpus build (corpus stats); do not edit.\n"),
    ("reports/a.bib", "% Made by corpus build (corpus stats); do not edit.\n"),
    ("figures/a.csv", ""),
    ("figures/a.svg", ""),
])  # fmt: skip
def test_the_head_is_a_comment_of_the_format(path, head):
    for made in ("é\n", iter(["é", "\n"])):
        output = Output(path, "A", "corpus stats", lambda _, made=made: made)
        assert output.content(None) == f"{head}é\n".encode()


def test_bytes_are_written_as_they_are():
    output = Output("reports/a.md", "A", "x", lambda _: b"\xff")
    assert output.content(None) == b"\xff"


def test_a_file_that_does_not_exist_has_no_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    assert (read_output(str(tmp_path), "a"), read_output(str(tmp_path), "b")) == (b"1", None)
