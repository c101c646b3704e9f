"""A change of a corpus: made under the lock, checked, and written only if it adds no error."""

import os
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from corpus.curation.check.check import check_corpus
from corpus.curation.edit.form import stale_form
from corpus.model.finding import CorpusError, Finding, RefusedChange, new_findings
from corpus.model.study import Study
from corpus.tables.content import read_text
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook
from corpus.tables.git.snapshot import disk_opener, read_snapshot
from corpus.tables.location import shown_path
from corpus.tables.writing.lock import changed_files, locked, save
from corpus.tables.writing.writer import canonical_rows, csv_text

#: Returns the study after a change, with rows in any order, from the study as it is.
Make = Callable[[Study], Study]


class Revision(NamedTuple):
    """A change that was made, or in a dry run would be.

    Attributes
    ----------
    before, after : Study
        The study without and with it.
    findings : list of Finding
        What `corpus check` finds in the new state and not in the old one: warnings, or errors in a
        dry run.
    texts : mapping of str to str
        The files that change: path from the data folder -> new text.
    """

    before: Study
    after: Study
    findings: list[Finding]
    texts: Mapping[str, str]

    @property
    def files(self) -> list[str]:
        """The files that change, as they are shown."""
        return [shown_path(os.path.join(self.before.root, file)) for file in self.texts]

    @property
    def errors(self) -> list[Finding]:
        """The errors among the findings."""
        return [finding for finding in self.findings if finding.is_error]

    def consequences(self) -> list[str]:
        """Return the sentences of `corpus diff` about what it moves, every count included."""
        # The rules of terms in :mod:`corpus.curation.edit.row_edits` import this module.
        from corpus.curation.changes.delta import Delta
        from corpus.curation.changes.effects import claims, counts, documents

        delta = Delta.between(self.before, self.after)
        try:
            notes = [*documents.terms(delta), *claims.claims(delta), *counts.counts(delta)]
        except CorpusError:
            # A dry run may have rows that cannot be counted; its findings tell why.
            return []
        return [note.text for note in notes if note.subject == "counts" or not note.is_detail]

    def mentions(self, key: str) -> list[str]:
        """Return the lines of tables and documents that name a key which no entry has any more."""
        word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
        specs = self.after.codebook.tables.values()
        found = []
        for file in (*(spec.file for spec in specs), *self.after.source_files):
            path = os.path.join(self.before.root, file)
            text = self.texts.get(file) or read_text(path, shown_path(path))
            for number, line in enumerate(text.split("\n"), 1):
                if key in line and word.search(line):
                    found.append(f"{shown_path(path)}:{number}: {line.strip()}")
        return found

    def rows_csv(self) -> str:
        """Return the rows that it adds or replaces, each table under its header, as CSV."""
        parts = []
        for table in self.after.changed_tables(self.before):
            # A set: which rows are new does not depend on where sorting puts them.
            old = set(self.before.tables[table.spec.name].rows)
            new = [row for row in table.rows if row not in old]
            if new:
                parts.append(csv_text([table.spec.header, *new]))
        return "\n".join(parts)


def revise(data: str, make: Make) -> Revision:
    """Change tables of a data folder, codebook and documents; and the form that is made from these.

    Raises
    ------
    CorpusError
        Where the corpus cannot be read.
    RefusedChange
        Where the change would add an error; nothing is written then.
    UsageProblem
        Where another process holds the folder.
    """
    with locked(data, read_codebook(data)):
        revision = preview(data, make)
        if revision.errors:
            raise RefusedChange(revision.errors)
        save(data, revision.texts)
        return revision


def preview(data: str, make: Make) -> Revision:
    """Return what :func:`revise` would do, without writing; errors are among the findings."""
    before = load_corpus(data)
    after = make(before)
    ordered = {}
    for table in after.changed_tables(before):
        ordered[table.spec.name] = canonical_rows(table.rows, table.spec)
    after = after.with_rows(ordered)
    texts = changed_files(before, after)
    findings = added_findings(data, texts)
    if after.codebook is not before.codebook:
        texts |= stale_form(data, after.codebook)
    return Revision(before, after, findings, texts)


def added_findings(data: str, texts: Mapping[str, str]) -> list[Finding]:
    """Return the findings that a corpus has with new texts of some files, and not without.

    Lines are those of the new files.
    """
    # Two checks of small tables: the import of the schemas would take longer than both.
    known = check_corpus(data, schemas=False)
    contents = {file: text.encode() for file, text in texts.items()}
    state = read_snapshot("changed", disk_opener(data, contents), shown_path(data))
    return new_findings(check_corpus(state, schemas=False), known)
