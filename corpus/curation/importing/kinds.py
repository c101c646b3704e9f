"""What kind of column a column is: term, tags, number, address or free text; and its terms."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple

from corpus.curation.importing.names import filled, listed, read_date, term_id
from corpus.curation.importing.readers.records import Cell, single_texts, texts_of
from corpus.tables.cells import forms_of

TERM, TAGS, TEXT, EMPTY = "term", "tags", "text", "empty"
MAX_TERMS = 60
_MAX_TERM_LENGTH = 60
_MAX_TERM_WORDS = 6
_SEPARATORS = (";", "|", ",", " / ", "/", " + ", " & ")
#: Separators of other scripts that mean the same.
_OF_SCRIPTS = {";": "；؛", ",": "，、،", "|": "｜"}
#: In so many rows one value in all of them is a constant, not an axis with one term.
_CONSTANT_ROWS = 5
#: What people write before the last of several: "fog, rain, and dew".
_BEFORE_LAST = re.compile(r"^\s*(?:and|or|und|&)\s+")
#: A separator that no term holds is written between the tags of a cell.
_JOINTS = ("; ", " | ", " / ")

#: What people write, in lower case, where nothing applies.
ABSENT = frozenset(listed("na, n/a, n.a., none, not applicable, -, –, —, nil, null"))


class Kind(NamedTuple):
    """What a column is, and in a few words why; `separator` divides the tags of a source cell."""

    name: str
    reason: str = ""
    separator: str = ""


#: Words in the name of a column that make short values terms or tags even where few of them repeat.
_TERM_WORDS = frozenset(
    listed("type, kind, category, class, status, domain, section, subsection, level, topic")
)
_TAG_WORDS = frozenset(listed("tags, tag, keywords, keyword, labels, topics, categories, types"))
_TEXT_WORDS = frozenset(listed("abstract, summary, description"))
#: Names of columns that programs keep for themselves: they repeat and mean nothing to a survey.
_BOOKKEEPING = frozenset(
    listed(
        "page, pages, pp, first page, start page, last page, end page, volume, issue, number, "
        "issn, isbn, eissn, article number, timestamp, date added, date modified, date created, "
        "added, modified, created, created at, updated, updated at, last modified, accessed, "
        "access date, owner, user, username, added by, created by, modified by, groups owner, "
        "library catalog, file, file attachments, attachments, editor, editors, secondary authors"
    )
)
#: Types that all cells of a column may be of, in the order in which they are tried.
_PLAIN = {
    "year": "a year",
    "integer": "a whole number",
    "number": "a number",
    "date": "a date",
    "url": "an address",
}
#: Kinds that a user can ask for.
KINDS = (TERM, TAGS, TEXT, *_PLAIN)


def infer_kind(cells: Sequence[Cell], words: Sequence[str] = (), rows: int = 0) -> Kind:
    """Return what a column is by its cells, empty ones left out, and by the words of its name.

    Parameters
    ----------
    cells : sequence of str or tuple of str
        The filled cells.
    words : sequence of str
        The words of its name.
    rows : int
        Number of rows of the source, which tells a constant from a mark that some rows have.

    Examples
    --------
    >>> infer_kind(["clay", "sand", "clay", "sand", "clay"]).name
    'term'
    >>> infer_kind(["pH; salt", "salt", "pH", "heat; salt", "pH"])
    Kind(name='tags', reason='3 tags, 7 uses in 5 cells', separator=';')
    """
    if not cells:
        return Kind(EMPTY, "no cell is filled")
    if rows >= _CONSTANT_ROWS and len(cells) == rows and len(set(cells)) == 1:
        return Kind(TEXT, "the same in every row")
    is_tags = are_tags(words)
    texts = single_texts(cells)
    if len(texts) < len(cells):
        values = values_of(cells)
        count = _distinct_terms(values, is_tags)
        if count is None:
            return Kind(TEXT, f"lists of {len(set(values))} different texts in {len(cells)} cells")
        if len(values) <= len(cells):
            return Kind(TERM, f"{count} values in {len(cells)} cells")
        return Kind(TAGS, f"{count} tags, {len(values)} uses in {len(cells)} cells")
    for name, meaning in _PLAIN.items():
        if all(_is_plain(name, text) for text in texts):
            return Kind(name, f"every cell is {meaning}")
    if not _TEXT_WORDS.isdisjoint(words) or " ".join(words) in _BOOKKEEPING:
        return Kind(TEXT, "by its name")
    hinted = is_tags or not _TERM_WORDS.isdisjoint(words)
    single = _distinct_terms(texts, hinted)
    separator, number = _tags(texts, hinted, is_tags)
    if number:
        uses = len(values_of(texts, separator))
        return Kind(TAGS, f"{number} tags, {uses} uses in {len(texts)} cells", separator)
    if single is not None:
        return Kind(TERM, f"{single} values in {len(texts)} cells")
    return Kind(TEXT, f"{len(set(texts))} different texts in {len(texts)} cells")


def are_tags(words: Sequence[str]) -> bool:
    """Whether the words of a column's name make its short values tags."""
    return not _TAG_WORDS.isdisjoint(words)


