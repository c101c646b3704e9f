"""What services answer: JSON read with care; texts and names in the form that tables want."""

import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from corpus.curation.importing.readers.records import plain
from corpus.curation.lookup.transport import Service
from corpus.model.dates import parse_date


def read_object(body: bytes, service: Service, asked: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer; CorpusError (C707) for anything else."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except ValueError as error:
        problem = f"it is not valid JSON ({error})"
    except RecursionError:
        problem = "it is nested too deeply"
    else:
        if isinstance(value, dict):
            return value
        problem = "it is not a JSON object"
    raise service.bad_answer(asked, problem)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def value_at(value: Any, path: str) -> Any:
    """Return what is at a path such as ``author.name``, of a list on the way in its first item.

    None where nothing is.
    """
    for name in path.split("."):
        if isinstance(value, list) and value:
            value = value[0]
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def text_at(value: Any, path: str) -> str:
    """Return the text at a path, or the first of several; an empty one for anything else."""
    found = value_at(value, path)
    if isinstance(found, list) and found:
        found = found[0]
    if not isinstance(found, str):
        return ""
    # JSON can spell half of a surrogate pair, which neither a file nor an address can hold.
    return found.encode("utf-8", "ignore").decode("utf-8")


def items_at(value: Any, path: str) -> Sequence[Any]:
    """Return the list at a path; an empty one for anything else."""
    found = value_at(value, path)
    if not isinstance(found, list):
        return []
    return found


#: An abstract is cut after so many characters.
ABSTRACT = 6_000
#: Markup that services put into titles (JATS, HTML, MathML); the text inside stays.
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:]{0,20}(?:\s[^<>]{0,200})?/?>")
#: What follows a family name, with a comma or without: BibTeX calls it the lineage.
_LINEAGE = re.compile(r"(?<=[\w.])(?:, ?| )([JS]r\.?|I{2,3}|IV)(?=,|$)")
#: A last word that no person has: such a name has no family name to put first.
_ORGANISATION = re.compile(
    r"\b(?:team|group|collaboration|consortium|project|labs?|inc\.?|foundation|institute"
    r"|university|network|staff)$",
    re.IGNORECASE,
)


def csl_date(value: Any) -> str:
    """Return the date of ``{"date-parts": [[y, m, d]]}`` as far as there is such a day."""
    known = ""
    texts = []
    for parts in items_at(value, "date-parts")[:1]:
        for part in parts[:3] if isinstance(parts, list) else ():
            texts.append(str(part).zfill(2))
            try:
                parse_date("-".join(texts))
            except ValueError:
                break
            known = "-".join(texts)
    return known


def csl_family(item: Any) -> str:
    """Return the family name of a person of CSL, with the particles and suffix beside it."""
    parts = ("dropping-particle", "non-dropping-particle", "family", "suffix")
    return " ".join(filter(None, [text_at(item, part) for part in parts]))


def clean(text: str, limit: int = 1000) -> str:
    """Make a text one plain line in NFC: no markup, nothing invisible, at most `limit` characters.

    Examples
    --------
    >>> clean("Soil  <i>respiration</i>\\n &amp; moisture\\u202e")
    'Soil respiration & moisture'
    """
    return plain(_TAG.sub("", html.unescape(text)))[:limit].strip()


def author(name: str) -> str:
    """Return ``Family, Given`` of a name in reading order; the name as it is for an organisation.

    Particles go with the family name by BibTeX's rule (lower case: with it), as pybtex reads them;
    so do Jr. and its like.

    Examples
    --------
    >>> author("Christian Schroeder de Witt"), author("Soil Survey Team"), author("Ward, Ann")
    ('de Witt, Christian Schroeder', 'Soil Survey Team', 'Ward, Ann')
    >>> author("Ann Ward Jr."), author("Ward, Jr., Ann")
    ('Ward Jr., Ann', 'Ward Jr., Ann')
    """
    # A semicolon would separate two authors in the cell.
    words = clean(name, 200).replace(";", " ").split()
    name = " ".join(words).strip(" ,")
    if _ORGANISATION.search(name) or " " not in name:
        return name
    # pybtex would read Jr. and its like as the family name; in "Li Jr" it is one of two names.
    lineage = _LINEAGE.search(name)
    behind = ""
    if lineage and " " in _LINEAGE.sub("", name, 1):
        name, behind = _LINEAGE.sub("", name, 1), lineage[1]
    if name.count(",") > 1:
        return f"{' '.join(name.replace(',', ' ').split())} {behind}".strip()
    from pybtex.database import Person

    read = Person(re.sub(r"[{}~\\]", " ", name))
    read.lineage_names.append(behind)
    return person_of(read)


def person_of(read: Any) -> str:
    """Return ``Family, Given`` of a name as pybtex read it."""
    family = [*read.prelast_names, *read.last_names, *read.lineage_names]
    return person(" ".join(family), " ".join([*read.first_names, *read.middle_names]))


def person(family: str, given: str) -> str:
    """Return ``Family, Given`` of a name that comes in two parts."""
    name, given = clean(family, 200), clean(given, 200)
    if given:
        name = f"{name}, {given}"
    return " ".join(name.replace(";", " ").split())
