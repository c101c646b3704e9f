"""Search over a whole corpus by words or by a question: claims, terms, works, evidence.

Words are runs of letters and digits, compared in lower case and without the endings of English.
"""

import math
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from corpus.analysis.counting.named_values import BOUNDS, NamedValue, ValueQuestion, filters_of
from corpus.analysis.counting.records import identified_records
from corpus.analysis.counting.words import LEAST_STEM, same_stem, words_of
from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import closest
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.printing.grid import Grid, first_of
from corpus.printing.json_document import json_text

ENTRY = "entry"
EXCLUDED = "excluded"
CANDIDATE = "candidate"
LISTED = "listed"
EVIDENCE = "evidence"
CLAIM = "claim"
TERM = "term"
#: What can be found, in the order in which it is shown: title of its table, and heads. Claims and
#: terms have none: they are sentences, and the first few of them suffice.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    CLAIM: ("Answer", ()),
    TERM: ("Term", ()),
    ENTRY: ("", ("key", "title", "found in")),
    EXCLUDED: ("Excluded records", ("record", "title", "why")),
    CANDIDATE: ("Candidates", ("record", "title", "why")),
    LISTED: ("Works on lists of others", ("record", "title", "why")),
    EVIDENCE: ("Evidence", ("table", "row", "evidence")),
}
_SENTENCES = 3
#: The kinds of works outside the pool, each with the role of its tables.
OUTSIDE = {EXCLUDED: "exclusions", CANDIDATE: "candidates", LISTED: "coverage"}

_QUESTION_WORDS = (
    "a about all an and any anyone anything appear appeared are as at be been between by came can"
    " come comes compare compared could did do document documents does every everything for from"
    " get gets give gives given had has have how in into is it its large level list many me more"
    " most much my no not of on or our paper papers people publish published publishes say says"
    " should show some than that the their them there these they this those to up us was we were"
    " what when where which who whom whose why will with work works would write written wrote you"
)
#: Words that a question has and an answer need not have.
_IGNORED = frozenset(_QUESTION_WORDS.split())
#: A question with one of these asks for what was left out.
_ASKS_FOR_EXCLUDED = frozenset(("exclude", "excluded", "excludes", "exclusion", "included"))
#: Without one of these, or a value as a whole, a question that has values is about something else.
_ASKS_FOR_WORKS = frozenset(
    (
        "at",
        "by",
        "from",
        "in",
        "document",
        "documents",
        "paper",
        "papers",
        "published",
        "work",
        "works",
    )
)
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
#: The greatest of them; scores are divided by it.
_GREATEST = 3.0
_SAME, _INFLECTED, _BEGINNING, _NEARLY = 100.0, 95.0, 80.0, 50.0
#: What a query of several words gains where they follow each other.
_PHRASE = 50.0
#: A word of this length or more is also taken for the beginning of a longer one.
_LEAST_BEGINNING = 4
#: The least length of a word in which one letter, and in which two letters may be wrong.
_ONE_SLIP, _TWO_SLIPS = 4, 8


@dataclass(frozen=True)
class Hit:
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


@dataclass(frozen=True)
class Found:
    """What a question found: the hits, the words that were ignored, and the nearest terms.

    Where it names values, also the entries that have them.
    """

    hits: list[Hit]
    ignored: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    named: Mapping[str, Sequence[NamedValue]] = field(default_factory=dict)


#: What a text is (a column, or a key of a claim), how much a hit in it counts, and its words in
#: lower case.
_Field = tuple[str, float, list[str]]
#: Something that can be found: a hit without a score, and its texts.
_Findable = tuple[Hit, list[_Field]]
#: Each word of a query with the words that count as it, and the score of each.
_Sought = Mapping[str, Mapping[str, float]]