def recur(cells: Iterable[Sequence[str]]) -> bool:
    """Whether of the parts of divided cells more than half are in another cell as well.

    Parts of a list are, those of a sentence or a name seldom.

    Examples
    --------
    >>> recur([["pH", "salt"], ["salt"], ["pH"]]), recur([["no", "but later"], ["no"]])
    (True, False)
    """
    distinct = {tuple(part.casefold() for part in parts): None for parts in cells}
    times = Counter(chain.from_iterable(map(set, distinct)))
    parts = [part for cell in distinct if len(cell) > 1 for part in cell]
    return 2 * sum(times[part] > 1 for part in parts) > len(parts)


def split_cell(cell: Cell, separator: str = "") -> tuple[str, ...]:
    """Return the values of a cell, each once; there is no separator inside brackets.

    A word for "none applies" is one value, whatever it has in it.

    Examples
    --------
    >>> split_cell("Safety (ISO 26262, SOTIF), Wear", ","), split_cell("N/A", "/")
    (('Safety (ISO 26262, SOTIF)', 'Wear'), ('N/A',))
    >>> split_cell("fog, rain, and dew", ",")
    ('fog', 'rain', 'dew')
    >>> split_cell("rl；规划", ";")
    ('rl', '规划')
    """
    parts: list[str] = []
    for text in texts_of(cell):
        # In a list of keywords somebody may have written several as one.
        between = separator if isinstance(cell, str) else ";"
        if between and text.strip().casefold() not in ABSENT:
            pieces = _outside_brackets(text, between)
            if len(pieces) > 1:
                pieces[-1] = _BEFORE_LAST.sub("", pieces[-1])
            parts += pieces
        else:
            parts.append(text)
    return tuple(dict.fromkeys(filled(parts)))


def _outside_brackets(text: str, separator: str) -> list[str]:
    """Split a text at a separator, or one that means the same in another script."""
    wanted = "|".join(map(re.escape, [separator, *_OF_SCRIPTS.get(separator, "")]))
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[(\[{{]|[)\]}}]|{wanted}", text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    rest = text[start:]
    # A bracket that is never closed holds nothing together.
    parts += [rest] if depth == 0 else re.split(wanted, rest)
    return parts


def likely_separator(cells: Sequence[Cell]) -> str:
    """Return what separates tags: of the separators that divide cells, the most usual one."""
    texts = single_texts(cells)
    for separator in _SEPARATORS:
        if any(len(split_cell(text, separator)) > 1 for text in texts):
            return separator
    return ";"


def values_of(cells: Iterable[Cell], separator: str = "") -> list[str]:
    """Return the values of all cells, in their order."""
    values: list[str] = []
    for cell in cells:
        values += split_cell(cell, separator)
    return values


def joint(values: Sequence[str]) -> str:
    """Return what to write between several values so that it is in none of them."""
    for separator in _JOINTS:
        if not any(separator.strip() in value for value in values):
            return separator
    return " || "


