import json

from corpus.publishing.export.tables import json as json_export
from tests.corpora.bogs import bogs


def test_the_document_has_rows_codebook_and_vocabularies():
    read = json.loads(json_export.export(bogs()))
    assert read["corpus"]["id"] == "bogs"
    assert [row["site"] for row in read["tables"]["sites"]] == ["adder", "black", "crane"]
    found = [term["id"] for term in read["codebook"]["vocabularies"]["peat"]["terms"]]
    assert found == ["moss", "sedge", "NA"]
    assert read["codebook"]["tables"]["probes"]["key"] == ["site", "nr"]


def test_json_lines_have_one_typed_object_per_row():
    corpus = bogs()
    lines = json_export.export_table(corpus, corpus.tables["probes"]).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"site": "adder", "nr": 1, "taken": "2019-05"},
        {"site": "adder", "nr": 2, "taken": None},
        {"site": "crane", "nr": 1, "taken": "2021-01-31"},
    ]
