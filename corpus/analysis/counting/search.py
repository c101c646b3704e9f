"""Search over a whole corpus by words or by a question: claims, terms, works, evidence.

Words are runs of letters and digits, compared in lower case and without the endings of English.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.analysis.counting.records import identified_records
from corpus.analysis.counting.words import same_stem, words_of
from corpus.model.codebook import Codebook
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
#: What can be found, in the order in which it is shown, and the title of its table. Claims and
#: terms have none: they are sentences, and the first few of them suffice.
KINDS: Mapping[str, str] = {
    CLAIM: "",
    TERM: "",
    ENTRY: "Entries",
    EXCLUDED: "Excluded records",
    CANDIDATE: "Candidates",
    LISTED: "Works on lists of others",
    EVIDENCE: "Evidence",
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
#: A question whose words are all in such columns of an entry asks for entries. A year is one too.
_NAMING = frozenset(("authors", "first_author", "venue", "affiliation", "url"))
#: How much a hit counts by the role or type of its column; every other text column counts 1.
_WEIGHTS = dict.fromkeys(("key", "title", "arxiv", "doi", "identifier"), 3.0)
_WEIGHTS |= {"first_author": 2.0, "authors": 2.0, "summary": 1.5}
_GREATEST = 3.0


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
    reason : str
        Why a record is not in the pool.
    score : float
        For ranking only.
    columns : tuple of str
        Where the words were found best.
    missing : tuple of str
        The words of the query that it does not have.
    """

    kind: str
    table: str
    key: str
    text: str
    reason: str = ""
    score: float = 0.0
    columns: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a question found: the hits, and the words that were ignored.

    Also the words that no text has, and the terms that are most like them; without any hit, those
    most like any word.
    """

    hits: list[Hit]
    ignored: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


#: What a text is (a column, or a key of a claim), how much a hit in it counts, and its words in
#: lower case.
_Field = tuple[str, float, list[str]]
#: Something that can be found: a hit without a score, and its texts.
_Findable = tuple[Hit, list[_Field]]
#: Each word of a query with the words that count as it.
_Sought = Mapping[str, set[str]]


def search_study(study: Study, text: str, limit: int = 10, everything: bool = False) -> Found:
    """Find what answers a question, kind by kind, the best first.

    An identifier or address in any form finds the works that have it, and nothing else. Of other
    words those are ignored that most questions have. Any two of the others suffice; what has more
    of them, and rarer ones, comes first. A word is found with other endings. Entries come before
    all else where the words are a venue, a year, an institution or an author.

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
        head = (kind, record.table.spec.name, record.key, record.title)
        reason = record.by_role.get("reason", "")
        identified.append(Hit(*head, reason, columns=("identifier",)))
    phrase = words_of(text)
    asked = list(dict.fromkeys(phrase))
    if identified or not asked:
        return Found(identified)
    nouns = words_of(f"{study.codebook.corpus['entry']} {study.codebook.corpus['entries']}")
    words = [word for word in asked if word not in _IGNORED.union(_ASKS_FOR_EXCLUDED, nouns)]
    words = words or asked
    texts = list(_findable(study, everything))
    sought = _sought(words, texts)
    rarity = _rarity(sought, texts)
    hits = list(filter(None, [_hit(one, sought, rarity, phrase) for one in texts]))
    # Of equal ones the shorter says more to the point.
    hits.sort(key=lambda hit: (-hit.score, len(hit.text), hit.table, hit.key))
    of_kinds = {kind: [hit for hit in hits if hit.kind == kind] for kind in KINDS}
    naming = set()
    for table in (study.pool, *study.by_role("bibliography")):
        for column in table.spec.columns:
            if column.role in _NAMING or column.type == "year":
                naming.add(column.name)
    named = [one for one in of_kinds[ENTRY] if not one.missing and naming.issuperset(one.columns)]
    of_kinds[ENTRY].sort(key=lambda hit: hit not in named)
    first = ENTRY if named else ""
    if not _ASKS_FOR_EXCLUDED.isdisjoint(asked):
        first = EXCLUDED
    found = []
    for kind in sorted(KINDS, key=lambda kind: kind != first):
        of_kind = of_kinds[kind]
        if not KINDS[kind]:
            of_kind = [hit for hit in of_kind if hit.score >= 0.6 * hits[0].score][:_SENTENCES]
        found += of_kind[:limit]
    ignored = tuple(word for word in asked if word not in words)
    unknown = tuple(word for word in words if not sought[word])
    labels = []
    for vocabulary in study.codebook.vocabularies.values():
        labels += [term.label for term in vocabulary.terms]
    nearest: dict[str, None] = {}
    for word in unknown if found else words:
        nearest.update(dict.fromkeys(closest(word, labels, most=3, cutoff=0.4)))
    return Found(found, ignored, unknown, tuple(nearest))


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
        yield hit, [*fields, *more.get(hit.key, ())]
    for kind, role in OUTSIDE.items():
        for table in study.by_role(role):
            if everything or kind == EXCLUDED:
                yield from _findable_rows(kind, table, book)
    for vocabulary in book.vocabularies.values():
        for term in vocabulary.terms:
            text = f"{term.label}: {term.definition}"
            fields = [
                ("term", _GREATEST, words_of(term.id)),
                ("label", _GREATEST, words_of(term.label)),
                ("vocabulary", 1.5, words_of(vocabulary.id)),
                ("definition", 1.0, words_of(term.definition)),
            ]
            yield Hit(TERM, vocabulary.id, term.id, text), fields
    # Claims as they were read; `corpus check` reports what is wrong with them.
    for name, claim in study.declared_items("claims", "claims").items():
        statement = str(claim.get("statement", ""))
        fields = [("id", _GREATEST, words_of(name)), ("statement", 2.5, words_of(statement))]
        yield Hit(CLAIM, "claims", name, statement), fields
    described = (book.pool.role, *OUTSIDE.values(), "bibliography")
    for table in study.tables.values():
        if table.spec.role not in described:
            yield from _findable_rows(EVIDENCE, table, book)


