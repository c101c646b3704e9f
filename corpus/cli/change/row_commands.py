"""Commands that change rows: `edit`, `exclude`, `number` and `accept`."""

from datetime import date
from functools import partial

import click

from corpus.cli.change.asking import ask_cell, change, fetched
from corpus.cli.options import (
    Texts,
    cascade_option,
    completing,
    dry_run_option,
    no_input_option,
    option,
    own_study_option,
    set_option,
)
from corpus.curation.check.accepted import with_accepted
from corpus.curation.check.check import check_corpus
from corpus.curation.edit.proposal import Cells, assign, entry_tables
from corpus.curation.edit.row_edits import (
    coded_reasons,
    edited,
    excluded,
    exclusion_cells,
    exclusion_log,
    from_entry,
    new_record,
    numbered,
    numbers_records,
    refuse_references,
)
from corpus.model.codebook import Column
from corpus.model.study import Study


@click.command()
@click.argument("key", shell_complete=completing("keys"))
@set_option("The new cell; repeatable.", required=True)
@option("--evidence TEXT", "Log the change as a correction, with what shows it.", default="")
@dry_run_option()
@own_study_option
def edit(key: str, assignments: Texts, evidence: str, dry_run: bool, study: Study) -> None:
    """Change cells of an entry.

    COLUMN is one of the pool, of the bibliography, or of another table with one row per entry;
    TABLE.COLUMN names a column that several have. Cells that repeat one another, such as a tag and
    the judgement of it, change together.

    A new key is carried into every table that refers to the entry, into claims, codebook and
    protocol, and into what is accepted. Lines that only mention it are listed.
    """
    study.entry(key)  # refuses an unknown key, with the nearest ones
    cells: Cells = {spec.name: {} for spec in entry_tables(study.codebook)}
    given = assign(cells, assignments, study.codebook)
    # What follows from other cells is not written: an edit changes what it was told to.
    changes: Cells = {}
    for name, column in sorted(given):
        changes.setdefault(name, {})[column] = cells[name][column]
    make = partial(edited, key=key, changes=changes, evidence=evidence)
    pool = study.codebook.pool
    new = changes.get(pool.name, {}).get(pool.key[0], key)
    gone = []
    if new != key:
        gone.append(key)
    change(study.root, make, dry_run, gone)


@click.command()
@click.argument("reference", metavar="KEY_OR_ID", shell_complete=completing("keys"))
@set_option("Give a cell; repeatable.")
@cascade_option
@no_input_option
@dry_run_option()
@own_study_option
def exclude(
    reference: str, assignments: Texts, cascade: bool, no_input: bool, dry_run: bool, study: Study
) -> None:
    """Log a record as excluded; an entry of the pool moves into the log.

    It is named by its key; any other work by arXiv id, DOI or address.

    An entry of the pool leaves it, and its bibliography with it; where evidence or an audit
    refers to it, this needs --cascade. Where a table of the corpus codes the reasons, the
    record gets its row there. The number of the record goes to stdout. On another branch than the
    default one it is a name that tells the work, until `corpus number` after the merge.
    """
    log, coded = exclusion_log(study.codebook), coded_reasons(study.codebook)
    gone = []
    if reference in study.entries:
        gone.append(reference)
        # Before a question is put: what would be refused costs nobody time.
        if not cascade:
            refuse_references(study, reference)
        candidate = from_entry(study, reference)
    else:
        candidate = fetched(reference)
    of_log = exclusion_cells(candidate, study, date.today().isoformat())
    specs = list(filter(None, (log, coded)))
    cells: Cells = {spec.name: {} for spec in specs}
    cells[log.name] = of_log
    source = log.by_role("source")
    # Proposed from the service that was asked, which need not be a source of the protocol.
    if source and of_log.get(source.name) not in _choices(study, source):
        of_log.pop(source.name, None)
    given = assign(cells, assignments, study.codebook)
    number = log.key[0]
    if not no_input:
        for spec in specs:
            row = cells[spec.name]
            for column in spec.columns:
                # The record is numbered, in the log and where the log is referred to.
                is_number = column.references == log.name or (spec is log and column.name == number)
                if not (is_number or row.get(column.name) or (spec.name, column.name) in given):
                    choices = _choices(study, column)
                    row[column.name] = ask_cell(column, study.codebook, "", choices)

    def make(now: Study) -> Study:
        # The log may have grown while questions were answered: the number is that of now.
        if (log.name, number) not in given:
            of_log[number] = new_record(now.tables[log.name], of_log, numbers_records(study.root))
        # Where no table codes reasons, the last one is the log, and nothing is coded.
        return excluded(now, of_log, gone, cells[specs[-1].name])

    change(study.root, make, dry_run, gone)
    if not dry_run:
        click.echo(of_log[number])


@click.command()
@dry_run_option()
@own_study_option
def number(dry_run: bool, study: Study) -> None:
    """Number the excluded records that a branch has added.

    Each takes the next running number, in the order in which they were screened; tables, claims and
    what is accepted follow. Run it on the default branch: on two others it would be the same one.
    """
    change(study.root, numbered, dry_run)


def _choices(corpus: Study, column: Column) -> list[str]:
    """Return what the protocol declares for a column of the log.

    Nothing where it declares none.
    """
    sections = {"source": "sources", "query_family": "query_families"}
    return list(corpus.declared_items("protocol", sections.get(column.role, "")))


@click.command()
@click.argument("code")
@click.argument("key", shell_complete=completing("keys"))
@click.argument("column", default="")
@option("--reason TEXT", "Why the warning is accepted.", required=True)
@dry_run_option("Write nothing; show the rows that would accept it.")
@own_study_option
def accept(code: str, key: str, column: str, reason: str, dry_run: bool, study: Study) -> None:
    """Accept a warning of `corpus check`, with the reason.

    CODE is that of the warning, KEY the key of its row, COLUMN its column where only one is meant.
    The rows go into the corpus' table of accepted warnings.
    """

    def make(now: Study) -> Study:
        return with_accepted(
            now, check_corpus(study.root, complete=True), code, key, column, reason
        )

    change(study.root, make, dry_run)
