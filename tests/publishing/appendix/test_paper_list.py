"""The list of entries to read."""

from corpus.publishing.appendix.appendix import paper_list
from tests.corpora.full import codebook_data, full


def test_missing_values_leave_no_stray_punctuation():
    data = codebook_data()
    data["tables"]["sensors"]["columns"][2] |= {"role": "group", "required": False}
    rows = [("ada", "Ada", "", ""), ("bob", "Bob", "deep", "heat")]
    text = paper_list(
        full({"sensors": rows, "judged": [], "uses": [], "ranges": [], "dated": []}, **data)
    )
    assert [line for line in text.splitlines() if line][1:] == [
        "## deep (1)",
        "To 10 m.",
        "- **Bob**.",
        "  <sub>`bob` · Senses: heat</sub>",
        "## not given (1)",
        "- **Ada**.",
        "  <sub>`ada`</sub>",
    ]
