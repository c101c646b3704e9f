"""Selections of claims, written as a claims file has them."""

from itertools import chain

from corpus.analysis.claims.claim import Selection, holding_one_of
from corpus.model.filters import Contains, Within
from tests.corpora.full import full

BOOK = full().codebook


def select(
    table,
    where=None,
    without=None,
    contains=None,
    between=None,
    agrees_on=(),
    differs_on=(),
    label="",
    book=BOOK,
):
    """Select rows of the full made-up corpus, or of a table of another codebook."""
    spec = book.tables[table]
    filters = [
        *holding_one_of(spec, where or {}),
        *holding_one_of(spec, without or {}, negated=True),
    ]
    filters += [Contains(spec.column(name), text) for name, text in (contains or {}).items()]
    filters += [Within(spec.column(name), *bounds) for name, bounds in (between or {}).items()]
    agrees = dict.fromkeys(agrees_on, True) | dict.fromkeys(differs_on, False)
    label = label or " ".join([table, *chain.from_iterable(one.named for one in filters)])
    return Selection(table, tuple(filters), agrees, label)
