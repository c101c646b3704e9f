import json

from corpus.publishing.export.tables import json as json_export
from tests.corpora.full import full


def test_the_document_has_rows_codebook_and_vocabularies():
    read = json.loads(json_export.export(full()))
    assert read["corpus"]["id"] == "soils"
    assert [row["sensor"] for row in read["tables"]["sensors"]] == [
        "ada",
        "bob",
        "cy",
        "dot",
        "eve",
    ]
    found = [term["id"] for term in read["codebook"]["vocabularies"]["depth"]["terms"]]
    assert found == ["surface", "shallow", "deep", "rock", "none"]
    assert read["codebook"]["tables"]["probes"]["key"] == ["sensor", "nr"]


def test_json_lines_have_one_typed_object_per_row():
    corpus = full()
    lines = json_export.export_table(corpus, corpus.tables["probes"]).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"sensor": "ada", "nr": 1, "taken": "2019-05"},
        {"sensor": "ada", "nr": 2, "taken": None},
        {"sensor": "dot", "nr": 1, "taken": "2021-01-31"},
    ]


def test_letters_are_written_as_they_are():
    """Whoever searches the lines for a word finds it."""
    corpus = full()
    assert "Warmth é 50%" in json_export.export_table(corpus, corpus.pool).decode()
