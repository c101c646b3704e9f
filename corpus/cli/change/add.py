"""`corpus add`."""

from __future__ import annotations

from datetime import date

import click

from corpus.cli.change.asking import ask_cell, confirm, show
from corpus.cli.change.writing import (
    certain_duplicate,
    described,
    fetched,
    known_works,
    named_record,
    refuse_record,
    report,
    report_findings,
    show_rows,
)
from corpus.cli.options import data_option, dry_run_option, no_input_option, set_option
from corpus.curation.edit.form import REFERENCE, parse_form
from corpus.curation.edit.proposal import (
    CHANGES,
    PROMOTIONS,
    Cells,
    assign,
    entry_tables,
    new_tables,
    propose,
    propose_key,
    set_key,
)
from corpus.curation.edit.revision import Make, preview, revise
from corpus.curation.edit.rows import added, would_be_tags
from corpus.curation.edit.source_record import with_source_record
from corpus.curation.importing.readers.bibtex.bibtex_works import MAX_CHARACTERS, bibtex_works
from corpus.curation.lookup.work import Work
from corpus.curation.retrieval.candidates import candidate_added
from corpus.model.codebook import TableSpec
from corpus.model.finding import RefusedChange, UsageProblem
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import writable_data


@click.command()
@click.argument("reference", required=False)
@click.option(
    "--bibtex",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Take the entries of a BibTeX file ('-': stdin).",
)
@click.option(
    "--form",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Take an issue opened with the form.",
)
@set_option("Give a cell; repeatable.")
@no_input_option
@click.option(
    "--promote", is_flag=True, help="Take a record out of the exclusion log where it is this work."
)
@dry_run_option()
@data_option
def add(
    reference: str | None,
    bibtex: str | None,
    form: str | None,
    assignments: tuple[str, ...],
    no_input: bool,
    promote: bool,
    dry_run: bool,
    data: str | None,
) -> None:
    """Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.

    REFERENCE is an arXiv id, a DOI, or an address of OpenReview or the ACL Anthology; or a
    record of the exclusion log, which then moves into the pool. Metadata is fetched, a
    key is proposed, the tags are asked for with their definitions. Duplicates are shown before
    anything is written, then what the new row would change. The keys of the new entries go to
    stdout. Where the corpus has a table of promotions, a work becomes a candidate until --set names
    the cell that it changes. A judgement in a table with one row per entry is written with --set
    TABLE.COLUMN=VALUE.
    """
    sources = [source for source in (reference, bibtex, form) if source]
    if len(sources) > 1:
        raise UsageProblem("give a reference, --bibtex or --form, not several of them")
    if "-" in (bibtex, form) and not no_input:
        raise UsageProblem(
            "the standard input is taken by '-', so nothing can be asked: add --no-input and --set"
        )
    folder = writable_data(data)
    corpus = load_corpus(folder)
    if form:
        reference, filled = _filled(form, corpus)
        assignments = (*filled, *assignments)
        if not promote:
            refuse_record(reference, corpus)
    for candidate, record in _candidates(reference, bibtex, corpus):
        entry = NewEntry(candidate, record, corpus, assignments, no_input)
        entry.fill(promote or bool(record))
        if entry.open_promotion():
            entry.write_candidate(dry_run)
        else:
            entry.write(dry_run)


def _filled(form: str, corpus: Study) -> tuple[str, list[str]]:
    """Return the reference and the cells that an issue gives."""
    with click.open_file(form, encoding="utf-8", errors="replace") as file:
        found = parse_form(file.read(200_000), corpus.codebook)
    reference = found.pop(REFERENCE, "")
    assignments = [f"{name}={value}" for name, value in found.items()]
    return reference, assignments


def _candidates(reference: str | None, bibtex: str | None, corpus: Study) -> list[tuple[Work, str]]:
    """Return the candidates, each with the excluded record that it was named by, if it was."""
    if bibtex is not None:
        with click.open_file(bibtex, "rb") as file:
            # A character takes at most four bytes.
            data = file.read(4 * MAX_CHARACTERS)
        return [(found, "") for found in bibtex_works(data, bibtex)]
    if not reference:
        return [(Work("hand"), "")]
    record = named_record(reference, corpus)
    if record is None:
        return [(fetched(reference), "")]
    key, identifier = record
    return [(fetched(identifier), key)]


