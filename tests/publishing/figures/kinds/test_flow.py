import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.figures.figure import figure_plans
from corpus.publishing.figures.kinds.flow import UNCODED
from tests.corpora.full import codebook_data, full
from tests.support.drawn import data_of, drawn, texts


def test_a_flow_by_several_terms_per_cell_is_a_finding():
    with pytest.raises(CorpusError) as caught:  # an entry of two groups counts twice
        data_of(kind="flow", group="senses")
    assert [f.code for f in caught.value.findings] == ["C001"]


def test_the_rows_behind_a_flow():
    found = data_of(kind="flow", group="depth")
    assert [stage[1:4] for stage in found.stages] == [("title", 8, 2), ("text", 6, 1)]
    assert found.frame() == (
        ("box", "stage", "item", "records"),
        [
            ("audited", "", "", 8), ("reached", "title", "", 8), ("excluded", "title", "", 2), ("reached", "text", "", 6),
            ("excluded", "text", "", 1), ("retained", "", "", 5), ("group", "", "surface", 2), ("group", "", "shallow", 1),
            ("group", "", "deep", 1), ("group", "", "rock", 0), ("group", "", "none", 1),
        ],
    )  # fmt: skip


def test_a_record_of_no_known_stage_leaves_too_many():
    with pytest.raises(CorpusError) as caught:
        data_of({"dropped": [("x1", "title"), ("x2", "other")]}, kind="flow", group="depth")
    assert [(f.code, f.file) for f in caught.value.findings] == [("C801", "dropped.csv")]


def test_every_excluded_record_has_a_reason_or_is_drawn_as_not_coded():
    data = codebook_data()
    column = {"name": "record", "type": "ref", "references": "dropped", "definition": "Record."}
    why = {"name": "why", "type": "term", "vocabulary": "proof", "definition": "Why."}
    why["required"] = False
    data["tables"]["whys"] = {"file": "whys.csv", "key": ["record"], "columns": [column, why]}
    steps = {"it": {"kind": "flow", "group": "depth", "reasons": "whys", "reason": "why"}}

    def flow(*rows, **others):
        corpus = full({"whys": list(rows), **others}, tables=data["tables"], figures=steps)
        return figure_plans(corpus.codebook)["it"].data(corpus)

    rows = [("x1", "lab"), ("x2", "lab"), ("x3", "field")]
    assert [stage.reasons for stage in flow(*rows).stages] == [[("lab", 2)], [("field", 1)]]
    assert flow(*rows[:1], rows[2]).stages[0].reasons == [("lab", 1), (UNCODED, 1)]
    assert flow(rows[0], ("x2", ""), rows[2]).stages[0].reasons == [("lab", 1), (UNCODED, 1)]
    log = [("x1", "title"), ("x2", "title"), ("x3", "title")]
    assert flow(*rows, dropped=log).stages[0].reasons == [
        ("lab", 2),
        ("field", 1),
    ]  # most first, then by label
    assert flow(*rows[1:], dropped=log[1:]).stages[0].reasons == [("field", 1), ("lab", 1)]
    with pytest.raises(CorpusError) as caught:
        flow(*rows, ("x1", "field"))  # one record, two reasons
    assert [f.code for f in caught.value.findings] == ["C801"]


def test_the_flow_prints_every_number_of_its_record():
    words = " ".join(texts(drawn("screening"))).replace("\u00a0", " ")
    for number in (116, 100, 91, 85, 84, 16, 9, 6, 1, 42, 18, 10, 5, 3):
        assert f"(n = {number})" in words
