"""Ranked search over a whole corpus: entries, excluded records, evidence, claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rapidfuzz import utils
from rapidfuzz.distance import OSA

from corpus.analysis.counting.records import StudiedRecord, identified_records
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.model.table import Row, Table

ENTRY = "entry"
EXCLUDED = "excluded"
EVIDENCE = "evidence"
CLAIM = "claim"
TERM = "term"
#: What can be found, in the order in which it is shown.
KINDS = (ENTRY, EXCLUDED, TERM, CLAIM, EVIDENCE)

#: How much a hit counts by the role or type of its column; every other text column counts 1.
_WEIGHTS = {
    "key": 3.0,
    "title": 3.0,
    "first_author": 2.0,
    "authors": 2.0,
    "summary": 1.5,
    "arxiv": 3.0,
    "doi": 3.0,
    "identifier": 3.0,
}
#: The same for the keys of a claim.
_CLAIM_WEIGHTS = {"id": 3.0, "source_id": 3.0, "statement": 1.5, "boundary": 1.0}
_GREATEST = 3.0
_SAME, _BEGINNING, _NEARLY = 100.0, 80.0, 50.0
#: What a query of several words gains where they follow each other.
_PHRASE = 50.0
#: A word of this length or more is also taken for the beginning of a longer one. The beginning of
#: three letters is shared by words that have nothing to do with each other.
_LEAST_BEGINNING = 4
#: The least length of a word in which one letter, and in which two letters may be wrong.
_ONE_SLIP, _TWO_SLIPS = 4, 8


class _TextCell(NamedTuple):
    """One text, with the name of its column and how much a hit in it counts."""

    column: str
    weight: float
    words: tuple[str, ...]


class _Findable(NamedTuple):
    """Something that can be found, with the texts that describe it; see :class:`Hit`."""

    kind: str
    table: str
    key: str
    text: str
    cells: list[_TextCell]


class Hit(NamedTuple):
    """What a search found.

    Attributes
    ----------
    kind : str
        One of :data:`KINDS`.
    table : str
        The table or vocabulary that it is in; ``claims`` for a claim.
    key : str
        Its key, the number of the record, the term or the name of the claim.
    text : str
        Title, definition, statement or evidence.
    score : float
        For ranking only.
    columns : tuple of str
        Where the words were found best.
    taken_for : tuple of (str, str)
        The words of the query that are not there as such, each with the word that it was taken
        for: a longer one that it begins, or one that differs by a typing error.
    """

    kind: str
    table: str
    key: str
    text: str
    score: float
    columns: tuple[str, ...]
    taken_for: tuple[tuple[str, str], ...] = ()

    @property
    def is_approximate(self) -> bool:
        """Whether some word was found only in another form."""
        return bool(self.taken_for)


class _WordMatch(NamedTuple):
    """The best place of one word: its score, the column, the word that is there."""

    score: float
    column: str
    found: str


def search_study(study: Study, text: str, limit: int = 10) -> list[Hit]:
    """Return what has every word of `text`, kind by kind, the best first, exact hits before others.

    An identifier or address in any form finds the works that have it, and nothing else. A word is
    found as it is, else as the beginning of a longer word. Only a word that no text of the corpus
    has in either way may be a typing error: it then matches words with one other letter, from
    eight letters on with two. Words with digits are taken as they are written.

    Parameters
    ----------
    study : Study
        What to search.
    text : str
        Words, or an identifier.
    limit : int
        At most so many hits of each kind.
    """
    identified = identified_records(study, text)
    if identified:
        return [_identified_hit(record) for record in identified]
    words = _words(text)
    if not words:
        return []
    everything = list(_everything(study))
    accepted = _accepted_words(words, everything)
    hits: list[Hit] = []
    for findable in everything:
        hit = _hit(findable, words, accepted)
        if hit is not None:
            hits.append(hit)
    hits.sort(key=lambda hit: (hit.is_approximate, -hit.score, hit.table, hit.key))
    kept: list[Hit] = []
    for kind in KINDS:
        kept += [hit for hit in hits if hit.kind == kind][:limit]
    return kept


def missing_words(study: Study, text: str) -> list[str]:
    """Return the words of a query that no text of the corpus has in any form."""
    words = _words(text)
    accepted = _accepted_words(words, list(_everything(study)))
    return [word for word in words if not accepted[word]]


def _identified_hit(record: StudiedRecord) -> Hit:
    kind = EXCLUDED if record.is_excluded else ENTRY
    return Hit(kind, record.table.spec.name, record.key, record.title, _SAME, ("identifier",))


def _words(text: str) -> tuple[str, ...]:
    return tuple(utils.default_process(text).split())


def _everything(study: Study) -> Iterator[_Findable]:
    yield from _entries(study)
    for table in study.by_role("exclusions"):
        for row in table.rows:
            yield _row_findable(EXCLUDED, table, row, study.codebook)
    yield from _terms(study.codebook)
    yield from _claims(study.documents.get("claims", {}))
    described = (study.codebook.pool.role, "exclusions", "bibliography")
    for table in study.tables.values():
        if table.spec.role not in described:
            for row in table.rows:
                yield _row_findable(EVIDENCE, table, row, study.codebook)


def _entries(study: Study) -> Iterator[_Findable]:
    """Yield the entries, each with its cells in the bibliography."""
    more: dict[str, list[_TextCell]] = {}
    for key, table, row in study.bibliography():
        cells = _row_cells(table, row, study.codebook)
        more.setdefault(key, []).extend(cells)
    for row in study.pool.rows:
        findable = _row_findable(ENTRY, study.pool, row, study.codebook)
        findable.cells.extend(more.get(findable.key, []))
        yield findable


def _row_findable(kind: str, table: Table, row: Row, book: Codebook) -> _Findable:
    spec = table.spec
    telling = _telling_column(spec)
    text = _printed(telling, row[spec.position(telling.name)], book)
    # Several rows may have the name of one entry, but each has a key of its own.
    key = spec.name_of(row)
    if len(spec.key) > 1:
        key = "/".join(table.key_of(row))
    return _Findable(kind, spec.name, key, text, _row_cells(table, row, book))


def _telling_column(spec: TableSpec) -> Column:
    """Return the column that tells most about a row: its title, else its evidence, else a text."""
    for role in ("title", "evidence", "boundary"):
        column = spec.by_role(role)
        if column is not None:
            return column
    for column in spec.columns:
        if column.type == "text" and not column.role:
            return column
    return spec.columns[-1]


def _row_cells(table: Table, row: Row, book: Codebook) -> list[_TextCell]:
    cells: list[_TextCell] = []
    for column, cell in zip(table.spec.columns, row, strict=True):
        if cell:
            of_type = _WEIGHTS.get(column.type, 1.0)
            weight = _WEIGHTS.get(column.role, of_type)
            words = _words(_printed(column, cell, book))
            cells.append(_TextCell(column.name, weight, words))
    return cells


def _printed(column: Column, cell: str, book: Codebook) -> str:
    """Return a cell with the labels of its terms: a reader knows O5 as "when to stop"."""
    if column.type != "term":
        return cell
    labels = book.vocabulary_of(column).labels
    printed = []
    for value in column.values(cell):
        label = labels.get(value, value)
        printed.append(value if label == value else f"{value} {label}")
    return " ".join(printed)


def _terms(book: Codebook) -> Iterator[_Findable]:
    for vocabulary in book.vocabularies.values():
        for term in vocabulary.terms:
            cells = [
                _TextCell("term", 3.0, _words(term.id)),
                _TextCell("label", 3.0, _words(term.label)),
                _TextCell("definition", 1.0, _words(term.definition)),
            ]
            text = f"{term.label}: {term.definition}"
            yield _Findable(TERM, vocabulary.id, term.id, text, cells)


def _claims(document: Mapping[str, Any]) -> Iterator[_Findable]:
    """Yield the claims of a claims file as it was read; `corpus check` reports what is wrong."""
    claims = document.get("claims", [])
    if not isinstance(claims, list):
        return
    for claim in claims:
        if not isinstance(claim, Mapping):
            continue
        texts = {name: str(claim.get(name, "")) for name in _CLAIM_WEIGHTS}
        cells: list[_TextCell] = []
        for name, weight in _CLAIM_WEIGHTS.items():
            cells.append(_TextCell(name, weight, _words(texts[name])))
        yield _Findable(CLAIM, "claims", texts["id"], texts["statement"], cells)


def _accepted_words(
    words: Sequence[str], everything: Sequence[_Findable]
) -> dict[str, dict[str, float]]:
    """Return for each word of the query the words that count as it, each with its score."""
    known: set[str] = set()
    for findable in everything:
        for cell in findable.cells:
            known.update(cell.words)
    return {word: _counting_as(word, known) for word in words}


def _counting_as(word: str, known: set[str]) -> dict[str, float]:
    accepted: dict[str, float] = {}
    if len(word) >= _LEAST_BEGINNING:
        for other in known:
            if other.startswith(word):
                accepted[other] = _BEGINNING
    if word in known:
        accepted[word] = _SAME
    # The digits of a year or an identifier are not misspelt words.
    if accepted or len(word) < _ONE_SLIP or re.search("[0-9]", word):
        return accepted
    slips = 2 if len(word) >= _TWO_SLIPS else 1
    for other in known:
        if OSA.distance(word, other, score_cutoff=slips) <= slips:
            accepted[other] = _NEARLY
    return accepted


def _hit(
    findable: _Findable, words: Sequence[str], accepted: Mapping[str, Mapping[str, float]]
) -> Hit | None:
    """Return the hit, or None where some word is missing."""
    matches: list[_WordMatch] = []
    for word in words:
        match = _best(findable.cells, accepted[word])
        if match is None:
            return None
        matches.append(match)
    score = sum(match.score for match in matches) / len(matches)
    columns = tuple(dict.fromkeys(match.column for match in matches))
    taken_for: dict[str, str] = {}
    for word, match in zip(words, matches, strict=True):
        if match.found != word:
            taken_for[word] = match.found
    phrased = _with_phrase(findable.cells, words)
    if phrased is not None:
        score += _PHRASE * phrased.weight / _GREATEST
        columns = (phrased.column,)
    return Hit(
        findable.kind,
        findable.table,
        findable.key,
        findable.text,
        score,
        columns,
        tuple(taken_for.items()),
    )


def _best(cells: Sequence[_TextCell], accepted: Mapping[str, float]) -> _WordMatch | None:
    best: _WordMatch | None = None
    for cell in cells:
        for found in cell.words:
            score = accepted.get(found, 0.0) * cell.weight / _GREATEST
            if score and (best is None or score > best.score):
                best = _WordMatch(score, cell.column, found)
    return best


def _with_phrase(cells: Sequence[_TextCell], words: Sequence[str]) -> _TextCell | None:
    """Return the first of the weightiest texts in which several words follow each other."""
    if len(words) < 2:
        return None
    # With spaces around both, a phrase does not begin or end inside a word.
    phrase = f" {' '.join(words)} "
    found: _TextCell | None = None
    for cell in cells:
        text = f" {' '.join(cell.words)} "
        is_weightier = found is None or cell.weight > found.weight
        if is_weightier and phrase in text:
            found = cell
    return found
