"""What a shell may complete: keys, columns, filters, terms, claims, tables and releases.

A completion never fails and never prints: without a corpus, or with a broken one, there is nothing
to offer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError, UsageProblem

#: What may be put on a command line as it is. A key such as ``$(reboot)`` must not: whoever wrote
#: the row is not whoever presses return.
_PLAIN = re.compile(r"[\w.,:/=!+-]+")
#: Where bash breaks a word that is one argument: COMP_WORDBREAKS has both by default.
_BREAKS = "=:"

#: Values, each with what a shell shows beside it.
Offers = Iterator[tuple[str, str]]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


class JoinedBashComplete(BashComplete):
    """Completion for bash, which hands over ``category=rl`` as three words.

    The words are joined again before click looks at them, and only what follows the break is
    offered, since bash keeps the rest on the line.
    """

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the arguments before the incomplete one, and that one, joined again."""
        before, incomplete = super().get_completion_args()
        joined: list[str] = []
        for word in (*before, incomplete):
            is_break = word != "" and set(word) <= set(_BREAKS)
            last = joined[-1] if joined else ""
            follows_break = last.endswith(tuple(_BREAKS))
            if joined and (is_break or follows_break):
                joined[-1] += word
            else:
                joined.append(word)
        return joined[:-1], joined[-1]

    def complete(self) -> str:
        """Return the offers, each without what bash keeps on the line."""
        arguments, incomplete = self.get_completion_args()
        kept = 0
        # Of --format=json click offers the value alone.
        if not incomplete.startswith("-"):
            kept = max(incomplete.rfind(character) for character in _BREAKS) + 1
        lines: list[str] = []
        for item in self.get_completions(arguments, incomplete):
            lines.append(f"{item.type},{item.value[kept:]}")
        return "\n".join(lines)


def register() -> None:
    """Let click complete for bash as :class:`JoinedBashComplete` does."""
    add_completion_class(JoinedBashComplete, "bash")


def _offering(offer: Callable[[click.Context, str], Offers]) -> Completer:
    """Turn a generator of offers into what click calls: matching, and silent about problems."""

    def complete(
        context: click.Context, _parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            offers = list(offer(context, incomplete))
        except (CorpusError, UsageProblem, OSError):
            return []
        from corpus.printing.escape import terminal

        wanted = incomplete.casefold()
        found: list[CompletionItem] = []
        for value, explanation in offers:
            # A value with other characters would be read as syntax by the shell.
            if value.casefold().startswith(wanted) and _PLAIN.fullmatch(value):
                # Line breaks separate offers.
                line = terminal(" ".join(explanation.split()))
                found.append(CompletionItem(value, help=line))
        return found

    return complete


def _folder(context: click.Context) -> str:
    from corpus.tables.location import find_data

    return find_data(context.params.get("data"))


def _book(context: click.Context) -> Codebook:
    from corpus.tables.documents import read_codebook

    return read_codebook(_folder(context))


def _study(context: click.Context) -> Any:
    from corpus.tables.corpus_reader import load_corpus

    return load_corpus(_folder(context))


def _spec(context: click.Context, book: Codebook) -> TableSpec:
    """Return the table that the command is about: the one named by --table, else the pool."""
    named = context.params.get("name") or context.params.get("table")
    if isinstance(named, str) and named in book.tables:
        return book.tables[named]
    return book.pool


def _listed(names: Iterable[tuple[str, str]], incomplete: str) -> Offers:
    """Offer names for the last part of a list with commas; what is before it stays."""
    before, comma, _ = incomplete.rpartition(",")
    for name, help_ in names:
        yield before + comma + name, help_


@_offering
def keys(context: click.Context, _incomplete: str) -> Offers:
    """Offer the keys of entries."""
    study = _study(context)
    for entry in study.entries.values():
        yield entry.key, entry.by_role("title")


@_offering
def records(context: click.Context, _incomplete: str) -> Offers:
    """Offer the keys of entries and excluded records."""
    from corpus.analysis.counting.records import all_records

    for record in all_records(_study(context)):
        yield record.key, record.title


@_offering
def columns(context: click.Context, incomplete: str) -> Offers:
    """Offer columns, several with commas."""
    names = [(column.name, column.label) for column in _spec(context, _book(context)).columns]
    if "," not in incomplete:
        names.append(("all", "every column"))
    yield from _listed(names, incomplete)


@_offering
def sorting(context: click.Context, incomplete: str) -> Offers:
    """Offer columns to sort by."""
    _, _, last = incomplete.rpartition(",")
    sign = "-" if last.startswith("-") else ""
    for column in _spec(context, _book(context)).columns:
        yield from _listed([(sign + column.name, column.label)], incomplete)


@_offering
def axes(context: click.Context, _incomplete: str) -> Offers:
    """Offer axes of the pool."""
    for column in _book(context).pool.axes:
        yield column.name, column.label


@_offering
def tables(context: click.Context, _incomplete: str) -> Offers:
    """Offer tables."""
    for spec in _book(context).tables.values():
        yield spec.name, spec.title


@_offering
def filters(context: click.Context, incomplete: str) -> Offers:
    """Offer columns with their operators; behind an operator the terms of the column."""
    book = _book(context)
    spec = _spec(context, book)
    name, operator, value = _split(incomplete)
    if not operator:
        for column in spec.columns:
            # Bash would take an offered >= for a redirection: a range must be quoted by hand.
            for sign in ("=", "!="):
                yield column.name + sign, column.label
        return
    if name in spec.header:
        for term, definition in _values(spec.column(name), book, value):
            yield name + operator + term, definition


@_offering
def assignments(context: click.Context, incomplete: str) -> Offers:
    """Offer ``COLUMN=`` of every table about an entry; behind the sign the terms."""
    book = _book(context)
    name, sign, value = incomplete.partition("=")
    for spec in book.tables.values():
        for column in spec.columns:
            if not sign:
                yield column.name + "=", column.label
            elif column.name == name:
                for term, definition in _values(column, book, value):
                    yield f"{name}={term}", definition


def _split(text: str) -> tuple[str, str, str]:
    """Split a filter that is being written into column, operator and value."""
    for position, character in enumerate(text):
        if character in "!<>=":
            end = position + 1
            if text[end : end + 1] == "=" and character != "=":
                end += 1
            return text[:position], text[position:end], text[end:]
    return text, "", ""


def _values(column: Column, book: Codebook, value: str) -> Offers:
    if column.type == "term":
        terms = book.vocabulary_of(column).terms
        offered = [(term.id, term.definition) for term in terms]
        yield from _listed(offered, value)


@_offering
def claims(context: click.Context, _incomplete: str) -> Offers:
    """Offer claims."""
    from corpus.analysis.claims.evaluate import load_claims

    for claim in load_claims(_study(context)).claims:
        yield claim.id, claim.statement


@_offering
def releases(context: click.Context, _incomplete: str) -> Offers:
    """Offer releases."""
    from corpus.analysis.claims.releases import read_releases

    for release in read_releases(_folder(context)):
        yield release.id, release.text


@_offering
def formats(_context: click.Context, _incomplete: str) -> Offers:
    """Offer export formats."""
    from corpus.publishing.export.formats import FORMATS

    for name, format_ in FORMATS.items():
        yield name, format_.title


@_offering
def codes(_context: click.Context, _incomplete: str) -> Offers:
    """Offer codes of findings."""
    from corpus.cli.check.catalogue import catalogue

    for code, rule in catalogue().items():
        yield code, rule.title
