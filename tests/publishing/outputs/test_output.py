import pytest

from corpus.publishing.outputs.build import build
from corpus.publishing.outputs.output import data_sha256
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
