import json

from corpus.publishing.export.tables import json as json_export
from tests.corpora.full import full


def test_json_lines_have_one_typed_object_per_row():
    corpus = full()
    lines = json_export.export_table(corpus, corpus.tables["probes"]).decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"sensor": "ada", "nr": 1, "taken": "2019-05"},
        {"sensor": "ada", "nr": 2, "taken": None},
        {"sensor": "dot", "nr": 1, "taken": "2021-01-31"},
    ]