def _findable_rows(kind: str, table: Table, book: Codebook) -> Iterator[_Findable]:
    """Yield every row of a table with the text of every cell."""
    spec = table.spec
    # By its role, else by its type.
    weights = [_WEIGHTS.get(one.role, _WEIGHTS.get(one.type, 1.0)) for one in spec.columns]
    labelled = list(book.term_columns(spec))
    # What tells most about a row: its title, else its evidence, else a text.
    known = [*map(spec.by_role, ("title", "evidence", "boundary"))]
    known += [column for column in spec.columns if column.type == "text" and not column.role]
    telling = next(filter(None, known), spec.columns[-1])
    for row in table.placed():
        texts = list(row.row)
        for position, column, vocabulary in labelled:
            # With the labels of its terms: a reader knows O5 as "when to stop".
            printed: list[str] = []
            for value in column.values(texts[position]):
                label = vocabulary.labels.get(value, value)
                printed += dict.fromkeys((value, label))
            texts[position] = " ".join(printed)
        # Several rows may have the name of one entry, but each has a key of its own.
        key = "/".join(table.key_of(row.row)) if len(spec.key) > 1 else row.key
        fields = list(zip(spec.header, weights, map(words_of, texts), strict=True))
        reason = row.by_role.get("reason", "")
        yield Hit(kind, spec.name, key, row.cell(telling.name), reason), fields


def _sought(query: Iterable[str], texts: Sequence[_Findable]) -> _Sought:
    """Return what counts as each word of a query, in the texts that there are."""
    known: set[str] = set()
    for _, fields in texts:
        for _, _, words in fields:
            known.update(words)
    sought: dict[str, set[str]] = {}
    for word in query:
        sought[word] = {other for other in known if other == word or same_stem(word, other)}
    return sought


def _rarity(sought: _Sought, texts: Sequence[_Findable]) -> dict[str, float]:
    """Return how much each word tells, from 0 on: the more, the fewer texts have it."""
    rarity = {}
    for word, forms in sought.items():
        having = 0
        for _, fields in texts:
            having += any(not forms.isdisjoint(words) for _, _, words in fields)
        rarity[word] = math.log(1 + len(texts) / having) if having else 0.0
    return rarity