def search_study(study: Study, text: str, limit: int = 10, everything: bool = False) -> Found:
    """Find what answers a question, kind by kind, the best first.

    An identifier or address in any form finds the works that have it, and nothing else. Values
    such as a venue, a year or an author find the entries that have all of them. Of other words
    those are ignored that most questions have. Any two of the others suffice; what has more of
    them, and rarer ones, comes first. A word is found with other endings, else as the beginning of
    a longer word. Only a word that no text of the corpus has in one of these ways may be a typing
    error: it then matches words with one other letter, from eight letters on with two. Words with
    digits are taken as they are written.

    Parameters
    ----------
    study : Study
        What to search.
    text : str
        A question, words, or an identifier.
    limit : int
        At most so many hits of each kind.
    everything : bool
        Whether to search candidates and other people's lists, too.
    """
    identified = []
    for record in identified_records(study, text):
        kind = EXCLUDED if record.is_excluded else ENTRY
        place = (record.table.spec.name, record.key, record.title)
        identified.append(Hit(kind, *place, _SAME, ("identifier",)))
    asked = list(dict.fromkeys(words_of(text)))
    if identified or not asked:
        return Found(identified)
    nouns = words_of(f"{study.codebook.corpus['entry']} {study.codebook.corpus['entries']}")
    words = [word for word in asked if word not in _IGNORED.union(_ASKS_FOR_EXCLUDED, nouns)]
    words = words or asked
    asks_for_works = not _ASKS_FOR_WORKS.union(nouns).isdisjoint(asked)
    asks_for_excluded = not _ASKS_FOR_EXCLUDED.isdisjoint(asked)
    phrase = words_of(text)
    bounds = {year: BOUNDS[word] for word, year in pairwise(phrase) if word in BOUNDS}
    # "venue ICLR" has the same values as "ICLR".
    heads = words_of(" ".join(column.label for column in study.codebook.pool.columns))
    named: dict[str, list[NamedValue]] = {}
    for values in dict.fromkeys((tuple(words), tuple(word for word in words if word not in heads))):
        if values and not named and not asks_for_excluded:
            values = tuple(word for word in values if word not in BOUNDS or not bounds)
            named = ValueQuestion(study, values, bounds, asks_for_works).entries()
            words = list(values) if named else words
    ignored = tuple(word for word in asked if word not in words)
    texts = list(_findable(study, everything))
    sought = _sought(words, texts)
    rarity = _rarity(sought, texts)
    found = list(filter(None, [_hit(one, words, sought, rarity, phrase) for one in texts]))
    # Of equal ones the shorter says more to the point.
    found.sort(key=lambda hit: (hit.is_approximate, -hit.score, len(hit.text), hit.table, hit.key))
    best = max([hit.score for hit in found if not hit.is_approximate], default=0.0)
    kinds = list(KINDS)
    if asks_for_excluded and any(hit.kind == EXCLUDED for hit in found):
        kinds.sort(key=lambda kind: kind != EXCLUDED)
    elif named:
        # Nothing else answers a question that is a filter.
        others = [hit for hit in found if hit.is_outside and not hit.missing]
        found = [*_named_hits(study, named), *others]
    hits = []
    for kind in kinds:
        of_kind = [hit for hit in found if hit.kind == kind]
        if not KINDS[kind][1]:
            of_kind = [hit for hit in of_kind if hit.score >= 0.6 * best][:_SENTENCES]
        hits += of_kind[:limit]
    nearest = () if hits else _nearest_terms(study, words)
    return Found(hits, ignored, nearest, named)


def _named_hits(study: Study, named: Mapping[str, Sequence[NamedValue]]) -> Iterator[Hit]:
    titles = dict(zip(study.pool.names(), study.pool.role_column("title"), strict=True))
    for key, values in named.items():
        columns = tuple(dict.fromkeys(value.column for value in values))
        yield Hit(ENTRY, study.pool.spec.name, key, titles[key], _SAME, columns)


def _nearest_terms(study: Study, words: Iterable[str]) -> tuple[str, ...]:
    """Return the labels of terms that are most like a word that nothing has."""
    labels = []
    for vocabulary in study.codebook.vocabularies.values():
        labels += [term.label for term in vocabulary.terms]
    nearest: dict[str, None] = {}
    for word in words:
        nearest.update(dict.fromkeys(closest(word, labels, most=3, cutoff=0.4)))
    return tuple(nearest)