def _is_plain(type_: str, text: str) -> bool:
    """Return whether a text is of a type: the checks have nothing against it."""
    if type_ == "year" and not re.fullmatch(r"(1[89]|20)[0-9]{2}", text):
        return False
    if type_ == "date":
        # A code such as 0042, or a time, is something else.
        if text.startswith("0") or ":" in text:
            return False
        # "2021/12/21" and "21 Dec 2021" have more than numbers in them.
        if re.search(r"[0-9][/. ]|[A-Za-z]", text) and read_date(text):
            return True
    return all(form.passes(text, date.today()) for form in forms_of(type_))


def _distinct_terms(values: Sequence[str], hinted: bool) -> int | None:
    """Return the number of distinct values where they are few enough to be terms, else None.

    Terms are short, and most of them repeat. Where the name of the column hints at terms they need
    not repeat. Values without letters, such as times, are not terms; an address would lose its
    punctuation as a term.
    """
    if any(value.startswith(("https://", "http://")) for value in values):
        return None
    short = wordlike = 0
    for value in values:
        short += len(value) <= _MAX_TERM_LENGTH and len(value.split()) <= _MAX_TERM_WORDS
        wordlike += len(value) <= 4 or any(map(str.isalpha, value))
    if 2 * wordlike < len(values) or short < 0.97 * len(values):
        return None
    counts = Counter(re.sub(r"[\s_-]+", " ", value).casefold() for value in values)
    if len(counts) > MAX_TERMS:
        return None
    repeated = len(values) - list(counts.values()).count(1)
    if not hinted and 2 * repeated < len(values):
        return None
    return len(counts)


def _tags(texts: Sequence[str], hinted: bool, is_tags: bool) -> tuple[str, int]:
    """Return the separator that divides cells into tags that repeat, and the number of tags.

    Empty and 0 where no separator helps.
    """
    best, fewest = "", 0
    for separator in _SEPARATORS:
        cells = [split_cell(text, separator) for text in texts]
        divided = sum(len(parts) > 1 for parts in cells)
        # A semicolon or bar is seldom part of a term.
        is_sure = separator in (";", "|") and divided > 1
        if divided and (is_tags or is_sure or recur(cells)):
            count = _distinct_terms(values_of(texts, separator), hinted)
            if count and (not best or count < fewest):
                best, fewest = separator, count
    return best, fewest


class Spelled(NamedTuple):
    """A term of a new vocabulary: `spellings` maps each spelling in the source to its number."""

    id: str
    label: str
    spellings: dict[str, int]

    @property
    def uses(self) -> int:
        """How often the term is in the source, in any spelling."""
        return sum(self.spellings.values())


def spelled_terms(values: Iterable[str]) -> list[Spelled]:
    """Gather values into terms.

    Values that differ in case, hyphens, spaces and underscores only are one term.

    The commonest spelling is the label; terms come in order of use. What means "none applies"
    becomes the term ``NA``.

    Examples
    --------
    >>> terms = spelled_terms(["Time-domain", "time domain", "Time-domain", "n/a"])
    >>> [(term.id, term.spellings) for term in terms]
    [('time_domain', {'Time-domain': 2, 'time domain': 1}), ('NA', {'n/a': 1})]
    """
    counts = Counter(values)
    groups: dict[str, Counter[str]] = {}
    for value, number in counts.items():
        groups.setdefault(_folded(value), Counter())[value] += number
    terms = []
    taken = {"NA"}
    absent = groups.pop("", None)
    for _, spellings in sorted(groups.items(), key=lambda item: (-item[1].total(), item[0])):
        label = min(spellings, key=lambda text: (-spellings[text], text))
        identifier = term_id(label, taken)
        taken.add(identifier)
        terms.append(Spelled(identifier, label, dict(spellings)))
    if absent:
        terms.append(Spelled("NA", "not applicable", dict(absent)))
    return terms


def _folded(value: str) -> str:
    """Return what spellings of one term share; an empty text for "none applies"."""
    plain = " ".join(value.casefold().split())
    if plain in ABSENT:
        return ""
    return re.sub(r"[\s_‐-―-]+", " ", plain).strip()
