"""Claims drafted from a text: for each of its numbers, the rows of the corpus that give it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter
from typing import Any

import tomlkit

from corpus.analysis.numbers.quantities import (
    SHARE,
    Quantity,
    quantities_of,
    sentences,
    stems,
    stems_of,
    whole_of,
)
from corpus.curation.edit.renaming import with_texts
from corpus.curation.importing.names import key_name
from corpus.model.codebook import TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.publishing.manuscript.lexicon import Condition, Lexicon
from corpus.publishing.manuscript.running_text import running_text
from corpus.publishing.manuscript.statements import EXCLUDED, PLAIN, REFERENCES

#: So many proposals are shown for a number; so many conditions that a sentence names are combined.
_SHOWN, _COMBINED = 3, 5
#: What a condition costs of which no word is in the sentence; one with all of them gains 1.
_PRICE = 0.4
_YES_OR_NO = ("yes", "no")


@dataclass(frozen=True)
class Proposal:
    """Rows that give a number: their filters, how many they are, and of which rows a share."""

    rows: _Rows
    conditions: tuple[Condition, ...]
    count: int
    base: tuple[Condition, ...] = ()
    whole: int = 0

    @property
    def text(self) -> str:
        """What it counts, in one line."""
        told = f"{self.count:,}"
        if self.whole:
            told += f" of {self.whole:,} ({100 * self.count / self.whole:.1f} %)"
        told += f": {self.rows.written(self.conditions)}"
        if self.base:
            told += f"; of {self.rows.written(self.base)}"
        return told


@dataclass(frozen=True)
class Draft:
    """A number of a text, and what gives it.

    Attributes
    ----------
    line : int
        Where it is.
    text, sentence : str
        The number with the words behind it, and its sentence.
    quantity : Quantity
        What is stated.
    proposals : list of Proposal
        What gives it, the nearest to the words of the sentence first.
    """

    line: int
    text: str
    sentence: str
    quantity: Quantity
    proposals: list[Proposal]


class _Rows:
    """The rows of one table, and the conditions by which a sentence may choose some of them.

    `nouns` are the words for all of them.
    """

    def __init__(self, study: Study, spec: TableSpec, nouns: Collection[str]) -> None:
        self.name, self.nouns = spec.name, frozenset(nouns)
        self.spec, self.book = spec, study.codebook
        #: Column -> the terms that it has where it applies; several of these are written as one.
        self.applying: dict[str, frozenset[str]] = {}
        table = study.tables[spec.name]
        words: dict[Condition, frozenset[str]] = {}
        for column in spec.columns:
            if column.type == "year":
                for year in sorted({*table.column(column.name)} - {""}):
                    words[column.name, frozenset([year])] = frozenset([year])
            if column.type != "term":
                continue
            title = self._words_of(column.label, column.name)
            vocabulary = study.codebook.vocabulary_of(column)
            applying = frozenset(term.id for term in vocabulary.applicable)
            self.applying[column.name] = applying
            words[column.name, applying] = title
            for term in vocabulary.terms:
                names = title if term.id in _YES_OR_NO else self._words_of(term.label, term.id)
                words[column.name, frozenset([term.id])] = names
            for group in vocabulary.groups:
                words[column.name, frozenset(group.terms)] = self._words_of(group.label)
        self._all = frozenset(range(len(table.rows)))
        self._matching: dict[Condition, frozenset[int]] = {}
        self.words = {}
        for (name, terms), names in words.items():
            cells = enumerate(map(spec.column(name).values, table.column(name)))
            rows = frozenset(number for number, cell in cells if not terms.isdisjoint(cell))
            # What all rows meet chooses none.
            if 0 < len(rows) < len(self._all):
                self._matching[name, terms] = rows
                self.words[name, terms] = names

    def count(self, conditions: Iterable[Condition]) -> int:
        """Return how many rows meet every condition."""
        return len(self._all.intersection(*(self._matching.get(c, self._all) for c in conditions)))

    def _words_of(self, *names: str) -> frozenset[str]:
        """Return the words of the longest of some names, without those that tell nothing."""
        words = max((frozenset(stems(name)) - PLAIN - self.nouns for name in names), key=len)
        return words or frozenset(stems(names[0]))

    def written(self, conditions: Iterable[Condition]) -> str:
        """Return conditions as the options of commands write them."""
        told = []
        for column, terms in conditions:
            if terms == self.applying.get(column) and len(terms) > 1:
                told.append(f"{column} applies")
            else:
                told.append(f"{column}={','.join(sorted(terms))}")
        if told and self.spec.role == "pool":
            return ", ".join(told)
        return f"{', '.join(told) or 'all rows'} of {self.name}"

    def selection(self, conditions: Iterable[Condition]) -> dict[str, Any]:
        """Return table and filters as a claim has them."""
        found: dict[str, Any] = {"table": self.name}
        for column, terms in conditions:
            names, key = sorted(terms), "where"
            if terms == self.applying.get(column) and len(terms) > 1:
                unused = self.book.vocabulary_of(self.spec.column(column)).not_applicable
                names, key = ["", *filter(None, [unused])], "without"
            table = found.setdefault(key, tomlkit.inline_table())
            table[column] = names[0] if len(names) == 1 else names
        return found

    def proposals(
        self,
        quantity: Quantity,
        whole: Quantity | None,
        near: Collection[str],
        far: Collection[str],
    ) -> Iterator[tuple[float, Proposal]]:
        """Yield what gives a number, each with its distance from the words of the sentence.

        Words that are `near`, in the same clause, count twice as much as those `far` from it.
        """
        named = {}
        for condition, words in self.words.items():
            total = sum((word in near) + (word in far) for word in words)
            named[condition] = total / 2 / len(words)
        nearest = sorted(named, key=lambda each: -named[each])[:_COMBINED]
        pairs = [pair for pair in combinations(nearest, 2) if pair[0][0] != pair[1][0]]
        for conditions in ((), *((each,) for each in named), *pairs):
            distance = sum(_PRICE - named[each] for each in conditions)
            if not conditions:
                distance = -_PRICE * (not self.nouns.isdisjoint(near))
            count = self.count(conditions)
            for of, base in self._bases(conditions).items():
                if quantity.kind == SHARE:
                    gives = of > count and quantity.agrees(100 * count / of)
                elif whole:
                    gives = quantity.agrees(count) and whole.agrees(of)
                else:
                    gives, of = not base and quantity.agrees(count), 0
                if gives:
                    found = Proposal(self, conditions, count, base, of)
                    yield distance + 0.1 * len(base), found

    def _bases(self, conditions: tuple[Condition, ...]) -> dict[int, tuple[Condition, ...]]:
        """Return the rows of which others may be a share: all, those of some conditions."""
        found: dict[int, tuple[Condition, ...]] = {len(self._all): ()}
        for place, (column, terms) in enumerate(conditions):
            others = conditions[:place] + conditions[place + 1 :]
            applies = (*others, (column, self.applying.get(column, terms)))
            for base in (others, applies):
                found.setdefault(self.count(base), base)
        return found


def drafted_claims(text: str, sink: str, study: Study) -> list[Draft]:
    """Return a draft for each number of a text; years and numbers of tables are left out."""
    nouns = Lexicon(study, {}).entry_nouns
    tables = [_Rows(study, study.codebook.pool, nouns)]
    tables += [_Rows(study, spec, EXCLUDED) for spec in study.codebook.by_role("exclusions")]
    running = running_text(text, sink)
    drafts = []
    for tokens in sentences(running):
        stated = list(quantities_of(tokens))
        words = stems_of(tokens)
        marks = [number for number, token in enumerate(tokens) if token.text in ",;:"]
        # A claim is compared with every share of its sentence: where there are others, with its
        # clause alone.
        has_others = len(stated) > 1 and any(each.kind == SHARE for each in stated)
        wholes = set()
        for place, quantity in enumerate(stated):
            first, after = quantity.first, quantity.after
            if quantity in wholes or not REFERENCES.isdisjoint(words[max(first - 1, 0) : first]):
                continue
            whole = whole_of(quantity, stated[place + 1 :], words)
            wholes.add(whole)
            start = max((mark + 1 for mark in marks if mark < first), default=0)
            end = min((mark for mark in marks if mark >= after), default=len(tokens))
            found: list[tuple[float, Proposal]] = []
            for rows in tables:
                found += rows.proposals(quantity, whole, words[start:end], words)
            found.sort(key=itemgetter(0))
            phrase, sentence = (
                " ".join(running[part[0].start : part[-1].end].split())
                for part in (
                    tokens[first : min(after + 5, end)],
                    tokens[start:end] if has_others else tokens,
                )
            )
            drafts.append(
                Draft(
                    running.count("\n", 0, quantity.start) + 1,
                    phrase.rstrip(" (,;"),
                    f"{sentence[:1].upper()}{sentence[1:]}.",
                    quantity,
                    [proposal for _, proposal in found[:_SHOWN]],
                )
            )
    return drafts


def with_claims(study: Study, chosen: Iterable[tuple[Draft, Proposal]], place: str) -> Study:
    """Return the corpus with a tracked claim for each proposal that was chosen.

    Raises
    ------
    UsageProblem
        Where the codebook declares no file of claims.
    """
    file = study.codebook.documents.get("claims")
    if file is None:
        raise UsageProblem('name a file for claims first: [documents] claims = "claims.toml"')
    text = study.sources["claims"].text
    taken = {claim.get("id", "") for claim in study.documents["claims"].get("claims", ())}
    for draft, proposal in chosen:
        words = [proposal.rows.name, "size"]
        if proposal.conditions:
            words = [proposal.rows.written(proposal.conditions)]
        id_ = key_name(words, taken)
        taken.add(id_)
        claim = {"id": id_, "tracked": True, "statement": draft.sentence, "made_in": [place]}
        rows, base = map(proposal.rows.selection, (proposal.conditions, proposal.base))
        stated = draft.quantity
        if stated.kind == SHARE:
            claim |= {"of": [rows, base]} if proposal.base else rows
            digits = 1 if stated.slack < 0.5 else None
            claim["share"] = round(100 * proposal.count / proposal.whole, digits)
        elif stated.bound == "=":
            claim |= {**rows, "count": proposal.count}
        else:
            kind = "at_least" if ">" in stated.bound else "at_most"
            claim |= {**rows, kind: int(stated.value) + {">": 1, "<": -1}.get(stated.bound, 0)}
        text = f"{text.rstrip()}\n\n{tomlkit.dumps({'claims': [claim]})}"
    return with_texts(study, {file: text})
