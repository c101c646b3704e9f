"""Ranked search over a whole corpus: entries, excluded records, evidence, claims.

Words are runs of letters and digits, compared in lower case.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from corpus.analysis.counting.records import identified_records
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid
from corpus.printing.json_document import json_text

ENTRY = "entry"
EXCLUDED = "excluded"
CANDIDATE = "candidate"
LISTED = "listed"
EVIDENCE = "evidence"
CLAIM = "claim"
TERM = "term"
#: What can be found, in the order in which it is shown: title of its table, and heads.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    ENTRY: ("", ("key", "title", "found in")),
    EXCLUDED: ("Excluded records", ("record", "title", "in the pool")),
    CANDIDATE: ("Candidates", ("record", "title", "in the pool")),
    LISTED: ("Works on lists of others", ("record", "title", "in the pool")),
    TERM: ("Terms of the codebook", ("vocabulary", "term", "definition")),
    CLAIM: ("Claims", ("claim", "statement")),
    EVIDENCE: ("Evidence", ("table", "row", "evidence")),
}
#: The kinds of works outside the pool, each with the role of its tables.
OUTSIDE = {EXCLUDED: "exclusions", CANDIDATE: "candidates", LISTED: "coverage"}

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
#: Scores are divided by it, so that 100 is the best that a single word can have.
_GREATEST = 3.0
_SAME, _BEGINNING, _NEARLY = 100.0, 80.0, 50.0
#: What a query of several words gains where they follow each other.
_PHRASE = 50.0
#: A word of this length or more is also taken for the beginning of a longer one. The beginning of
#: three letters is shared by words that have nothing to do with each other.
_LEAST_BEGINNING = 4
#: The least length of a word in which one letter, and in which two letters may be wrong.
_ONE_SLIP, _TWO_SLIPS = 4, 8
#: How much of a query a hit may lack where nothing has all of it; with half, common words decide.
_LOST = 0.4
#: At most so many hits of a kind that lack words: the first ones tell whether to ask otherwise.
_MOST_PARTIAL = 5


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
    missing : tuple of str
        The words of the query that it has in no form.
    """

    kind: str
    table: str
    key: str
    text: str
    score: float = 0.0
    columns: tuple[str, ...] = ()
    taken_for: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_outside(self) -> bool:
        """Whether it is a work that is not in the pool."""
        return self.kind in OUTSIDE

    @property
    def is_approximate(self) -> bool:
        """Whether some word was found only in another form."""
        return bool(self.taken_for)


#: What a text is (a column, or a key of a claim), how much a hit in it counts, and its words in
#: lower case.
_Field = tuple[str, float, list[str]]
#: Something that can be found: a hit without a score, and its texts.
_Findable = tuple[Hit, list[_Field]]
#: Each word of a query with the words that count as it, and the score of each.
_Sought = Mapping[str, Mapping[str, float]]


