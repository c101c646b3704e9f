"""What is still to be written is one warning for each part of a document."""

from corpus.curation.check.todos import todo_findings

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


def test_a_document_that_is_written_has_none():
    assert todo_findings('[corpus]\ndescription = "Bogs."\n', "codebook.toml") == []
