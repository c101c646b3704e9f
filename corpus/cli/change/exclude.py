"""`corpus exclude`."""

from __future__ import annotations

from datetime import date

import click

from corpus.cli.change.asking import ask_cell
from corpus.cli.change.writing import change, fetched
from corpus.cli.options import (
    cascade_option,
    completing,
    data_option,
    dry_run_option,
    no_input_option,
    set_option,
)
from corpus.curation.edit.numbering import numbered_documents, numbered_rows
from corpus.curation.edit.proposal import assign
from corpus.curation.edit.rows import (
    coded_reasons,
    excluded,
    exclusion_cells,
    exclusion_log,
    from_entry,
    new_record,
    numbers_records,
    refuse_references,
)
from corpus.model.codebook import Column, TableSpec
from corpus.model.study import Study
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import writable_data


@click.command()
@click.argument("reference", metavar="KEY_OR_ID", shell_complete=completing("keys"))
@set_option("Give a cell; repeatable.")
@cascade_option
@no_input_option
@dry_run_option()
@data_option
def exclude(
    reference: str,
    assignments: tuple[str, ...],
    cascade: bool,
    no_input: bool,
    dry_run: bool,
    data: str | None,
) -> None:
    """Log a record as excluded; an entry of the pool moves into the log.

    It is named by its key; any other work by arXiv id, DOI or address.

    An entry of the pool leaves it, and its bibliography with it; where evidence or an audit
    refers to it, this needs --cascade. Where a table of the corpus codes the reasons, the
    record gets its row there. The number of the record goes to stdout. On another branch than the
    default one it is a name that tells the work, until `corpus number` after the merge.
    """
    folder = writable_data(data)
    corpus = load_corpus(folder)
    log = exclusion_log(corpus.codebook)
    key = ""
    if (reference,) in corpus.pool.by_key():
        key = reference
    # Before a service is asked and a question put: what would be refused costs nobody time.
    if key and not cascade:
        refuse_references(corpus, key)
    candidate = from_entry(corpus, key) if key else fetched(reference)
    of_log = exclusion_cells(candidate, corpus, date.today().isoformat())
    cells = {log.name: of_log}
    coded = coded_reasons(corpus.codebook)
    if coded is not None:
        cells[coded.name] = {}
    source = log.by_role("source")
    # Proposed from the service that was asked, which need not be a source of the protocol.
    if source and of_log.get(source.name) not in _choices(corpus, source):
        of_log.pop(source.name, None)
    given = assign(cells, assignments, corpus.codebook)
    if not no_input:
        for spec, column in _questions(log, coded):
            is_given = (spec.name, column.name) in given or column.name == log.key[0]
            if not is_given and not cells[spec.name].get(column.name):
                cells[spec.name][column.name] = ask_cell(
                    column, corpus.codebook, "", _choices(corpus, column)
                )

    def make(now: Study) -> dict[str, list[tuple[str, ...]]]:
        # The log may have grown while questions were answered: the number is that of now.
        if (log.name, log.key[0]) not in given:
            of_log[log.key[0]] = new_record(now.tables[log.name], of_log, numbers_records(folder))
        reason = cells[coded.name] if coded else None
        return excluded(now, of_log, key, reason)

    change(folder, make, dry_run, gone=[key] if key else ())
    if not dry_run:
        click.echo(of_log[log.key[0]])


@click.command()
@dry_run_option()
@data_option
def number(dry_run: bool, data: str | None) -> None:
    """Number the excluded records that a branch has added.

    Each takes the next running number, in the order in which they were screened; tables, claims and
    what is accepted follow. Run it on the default branch: on two others it would be the same one.
    """
    folder = writable_data(data)
    change(folder, numbered_rows, dry_run, documents=numbered_documents)


def _questions(log: TableSpec, coded: TableSpec | None) -> list[tuple[TableSpec, Column]]:
    """Return the columns to ask for, each with its table; the coded reasons come last."""
    found = [(log, column) for column in log.columns]
    if coded is not None:
        for column in coded.columns:
            if column.references != log.name:
                found.append((coded, column))
    return found


def _choices(corpus: Study, column: Column) -> list[str]:
    """Return what the protocol declares for a column of the log.

    Nothing where it declares none.
    """
    sections = {"source": "sources", "query_family": "query_families"}
    return list(corpus.declared_items("protocol", sections.get(column.role, "")))
