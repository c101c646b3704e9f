"""What a shell may complete: keys, columns, and terms behind a column and its operator.

A completion never fails and never prints: without a corpus, or with a broken one, there is nothing
to offer.
"""

import re
from collections.abc import Iterator

import click
from click.shell_completion import CompletionItem

from corpus.model.codebook import Column
from corpus.model.finding import CorpusError, UsageProblem

#: What may be put on a command line as it is. A key such as ``$(reboot)`` must not: whoever wrote
#: the row is not whoever presses return.
_PLAIN = re.compile(r"[\w.,:/=!+-]+")
#: What is between the column and the value of a filter.
_OPERATOR = re.compile("([!<>]=?|=)")


def complete(what: str, context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return what fits: `keys` of entries, `columns`, `filters` or `assignments`.

    Of several values with commas the last one is completed.
    """
    before, comma, last = incomplete.rpartition(",")
    try:
        offers = list(_offers(what, context.params, incomplete))
    except (CorpusError, UsageProblem, OSError):
        return []
    fitting = [value for value in offers if value.casefold().startswith(last.casefold())]
    whole = [before + comma + value for value in fitting]
    # A value with other characters would be read as syntax by the shell.
    return [CompletionItem(value) for value in whole if _PLAIN.fullmatch(value)]


def _offers(what: str, given: dict[str, object], incomplete: str) -> Iterator[str]:
    # Only a shell that asks pays for them.
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.documents import read_codebook
    from corpus.tables.location import find_data

    data = given.get("data")
    folder = find_data(str(data) if data else None)
    if what == "keys":
        yield from load_corpus(folder).entries
        return
    book = read_codebook(folder)
    named = given.get("name") or given.get("table")
    columns: list[Column] = [*book.tables.get(str(named), book.pool).columns]
    if what == "columns":
        yield from (column.name for column in columns)
        return
    if what == "assignments":
        columns = [column for spec in book.tables.values() for column in spec.columns]
    name, *written = _OPERATOR.split(incomplete, maxsplit=1)
    for column in columns:
        if not written:
            yield f"{column.name}="
        elif column.name == name:
            # Of a list, only its last part is offered.
            start = "" if "," in incomplete else name + written[0]
            yield from (start + term for term in book.terms_of(column))