class NewEntry:
    """One new entry: its cells, which of them somebody gave, the record it was excluded as."""

    def __init__(
        self,
        candidate: Work,
        record: str,
        corpus: Study,
        assignments: tuple[str, ...],
        no_input: bool,
    ) -> None:
        self.corpus = corpus
        self.candidate = candidate
        self.no_input = no_input
        self.book = corpus.codebook
        self.cells: Cells = propose(candidate, corpus)
        # Judgements about the entry may be given as well; nobody is asked for them.
        for spec in entry_tables(self.book):
            self.cells.setdefault(spec.name, {})
        self.pool = self.book.pool
        if record:
            tags = would_be_tags(corpus, record)
            self.cells[self.pool.name].update(tags)
        self.given = assign(self.cells, assignments, self.book)
        self.promoted = [record] if record else []

    @property
    def key(self) -> str:
        """The key of the new entry, as it is now."""
        own = self.cells[self.pool.name]
        return own.get(self.pool.key[0], "")

    def fill(self, promote: bool) -> None:
        """Show what is known, look for duplicates, ask for the rest."""
        for remark in self.candidate.remarks:
            show(f"{self.candidate.source}: {remark}")
        title = self.pool.by_role("title")
        may_ask_title = not self.no_input and not self.candidate.title
        if title is not None and may_ask_title:
            self._ask([(self.pool.name, title.name)])
        self._duplicates(promote)
        self._ask_promotion()
        if self.open_promotion():
            return
        if self.no_input:
            self._complete()
            return
        self._ask([place for place in self._columns() if self._is_open(*place)])
        self._ask_key()

    def open_promotion(self) -> str:
        """Return the place of the cell that nobody has named: such a work stays a candidate."""
        for spec in self.book.by_role(PROMOTIONS):
            column = spec.by_role(CHANGES)
            if column is not None and not self.cells[spec.name].get(column.name):
                return f"{spec.name}.{column.name}"
        return ""

    def _ask_promotion(self) -> None:
        """Ask which cell the new entry changes, and how."""
        question = "Does it change a cell of the taxonomy? If not, it becomes a candidate."
        if self.no_input or not self.open_promotion() or not confirm(question):
            return
        for spec in self.book.by_role(PROMOTIONS):
            places = [(spec.name, c.name) for c in spec.columns if c.required and c.type != "ref"]
            self._ask(places)

    def write_candidate(self, dry_run: bool) -> None:
        """Write the work as a candidate, and tell how it is promoted."""
        place = self.open_promotion()
        if self.promoted:
            raise UsageProblem(
                f"{', '.join(self.promoted)} is in the exclusion log; "
                f"name the cell that it changes in the pool: --set {place}=TERM"
            )
        found = self._described()
        key, _ = candidate_added(self.corpus, found)
        make: Make = lambda study: candidate_added(study, found)[1]  # noqa: E731
        if dry_run:
            show_rows(preview(self.corpus.root, make))
            return
        revision = revise(self.corpus.root, make)
        show(f"A candidate for now; --set {place}=TERM names the cell that it changes.")
        click.echo(f"written: {', '.join(revision.files)}", err=True)
        click.echo(key)

    def _is_open(self, table: str, column: str) -> bool:
        """Whether a cell is empty and nobody gave it, not even as empty."""
        return not self.cells[table].get(column) and (table, column) not in self.given

    def write(self, dry_run: bool) -> None:
        """Check the new rows, show what they change, write them."""
        if not self.no_input or dry_run:
            revision = preview(self.corpus.root, self._make())
            # Until the rows are right: what was typed before a mistake is not lost.
            while errors := [finding for finding in revision.findings if finding.is_error]:
                names = {finding.column for finding in errors}
                wrong = [(t, c) for t, c in self._columns(key=True) if c in names]
                if self.no_input or not wrong:
                    raise RefusedChange(errors)
                report_findings(errors)
                self._ask(wrong)
                revision = preview(self.corpus.root, self._make())
            report(revision)
            if dry_run:
                show_rows(revision)
                return
            click.confirm(f"Write {self.key}?", default=True, abort=True, err=True)
        revision = revise(self.corpus.root, self._make())
        if self.no_input:
            report(revision)
        for spec in self._tables_left_behind():
            show(
                f"{spec.title} has a row for every other entry; "
                f"give one with --set {spec.name}.COLUMN=VALUE, or add it to {spec.file}"
            )
        click.echo(f"written: {', '.join(revision.files)}", err=True)
        click.echo(self.key)

    def _tables_left_behind(self) -> list[TableSpec]:
        """Return the tables that had a row for each entry and get none for the new one."""
        others = set(self.corpus.entries)
        found: list[TableSpec] = []
        for spec in entry_tables(self.book):
            table = self.corpus.tables.get(spec.name)
            if spec is self.pool or table is None:
                continue
            has_cells = any(self.cells[spec.name].values())
            if has_cells:
                continue
            if others and others <= set(table.column(spec.key[0])):
                found.append(spec)
        return found

    def _make(self) -> Make:
        """Make the rows from the corpus as it is then: a key taken meanwhile is replaced."""
        # Whoever was asked for a key has chosen it.
        chosen = self._is_key_given() or not self.no_input

        def make(corpus: Study) -> dict[str, list[tuple[str, ...]]]:
            taken = {key[0] for key in corpus.pool.by_key()}
            if not chosen and self.key in taken:
                free = propose_key(self._described(), taken)
                set_key(self.cells, free, self.book)
            rows = added(corpus, self.cells, self.promoted)
            today = date.today().isoformat()
            return with_source_record(rows, corpus, self.candidate, self.key, today)

        return make

    def _columns(self, key: bool = False) -> list[tuple[str, str]]:
        """Return table and column of every cell that somebody can be asked for.

        The key only with `key`.
        """
        pool = self.pool
        found = []
        for column in pool.columns:
            if key or column.name not in pool.key:
                found.append((pool.name, column.name))
        for spec in new_tables(self.book)[1:]:
            own = spec.reference_to(pool)
            found += [(spec.name, column.name) for column in spec.columns if column != own]
        return found

    def _ask(self, places: list[tuple[str, str]]) -> None:
        for table, name in places:
            column = self.book.tables[table].column(name)
            self._complete()
            proposed = self.cells[table].get(name, "")
            self.cells[table][name] = ask_cell(column, self.book, proposed)

    def _complete(self) -> None:
        """Fill what follows from other cells, such as address and year from the identifier."""
        proposed = propose(self._described(), self.corpus)
        for table, cells in proposed.items():
            for name, cell in cells.items():
                if self._is_open(table, name):
                    self.cells[table][name] = cell

    def _is_key_given(self) -> bool:
        return (self.pool.name, self.pool.key[0]) in self.given

    def _ask_key(self) -> None:
        if not self._is_key_given():
            column = self.pool.column(self.pool.key[0])
            key = ask_cell(column, self.book, self.key)
            set_key(self.cells, key, self.book)

    def _described(self) -> Work:
        """The candidate as the cells describe it by now."""
        return described(self.candidate, self.cells, self.book)

    def _duplicates(self, promote: bool) -> None:
        """Name every work that this one may be; stop where the corpus certainly has it."""
        for work, kind in known_works(self.corpus, self.cells):
            record = work.sheet.key(work.position)
            excluded = work.sheet.spec.role == "exclusions"
            if record in self.promoted and excluded:
                continue
            if kind == "near":
                show(f"Nearly the same title: {work.name}")
                if not self.no_input and not confirm("Go on all the same?"):
                    raise click.Abort
                continue
            place = "Excluded" if excluded else "In the pool"
            show(f"{place}: {work.name}, the same by {kind}")
            if excluded and self._is_promoted(promote):
                self.promoted.append(record)
            else:
                raise certain_duplicate(work, kind, self.cells, self.book)

    def _is_promoted(self, promote: bool) -> bool:
        """Whether an excluded record is to enter the pool; asked for where it was not ordered."""
        if promote:
            return True
        return not self.no_input and confirm("Move the record from the log into the pool?")
