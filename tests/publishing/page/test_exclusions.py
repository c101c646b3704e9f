"""What was excluded, and what was corrected, as the page shows it."""

import re

from corpus.publishing.page.page import site_page
from corpus.publishing.page.sections import excluded_by_stage
from tests.corpora.full import codebook_data, full


def log_of(study):
    (table,) = study.by_role("exclusions")
    return excluded_by_stage(table, study.codebook)


def items(page):
    """Return the words of each record of the page."""
    found = re.findall(r'<li class="record" id="[^"]+">(.*?)</li>', page, re.S)
    return [" ".join(re.sub(r"<[^>]+>", " ", item).split()) for item in found]


def test_records_are_below_the_stage_that_excluded_them():
    log = log_of(full())
    assert [(stage.id, len(records)) for stage, records in log] == [("title", 2), ("text", 1)]
    page = site_page(full())
    assert items(page) == [
        "A meadow without a sensor How it was found Record x1 Found DOI:10.1234/meadow", "The hidden spring sensor of the west How it was found Record x2 Found arXiv:2107.00007", "How it was found Record x3",
    ]  # fmt: skip


def test_a_record_without_a_stage_is_shown_all_the_same():
    data = codebook_data()
    data["tables"]["dropped"]["columns"][1]["required"] = False
    log = log_of(full({"dropped": [("x1", "", "A title")]}, **data))
    assert [(stage.label, [record.title for record in records]) for stage, records in log] == [
        ("title", []), ("text", []), ("not given", ["A title"]),
    ]  # fmt: skip


def test_a_log_without_stages_has_one_part():
    data = codebook_data()
    del data["tables"]["dropped"]["columns"][1]["role"]
    log = log_of(full(**data))
    assert [(stage.id, stage.label, len(records)) for stage, records in log] == [
        ("all", "dropped", 3),
    ]  # fmt: skip


def test_reasons_and_rows_of_other_tables_are_with_their_record():
    data = codebook_data()
    data["tables"]["dropped"]["columns"][3]["role"] = "reason"
    data["tables"]["near"] = {
        "file": "near.csv",
        "title": "Near misses",
        "key": ["record"],
        "columns": [
            {"name": "record", "type": "ref", "references": "dropped", "definition": "Record."},
            {"name": "depth", "type": "term", "required": False, "definition": "Depth."},
            {"name": "why", "type": "text", "required": False, "definition": "Reason."},
        ],
    }
    page = site_page(full({"near": [("x1", "deep", ""), ("x3", "", "Too old.")]}, **data))
    one, other, last = items(page)
    assert (
        one
        == "A meadow without a sensor DOI:10.1234/meadow How it was found Record x1 Near misses Depth deep"
    )
    assert "Near misses" not in other
    assert last.endswith("Near misses Why Too old.")
