"""What two states of a corpus declare otherwise: each rule, column attribute, term and sentence.

A change of the codebook can make wrong data pass. So everything that differs in codebook and
documents is named, with what it was and what it is, even where the program does not know what an
entry is for.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.printing.json_document import as_plain

CODEBOOK = "codebook"
REMOVED, CHANGED, REORDERED, ADDED = "removed", "changed", "reordered", "added"
#: What takes something away comes first, so that many additions cannot push it out of a report that
#: is cut.
_ORDER = (REMOVED, CHANGED, REORDERED, ADDED)
#: What one member of a section is called.
_MEMBER = {
    "claims": "claim",
    "columns": "column",
    "crosstabs": "cross-tabulation",
    "documents": "document",
    "figures": "figure",
    "groups": "group",
    "impossible": "impossible combination",
    "queries": "query",
    "rules": "rule",
    "sources": "source",
    "stages": "stage",
    "tables": "table",
    "terms": "term",
    "vocabularies": "vocabulary",
}
#: By which of their entries the members of a list are recognised.
_NAMED_BY = ("id", "name", "key")
#: What is nested more deeply is compared as a whole.
_DEEPEST = 12

#: Sections that mean something where a codebook does not have them.
_DEFAULTS = {"sparsity": {"threshold": 2}, "years": {}}

Path = tuple[str, ...]
#: Path and kind of a difference, the older value and the newer one.
_Difference = tuple[Path, str, Any, Any]


class DeclarationChange(NamedTuple):
    """One entry of the codebook or of a document that differs.

    Attributes
    ----------
    document : str
        ``codebook``, or the name of the document: ``claims``, ``protocol``.
    path : tuple of str
        The keys and names that lead to the entry.
    kind : str
        ``removed``, ``changed``, ``reordered`` or ``added``.
    old, new : Any
        The decoded values; None where there is none.
    """

    document: str
    path: Path
    kind: str
    old: Any = None
    new: Any = None

    @property
    def place(self) -> str:
        """The entry in words: ``table pool, column doi, type``."""
        return in_words(self.path)

    @property
    def before(self) -> str:
        """The older value as text; empty where there is none."""
        return _value_text(self.old)

    @property
    def after(self) -> str:
        """The newer value as text; empty where there is none."""
        return _value_text(self.new)

    def as_dict(self) -> dict[str, str]:
        """Return the change as texts, for JSON."""
        names = ("document", "place", "kind", "before", "after")
        return {name: getattr(self, name) for name in names}


def declaration_changes(before: Study, after: Study) -> list[DeclarationChange]:
    """Compare the codebooks and the documents of two states.

    The codebook comes first; in each document what is removed, changed, reordered, added.
    """
    documents: dict[str, tuple[Any, Any]] = {}
    if before.codebook is not after.codebook:
        documents[CODEBOOK] = _codebook(before.codebook), _codebook(after.codebook)
    for name in sorted({*before.documents, *after.documents}):
        old, new = before.documents.get(name, {}), after.documents.get(name, {})
        if old is not new:
            documents[name] = as_plain(old), as_plain(new)
    found = []
    for name, both in documents.items():
        changes = [DeclarationChange(name, *change) for change in _walk(*both, ())]
        found += sorted(changes, key=lambda change: _ORDER.index(change.kind))
    return found


def _codebook(book: Codebook) -> dict[str, Any]:
    """Return a codebook in the form of its file, with every default written out."""
    plain = as_plain(book)
    assert isinstance(plain, dict)
    # Two states of one codebook may be in different places.
    del plain["file"]
    settings = plain.pop("settings")
    plain["rules"] = plain.pop("consistency_rules")
    # What cannot occur together is recognised by that; it has no name.
    impossible = {}
    for item in plain["impossible"]:
        cells = (f"{axis} {', '.join(terms)}" for axis, terms in item["cells"].items())
        impossible["; ".join(cells)] = item["reason"]
    return {**plain, "impossible": impossible, **_DEFAULTS, **settings}


def _walk(old: Any, new: Any, path: Path) -> Iterator[_Difference]:
    """Yield what differs, member by member where both values have named members."""
    if _exact(old) == _exact(new):
        return
    is_compared = type(old) is type(new) and len(path) < _DEEPEST
    olds, news = _members(old), _members(new)
    if is_compared and olds is not None and news is not None:
        for name in {**olds, **news}:
            if name not in news:
                yield (*path, name), REMOVED, olds[name], None
            elif name not in olds:
                yield (*path, name), ADDED, None, news[name]
            else:
                yield from _walk(olds[name], news[name], (*path, name))
        old_order = [name for name in olds if name in news]
        new_order = [name for name in news if name in olds]
        if isinstance(old, list) and old_order != new_order:
            yield path, REORDERED, old_order, new_order
    else:
        yield path, CHANGED, old, new


def _members(value: Any) -> dict[str, Any] | None:
    """Return the members of a section or a list by their names; None without names of their own."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        for key in _NAMED_BY:
            names = [item.get(key) for item in value if isinstance(item, dict)]
            texts = [name for name in names if isinstance(name, str)]
            if len(texts) == len(value) == len(set(texts)):
                return dict(zip(texts, value, strict=True))
    return None


def by_item(change: DeclarationChange) -> Iterator[DeclarationChange]:
    """Yield a change of a list without names item by item, by their numbers in the newer list."""
    old, new, path = change.old, change.new, change.path
    if change.kind != CHANGED or not (isinstance(old, list) and isinstance(new, list)):
        yield change
        return
    gone, came = _unmatched(old, new), _unmatched(new, old)
    if not gone and not came:
        yield change._replace(kind=REORDERED)
    found: list[_Difference] = []
    for was, now in zip_longest(gone, came):
        place = (*path, f"item {(now or was)[0]}")
        if was and now:
            found += _walk(was[1], now[1], place)
        else:
            found.append((place, ADDED, None, now[1]) if now else (place, REMOVED, was[1], None))
    for difference in found:
        yield from by_item(DeclarationChange(change.document, *difference))


def _unmatched(items: list[Any], others: list[Any]) -> list[tuple[int, Any]]:
    """Return the items that another list has not, or not as often, with their numbers."""
    left = Counter(map(_exact, others))
    found = []
    for number, item in enumerate(items, 1):
        left[_exact(item)] -= 1
        if left[_exact(item)] < 0:
            found.append((number, item))
    return found


def in_words(path: Path) -> str:
    """Write a path as words.

    Examples
    --------
    >>> in_words(("tables", "pool", "columns", "doi", "type"))
    'table pool, column doi, type'
    """
    words = []
    member = ""
    for number, part in enumerate(path, 1):
        if member:
            words.append(f"{member} {part}")
            member = ""
        elif part in _MEMBER and number < len(path) and not path[number].startswith("item "):
            # The next part names the member: a table may be called "tables".
            member = _MEMBER[part]
        else:
            words.append(part)
    return ", ".join(words)


def _exact(value: Any) -> str:
    """Return a text that differs wherever two values do; in Python, 1 and true are equal."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=repr)


def _value_text(value: Any) -> str:
    """Return a value for people: strings as they are, a list of them with commas, else JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)