def search_study(study: Study, text: str, limit: int = 10) -> list[Hit]:
    """Return what has every word of `text`, kind by kind, the best first, exact hits before others.

    Where no entry has every word, those follow that have most of them, rare words counting more;
    where nothing has, the same is found of every kind.

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
    identified = []
    for record in identified_records(study, text):
        kind = EXCLUDED if record.is_excluded else ENTRY
        place = (record.table.spec.name, record.key, record.title)
        identified.append(Hit(kind, *place, _SAME, ("identifier",)))
    words = _words_of_text(text)
    if identified or not words:
        return identified
    everything = list(_everything(study))
    sought = _sought(words, everything)
    found = list(filter(None, [_hit(findable, words, sought) for findable in everything]))
    hits = [hit for hit in found if not hit.missing]
    if not any(hit.kind == ENTRY for hit in hits):
        kinds = [ENTRY] if hits else list(KINDS)
        number = sum(hit.kind in kinds for hit, _ in everything)
        hits += _partial_hits([hit for hit in found if hit.kind in kinds], number, sought)
    # A word in another form is a guess: however good its place, exact hits come first.
    hits.sort(
        key=lambda hit: (bool(hit.missing), hit.is_approximate, -hit.score, hit.table, hit.key)
    )
    kept = []
    for kind in KINDS:
        of_kind = [hit for hit in hits if hit.kind == kind]
        most = limit
        if of_kind and of_kind[0].missing:
            most = min(limit, _MOST_PARTIAL)
        kept += of_kind[:most]
    return kept


def _partial_hits(hits: Sequence[Hit], number: int, sought: _Sought) -> list[Hit]:
    """Return the hits that have most of what the query tells, of so many things that may be found.

    A word tells the more the fewer texts have it; one that is nowhere in the corpus tells nothing
    here. The score is the share of that, out of 100.
    """
    weights = {}
    for word, scores in sought.items():
        if scores:
            having = sum(word not in hit.missing for hit in hits)
            weights[word] = math.log(1 + number / (1 + having))
    total = sum(weights.values())
    kept = []
    for hit in hits:
        lost = sum(weights.get(word, 0.0) for word in hit.missing)
        if hit.missing and lost <= _LOST * total:
            kept.append(hit._replace(score=100 * (1 - lost / total) + hit.score / 1000))
    return kept


def _words_of_text(text: str) -> list[str]:
    """Return the words of a text, runs of letters and digits, in lower case."""
    return re.findall(r"[^\W_]+", text.lower())


def _everything(study: Study) -> Iterator[_Findable]:
    # The entries, each with its texts in the bibliography.
    more: dict[str, list[_Field]] = {}
    for table in study.by_role("bibliography"):
        link = table.spec.reference_to(study.pool.spec)
        if link is not None:
            rows = _findable_rows(EVIDENCE, table, study.codebook)
            for key, (_, fields) in zip(table.column(link.name), rows, strict=True):
                more.setdefault(key, []).extend(fields)
    for hit, fields in _findable_rows(ENTRY, study.pool, study.codebook):
        yield hit, [*fields, *more.get(hit.key, ())]
    for kind, role in OUTSIDE.items():
        for table in study.by_role(role):
            yield from _findable_rows(kind, table, study.codebook)
    for vocabulary in study.codebook.vocabularies.values():
        for term in vocabulary.terms:
            text = f"{term.label}: {term.definition}"
            fields = [
                ("term", 3.0, _words_of_text(term.id)),
                ("label", 3.0, _words_of_text(term.label)),
                ("definition", 1.0, _words_of_text(term.definition)),
            ]
            yield Hit(TERM, vocabulary.id, term.id, text), fields
    # Claims as they were read; `corpus check` reports what is wrong with them.
    for name, claim in study.declared_items("claims", "claims").items():
        fields = []
        for key, weight in _CLAIM_WEIGHTS.items():
            fields.append((key, weight, _words_of_text(str(claim.get(key, "")))))
        yield Hit(CLAIM, "claims", name, str(claim.get("statement", ""))), fields
    described = (study.codebook.pool.role, *OUTSIDE.values(), "bibliography")
    for table in study.tables.values():
        if table.spec.role not in described:
            yield from _findable_rows(EVIDENCE, table, study.codebook)


def _findable_rows(kind: str, table: Table, book: Codebook) -> Iterator[_Findable]:
    """Yield every row of a table with the text of every cell."""
    spec = table.spec
    # By its role, else by its type.
    weights = [_WEIGHTS.get(one.role, _WEIGHTS.get(one.type, 1.0)) for one in spec.columns]
    labelled = list(book.term_columns(spec))
    telling = spec.position(_telling_column(spec).name)
    for name, row in table.named_rows():
        texts = list(row)
        for position, column, vocabulary in labelled:
            # With the labels of its terms: a reader knows O5 as "when to stop".
            printed: list[str] = []
            for value in column.values(row[position]):
                label = vocabulary.labels.get(value, value)
                printed += dict.fromkeys((value, label))
            texts[position] = " ".join(printed)
        # Several rows may have the name of one entry, but each has a key of its own.
        key = name
        if len(spec.key) > 1:
            key = "/".join(table.key_of(row))
        words = map(_words_of_text, texts)
        fields = list(zip(spec.header, weights, words, strict=True))
        yield Hit(kind, spec.name, key, texts[telling]), fields


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


def _sought(query: Iterable[str], everything: Sequence[_Findable]) -> _Sought:
    """Return what counts as each word of a query, in the texts that there are."""
    known: set[str] = set()
    for _, fields in everything:
        for _, _, words in fields:
            known.update(words)
    sought: dict[str, dict[str, float]] = {}
    for word in query:
        scores = sought[word] = {}
        if len(word) >= _LEAST_BEGINNING:
            beginning = [other for other in known if other.startswith(word)]
            scores.update(dict.fromkeys(beginning, _BEGINNING))
        if word in known:
            scores[word] = _SAME
        # The digits of a year or an identifier are not misspelt words.
        if scores or len(word) < _ONE_SLIP or re.search("[0-9]", word):
            continue
        # It takes as long to load as all the rest of a search that finds its words.
        from rapidfuzz.distance import OSA

        slips = 1 + (len(word) >= _TWO_SLIPS)
        for other in known:
            if OSA.distance(word, other, score_cutoff=slips) <= slips:
                scores[other] = _NEARLY
    return sought


def _hit(findable: _Findable, query: Sequence[str], sought: _Sought) -> Hit | None:
    """Return the hit with the words that are missing; None where all are."""
    hit, fields = findable
    total = 0.0
    columns: dict[str, None] = {}
    taken_for = {}
    missing = []
    for word in query:
        score, column, found = _best(fields, sought[word])
        if not score:
            missing.append(word)
            continue
        total += score
        columns[column] = None
        if found != word:
            taken_for[word] = found
    if not columns:
        return None
    score = total / (len(query) - len(missing))
    weight, column = _with_phrase(fields, query)
    if weight:
        score += _PHRASE * weight / _GREATEST
        columns = {column: None}
    return hit._replace(
        score=score,
        columns=tuple(columns),
        taken_for=tuple(taken_for.items()),
        missing=tuple(missing),
    )


def _best(fields: Sequence[_Field], scores: Mapping[str, float]) -> tuple[float, str, str]:
    """Return the best place of a word: its score, the column, the word that is there; else 0."""
    best = (0.0, "", "")
    for column, weight, words in fields:
        for found in words:
            # Most words are none of them: asked first, that takes a third of the time.
            if found in scores and scores[found] * weight / _GREATEST > best[0]:
                best = (scores[found] * weight / _GREATEST, column, found)
    return best


def _with_phrase(fields: Sequence[_Field], phrase: Sequence[str]) -> tuple[float, str]:
    """Return the first of the weightiest columns in whose text several words follow each other."""
    best = (0.0, "")
    if len(phrase) < 2:
        return best
    # With spaces around both, a phrase does not begin or end inside a word.
    wanted = f" {' '.join(phrase)} "
    for column, weight, words in fields:
        if weight > best[0] and wanted in f" {' '.join(words)} ":
            best = (weight, column)
    return best


def search_grids(hits: Sequence[Hit], study: Study) -> list[Grid]:
    """Return one table for each kind of which something was found.

    Where a word was taken for another, a last column shows for which; where words are missing,
    another one has them.
    """
    entries = study.codebook.corpus["entries"]
    grids = []
    for kind, (title, header) in KINDS.items():
        of_kind = [hit for hit in hits if hit.kind == kind]
        if not of_kind:
            continue
        is_approximate = any(map(attrgetter("taken_for"), of_kind))
        is_partial = any(map(attrgetter("missing"), of_kind))
        header += ("approximate",) * is_approximate + ("without",) * is_partial
        rows = []
        for hit in of_kind:
            cells = [hit.key, hit.text]
            if kind == ENTRY:
                cells.append(", ".join(hit.columns))
            elif hit.is_outside:
                cells.append("no")
            elif kind != CLAIM:
                cells.insert(0, hit.table)
            if is_approximate:
                cells.append(", ".join(f"{word} ≈ {found}" for word, found in hit.taken_for))
            if is_partial:
                cells.append(", ".join(hit.missing))
            rows.append(tuple(cells))
        grids.append(Grid(title or entries.capitalize(), header, tuple(rows)))
    return grids


def search_json(hits: Sequence[Hit]) -> str:
    """Return the hits as a JSON array; a hit with a word in another form is ``approximate``."""
    found = []
    for hit in hits:
        document = {
            "kind": hit.kind,
            "table": hit.table,
            "key": hit.key,
            "text": hit.text,
            "score": round(hit.score, 1),
            "columns": hit.columns,
            "approximate": hit.is_approximate,
            "taken_for": dict(hit.taken_for),
            "missing": hit.missing,
            "outside_pool": hit.is_outside,
        }
        found.append(document)
    return json_text(found)
