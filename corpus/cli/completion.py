"""What a shell may complete: keys, columns, filters, terms, claims and formats.

A completion never fails and never prints: without a corpus, or with a broken one, there is nothing
to offer.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from corpus.model.codebook import Codebook, Column, TableSpec, Texts
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study

#: What may be put on a command line as it is. A key such as ``$(reboot)`` must not: whoever wrote
#: the row is not whoever presses return.
_PLAIN = re.compile(r"[\w.,:/=!+-]+")
#: Where bash breaks a word that is one argument: COMP_WORDBREAKS has both by default.
_BREAKS = "=:"

#: Values, each with what a shell shows beside it.
Offers = Iterator[tuple[str, str]]
#: What is between the column and the value of a filter.
_OPERATOR = re.compile("([!<>]=?|=)")


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
            if joined and (is_break or last.endswith(tuple(_BREAKS))):
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
            kept = max(map(incomplete.rfind, _BREAKS)) + 1
        lines = []
        for item in self.get_completions(arguments, incomplete):
            lines.append(f"{item.type},{item.value[kept:]}")
        return "\n".join(lines)


def register() -> None:
    """Let click complete for bash as :class:`JoinedBashComplete` does."""
    add_completion_class(JoinedBashComplete, "bash")


def complete(what: str, context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return what fits, of a kind that a method of :class:`Completion` names; silent on problems.

    Of several values with commas the last one is completed.
    """
    from corpus.printing.escape import terminal

    before, comma, last = incomplete.rpartition(",")
    wanted = last.casefold()
    found: list[CompletionItem] = []
    try:
        offers = list(getattr(Completion(context, incomplete), what)())
    except (CorpusError, UsageProblem, OSError):
        return found
    for value, explanation in offers:
        # A value with other characters would be read as syntax by the shell.
        if value.casefold().startswith(wanted) and _PLAIN.fullmatch(before + comma + value):
            # Line breaks separate offers.
            line = terminal(" ".join(explanation.split()))
            found.append(CompletionItem(before + comma + value, help=line))
    return found


class Completion:
    """What may be offered, a method for each kind.

    Parameters
    ----------
    context : click.Context
        The arguments before.
    incomplete : str
        What is written so far.
    """

    def __init__(self, context: click.Context, incomplete: str) -> None:
        self.given = context.params
        self.incomplete = incomplete
        self.continues = "," in incomplete

    @cached_property
    def folder(self) -> str:
        """The folder of the corpus."""
        from corpus.tables.location import find_data

        return find_data(self.given.get("data"))

    @cached_property
    def book(self) -> Codebook:
        """The codebook of the corpus."""
        from corpus.tables.documents import read_codebook

        return read_codebook(self.folder)

    @property
    def study(self) -> Study:
        """The whole corpus."""
        from corpus.tables.corpus_reader import load_corpus

        return load_corpus(self.folder)

    @property
    def spec(self) -> TableSpec:
        """The table that the command is about: the one named by --table, else the pool."""
        named = self.given.get("name") or self.given.get("table")
        return self.book.tables.get(str(named), self.book.pool)

    def keys(self) -> Offers:
        """Offer the keys of entries."""
        for key, entry in self.study.entries.items():
            yield key, entry.title

    def columns(self) -> Offers:
        """Offer columns, several with commas."""
        for column in self.spec.columns:
            yield column.name, column.label

    def filters(self) -> Offers:
        """Offer columns with their operators; behind an operator the terms of the column."""
        # Bash would take an offered >= for a redirection: a range must be quoted by hand.
        yield from self._columns_or_terms(self.spec.columns, ("=", "!="))

    def assignments(self) -> Offers:
        """Offer ``COLUMN=`` of every table about an entry; behind the sign the terms."""
        specs = self.book.tables.values()
        yield from self._columns_or_terms(chain.from_iterable(s.columns for s in specs), ("=",))

    def _columns_or_terms(self, columns: Iterable[Column], signs: Texts) -> Offers:
        name, *written = _OPERATOR.split(self.incomplete, 1)
        for column in columns:
            if not written:
                for sign in signs:
                    yield column.name + sign, column.label
            elif column.name == name and column.type == "term":
                for term in self.book.vocabulary_of(column).terms:
                    # Of a list, only its last part is offered.
                    start = "" if self.continues else name + written[0]
                    yield start + term.id, term.definition

    def claims(self) -> Offers:
        """Offer claims."""
        from corpus.analysis.claims.evaluate import load_claims

        for claim in load_claims(self.study).claims:
            yield claim.id, claim.statement

    def formats(self) -> Offers:
        """Offer export formats."""
        from corpus.publishing.export.formats import FORMATS

        for name, format_ in FORMATS.items():
            yield name, format_.title
