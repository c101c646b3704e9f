"""`corpus add`."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

import click

from corpus.cli.change.asking import (
    ask_cell,
    change,
    confirm,
    fetched,
    report,
    report_written,
    show,
    show_rows,
)
from corpus.cli.options import (
    Texts,
    dry_run_option,
    flag,
    no_input_option,
    option,
    own_study_option,
    report_findings,
    set_option,
)
from corpus.curation.edit.form import REFERENCE, parse_form
from corpus.curation.edit.new_entry import NewEntry, candidates_added, excluded_record
from corpus.curation.edit.proposal import PROMOTIONS, set_key
from corpus.curation.edit.revision import preview, revise
from corpus.curation.lookup.services import MAX_BYTES, bibtex_works
from corpus.curation.retrieval.candidates import CANDIDATES, candidate_added, candidate_key
from corpus.curation.screening.decisions import INCLUDE, read_screening
from corpus.model.finding import RefusedChange, UsageProblem, refuse_unknown, unknown
from corpus.model.study import Study
from corpus.model.work import Work


@click.command()
@click.argument("references", nargs=-1, metavar="[REFERENCE]...")
@flag("--include", "Add every candidate that readers include.")
@option(
    "--bibtex FILE",
    "Take the entries of a BibTeX file ('-': stdin).",
    type=click.Path(dir_okay=False, allow_dash=True),
)
@option(
    "--form FILE",
    "Take an issue opened with the form.",
    type=click.Path(dir_okay=False, allow_dash=True),
)
@set_option("Give a cell; repeatable.")
@no_input_option
@flag("--promote", "Take a record out of the exclusion log where it is this work.")
@dry_run_option()
@own_study_option
def add(
    references: Texts,
    include: bool,
    bibtex: str | None,
    form: str | None,
    assignments: Texts,
    no_input: bool,
    promote: bool,
    dry_run: bool,
    study: Study,
) -> None:
    """Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.

    REFERENCE is an arXiv id, a DOI, or an address of OpenReview or the ACL Anthology; or a
    record of the exclusion log, which then moves into the pool. Metadata is fetched, a
    key is proposed, the tags are asked for with their definitions. Keys of candidates may be
    several: nothing is fetched or asked, and tags that nobody gave are TODO, which `corpus check`
    lists. Duplicates are shown before
    anything is written, then what the new row would change. The keys of the new entries go to
    stdout. Where the corpus has a table of promotions, a work becomes a candidate until --set names
    the cell that it changes. A judgement in a table with one row per entry is written with --set
    TABLE.COLUMN=VALUE.
    """
    if sum(map(bool, (references, include, bibtex, form))) > 1:
        raise UsageProblem("give references, --include, --bibtex or --form, not several of them")
    if "-" in (bibtex, form) and not no_input:
        raise UsageProblem(
            "the standard input is taken by '-', so nothing can be asked: add --no-input and --set"
        )
    candidates = _chosen_candidates(references, include, study)
    if candidates:
        keys: list[str] = []

        def make(now: Study) -> Study:
            keys[:], after = candidates_added(now, candidates, assignments)
            return after

        change(study.root, make, dry_run)
        click.echo("\n".join(keys))
        return
    reference = "".join(references)
    record = None
    works = [Work("hand")]
    if form:
        with click.open_file(form, encoding="utf-8", errors="replace") as file:
            filled = parse_form(file.read(200_000), study.codebook)
        reference = filled.pop(REFERENCE, "")
        assignments = (*(f"{name}={cell}" for name, cell in filled.items()), *assignments)
    else:
        record = excluded_record(study, reference)
    if bibtex is not None:
        with click.open_file(bibtex, "rb") as file:
            works = bibtex_works(file.read(MAX_BYTES + 1), bibtex)
    elif record:
        cells = record.by_role
        works = [fetched(cells.get("identifier") or cells.get("url", ""))]
    elif reference:
        works = [fetched(reference)]
    for work in works:
        entry = NewEntry(work, study, assignments, record.key if record else "")
        _fill(entry, promote or record is not None, no_input)
        if entry.open_promotion:
            _write_candidate(entry, dry_run)
        else:
            _write_entry(entry, no_input, dry_run)


def _chosen_candidates(references: Sequence[str], include: bool, corpus: Study) -> list[str]:
    """Return the candidates that are meant; none where a work is named in another way."""
    if include:
        chosen = read_screening(corpus).with_outcome(INCLUDE)
        if not chosen:
            raise UsageProblem("readers include no candidate; `corpus screen` decides about them")
        return chosen
    known = list(chain.from_iterable(table.names() for table in corpus.by_role(CANDIDATES)))
    others = [reference for reference in references if reference not in known]
    if others and len(references) > 1:
        raise UsageProblem(unknown("candidate", others[0], known))
    return [] if others else list(dict.fromkeys(references))


def _fill(entry: NewEntry, promote: bool, no_input: bool) -> None:
    """Show what is known, look for duplicates, ask for the rest."""
    for remark in entry.candidate.remarks:
        show(f"{entry.candidate.source}: {remark}")
    title = entry.pool.by_role("title")
    if title is not None and not no_input and not entry.candidate.title:
        _ask(entry, [(entry.pool.name, title.name)])
    for work, kind in entry.same_works():
        if kind == "near":
            show(f"Nearly the same title: {work.name}")
            continue
        place = "Excluded" if work.is_excluded else "In the pool"
        show(f"{place}: {work.name}, the same by {kind}")
        question = "Move the record from the log into the pool?"
        if work.is_excluded and (promote or (not no_input and confirm(question))):
            entry.promoted.append(work.sheet.key(work.position))
        else:
            raise entry.duplicate(work, kind)
    question = "Does it change a cell of the taxonomy? If not, it becomes a candidate."
    if entry.open_promotion and not no_input and confirm(question):
        for spec in entry.book.by_role(PROMOTIONS):
            for column in spec.columns:
                if column.required and column.type != "ref":
                    _ask(entry, [(spec.name, column.name)])
    if entry.open_promotion:
        return
    if no_input:
        entry.complete()
        return
    key = (entry.pool.name, entry.pool.key[0])
    _ask(entry, [at for at in entry.columns() if at != key and entry.is_open(*at)])
    if not entry.is_key_given:
        set_key(entry.cells, ask_cell(entry.pool.column(key[1]), entry.book, entry.key), entry.book)


def _ask(entry: NewEntry, places: list[tuple[str, str]]) -> None:
    for table, name in places:
        column = entry.book.tables[table].column(name)
        entry.complete()
        entry.cells[table][name] = ask_cell(column, entry.book, entry.cells[table].get(name, ""))


def _write_candidate(entry: NewEntry, dry_run: bool) -> None:
    """Write the work as a candidate, and tell how it is promoted."""
    place, found = entry.open_promotion, entry.work
    if entry.promoted:
        raise UsageProblem(
            f"{', '.join(entry.promoted)} is in the exclusion log; "
            f"name the cell that it changes in the pool: --set {place}=TERM"
        )
    dropped = []
    for table, name in sorted(entry.given):
        column = entry.book.tables[table].column(name)
        cell = entry.cells[table].get(name, "")
        if column.type == "term":
            refuse_unknown("term", column.values(cell), entry.book.vocabulary_of(column).ids)
        if cell and column.role not in found.by_role():
            dropped.append(name)
    if dropped:
        show(f"A candidate keeps what identifies a work; not kept: {', '.join(dropped)}.")
    change(entry.study.root, partial(candidate_added, found=found), dry_run)
    if not dry_run:
        show(f"A candidate for now; --set {place}=TERM names the cell that it changes.")
        click.echo(candidate_key(found))


def _write_entry(entry: NewEntry, no_input: bool, dry_run: bool) -> None:
    """Check the new rows, show what they change, write them."""
    # Whoever was asked for a key has chosen it.
    make = partial(entry.added_to, chosen=not no_input)
    if not no_input or dry_run:
        # Until the rows are right: what was typed before a mistake is not lost.
        while errors := (revision := preview(entry.study.root, make)).errors:
            names = {finding.column for finding in errors}
            wrong = [place for place in entry.columns() if place[1] in names]
            if no_input or not wrong:
                raise RefusedChange(errors)
            report_findings(errors)
            _ask(entry, wrong)
        report(revision)
        if dry_run:
            show_rows(revision)
            return
        click.confirm(f"Write {entry.key}?", default=True, abort=True, err=True)
    revision = revise(entry.study.root, make)
    if no_input:
        report(revision)
    report_written(revision)
    click.echo(entry.key)
