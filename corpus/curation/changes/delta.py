"""Two states of a corpus, and what is derived from both: made once, each part worked out once.

The effects of a change (:mod:`corpus.curation.changes.effects`) ask a delta, and yield notes.
"""

import posixpath
from dataclasses import dataclass
from functools import cached_property, partial

from corpus.analysis.claims.releases import Release, opened_releases
from corpus.curation.changes.declared import CODEBOOK, DeclarationChange, declaration_changes
from corpus.curation.changes.files import FileChange, changed_files, compared_files
from corpus.curation.changes.row_changes import RowChanges, compare_rows
from corpus.curation.changes.terms import RenamedTerm, follow_terms, with_new_names
from corpus.curation.check.accepted import NewRows, new_acceptances, without_rows
from corpus.curation.check.check import check_corpus
from corpus.curation.edit.renaming import renamed_acceptances
from corpus.model.finding import CorpusError, Finding, new_findings
from corpus.model.study import Study
from corpus.tables.git.repository import Repository, folder_snapshot, named_snapshot
from corpus.tables.git.snapshot import Snapshot, disk_opener
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FILE

#: The findings of one of several states that are checked.
_checked = partial(check_corpus, schemas=False, complete=True)


@dataclass(frozen=True)
class Delta:
    """A change of a corpus.

    Attributes
    ----------
    before, after : Snapshot
        The two states as they are.
    files : tuple of FileChange or None
        Every file that differs, compared or not; None where nobody can tell.
    data : str
        The data folder.
    """

    before: Snapshot
    after: Snapshot
    files: tuple[FileChange, ...] | None = None
    data: str = ""

    @classmethod
    def of(cls, data: str, base: str | None = None, head: str | None = None) -> "Delta":
        """Read two states: revisions, folders or files; see `corpus diff`."""
        if base is None:
            # Where a branch left its base: what was merged there since is not this change.
            repository = Repository(data)
            before = repository.snapshot(*repository.merge_base(), may_lack=True)
        else:
            before = named_snapshot(base, data, may_lack=True)
        after = folder_snapshot(data) if head is None else named_snapshot(head, data)
        files = None
        if head is None or after.commit:
            files = changed_files(data, before.commit, after.commit)
        return cls(before, after, files, data)

    @classmethod
    def between(cls, before: Study, after: Study) -> "Delta":
        """Return the delta of two studies in memory."""
        old, new = (
            Snapshot(label, study, (), frozenset(), disk_opener(study.root))
            for label, study in (("now", before), ("then", after))
        )
        return cls(old, new)

    # The rows and what they are called.

    @cached_property
    def unread(self) -> frozenset[str]:
        """Files that one state could not read: nothing is told about what the other has there."""
        return self.before.unread | self.after.unread

    @cached_property
    def _followed(self) -> tuple[Study, list[RenamedTerm]]:
        return follow_terms(self.before.corpus, self.after.corpus)

    @property
    def terms(self) -> list[RenamedTerm]:
        """Terms that have another name; everything else is compared under the newer ones."""
        return self._followed[1]

    @cached_property
    def old(self) -> Study:
        """The older state under the newer terms, without what cannot be compared."""
        return self._followed[0].without_files(self.unread)

    @cached_property
    def new(self) -> Study:
        """The newer state without what cannot be compared."""
        return self.after.corpus.without_files(self.unread)

    @cached_property
    def rows(self) -> RowChanges:
        """The rows that differ, and the renamed keys that were followed."""
        return compare_rows(self.old, self.new)

    @cached_property
    def declared(self) -> list[DeclarationChange]:
        """What codebook and documents declare otherwise, renamed keys in claims aside."""
        found = declaration_changes(self.old, self.new)
        if not self.rows.renamed:
            return found
        # A claim that still has the old key differs from what it should be, yet has not changed.
        changed = {(change.document, change.path) for change in found}
        followed = declaration_changes(self.carried, self.new)
        return [change for change in followed if (change.document, change.path) in changed]

    @cached_property
    def documents(self) -> dict[str, str]:
        """The documents that differ, by name, and their files."""
        old, new = self.old, self.new
        files = {**old.codebook.documents, **new.codebook.documents}
        names = sorted({*old.documents, *new.documents})
        found = {n: files[n] for n in names if old.documents.get(n) != new.documents.get(n)}
        if old.codebook._replace(file=new.codebook.file) != new.codebook:
            found = {CODEBOOK: CODEBOOK_FILE, **found}
        return dict(sorted(found.items()))

    @cached_property
    def compared(self) -> set[str]:
        """The files below the data folder that are compared by their content."""
        return compared_files(self.before.corpus.codebook, self.after.corpus.codebook)

    @cached_property
    def told(self) -> set[str]:
        """Those of them about which this delta has a difference to tell, or cannot be read."""
        specs = {**self.old.codebook.tables, **self.new.codebook.tables}
        files = {specs[row.table].file for row in self.rows.rows}
        if self.terms or self.rows.renamed:  # followed in whatever names them
            files |= self.compared
        before, after = self.releases
        place = self.path(RELEASES_FILE)
        if before != after or any(finding.file == place for finding in self.findings):
            files.add(RELEASES_FILE)
        return {*map(posixpath.normpath, files), *self.documents.values(), *self.unread}

    # What is checked.

    @cached_property
    def waivers(self) -> NewRows:
        """What the change itself accepts. Nobody else has agreed to it, so it accepts nothing."""
        older = renamed_acceptances(self.old, self.rows.renamed)
        return new_acceptances(self.old.with_rows(older), self.new)

    @cached_property
    def without_new_waivers(self) -> Study:
        """The newer state with the acceptances that count."""
        return without_rows(self.new, self.waivers)

    @cached_property
    def findings(self) -> list[Finding]:
        """What is wrong with the newer state."""
        return _checked(self.after.folder or self.after, unaccepted=self.waivers)

    @cached_property
    def inherited(self) -> list[Finding]:
        """Those of the findings that the older state has as well."""
        if not self.findings:  # only where something is wrong is the older state checked as well
            return []
        roots = (self.before.corpus.root, self.after.corpus.root)
        known = []
        for finding in _checked(self.before.folder or self.before):
            known.append(finding._replace(file=finding.file.replace(*roots)))
        own = new_findings(self.findings, known)
        return [finding for finding in self.findings if finding not in own]

    @cached_property
    def releases(self) -> tuple[tuple[Release, ...], tuple[Release, ...]]:
        """The releases of both states, the oldest first.

        A newer list that cannot be read is an error of its own: it is taken to be the older one.
        """
        before = _releases(self.before) or ()
        after = _releases(self.after)
        return before, before if after is None else after

    # What is counted.

    @property
    def is_countable(self) -> bool:
        """Whether both states can be counted."""
        return self.before.countable and self.after.countable

    @cached_property
    def carried(self) -> Study:
        """The older state with the newer keys of entries, also in its claims."""
        return with_new_names(self.old, self.rows.renamed)

    def path(self, file: str) -> str:
        """Return a file of the data folder as findings name it."""
        return posixpath.join(self.after.corpus.root, file)


def _releases(state: Snapshot) -> tuple[Release, ...] | None:
    try:
        return opened_releases(state.opener, state.corpus.root)
    except CorpusError:  # of the newer state, `corpus check` reports it
        return None
