"""`corpus term`: change the vocabularies of a corpus."""

from __future__ import annotations

import click

from corpus.cli.change.writing import change
from corpus.cli.options import completing, data_option, dry_run_option
from corpus.curation.edit.named_places import numbers_of_term, renamed_texts
from corpus.curation.edit.renaming import renamed_term
from corpus.curation.edit.rows import with_renamed_term
from corpus.model.codebook import Vocabulary
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.suggestions import unknown
from corpus.model.table import Row
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shown_path, writable_data
from corpus.tables.writing.atomic import write_all_atomic


@click.group()
def term() -> None:
    """Rename or merge terms wherever the corpus names them."""


@term.command()
@click.argument("column", shell_complete=completing("axes"))
@click.argument("old")
@click.argument("new")
@dry_run_option()
@data_option
def rename(column: str, old: str, new: str, dry_run: bool, data: str | None) -> None:
    """Give a term another name, in codebook, tables and documents.

    COLUMN is a column with the term. Every column of the same vocabulary follows, and so do groups,
    rules, claims, figures and accepted warnings: the places that their readers resolve as the term,
    never the same word elsewhere. Label and definition stay. Markers and macros in texts beside
    the data get the new names of numbers.
    """
    folder = writable_data(data)
    vocabulary = _vocabulary(load_corpus(folder), column)
    if new in vocabulary.ids:
        raise UsageProblem(
            f"{column} has a term {new!r} already; `corpus term merge` makes two terms one"
        )
    _change(folder, vocabulary, column, (old,), new, dry_run)


@term.command()
@click.argument("column", shell_complete=completing("axes"))
@click.argument("olds", nargs=-1, required=True, metavar="OLD...")
@click.argument("new")
@dry_run_option()
@data_option
def merge(column: str, olds: tuple[str, ...], new: str, dry_run: bool, data: str | None) -> None:
    """Make several terms one: NEW, which the vocabulary has already.

    Every place that names one of the others names NEW then, as after a renaming; a list, a group
    or a cell that would name it twice does so once. Claims that no longer hold are named: correct
    them and the texts that make them.
    """
    folder = writable_data(data)
    vocabulary = _vocabulary(load_corpus(folder), column)
    if new not in vocabulary.ids:
        raise UsageProblem(f"{column}: {unknown('term', new, vocabulary.ids)}")
    if new in olds or vocabulary.not_applicable in olds:
        raise UsageProblem("neither NEW nor the term for 'does not apply' can become another one")
    _change(folder, vocabulary, column, olds, new, dry_run)


def _change(
    folder: str, vocabulary: Vocabulary, column: str, olds: tuple[str, ...], new: str, dry_run: bool
) -> None:
    """Rename or merge in codebook, tables and documents, then in the texts beside the data."""
    for old in olds:
        if old not in vocabulary.ids:
            raise UsageProblem(f"{column}: {unknown('term', old, vocabulary.ids)}")

    def make(study: Study) -> dict[str, list[Row]]:
        return with_renamed_term(study, vocabulary.id, olds, new)

    def documents(study: Study) -> dict[str, str]:
        return renamed_term(study, vocabulary.id, olds, new)

    before = load_corpus(folder)
    new_names: dict[str, str] = {}
    for old in olds:
        new_names |= numbers_of_term(before, vocabulary.id, old, new)
    revision = change(folder, make, dry_run, gone=olds, documents=documents, is_term=True)
    texts = renamed_texts(before, new_names)
    for path in texts:
        click.echo(f"Numbers with new names in {shown_path(path)}", err=True)
    if not dry_run and revision.files:
        write_all_atomic(texts)


def _vocabulary(study: Study, name: str) -> Vocabulary:
    """Return the vocabulary of a column of the pool or, by its own name, of any other."""
    book = study.codebook
    for spec in (book.pool, *book.tables.values()):
        for column in spec.term_columns:
            if column.name == name:
                return book.vocabulary_of(column)
    known = sorted({one.name for spec in book.tables.values() for one in spec.term_columns})
    raise UsageProblem(unknown("column with terms", name, known))
