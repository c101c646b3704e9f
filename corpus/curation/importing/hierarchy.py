"""Nested classes: ``a{b{c}}`` and paths such as ``a/b/c``, which become terms in groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.curation.importing.names import term_id

#: What separates the levels of a path that the importer writes. It is in no identifier, where ``>``
#: becomes a word.
JOINT = " › "
#: Marks braces where separators of a cell are listed.
BRACES = "{}"
_PATHS = (JOINT, ">", "::", "/", "\\")
#: Deeper nesting is text, such as a formula.
_MOST_LEVELS = 6
#: Of the cells of a column, so many are paths; of the parts below the first level, so many have one
#: parent. Tags that somebody joined by a slash have several.
_MOSTLY = 0.9
#: Groups and terms of a group are few on average: a tree of single children is none.
_CHILDREN = 1.5


class TermGroup(NamedTuple):
    """Terms below one class: identifier, label and the terms' identifiers."""

    id: str
    label: str
    terms: tuple[str, ...]


def nested_paths(cell: str) -> list[str]:
    """Return the classes of a cell with braces as paths, the innermost ones.

    An empty list where braces are not balanced, or where there are none.

    Examples
    --------
    >>> nested_paths("energy{battery{ion, lead}}, water")
    ['energy › battery › ion', 'energy › battery › lead', 'water']
    >>> nested_paths("energy{battery"), nested_paths("plain")
    ([], [])
    """
    if "{" not in cell:
        return []
    above: list[str] = []
    found = []
    last = ""
    is_leaf = False
    for piece in re.findall(r"[{},;]|[^{},;]+", cell):
        text = piece.strip()
        if text == "{":
            if not last or len(above) >= _MOST_LEVELS:
                return []
            above.append(last)
            last, is_leaf = "", False
        elif text in ("}", ",", ";"):
            if is_leaf:
                found.append(JOINT.join([*above, last]))
            last, is_leaf = "", False
            if text == "}":
                if not above:
                    return []
                above.pop()
        elif text:
            last, is_leaf = text, True
    if above:
        return []
    if is_leaf:
        found.append(last)
    return found


def has_braces(cells: Sequence[str]) -> bool:
    """Return whether most cells are classes with classes in braces."""
    nested = sum(bool(nested_paths(cell)) for cell in cells)
    return nested > 0 and 2 * nested >= len(cells)


def path_separator(values: Iterable[str]) -> str:
    """Return what separates the levels of values that are paths of one tree; empty otherwise.

    In a tree, each part is on one level and below one parent, and parents have several children.
    Otherwise the values are tags that a person joined.

    Examples
    --------
    >>> path_separator(["soil/clay/wet", "soil/clay/dry", "soil/sand", "air/city", "air/sea"])
    '/'
    >>> path_separator(["RL/vision", "RL/text", "IL/vision", "IL/text"])
    ''
    """
    different = set(values)
    for separator in _PATHS:
        paths = []
        for value in different:
            parts = _parts(value, separator)
            if 1 < len(parts) <= _MOST_LEVELS:
                paths.append(parts)
        if len(paths) >= _MOSTLY * len(different) and _is_tree(paths):
            return separator
    return ""


def path_groups(labels: Sequence[tuple[str, str]]) -> tuple[TermGroup, ...]:
    """Return the groups of a vocabulary whose labels are paths: one per class, on every level.

    A class below the first level is a group where it has several terms; outer classes come before
    those inside them.

    Parameters
    ----------
    labels : sequence of (str, str)
        Identifier and label of each term.

    Examples
    --------
    >>> labels = ["soil › clay › wet", "soil › clay › dry", "soil › sand", "air › city"]
    >>> groups = path_groups([(f"t{number}", label) for number, label in enumerate(labels)])
    >>> [(group.label, group.terms) for group in groups]
    [('soil', ('t0', 't1', 't2')), ('soil › clay', ('t0', 't1')), ('air', ('t3',))]
    """
    # Braces leave no doubt; a slash is a level only where the values are one tree.
    texts = [label for _, label in labels]
    separator = JOINT
    if not any(JOINT in text for text in texts):
        separator = path_separator(texts)
    if not separator:
        return ()
    below: dict[tuple[str, ...], list[str]] = {}
    for identifier, label in labels:
        parts = _parts(label, separator)
        for level in range(1, max(len(parts), 2)):
            below.setdefault(tuple(parts[:level]), []).append(identifier)
    order = {path: number for number, path in enumerate(below)}
    groups: list[TermGroup] = []
    taken: set[str] = set()
    for path in sorted(below, key=lambda path: _place(path, order)):
        terms = below[path]
        if len(path) > 1 and len(terms) < 2:
            continue
        identifier = term_id(" ".join(path), taken)
        taken.add(identifier)
        groups.append(TermGroup(identifier, JOINT.join(path), tuple(terms)))
    return tuple(groups)


def _place(path: tuple[str, ...], order: Mapping[tuple[str, ...], int]) -> tuple[int, ...]:
    """Return where a class is printed: in the order of first use, below the class around it."""
    return tuple(order[path[:level]] for level in range(1, len(path) + 1))


def _parts(value: str, separator: str) -> list[str]:
    parts = [part.strip() for part in value.split(separator)]
    if not all(parts):
        return []
    return parts


def _is_tree(paths: Sequence[Sequence[str]]) -> bool:
    """Return whether parts have one place each, and the first level has several below it."""
    parents: dict[str, set[str]] = {}
    tops = set()
    for path in paths:
        tops.add(path[0])
        for level, part in enumerate(path[1:]):
            # The parent with its level, so that a part on two levels has two.
            parents.setdefault(part, set()).add(f"{level} {path[level]}")
    if len(tops) < 2 or len(paths) < _CHILDREN * len(tops) or not tops.isdisjoint(parents):
        return False
    single = sum(len(found) == 1 for found in parents.values())
    return single >= _MOSTLY * len(parents)