def _findable(study: Study, everything: bool) -> Iterator[_Findable]:
    book = study.codebook
    # The entries, each with its texts in the bibliography.
    more: dict[str, list[_Field]] = {}
    for table in study.by_role("bibliography"):
        link = table.spec.reference_to(study.pool.spec)
        if link is not None:
            rows = _findable_rows(EVIDENCE, table, book)
            for key, (_, fields) in zip(table.column(link.name), rows, strict=True):
                more.setdefault(key, []).extend(fields)
    for hit, fields in _findable_rows(ENTRY, study.pool, book):
        # "HALO: Hierarchical Orchestration" is known as HALO.
        name, colon, _ = hit.text.partition(":")
        if colon:
            fields.append(("title", _GREATEST, words_of(name)))
        yield hit, [*fields, *more.get(hit.key, ())]
    for kind, role in OUTSIDE.items():
        for table in study.by_role(role):
            if everything or kind == EXCLUDED:
                yield from _findable_rows(kind, table, book)
    heads = {column.vocabulary: column for column in reversed(book.pool.term_columns)}
    for vocabulary in book.vocabularies.values():
        head = heads.get(vocabulary.id)
        for term in vocabulary.terms:
            text = f"{term.label}: {term.definition}"
            fields = [
                ("term", 3.0, words_of(term.id)),
                ("label", 3.0, words_of(term.label)),
                ("column", 1.5, words_of(f"{vocabulary.id} {head.label if head else ''}")),
                ("definition", 1.0, words_of(term.definition)),
            ]
            yield Hit(TERM, vocabulary.id, term.id, text), fields
    # Claims as they were read; `corpus check` reports what is wrong with them.
    for name, claim in study.declared_items("claims", "claims").items():
        statement = str(claim.get("statement", ""))
        about = f"{claim.get('table', '')} {claim.get('where', '')} {claim.get('any', '')}"
        fields = [
            ("id", 3.0, words_of(name)),
            ("statement", 2.5, words_of(statement)),
            ("where", 1.5, words_of(about) + _labels_in(about, book)),
            ("boundary", 0.5, words_of(str(claim.get("boundary", "")))),
        ]
        yield Hit(CLAIM, "claims", name, statement), fields
    described = (book.pool.role, *OUTSIDE.values(), "bibliography")
    for table in study.tables.values():
        if table.spec.role not in described:
            yield from _findable_rows(EVIDENCE, table, book)


def _labels_in(text: str, book: Codebook) -> list[str]:
    """Return the words of the labels of all terms that a filter names."""
    words: list[str] = []
    for vocabulary in book.vocabularies.values():
        for term in vocabulary.terms:
            if f"'{term.id}'" in text:
                words += words_of(term.label)
    return words


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
        words = map(words_of, texts)
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


def _sought(query: Iterable[str], texts: Sequence[_Findable]) -> _Sought:
    """Return what counts as each word of a query, in the texts that there are."""
    known: set[str] = set()
    for _, fields in texts:
        for _, _, words in fields:
            known.update(words)
    sought: dict[str, dict[str, float]] = {}
    for word in query:
        scores = sought[word] = {}
        if word in known:
            scores[word] = _SAME
        for other in known:
            if other[:LEAST_STEM] != word[:LEAST_STEM] or other == word:
                continue
            if same_stem(word, other):
                scores[other] = _INFLECTED
            elif len(word) >= _LEAST_BEGINNING and other.startswith(word):
                scores[other] = _BEGINNING
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


def _rarity(sought: _Sought, texts: Sequence[_Findable]) -> dict[str, float]:
    """Return how much each word tells, from 0 on: the more, the fewer texts have it."""
    rarity = {}
    for word, scores in sought.items():
        having = 0
        for _, fields in texts:
            having += any(not scores.keys().isdisjoint(words) for _, _, words in fields)
        rarity[word] = math.log(1 + len(texts) / having) if having else 0.0
    return rarity


