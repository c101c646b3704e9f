"""What is still to be written is one warning for each part of a document."""

import pytest

from corpus.curation.check.declarations import todo_findings

TEXT = """\
[corpus]
description = "TODO: what it is about"
[[tables.pool.columns]]
definition = "A list of TODO items."
# definition = "TODO"
[vocabularies.soil]
definition = "TODO: what the terms tell apart."
[[vocabularies.soil.terms]]
definition = "TODO: when a work gets this term."
"""


def test_each_part_with_open_texts_is_one_warning_at_its_first_line():
    findings = todo_findings(TEXT, "codebook.toml")
    assert [(f.code, f.line, f.value) for f in findings] == [
        ("C002", 2, "corpus"),
        ("C002", 7, "vocabularies.soil"),
    ]
    assert not any(finding.is_error for finding in findings)


@pytest.mark.parametrize(
    ("line", "is_open"),
    [
        ('definition = "TODO"', True),
        ("definition='TODO: when'", True),
        ('  { id = "wet", definition = "TODO" }, # one', True),
        ("terms = [{ id = 'wet', label = \"# 1\", definition = 'TODO' }]", True),
        ('definition = "TODOS of a bog"', False),
        ("definition = \"x = 'TODO'\"", False),
        ('definition = "wet" # = "TODO"', False),
        ('# definition = "TODO"', False),
        ('definition = "a list: TODO"', False),
    ],
)
def test_a_text_is_open_where_it_begins_with_todo(line, is_open):
    """In a table of one line as well, and not in a remark or inside another text."""
    found = [(one.line, one.value) for one in todo_findings(f"[a.b]\n{line}\n", "codebook.toml")]
    assert found == [(2, "a.b")] * is_open
