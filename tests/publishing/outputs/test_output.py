from corpus.publishing.outputs.build import data_sha256
from tests.support.built import sources


def test_text_files_name_their_generator_and_only_the_manifest_the_data(built):
    digest = data_sha256(sources(built / "data"))
    named = []
    for path in (built / "reports").iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix in (".md", ".tex", ".html", ".bib"):
            assert "corpus build" in text.splitlines()[0]
        if digest in text:
            named.append(path.name)
    assert named == ["manifest.json"]