def _hit(
    findable: _Findable,
    query: Sequence[str],
    sought: _Sought,
    rarity: Mapping[str, float],
    phrase: Sequence[str],
) -> Hit | None:
    """Return the hit with the words that are missing.

    None where it has a single word that tells less than half of the query.
    """
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
        total += score * rarity[word]
        columns[column] = None
        if found != word and sought[word][found] != _INFLECTED:
            taken_for[word] = found
    weight = _phrase_weight(fields, phrase, 1 if hit.kind == ENTRY else 2)
    unmatched = sum(rarity[word] for word in missing)
    is_little = len(query) - len(missing) < 2 and unmatched > sum(rarity.values()) / 2
    if not columns or (is_little and not weight):
        return None
    score = total / sum(rarity.values()) + _PHRASE * weight / _GREATEST
    return replace(
        hit,
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


def _phrase_weight(fields: Sequence[_Field], phrase: Sequence[str], least: int) -> float:
    """Return the greatest weight of a text that has the whole query in a row; else 0.

    A name or title of at least so many words may also be in the query.
    """
    best = 0.0
    # With spaces around both, a phrase does not begin or end inside a word.
    wanted = f" {' '.join(phrase)} "
    for _, weight, words in fields:
        text = f" {' '.join(words)} "
        if (len(phrase) > 1 and wanted in text) or (
            len(words) >= least and weight == _GREATEST and text in wanted
        ):
            best = max(best, weight)
    return best


def search_lines(found: Found, study: Study) -> list[tuple[str, str]]:
    """Return what comes before the tables, each line with its head.

    Claims that answer, terms with their entries, the words that were ignored, the nearest terms
    where nothing was found, and the commands that tell more.
    """
    lines = []
    commands: dict[str, None] = {}
    if found.named:
        filters = filters_of(study, found.named)
        if filters:
            commands[f"corpus list --where {' --where '.join(map(shlex.quote, filters))}"] = None
        else:
            values = [value for some in found.named.values() for value in some]
            named = {word: None for value in values for word in value.words}
            columns = {value.column: None for value in values}
            filters = [f"{', '.join(named)} in {' or '.join(columns)}"]
        lines.append(("Filter", f"{' and '.join(filters)}: {_counted(study, len(found.named))}"))
    for hit in found.hits:
        if hit.kind == CLAIM:
            lines.append(("Answer", f"{hit.text} ({hit.key})"))
            commands[f"corpus claims {hit.key}"] = None
        elif hit.kind == TERM:
            column, keys = _carriers(study, hit.table, hit.key)
            label, _, definition = hit.text.partition(": ")
            text = f"{label}, of {hit.table}: {definition}"
            if column:
                text = f"{label}, of {column.label}: "
                text += f"{_counted(study, len(keys))}: {first_of(keys, 4)}"
                commands[f"corpus list --where {column.name}={hit.key}"] = None
            lines.append(("Term", text))
    for word, other in dict(pair for hit in found.hits for pair in hit.taken_for).items():
        lines.append(("Read", f"{word} as {other}"))
    if found.ignored:
        lines.append(("Ignored", ", ".join(found.ignored)))
    if found.nearest:
        lines.append(("Nearest", ", ".join(found.nearest)))
    lines += [("Next", command) for command in list(commands)[:2]]
    return lines


def _counted(study: Study, number: int) -> str:
    return f"{number} {study.codebook.corpus['entry' if number == 1 else 'entries']}"


def _carriers(study: Study, vocabulary: str, term: str) -> tuple[Column | None, list[str]]:
    """Return the column of the pool with a vocabulary, and the entries that have a term in it."""
    for position, column, declared in study.codebook.term_columns(study.pool.spec):
        if declared.id == vocabulary:
            rows = study.pool.named_rows()
            return column, [name for name, row in rows if term in column.values(row[position])]
    return None, []


def search_grids(hits: Sequence[Hit], study: Study) -> list[Grid]:
    """Return one table for each kind of works and rows of which something was found.

    Where a word was taken for another, a last column shows for which; where words are missing,
    another one has them.
    """
    entries = study.codebook.corpus["entries"]
    grids = []
    for kind in dict.fromkeys(hit.kind for hit in hits):
        title, header = KINDS[kind]
        if not header:
            continue
        of_kind = [hit for hit in hits if hit.kind == kind]
        is_approximate = any(hit.is_approximate for hit in of_kind)
        is_partial = any(hit.missing for hit in of_kind)
        header += ("approximate",) * is_approximate + ("without",) * is_partial
        rows = []
        for hit in of_kind:
            cells = [hit.key, hit.text]
            if kind == ENTRY:
                cells.append(", ".join(hit.columns))
            elif hit.is_outside:
                cells.append(_reason(study.tables[hit.table], hit.key))
            else:
                cells.insert(0, hit.table)
            if is_approximate:
                cells.append(", ".join(f"{word} ≈ {found}" for word, found in hit.taken_for))
            if is_partial:
                cells.append(", ".join(hit.missing))
            rows.append(tuple(cells))
        grids.append(Grid(title or entries.capitalize(), header, tuple(rows)))
    return grids


def _reason(table: Table, key: str) -> str:
    """Return why a record is not in the pool; nothing where that is not recorded."""
    reason = table.spec.by_role("reason")
    if reason is None:
        return ""
    return dict(table.named_rows())[key][table.spec.position(reason.name)]


def search_json(found: Found) -> str:
    """Return the hits as a JSON array; a hit with a word in another form is ``approximate``."""
    documents = []
    for hit in found.hits:
        document = {
            **vars(hit),
            "score": round(hit.score, 1),
            "approximate": hit.is_approximate,
            "taken_for": dict(hit.taken_for),
            "outside_pool": hit.is_outside,
        }
        documents.append(document)
    return json_text(documents)
