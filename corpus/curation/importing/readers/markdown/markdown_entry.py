"""One entry of an awesome list: what of its words is title, authors, venue, date, tags, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.readers.markdown.markdown_text import (
    TextRun,
    addresses_of,
    is_outward,
    lines_of,
    plain_text_of,
)
from corpus.curation.importing.readers.records import Cell, texts_of

_TRIM = " \t\xa0-–—:.,;|·•*\"'“”/"
#: What people write on a link that is not a title, and the column that takes the address.
_LABELS = {
    "url": (
        "paper pdf abs abstract link arxiv official html doi openreview acl acm ieee springer "
        "preprint publication article full text url here biorxiv medrxiv hal nature neurips report"
    ),
    "code": "code codes github gitlab repo repository implementation pytorch tensorflow jax",
    "project": "project website page homepage web site demo projectpage leaderboard",
    "blog": "blog post twitter",
    "video": "video youtube talk slides slide poster presentation",
    "data": "data dataset datasets benchmark",
    "model": "model models weights checkpoint checkpoints huggingface hf",
    "links": "bibtex bib cite citation star stars badge license supplementary supp appendix",
}
#: Labels that are venues where a year is beside them.
_ORGANISATIONS = frozenset(
    "acl acm ieee springer nature neurips arxiv biorxiv medrxiv hal openreview".split()  # noqa: SIM905
)
_COLUMN_OF_LABEL: dict[str, str] = {}
for _column, _words in _LABELS.items():
    _COLUMN_OF_LABEL.update(dict.fromkeys(_words.split(), _column))
_FILLER = frozenset(("the", "and", "of", "version"))
_LABELLED = re.compile(
    r"[^\w\[(]*(?P<label>[A-Za-z][A-Za-z /()&_-]{1,28}?)\s*[:：]\s+(?P<value>\S.*)"
)
_DATE = re.compile(
    r"[\s*]*[\[(]?(?P<year>(?:19|20)[0-9]{2})(?P<rest>(?:[./-][0-9]{1,2}){0,2})[\])]?"
    r"(?=[\s,:.|)\]]|$)[\s:.,|-]*"
)
#: A venue with its year, and the names by which preprints go.
_VENUE = re.compile(
    r"[\[(]?(?:"
    # "NeurIPS 2023", "ICML'20 Spotlight", "arXiv, 5 Sep 2024"
    r"(?=[^\s]*[A-Z])[\w&()'’./:+, -]{2,60}?[ ,'’-]{0,3}(?-i:(?<![a-z]))"
    # ... "arXiv 2023.08", "ICML 2024 workshop"
    r"(?:(?:19|20)[0-9]{2}(?:[./-][0-9]{1,2})?|['’][0-9]{2})(?: ?\(?[A-Za-z]{2,12}\)?){0,3}"
    # "2024-Findings of EMNLP"
    r"|(?:19|20)[0-9]{2}[-/ ][A-Z][\w&()'’./: -]{1,40}"
    r"|(?:ar|bior|medr)xiv(?: preprint)?"
    r")[\])]?",
    re.IGNORECASE,
)
_PARTICLES = "de|da|di|van|von|der|den|del|la|le|el|bin|al|ter"
_NAME = rf"(?:(?!\d)[^\W_a-z][\w'’.-]*+|(?:{_PARTICLES})\b)"
_PERSON = re.compile(rf"{_NAME}(?: {_NAME}){{0,4}}")
_QUOTED = re.compile(r"[\"“](?P<title>[^\"“”]{8,300})[\"”]")
_EMPTY_BRACKETS = re.compile(r"\[[ |,/]*+\]|\([ |,/]*+\)|\[\[[ |,/]*+\]\]|< *+>")
_CUT = re.compile(r"\b(?:et\.? ?al\b|and others\b)[\s.,;]*$", re.IGNORECASE)
_PLACE = re.compile(r"\(([^()]*+)\)")
#: An institution follows its person; what is inside a name is a nickname: "Bo (Robert) Moor".
_INSTITUTION = re.compile(r"\(([^()]*+)\)(?=\s*(?:[,;·&]|and\b|et al|$))")
#: Emoji, boxes to tick and other ornaments before an entry.
_ORNAMENTS = re.compile(r"(?:\[[ xX]?\]|[^\w\s\[\](){}\"'“”‘’«»#$€<>*+=/\\.?!&@~|:;,-])+\s*")
_TAG = re.compile(r"\s*\[(?P<tag>[^\[\]]{1,40})\]\s*")
_YEAR_FIRST = re.compile(r"[\[(](?P<year>(?:19|20)[0-9]{2})[\])]\s*[:.-]?\s*(?=\S)")
_VENUE_FIRST = re.compile(
    r"[\s,.]*(?P<venue>(?:[A-Z]|arXiv)[\w&'’/ .+-]{0,50}?,? ?(?:19|20)[0-9]{2})(?=[\s,.;()]|$)"
)
_IN_BRACKETS = re.compile(r"[\s,.]*\((?P<words>[^()]{3,150})\)[\s.,:–—-]*")
#: Where code is.
_FORGE = re.compile(r"https?://(?:www\.)?git(?:hub|lab)\.com/")
#: The page of a person at a social site, which no work has.
_PROFILE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|twitter\.com|x\.com|linkedin\.com/in)/[^/?#]+/?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[\w)’'\]][\w)’'\]])[.?!]\s+|(?<=et al)\.?\s+(?=[A-Z(])")


class Labelled(NamedTuple):
    """A part of an entry that its author named: ``Keywords: soil, moss``."""

    label: str
    value: Cell


def link_column(text: str) -> str:
    """Return the column for a link whose text is not a title, or an empty string for a title.

    Examples
    --------
    >>> link_column("[Paper]"), link_column("Code (PyTorch)"), link_column("Peat by light")
    ('url', 'code', '')
    """
    # "PyTorch (annward)" is the code of somebody.
    bare = re.sub(r"(?<=\w)\s*\([^()]*\)\W*$", "", text)
    words = [word for word in ascii_words(bare) if not word.isdigit()]
    if not words:
        return "links"
    known = [word for word in words if word in _COLUMN_OF_LABEL]
    if known and len(words) <= 4 and all(word in known or word in _FILLER for word in words):
        return _COLUMN_OF_LABEL[known[0]]
    return ""


def _is_plain_label(text: str) -> bool:
    """Return whether a link is called by what it leads to, and not by a venue with its year."""
    words = [word for word in ascii_words(text) if word in _COLUMN_OF_LABEL]
    has_year = re.search(r"(?:19|20)[0-9]{2}", text) is not None
    return bool(words) and not (has_year and all(word in _ORGANISATIONS for word in words))


def is_venue(text: str) -> bool:
    """Whether a text is a venue with its year, or the name of a preprint server."""
    words = text.strip(" .,*")
    return len(words.split()) <= 8 and _VENUE.fullmatch(words) is not None


def are_names(text: str) -> bool:
    """Whether a text is a list of people.

    Examples
    --------
    >>> are_names("Ann Ward, Bo de Moor"), are_names("Ann Ward et al."), are_names("Peat and moss")
    (True, True, False)
    """
    if family_first_names(text):
        return True
    without_places = " ".join(re.sub(r"[*†‡∗§¹²³]", "", _PLACE.sub("", text)).split())
    cut = _CUT.search(without_places)
    if cut:
        without_places = without_places[: cut.start()]
    pieces = re.split(r",|;|·|\band\b|&", without_places.strip(" .,*"))
    pieces = [piece.strip(" *") for piece in pieces if piece.strip(" *")]
    if not pieces or (len(pieces) == 1 and not cut):
        return False
    several_words = any(" " in piece for piece in pieces) or cut is not None
    return several_words and all(_PERSON.fullmatch(piece) for piece in pieces)


def family_first_names(text: str) -> tuple[str, ...]:
    """Return the names of "Ward, Ann and Moor, Bo"; nothing where a text is not of that form.

    Examples
    --------
    >>> family_first_names("Ward, Ann and de Moor, Bo"), family_first_names("Ward, Ann, Bo Moor")
    (('Ward, Ann', 'de Moor, Bo'), ())
    """
    parts = [" ".join(part.split()) for part in re.split(r"\band\b", text.strip(" .*"))]
    if len(parts) < 2:
        return ()
    for part in parts:
        family, comma, given = part.partition(", ")
        if not comma or "," in given:
            return ()
        if not (_PERSON.fullmatch(family) and _PERSON.fullmatch(given)):
            return ()
    return tuple(parts)


def is_profile(runs: Sequence[TextRun]) -> bool:
    """Whether all that a text links to is the page of a person: an author or a maintainer."""
    addresses = addresses_of(runs)
    return bool(addresses) and all(_PROFILE.fullmatch(address) for address in addresses)


def entry_cells(runs: Sequence[TextRun]) -> dict[str, Cell]:
    """Return the cells of an entry's first paragraph; nothing where no title is recognised.

    The title is the bold run, else the first link whose text is not a label, else the words before
    the first link.
    """
    runs = [run for run in runs if not _leads_nowhere(run)]
    lines = [line for line in lines_of(runs) if line] or [[]]
    place = _title_line(lines)
    others = [*lines[:place], *lines[place + 1 :]]
    cells: dict[str, Cell] = {}
    rest = _without_tags(_without_ornaments(lines[place]), cells)
    rest = _without_ornaments(_without_date(rest, cells))
    title, rest = _quoted_title(rest, cells) or _titled(rest)
    if not title:
        return {}
    dated = _YEAR_FIRST.match(title)
    if dated:
        title = title[dated.end() :]
        cells.setdefault("year", dated["year"])
    before, _, last = title.rpartition(", ")
    if len(before.split()) >= 3 and is_venue(last):
        title = before
        cells.setdefault("venue", last)
    cells["title"] = title
    add_runs(cells, rest)
    for line in others:
        add_line(cells, line)
    return cells


def _title_line(lines: Sequence[Sequence[TextRun]]) -> int:
    """Return which line has the title: the first, or one with a bold title below another line.

    Such as "--- Older works ---". Bold words below a title that is a link are something else: a
    prize, a remark.
    """
    for place, line in enumerate(lines):
        if has_bold_title(line):
            return place
        if any(map(_is_linked_title, line)):
            return 0
    return 0


def _is_linked_title(run: TextRun) -> bool:
    if run.image or not is_outward(run.address) or run.text.startswith("http"):
        return False
    return len(run.text.split()) >= 3 and not (link_column(run.text) or is_venue(run.text))


def _leads_nowhere(run: TextRun) -> bool:
    """Return whether a run is a label of a link that has no address: ``[paper]()``."""
    return bool(run.address) and not is_outward(run.address) and link_column(run.text) != ""


def _without_ornaments(runs: Sequence[TextRun]) -> list[TextRun]:
    """Return the runs without emoji and boxes to tick at their start."""
    rest = list(runs)
    while rest and not (rest[0].image or rest[0].address):
        text = _ORNAMENTS.sub("", rest[0].text.lstrip(), count=1)
        start = _ORNAMENTS.match(rest[0].text.lstrip())
        if start is None:
            text = rest[0].text
        if text.strip():
            rest[0] = rest[0]._replace(text=text)
            break
        rest.pop(0)
    return rest


def _without_tags(runs: Sequence[TextRun], cells: dict[str, Cell]) -> list[TextRun]:
    """Return the runs without the short words in brackets at their start, which are tags."""
    rest = list(runs)
    if not rest or rest[0].address or rest[0].image or rest[0].bold or rest[0].italic:
        return rest
    text = rest[0].text
    tags: list[str] = []
    while True:
        match = _TAG.match(text)
        if match is None or len(match["tag"].split()) > 3:
            break
        words = match["tag"].strip()
        is_all = len(rest) == 1 and match.end() == len(text)
        if is_all or is_venue(words) or _DATE.fullmatch(words) or link_column(words):
            break
        tags.append(words)
        text = text[match.end() :]
    if tags:
        cells["tags"] = tuple(dict.fromkeys(tags))
        rest[0] = rest[0]._replace(text=text)
    return rest


def _quoted_title(
    runs: Sequence[TextRun], cells: dict[str, Cell]
) -> tuple[str, list[TextRun]] | None:
    """Return the title of ``**Bog**: "How peat grows", ICML, 2019`` and the runs beside it."""
    groups = _grouped(runs)
    name = ""
    if groups and groups[0][0].bold and not groups[0][0].address:
        name = plain_text_of(groups[0]).strip(_TRIM)
        groups = groups[1:]
    if not groups or len(name.split()) > 4:
        return None
    first = groups[0][0]
    if first.address or first.italic or first.code or first.image or first.bold:
        return None
    text = "".join(run.text for run in groups[0])
    quoted = _QUOTED.search(text)
    if quoted is None or text[: quoted.start()].strip(_TRIM) or len(quoted["title"].split()) < 2:
        return None
    if name.strip("?"):
        cells["short name"] = name
    after = text[quoted.end() :]
    venue = _VENUE_FIRST.match(after)
    if venue:
        cells.setdefault("venue", venue["venue"])
        after = after[venue.end() :]
    rest = _runs(groups[1:])
    return _clean_title(quoted["title"]), [TextRun(after), *rest]


def has_bold_title(line: Sequence[TextRun]) -> bool:
    """Whether a line begins with bold words that may be a title."""
    words = [run for run in line if run.text.strip() and not run.image]
    return bool(words) and words[0].bold and len(words[0].text.split()) >= 3


def add_line(cells: dict[str, Cell], runs: Sequence[TextRun]) -> None:
    """Add a further line of an entry: a named part, or names, venue, links and a description."""
    named = labelled(runs)
    if named is None:
        add_runs(cells, list(runs))
        return
    column = link_column(named.label)
    addresses = addresses_of(runs)
    if column and addresses:
        for address in addresses:
            _add_address(cells, column, address)
    elif named.label in cells:
        _describe(cells, f"{named.label}: {', '.join(texts_of(named.value))}")
    else:
        cells[named.label] = named.value


def labelled(runs: Sequence[TextRun]) -> Labelled | None:
    """Return the label and the value of a line such as ``Keywords: [soil], [moss]``."""
    match = _LABELLED.fullmatch(plain_text_of(runs))
    if match is None:
        return None
    value = match["value"].strip()
    code = tuple(run.text for run in runs if run.code)
    bracketed = re.findall(r"\[([^\[\]]+)\]", value)
    if len(code) > 1:
        return Labelled(match["label"], code)
    if bracketed and not re.sub(r"\[[^\[\]]+\]|[\s,;]", "", value):
        return Labelled(match["label"], tuple(bracketed))
    return Labelled(match["label"], value)


def is_named_part(runs: Sequence[TextRun]) -> bool:
    """Whether a line is a named part of an entry, not an entry such as "Bog: How peat grows"."""
    named = labelled(runs)
    if named is None:
        return False
    is_known = bool(link_column(named.label) or field_by_name(named.label))
    return is_known or not addresses_of(runs)


def add_runs(cells: dict[str, Cell], runs: Sequence[TextRun]) -> None:
    """Add words whose meaning their style, their address or their form tells."""
    words: list[str] = []
    for group in _grouped(runs):
        text = plain_text_of(group)
        address = group[0].address
        if group[0].image or is_outward(address):
            _add_link(cells, group, words)
        elif group[0].code and 0 < len(text) <= 40:
            cells["tags"] = (*texts_of(cells.get("tags", ())), text)
        elif group[0].italic or group[0].bold:
            _add_sentences(cells, text, words)
        else:
            words.append("".join(run.text for run in group))
    # Brackets that held a link only, and what separated the parts.
    text = _EMPTY_BRACKETS.sub(" ", " ".join("".join(words).split()))
    text = " ".join(text.split()).strip(_TRIM + "[]")
    bracketed = _IN_BRACKETS.match(text)
    if bracketed and _add_people_and_venue(cells, bracketed["words"]):
        text = text[bracketed.end() :]
    text = _without_outer_brackets(text)
    if text:
        left: list[str] = []
        _add_sentences(cells, text, left)
        if left:
            _describe(cells, " ".join(left))


def _without_outer_brackets(text: str) -> str:
    """Return a text without the brackets around all of it, and without half of a pair."""
    bare = text.strip(_TRIM + "[]")
    whole = re.fullmatch(r"\(([^()]*+)\)", bare)
    if whole:
        return whole[1].strip(_TRIM)
    if bare.count("(") != bare.count(")"):
        return bare.strip(_TRIM + "()")
    return bare


def _add_people_and_venue(cells: dict[str, Cell], text: str) -> bool:
    """Add the people and the venue of "Ward et al., ICML 2023"; return whether it is that."""
    before, comma, last = text.rpartition(", ")
    if comma and is_venue(last) and are_names(before) and "authors" not in cells:
        cells["authors"] = _names(cells, before)
        cells.setdefault("venue", last)
        return True
    if is_venue(text) and "venue" not in cells:
        cells["venue"] = text
        return True
    return False


def _add_link(cells: dict[str, Cell], group: Sequence[TextRun], words: list[str]) -> None:
    address = group[0].address
    if not is_outward(address):
        return  # an image for the eye, such as a count of stars
    text = " ".join(run.text for run in group)
    column = link_column(text)
    if is_venue(text) and not _is_plain_label(text):
        cells.setdefault("venue", text.strip(" []()"))
        column = "url"
    elif group[0].image and not column:
        known = [word for word in ascii_words(text) if word in _COLUMN_OF_LABEL]
        column = "links"
        if known:
            column = _COLUMN_OF_LABEL[known[0]]
    if not column and not text.startswith("http"):
        words.append(text)
        column = "links"
    if not column or column == "links":
        column = "links"
        if _FORGE.match(address):
            column = "code"
        if "url" not in cells and column == "links":
            column = "url"
    _add_address(cells, column, address)


def _add_address(cells: dict[str, Cell], column: str, address: str) -> None:
    """Put an address into its column; a second one of the same column goes to ``links``."""
    if address in cells.values():
        return
    if column not in cells:
        cells[column] = address
        return
    links = texts_of(cells.get("links", ()))
    if address not in links:
        cells["links"] = (*links, address)


def _add_sentences(cells: dict[str, Cell], text: str, left: list[str]) -> None:
    """Sort the sentences of a text into authors, venue and what is left."""
    sentences = _SENTENCE_END.split(text)
    for number, sentence in enumerate(sentences):
        part = " ".join(sentence.split()).strip(" *")
        bare = part.strip(_TRIM)
        if not bare:
            continue
        before, by, people = bare.partition("by ")
        if by and len(before.split()) <= 2 and "authors" not in cells:
            people, year = _without_year(people)
            if _PERSON.fullmatch(people) or _are_people(people):
                cells["authors"] = people
                if year:
                    cells.setdefault("year", year)
                if before.strip(_TRIM + "[]"):
                    left.append(before.strip(_TRIM + "[]"))
                continue
        before, _, last = bare.rpartition(", ")
        if is_venue(last) and are_names(before):
            cells.setdefault("venue", last)
            bare = before
        # A single name is an author where the venue follows: "Ann Ward. ICML 2021".
        is_author = 2 <= len(bare.split()) <= 3 and _PERSON.fullmatch(bare) is not None
        is_before_venue = is_author and any(map(is_venue, sentences[number + 1 :]))
        if (are_names(bare) or is_before_venue) and "authors" not in cells:
            cells["authors"] = _names(cells, bare)
        elif is_venue(bare) and "venue" not in cells:
            cells["venue"] = bare.strip("[]()")
        elif "authors" in cells and "venue" not in cells and _is_short_name(bare):
            cells["venue"] = bare
        else:
            left.append(part)


def _without_year(text: str) -> tuple[str, str]:
    """Return the people of "Ann Ward and Bo Moor, 2002", and the year."""
    before, _, last = text.rpartition(",")
    if re.fullmatch(r" ?(?:19|20)[0-9]{2}", last):
        return before, last.strip()
    return text, ""


def _are_people(text: str) -> bool:
    """Return whether every part of a text is a name, also where family names come first."""
    pieces = [piece.strip() for piece in re.split(r",|\band\b|&", text)]
    return all(_PERSON.fullmatch(piece) for piece in pieces if piece)


def _is_short_name(text: str) -> bool:
    """Return whether a text after the authors is as short as the name of a venue."""
    return len(text.split()) <= 4 and text[:1].isupper()


def _names(cells: dict[str, Cell], text: str) -> Cell:
    """Return people without their institutions, which become a column of their own."""
    text = re.sub(r"[*†‡∗§¹²³]", "", text)  # notes on equal contribution
    family_first = family_first_names(text)
    if family_first:
        return family_first
    places = _INSTITUTION.findall(text)
    if places:
        cells.setdefault("institution", "; ".join(dict.fromkeys(places)))
    for words in _PLACE.findall(text):
        # One word inside a name is a nickname; several tell something else.
        if words not in str(cells.get("institution", "")) and " " in words.strip():
            _describe(cells, f"({words})")
    return " ".join(_PLACE.sub("", text).split()).replace(" ,", ",")


def _describe(cells: dict[str, Cell], text: str) -> None:
    parts = [*texts_of(cells.get("description", "")), text]
    cells["description"] = " ".join(filter(None, parts))


def _without_date(runs: Sequence[TextRun], cells: dict[str, Cell]) -> list[TextRun]:
    """Return the runs without the date or venue in brackets at their start, which goes to cells."""
    rest = list(runs)
    while rest and not rest[0].image and not rest[0].text.strip():
        rest.pop(0)
    if not rest:
        return rest
    text = rest[0].text.lstrip(" -–—|")
    match = _DATE.match(text)
    has_more = len(rest) > 1 or (match is not None and match.end() < len(text))
    if match and has_more and not rest[0].address:
        parts = [match["year"], *re.findall(r"[0-9]+", match["rest"])]
        date = "-".join(part.zfill(2) for part in parts)
        name = "year" if len(parts) == 1 else "date"
        cells[name] = date
        rest[0] = rest[0]._replace(text=text[match.end() :])
        return rest
    bracketed = re.match(r"[\[(]([^\[\]()]{3,40})[\])][\s:.,-]*", text)
    if bracketed and is_venue(bracketed[1]) and not rest[0].address:
        cells["venue"] = bracketed[1].strip()
        rest[0] = rest[0]._replace(text=text[bracketed.end() :])
    return rest


def _titled(runs: Sequence[TextRun]) -> tuple[str, list[TextRun]]:
    """Return the title of an entry and the runs beside it; its link stays among them as a label."""
    groups = _grouped(runs)
    place = _title_place(groups)
    if place is None:
        return _leading_title(groups)
    group = groups[place]
    title = plain_text_of(group)
    before, after = groups[:place], groups[place + 1 :]
    if len(title.split()) <= 3 and after and not title.endswith((".", "?", "!")):
        # "**Bog**: How peat grows. ..." has the rest of its title behind the bold word.
        start = "".join(run.text for run in after[0])
        more = re.match(
            r"\s*:\s*(?=\S)(?P<rest>[^\n]*?)(?=[.?!](?:\s|$)|\s[-–—|(\[]|[\[(]|$)", start
        )
        is_plain = not (after[0][0].address or after[0][0].italic or after[0][0].image)
        if more and is_plain and group[0].bold and len(more["rest"].split()) >= 2:
            title = f"{title}: {more['rest'].strip()}"
            after = [[TextRun(start[more.end() :])], *after[1:]]
    link = next((run.address for run in group if is_outward(run.address)), "")
    rest = _runs(before)
    if link:
        rest.append(TextRun("paper", link))
    rest += _runs(after)
    return _clean_title(title), rest


def _title_place(groups: Sequence[Sequence[TextRun]]) -> int | None:
    """Return the group that is the title: bold, else a link beyond a label, else a short one."""
    candidates: list[tuple[int, int]] = []
    for place, group in enumerate(groups):
        text = plain_text_of(group).strip(_TRIM)
        is_link = any(is_outward(run.address) for run in group)
        if _is_in_brackets(groups, place) and len(text.split()) <= 3:
            continue  # "[[Leaderboard](...)]" is a label, whatever its word
        if not text or not (group[0].bold or is_link) or text.startswith("http"):
            continue
        if link_column(text) or is_venue(text) or _DATE.fullmatch(text) or text.endswith(":"):
            continue
        words = len(text.split())
        if group[0].bold and (words >= 3 or is_link):
            candidates.append((0, place))
        elif is_link:
            candidates.append((1, place))
        else:
            candidates.append((2, place))
    if not candidates:
        return None
    return min(candidates)[1]


def _is_in_brackets(groups: Sequence[Sequence[TextRun]], place: int) -> bool:
    """Return whether the groups beside one end and begin with the brackets around it."""
    if not 0 < place < len(groups) - 1:
        return False
    before, after = groups[place - 1][-1].text, groups[place + 1][0].text
    return before.rstrip().endswith("[") and after.lstrip().startswith("]")


def _leading_title(groups: Sequence[Sequence[TextRun]]) -> tuple[str, list[TextRun]]:
    """Return the words before the first link as title: all of them, or their first sentence."""
    for place, group in enumerate(groups):
        if group[0].address or group[0].image or group[0].code or group[0].italic:
            continue
        text = plain_text_of(group).strip(" [](-–—|:,")
        quoted = _QUOTED.search(text)
        if quoted:
            title = quoted["title"]
            rest = [text[: quoted.start()], text[quoted.end() :]]
        else:
            title, *rest = _SENTENCE_END.split(text, maxsplit=1)
        title = _clean_title(title)
        if len(title) < 3 or is_venue(title):
            continue
        left = [TextRun(f"{part} ") for part in rest if part.strip(_TRIM)]
        for other in (*groups[:place], *groups[place + 1 :]):
            left += other
        return title, left
    runs = _runs(groups)
    addresses = addresses_of(runs)
    if not addresses:
        return "", []
    # Nothing but links: the address takes its place, and the report of the import names it.
    return addresses[0], runs


def _runs(groups: Iterable[Sequence[TextRun]]) -> list[TextRun]:
    runs: list[TextRun] = []
    for group in groups:
        runs += group
    return runs


def _clean_title(text: str) -> str:
    return text.strip(" \t\xa0-–—:,;|·•*\"'“”[]").removesuffix(".").strip()


def _grouped(runs: Iterable[TextRun]) -> list[list[TextRun]]:
    """Join neighbours of one address and style; a title may hold code or emphasis in a link."""
    groups: list[list[TextRun]] = []
    for run in runs:
        if not run.text and not run.image:
            continue
        if groups:
            last = groups[-1][-1]
            one_link = bool(run.address) and run.address == last.address
            one_style = (run.address, run.bold, run.italic, run.code, run.image) == (
                *(last.address, last.bold, last.italic, last.code, last.image),
            )
            both_bold = run.bold and last.bold and not (run.image or last.image)
            if one_link or both_bold or (one_style and not run.image):
                groups[-1].append(run)
                continue
        groups.append([run])
    return groups
