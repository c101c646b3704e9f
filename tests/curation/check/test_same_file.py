"""Two rows of an entry that answer apart from one file are shown to a reader."""

import pytest

from corpus.curation.check import compared
from corpus.curation.check.compared import read_same_file
from corpus.model.documents.section import read_settings
from corpus.model.finding import CorpusError
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full, full_of, sensor
from tests.support.checked import findings_of

POLICY = "puppeteer/inference/policy/REINFORCE_continuous.py"
#: Where two decisions of one entry were read: whom to ask next, and when to stop.
DELEGATE = f"figure 15; append_to_trajectory in {POLICY}, puppeteer/config/policy.json"
STOP = f"finalize_task in {POLICY}; terminator 0.5 in puppeteer/config/policy.json"


def found(*rows, apart=("field", "lab")):
    """Check rows of use, proof, place and sensor."""
    data = {"uses": {"place": "limit", "answer": "proof", "apart": list(apart)}}
    rows = {"uses": [(use, key, proof, place) for use, proof, place, key in rows]}
    study = full_of(sensor("ada"), sensor("bob"), rows=rows, **codebook_data(same_file=data))
    findings = findings_of([compared], {"uses": sheet_of(study.tables["uses"])}, study)
    return [(one.code, one.line, one.column, one.value, one.message) for one in findings]


def test_a_cost_that_was_read_for_one_decision_only_is_found():
    """Puppeteer's cost of each step was a signal of whom to ask, and none of when to stop."""
    delegate = ("dam", "field", DELEGATE, "ada")
    ((*place, message),) = found(delegate, ("farm", "lab", STOP, "ada"))
    assert place == ["C437", 3, "proof", "lab"]
    files = f"{POLICY}, puppeteer/config/policy.json"
    assert message.startswith(f"proof is 'lab', but dam, ada has field from the same {files}")
    assert found(delegate, ("farm", "field", STOP, "ada")) == []


@pytest.mark.parametrize("other", [
    ("farm", "lab", STOP, "bob"),
    ("farm", "lab", "", "ada"),
    ("farm", "lab", "arXiv:2505.19591v2, section 3.2; train.py", "ada"),
])  # fmt: skip
def test_another_entry_or_file_is_not_compared(other):
    assert found(("dam", "field", f"arXiv:2505.19591v2; {DELEGATE}", "ada"), other) == []


def test_answers_that_often_go_together_are_not_compared():
    rows = [("dam", "field", DELEGATE, "ada"), ("farm", "lab", STOP, "ada")]
    assert found(*rows, apart=["field"]) == []


def test_declared_names_are_looked_up():
    wrong = {
        "nowhere": {},
        "sensors": {"place": "name", "answer": "depth", "apart": ["surface"]},
        "uses": {"place": "far", "answer": "limit", "apart": []},
    }
    study = full(same_file=wrong)
    with pytest.raises(CorpusError) as error:
        read_settings(study.codebook, "same_file", read_same_file)
    assert sorted(one.column for one in error.value.findings) == [
        "same_file.nowhere",
        "same_file.sensors",
        "same_file.uses.answer",
        "same_file.uses.place",
    ]
    assert findings_of([compared], {"uses": sheet_of(study.tables["uses"])}, study) == []