def _hit(
    findable: _Findable, sought: _Sought, rarity: Mapping[str, float], phrase: Sequence[str]
) -> Hit | None:
    """Return the hit with the words that are missing.

    None where it has a single word that tells less than half of the query.
    """
    hit, fields = findable
    total = 0.0
    columns: dict[str, None] = {}
    missing = []
    for word, forms in sought.items():
        best, place = 0.0, ""
        for column, weight, words in fields:
            # A word with another ending counts a little less.
            worth = weight if word in words else 0.95 * weight
            if worth > best and not forms.isdisjoint(words):
                best, place = worth, column
        total += best * rarity[word]
        if best:
            columns[place] = None
        else:
            missing.append(word)
    weight = _phrase_weight(fields, phrase, 1 if hit.kind == ENTRY else 2)
    whole = sum(rarity.values())
    unmatched = sum(rarity[word] for word in missing)
    is_little = len(sought) - len(missing) < 2 and unmatched > whole / 2
    if not columns or (is_little and not weight):
        return None
    # What has the words in a row gains half of what the words count.
    score = total / whole + weight / 2
    return replace(hit, score=score, columns=tuple(columns), missing=tuple(missing))


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

    Claims that answer, terms with their entries, the words that were ignored or are in no text,
    and the commands that tell more.
    """
    lines = []
    commands: dict[str, None] = {}
    heads = {column.vocabulary: column for column in reversed(study.codebook.pool.term_columns)}
    for hit in found.hits:
        if hit.kind == CLAIM:
            lines.append(("Answer", f"{hit.text} ({hit.key})"))
            commands[f"corpus claims {hit.key}"] = None
        elif hit.kind == TERM:
            label, _, definition = hit.text.partition(": ")
            text = f"{label}, of {hit.table}: {definition}"
            column = heads.get(hit.table)
            if column:
                keys = study.keys_by_term(column.name)[hit.key]
                noun = study.codebook.corpus["entry" if len(keys) == 1 else "entries"]
                text = f"{label}, of {column.label}: {len(keys)} {noun}: {first_of(keys, 4)}"
                commands[f"corpus list --where {column.name}={hit.key}"] = None
            lines.append(("Term", text))
    if found.ignored:
        lines.append(("Ignored", ", ".join(found.ignored)))
    if found.unknown:
        lines.append(("Unknown", ", ".join(found.unknown)))
    if found.nearest:
        lines.append(("Nearest", ", ".join(found.nearest)))
    lines += [("Next", command) for command in list(commands)[:2]]
    return lines


def search_grids(hits: Sequence[Hit], study: Study) -> list[Grid]:
    """Return one table for each kind of works and rows of which something was found.

    Where words are missing, a last column has them.
    """
    grids = []
    for kind in dict.fromkeys(hit.kind for hit in hits if KINDS[hit.kind]):
        title, header = KINDS[kind], ["record", "title", "why"]
        if kind == ENTRY:
            title = study.codebook.corpus["entries"].capitalize()
            header = ["key", "title", "found in"]
        elif kind == EVIDENCE:
            header = ["table", "row", "evidence"]
        of_kind = [hit for hit in hits if hit.kind == kind]
        is_partial = any(hit.missing for hit in of_kind)
        rows = []
        for hit in of_kind:
            cells = [hit.key, hit.text]
            if kind == EVIDENCE:
                cells.insert(0, hit.table)
            else:
                cells.append(", ".join(hit.columns) if kind == ENTRY else hit.reason)
            rows.append((*cells, *[", ".join(hit.missing)] * is_partial))
        grids.append(Grid(title, (*header, *["without"] * is_partial), tuple(rows)))
    return grids


def search_json(found: Found) -> str:
    """Return the hits as a JSON array."""
    return json_text([{**vars(hit), "score": round(hit.score, 3)} for hit in found.hits])
