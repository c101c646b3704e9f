"""Findings of the checks of some modules, about tables in memory."""

from corpus.curation.check.row_rules import form_findings
from corpus.curation.check.rule import Tables, checks_of
from corpus.model.study import Study


def findings_of(modules, sheets, study):
    """What the checks of modules find in tables, each by its name."""
    found = []
    for check in checks_of(*modules):
        found += check.findings(Tables(sheets, study))
    return found


def row_findings(sheet, book, *modules):
    """What is found about the rows of one table: order, form, and what the checks of modules find."""
    return [
        *form_findings(sheet),
        *findings_of(modules, {sheet.spec.name: sheet}, Study(book, {}, "")),
    ]
