"""What services and files write, in the form of tables: JSON read with care, texts, people."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from corpus.curation.importing.names import filled
from corpus.curation.importing.readers.records import (
    Cell,
    plain,
    single_texts,
    texts_of,
    without_markup,
)
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
#: What follows a family name, with a comma or without: BibTeX calls it the lineage.
_LINEAGE = re.compile(r"(?<=[\w.])(?:, ?| )([JS]r\.?|I{2,3}|IV)(?=,|$)")
#: A last word that no person has: such a name has no family name to put first. Before a comma it
#: is part of an organisation's name, as "Institute of ..." is.
_ORGANISATION = re.compile(
    r"\b(?:team|group|collaboration|consortium|project|labs?|inc\.?|foundation|institute|university"
    r"|network|staff|organi[sz]ation|commission|committee|council|agency|ministry|department"
    r"|society|association|cent(?:er|re)|research|alliance|initiative|academy|grp|corporation"
    r"|ltd\.?|gmbh|llc|universit(?:à|é|ät|eit)|universidade?|institut[eo]?|ministerio"
    r"|minist[èe]re|stiftung|\w*gesellschaft|\w*gemeinschaft)$"
    r"|^(?:university|institut[eo]?|department|ministry|cent(?:er|re)|academy|office|universidade?"
    r"|universit[àé]|ministerio|minist[èe]re|fundación|asociación) (?:of|for|de|di|du)\b"
    # "Google, Inc.", "Moor, Torf & Co. KG": no person is called so.
    r"|, ?(?:inc|ltd|llc|llp|plc|gmbh|corp|co\. ?,? ?ltd|pty\.? ltd|s\.p\.a|s\.r\.l|e\.v)\b"
    r"|\b(?:&|and) co\b\.?(?: kg)?"
    # "Université de Tourbe, Faculté des Sciences": words that join others are in no given name.
    r"|, [^,]+ (?:of|for|für|des|&) (?-i:[A-ZÄÖÜÉ])",
    re.IGNORECASE,
)


def csl_date(value: Any) -> str:
    """Return the date of ``{"date-parts": [[y, m, d]]}`` as far as there is such a day.

    Pandoc writes ``{"year": y, "month": m, "day": d}``.
    """
    known = ""
    texts = []
    parts = [value_at(value, name) for name in ("year", "month", "day")]
    for first in items_at(value, "date-parts")[:1]:
        parts = first if isinstance(first, list) else []
    for part in parts[:3]:
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
    return plain(without_markup(text))[:limit].strip()


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
    words = re.sub("; *", " ", clean(name, 200)).replace(",", ", ").split()
    name = " ".join(words).strip(" ,")
    if any(map(_ORGANISATION.search, (name, name.partition(",")[0]))):
        return whole_name(name, is_organisation=True) if "," in name else name
    if " " not in name:
        return name
    if _EAST_ASIAN.search(name) and "," not in name:
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


_UPPER, _LOWER = (
    "".join(filter(case, map(chr, range(0x530)))) for case in (str.isupper, str.islower)
)
_INITIALS = re.compile(rf"(?:[{_UPPER}]\.?[ -]?){{1,4}}")
#: "Moor BC" and "Moor B. C.", as medical databases write a name; a numeral or the short name of an
#: organisation is no initials.
_VANCOUVER = re.compile(
    rf"(?P<family>(?=[^,]*[{_LOWER}])[^,.]*?[^,.\s](?: (?:[JS]r\.?|I{{2,3}}|IV))?) "
    rf"(?P<initials>(?!(?:II|III|IV|AI|EU|UK|US)\b)(?:[{_UPPER}]\.?[ -]?){{1,4}})"
)
_AND_OTHERS = re.compile(
    r"[,;]?(?<!\s)\s*+(?:\b(?:et\.? al\.?|and others)|(?:^|\b)(?<!\w )others|\.\.\.|…)\s*+$",
    re.IGNORECASE,
)
_AND = re.compile(r",?(?<!\s)\s++(?:and|&)\s++")
#: "Ward, Ann B."
_FAMILY_GIVEN = re.compile(r"[^,{]+, ?[^,\s]+(?: \w\.?)*")
#: DBLP numbers people of one name ("Antonio Rago 0001"); Scopus adds its number of the author
#: ("Ward, Ann (57190000000)").
NUMBER = re.compile(r"(?<=\S)\s++(?:0[0-9]{3}|\([0-9]{5,}\))(?=$|,)")
_WORD_WITH_CASE = re.compile(r"[^\W\d_a-z][\w'’-]*[a-zà-ÿ][\w'’-]*")
#: The full stop of a whole list, behind initials without one or a word.
_END_OF_LIST = re.compile(r"(?<=[A-Z]{2}|[a-z]{2})\.$")
_SURE_SEPARATORS = (";", "|", "\u2022", " / ")
#: Separators of other scripts, as the ones that mean the same.
_OF_SCRIPTS = str.maketrans({"；": ";", "؛": ";", "、": ";", "，": ", ", "،": ", "})
#: Names of these scripts have the family first, and often no space.
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
#: Between two names in Chinese characters; within a foreign name it is between its parts.
_DOT_BETWEEN = re.compile(r"(?<=[\u3400-\u9fff])・(?=[\u3400-\u9fff])")
#: From this share of cells with a sure separator on, a comma is inside a name, never between two.
_SEPARATED_SHARE = 0.2


#: "Ann Ward (ann@bog.example)", "Ward, Ann <ann@bog.example>"
_MAIL = re.compile(
    r"[\s,]{0,8}[(<\[]?(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}[)>\]]?"
)


#: What is not part of a name: marks of footnotes, degrees, titles.
_AROUND_NAME = re.compile(
    r"(?:(?<=[^\s*†‡§¶∗¹²³⁴-⁹,;])[*†‡§¶∗¹²³⁴-⁹]++|, ?(?:Ph\.? ?D|M\.?D|M\.?Sc|MPH|RN)\b\.?)"
    r"(?=\s*+(?:[,;&]|and\b|$))"
    r"|(?:(?<=^)|(?<=[,;] ))(?:Dr|Prof)\. "
)


def split_authors(cell: Cell, comma_is_inside: bool = False) -> tuple[str, ...]:
    """Return names as ``Family, Given``, each once, whatever separates them in the source.

    Parameters
    ----------
    cell : str or tuple of str
        The list as one text, or the names where the source keeps them apart.
    comma_is_inside : bool
        Whether a comma is known to be inside a name, as :func:`commas_are_inside` finds out.

    Examples
    --------
    >>> split_authors("Ann Ward, Bo Moor and Cy Stein")
    ('Ward, Ann', 'Moor, Bo', 'Stein, Cy')
    >>> split_authors("Ward, A., Moor, B.C.")
    ('Ward, A.', 'Moor, B.C.')
    >>> split_authors("Ward A, von Moor BC")
    ('Ward, A', 'von Moor, BC')
    >>> split_authors("von Moor, Bo")
    ('von Moor, Bo',)
    >>> split_authors("Moor, Jakob N.")
    ('Moor, Jakob N.',)
    >>> split_authors("Ann Ward (ann@bog.example); Bo Moor <bo@fen.example>")
    ('Ward, Ann', 'Moor, Bo')
    >>> split_authors("Ward, Ann; Soil Survey Staff; et al.")
    ('Ward, Ann', 'Soil Survey Staff')
    >>> split_authors("王小明；李雷"), split_authors("王，小明")
    (('王小明', '李雷'), ('王, 小明',))
    """
    parts: list[str] = []
    if isinstance(cell, str):
        text = _DOT_BETWEEN.sub(";", cell.translate(_OF_SCRIPTS))
        text = _AROUND_NAME.sub("", _MAIL.sub("", text))
        parts = _split(_AND_OTHERS.sub("", text), comma_is_inside)
    else:
        for name in cell:
            # Some programs write all people under one tag.
            people = _AND.split(name)
            is_organisation = _ORGANISATION.search(name.partition(",")[0])
            if is_organisation or not all(map(_FAMILY_GIVEN.fullmatch, people)):
                people = [name] if name.startswith("{") else name.split(";")
            parts += _medical_list(name) or people
    # Two people may have one name: "Kim, S." is in some lists twice.
    return tuple(filter(None, map(_author, parts)))


def commas_are_inside(cells: Iterable[Cell]) -> bool:
    """Whether the cells of a column separate names by more than a comma.

    A single name of such a column ("García López, María José") is one person then, although it
    could be two; unless commas separate people in other cells, and none is in a name.
    """
    texts = single_texts(cells)
    separated = list(filter(_has_sure_separator, texts))
    lists = [text for text in texts if text.count(",") > 1 and not _has_sure_separator(text)]
    if lists and not any("," in text for text in separated):
        return False
    return len(separated) > 0 and len(separated) >= _SEPARATED_SHARE * len(texts)


def _has_sure_separator(text: str) -> bool:
    text = text.translate(_OF_SCRIPTS)
    return any(separator in text for separator in _SURE_SEPARATORS)


def whole_name(name: str, is_organisation: bool = False) -> str:
    """Put braces around a name of several words that has no given name.

    :func:`split_authors` keeps such a name whole; of an organisation also with a comma.
    """
    if " " not in name or ("," in name and not is_organisation):
        return name
    return f"{{{name}}}"


@lru_cache(10_000)
def _author(text: str) -> str:
    text = _AND_OTHERS.sub("", _AROUND_NAME.sub("", _MAIL.sub("", text.translate(_OF_SCRIPTS))))
    text = NUMBER.sub("", text.strip())
    if text.startswith("{") and text.endswith("}"):
        # One name as it is, in the manner of BibTeX; a comma would end the family name.
        name = " ".join(text[1:-1].split())
        return f"{{{name}}}" if "," in name else name
    short = _VANCOUVER.fullmatch(text)
    if short:
        text = f"{short['family']}, {short['initials']}"
    return author(text)


def is_cut(cell: Cell) -> bool:
    """Whether a list of authors tells that there are more."""
    return any(map(_AND_OTHERS.search, texts_of(cell)))


def are_uncertain(cell: Cell) -> bool:
    """Whether commas may be between people or inside names: "Ward, Ann, Moor, Bo".

    Names without a letter that has a case are written in one word.
    """
    if not isinstance(cell, str) or _has_sure_separator(cell) or _AND.search(cell):
        return False
    words = list(map(str.strip, cell.split(",")))
    if len(words) < 4 or len(words) % 2 == 1:
        return False
    return all(map(_WORD_WITH_CASE.fullmatch, words))


def _medical_list(text: str) -> list[str]:
    """Return the people of "Ward AB, de Moor C; Fen Study Group.", as PubMed has them, or none."""
    pieces = filled(re.split("[,;]", _END_OF_LIST.sub("", text)))
    people = list(filter(_VANCOUVER.fullmatch, pieces))
    others = set(pieces).difference(people)
    return pieces if len(people) > 1 and all(map(_ORGANISATION.search, others)) else []


def _split(text: str, comma_is_inside: bool) -> list[str]:
    medical = _medical_list(text)
    if medical:
        return medical
    for separator in _SURE_SEPARATORS:
        if separator in text:
            return filled(text.split(separator))
    parts = filled(_AND.split(text))
    pieces = filled(",".join(parts).split(","))
    if all(map(_VANCOUVER.fullmatch, pieces)):
        return pieces
    if len(parts) == 1 and comma_is_inside and text.count(",") == 1:
        return [text]
    if all(map(_EAST_ASIAN.match, pieces)) and not any(" " in piece for piece in pieces):
        # A single character is a family name, or the given name beside one.
        pairs = list(zip(pieces[::2], pieces[1::2], strict=False))
        if len(pieces) % 2 == 0 and all(1 in (len(one), len(other)) for one, other in pairs):
            return [", ".join(pair) for pair in pairs]
        return pieces
    # "Ward, Ann and Moor, Bo", as BibTeX writes it: between "and" is at most one comma.
    one_each = all(part.count(",") <= 1 for part in parts) and "," in "".join(parts[:-1])
    if one_each and not all(" " in piece for piece in pieces):
        return parts
    given = pieces[1::2]
    if len(pieces) % 2 == 0 and given and all(map(_INITIALS.fullmatch, given)):
        return [f"{family}, {name}" for family, name in zip(pieces[::2], given, strict=True)]
    if len(pieces) == 2 and len(parts) == 1:
        # "Ward, Ann" is one name.
        has_one_word = " " not in pieces[0] or " " not in pieces[1]
        if has_one_word or pieces[0][:1].islower():
            return [text]
    return pieces
