"""One entry of an awesome list: what of its words is title, authors, venue, date, tags, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.readers.markdown.tree import (
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
    "url": "paper papers pdf abs abstract link arxiv official html doi openreview acl acm ieee "
    "springer preprint publication article full text url here biorxiv medrxiv hal nature neurips "
    "report",
    "code": "code codes github gitlab repo repository implementation pytorch tensorflow jax",
    "project": "project website page homepage web site demo projectpage leaderboard",
    "blog": "blog post twitter",
    "video": "video youtube talk slides slide poster presentation",
    "data": "data dataset datasets benchmark",
    "model": "model models weights checkpoint checkpoints huggingface hf",
    "links": "bibtex bib cite citation star stars badge license supplementary supp appendix",
}
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
_IN_FRONT = re.compile(r"^\(([^()]{3,150})\)[\s.:–—-]+(?=\S)")
_YEAR_FIRST = re.compile(r"[\[(](?P<year>(?:19|20)[0-9]{2})[\])]\s*[:.-]?\s*(?=\S)")
#: An institution follows its person; what is inside a name is a nickname: "Bo (Robert) Moor".
_INSTITUTION = re.compile(r"\(([^()]*+)\)(?=\s*(?:[,;·&(]|and\b|et al|$))")
#: "ICML 2019 (a remark)"
_REMARK = re.compile(r"(?P<venue>[^()]{3,80}?)\s*\((?P<remark>[^()]*)\)?")
_NOTE_MARKS = re.compile(r"[*†‡∗§¹²³]")
#: Emoji, boxes to tick and numbers before a title.
_ORNAMENTS = re.compile(
    r"(?:\[[ xX]?\]|[0-9]{1,3}[.)](?=\s)|[^\w\s\[\](){}\"'“”‘’«»#$€<>*+=/\\.?!&@~|:;,-])+\s*"
)
_BRACKETED = re.compile(r"[\[(](?P<words>[^\[\]()]{1,40})[\])]\s*[:.,-]?\s*")
_LAST_BRACKET = re.compile(r"\s{0,4}[\[(](?P<words>[^\[\]()]{1,40})[\])]\W{0,20}$")
#: Where code is.
_FORGE = re.compile(r"https?://(?:www\.)?git(?:hub|lab)\.com/")
#: The page of a person, which no work has.
_PROFILE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|twitter\.com|x\.com|linkedin\.com/in)/[^/?#]+/?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<=[\w)’'\]][\w)’'\]])(?<!\bvs)(?<!\bvol)\.\s+|(?<=et al)\.?\s+(?=[A-Z(])"
)
#: A title may ask: the sentence ends there only where people or a venue follow.
_QUESTION = re.compile(r"(?<=[?!])\s+")


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


def is_title(run: TextRun) -> bool:
    """Whether words are set as a title is: bold or linked, three or more, and no label or venue."""
    if run.image or not (run.bold or is_outward(run.address)) or run.text.startswith("http"):
        return False
    text = run.text.strip(_TRIM)
    return len(text.split()) >= 3 and not link_column(text) and not is_venue(text)


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
    words = " ".join(_NOTE_MARKS.sub("", _PLACE.sub("", text)).split())
    cut = _CUT.search(words)
    if cut:
        words = words[: cut.start()]
    pieces = re.split(r",|;|·|\band\b|&", words.strip(" .,*"))
    pieces = [piece.strip(" *") for piece in pieces if piece.strip(" *")]
    if not pieces or (len(pieces) == 1 and not cut):
        return False
    is_family_first = re.search(r"^[^,]+, [^,]+ and [^,]+, [^,]+$", words) is not None
    several_words = any(" " in piece for piece in pieces) or cut is not None or is_family_first
    return several_words and all(_PERSON.fullmatch(piece) for piece in pieces)


def entry_cells(runs: Sequence[TextRun]) -> dict[str, Cell]:
    """Return the cells of an entry's first paragraph; nothing where it is not a work.

    The title is the bold run, else the first link whose text is not a label, else the words before
    the first link. An entry of links alone has none.
    """
    addresses = addresses_of(runs)
    if addresses and all(map(_PROFILE.fullmatch, addresses)):
        return {}
    # "[paper]()" leads nowhere.
    runs = [run for run in runs if not _leads_nowhere(run)]
    lines = [line for line in lines_of(runs) if plain_text_of(line)] or [[]]
    # Another line may be above that of the title: "--- Older works ---".
    place = next((n for n, line in enumerate(lines) if any(map(is_title, line))), 0)
    first = lines.pop(place)
    cells: dict[str, Cell] = {}
    title, rest = _titled(_without_brackets(first, cells))
    if not title and not addresses:
        return {}
    # "[AAAI 2020] How peat grows", "How peat grows (AAAI, 2020)"
    for bracket in (_BRACKETED.match(title), _LAST_BRACKET.search(title)):
        if bracket and is_venue(bracket["words"]):
            title = title[: bracket.start()] + title[bracket.end() :]
            cells.setdefault("venue", bracket["words"])
    dated = _YEAR_FIRST.match(title)
    if dated:
        title = title[dated.end() :]
        cells.setdefault("year", dated["year"])
    before, _, last = title.rpartition(", ")
    if len(before.split()) >= 3 and is_venue(last):
        title = before
        cells.setdefault("venue", last)
    cells["title"] = title.rstrip(" \t[(|")
    add_runs(cells, rest)
    for line in lines:
        add_line(cells, line)
    return {name: cell for name, cell in cells.items() if cell}


def _leads_nowhere(run: TextRun) -> bool:
    return bool(run.address and not is_outward(run.address) and link_column(run.text))


#: What a title may carry at its end: a bracket that was opened around a link.


def add_line(cells: dict[str, Cell], runs: Sequence[TextRun]) -> list[str]:
    """Add a further line of an entry: a named part, or names, venue, links and a description.

    Returns the name of the part where it is a new column.
    """
    named = labelled(runs)
    if named is None:
        add_runs(cells, list(runs))
        return []
    column = link_column(named.label)
    addresses = addresses_of(runs)
    if column and addresses:
        for address in addresses:
            _add_address(cells, column, address)
        return []
    for address in addresses:
        _add_address(cells, "links", address)
    if named.label in cells:
        describe(cells, f"{named.label}: {', '.join(texts_of(named.value))}")
        return []
    cells[named.label] = named.value
    return [named.label]


def labelled(runs: Sequence[TextRun]) -> Labelled | None:
    """Return the label and the value of a line such as ``Keywords: [soil], [moss]``.

    A line that is bold or linked throughout is a title with a colon.
    """
    match = _LABELLED.fullmatch(plain_text_of(runs))
    words = [run for run in runs if run.text.strip(_TRIM)]
    if match is None or (is_title(words[0]) and len(words[0].text.split(":")[-1].split()) > 1):
        return None
    value = match["value"].strip()
    code = tuple(run.text for run in runs if run.code)
    bracketed = re.findall(r"\[([^\[\]]+)\]", value)
    if len(code) > 1:
        return Labelled(match["label"], code)
    if bracketed and not re.sub(r"\[[^\[\]]+\]|[\s,;]", "", value):
        return Labelled(match["label"], tuple(bracketed))
    return Labelled(match["label"], value)


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
    # "(Ann Ward, ICML 2020) - a remark": what is in parentheses is a sentence of its own.
    text = _IN_FRONT.sub(r"\1. ", text)
    whole = re.fullmatch(r"\(([^()]*+)\)", text)
    if whole:
        text = whole[1].strip(_TRIM)
    elif text.count("(") != text.count(")"):
        text = text.strip(_TRIM + "()")
    left: list[str] = []
    _add_sentences(cells, text, left)
    if left:
        describe(cells, " ".join(left))


def _add_link(cells: dict[str, Cell], group: Sequence[TextRun], words: list[str]) -> None:
    address = group[0].address
    if not is_outward(address):
        return  # an image for the eye, such as a count of stars
    text = " ".join(run.text for run in group)
    column = link_column(text)
    if is_venue(text) and not column:
        cells.setdefault("venue", text.strip(" []()"))
        column = "url"
    elif group[0].image and not column:
        known = [word for word in ascii_words(text) if word in _COLUMN_OF_LABEL]
        column = _COLUMN_OF_LABEL[known[0]] if known else "links"
    if not column and not text.startswith("http"):
        words.append(text)
    if column in ("", "links"):
        column = "links"
        if _FORGE.match(address):
            column = "code"
        elif "url" not in cells:
            column = "url"
    _add_address(cells, column, address)


def _add_address(cells: dict[str, Cell], column: str, address: str) -> None:
    """Put an address into its column; a second one of the same column goes to ``links``."""
    links = texts_of(cells.get("links", ()))
    if address in cells.values() or address in links:
        return
    if column != "links" and column not in cells:
        cells[column] = address
        return
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
        is_by = by and len(before.split()) <= 2 and (_PERSON.fullmatch(people) or are_names(people))
        if is_by and "authors" not in cells:
            cells["authors"] = people
            if before.strip(_TRIM + "[]"):
                left.append(before.strip(_TRIM + "[]"))
            continue
        remark = _REMARK.fullmatch(bare)
        if remark and is_venue(remark["venue"]):
            bare = remark["venue"]
            left.append(remark["remark"])
        before, _, last = bare.rpartition(", ")
        if is_venue(last) and are_names(before):
            cells.setdefault("venue", last)
            bare = before
        # A single name is an author where the venue follows: "Ann Ward. ICML 2021".
        is_author = 2 <= len(bare.split()) <= 3 and _PERSON.fullmatch(bare) is not None
        is_before_venue = is_author and any(map(is_venue, sentences[number + 1 :]))
        is_short_name = len(bare.split()) <= 4 and bare[:1].isupper()
        if (are_names(bare) or is_before_venue) and "authors" not in cells:
            cells["authors"] = _names(cells, bare)
        elif "venue" not in cells and (is_venue(bare) or ("authors" in cells and is_short_name)):
            cells["venue"] = bare.strip("[]()")
        else:
            left.append(part)


def _names(cells: dict[str, Cell], text: str) -> str:
    """Return people without what is in parentheses behind them, which is their institution."""
    text = _NOTE_MARKS.sub("", text)  # notes on equal contribution
    places = "; ".join(dict.fromkeys(_INSTITUTION.findall(text)))
    if places:
        cells.setdefault("institution", places)
    return " ".join(_PLACE.sub("", text).split()).replace(" ,", ",")


def describe(cells: dict[str, Cell], text: str) -> None:
    """Add a text to what is told of a work besides its bibliographic data."""
    parts = [*texts_of(cells.get("description", "")), text]
    cells["description"] = " ".join(filter(None, parts))


def _without_brackets(runs: Sequence[TextRun], cells: dict[str, Cell]) -> list[TextRun]:
    """Return the runs without ornaments, date, venue and tags in brackets at their start."""
    rest = list(runs)
    tags: list[str] = []
    while rest and not rest[0].address and not rest[0].image:
        text = rest[0].text.lstrip(" \t-–—|")
        ornament = _ORNAMENTS.match(text)
        if ornament:
            text = text[ornament.end() :]
        match = _DATE.match(text)
        bracketed = _BRACKETED.match(text)
        if not text:
            rest.pop(0)
            continue
        if match and (match.end() < len(text) or len(rest) > 1):
            parts = [match["year"], *re.findall(r"[0-9]+", match["rest"])]
            cells["year" if len(parts) == 1 else "date"] = "-".join(p.zfill(2) for p in parts)
            text = text[match.end() :]
        elif bracketed and len(bracketed["words"].split()) <= 5:
            words = bracketed["words"].strip()
            if is_venue(words):
                cells["venue"] = words
            elif words:
                tags.append(words)
            text = text[bracketed.end() :]
        else:
            rest[0] = rest[0]._replace(text=text)
            break
        rest[0] = rest[0]._replace(text=text)
    if tags:
        cells["tags"] = tuple(dict.fromkeys(tags))
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
    is_short = len(title.split()) <= 3 and (title == "?" or not title.endswith((".", "?", "!")))
    if is_short and group[0].bold and after and _is_plain(after[0][0]):
        # "**Bog**: How peat grows. ..." has the rest of its title behind the bold word.
        start = "".join(run.text for run in after[0])
        more = re.match(r"\s*:\s*(?=\S)", start)
        rest, left = _first_sentence(start[more.end() :]) if more else ("", start)
        is_quoted = more is not None and start[more.end()] in '"“'
        if len(rest.split()) >= 2:
            after = [[TextRun(left)], *after[1:]]
            if is_quoted and title.strip(" ?"):
                after.append([TextRun(f" {title}")])
            title = rest if is_quoted else f"{title.rstrip(':')}: {rest}"
    link = next((run.address for run in group if is_outward(run.address)), "")
    others = [run for each in before for run in each]
    if link:
        others.append(TextRun("paper", link))
    others += [run for each in after for run in each]
    return _clean_title(title), others


def _title_place(groups: Sequence[Sequence[TextRun]]) -> int | None:
    """Return the group that is the title: bold, else a link beyond a label, else a short one."""
    candidates: list[tuple[int, int]] = []
    words_before = 0
    for place, group in enumerate(groups):
        text = plain_text_of(group).strip(_TRIM)
        is_link = any(is_outward(run.address) for run in group)
        words = len(text.split())
        is_label = link_column(text) or is_venue(text) or _DATE.fullmatch(text)
        if _is_plain(group[0]):
            words_before += words
        if not text or not (group[0].bold or is_link) or text.startswith("http") or is_label:
            continue
        # Words of its own come before the name of a repository, and before a label in brackets.
        is_name = is_link and words_before >= 3 and (words <= 3 or "/" in text.split()[0])
        if is_name or (text.endswith(":") and words <= 3):
            continue
        if group[0].bold and (words >= 3 or is_link):
            candidates.append((0, place))
        else:
            candidates.append((2 - is_link, place))
    return min(candidates)[1] if candidates else None


def _is_plain(run: TextRun) -> bool:
    return not (run.address or run.image or run.code or run.italic or run.bold)


def _leading_title(groups: Sequence[Sequence[TextRun]]) -> tuple[str, list[TextRun]]:
    """Return the words before the first link as title: all of them, or their first sentence."""
    for place, group in enumerate(groups):
        if not _is_plain(group[0]):
            continue
        text = plain_text_of(group).lstrip(" [](-–—|:,)")
        title, left = _first_sentence(text)
        title = title.strip(" [](|")
        if len(title) < 3 or is_venue(title):
            continue
        rest = [TextRun(f"{left} ")] if left.strip(_TRIM) else []
        for other in (*groups[:place], *groups[place + 1 :]):
            rest += other
        return title, rest
    # Nothing but links.
    return "", [run for group in groups for run in group]


def _first_sentence(text: str) -> tuple[str, str]:
    """Return the title that a text begins with, quoted or up to its end, and what is left."""
    quoted = _QUOTED.search(text)
    before = text[: quoted.start()].strip(_TRIM + "(") if quoted else ""
    if quoted and (not before or are_names(before)):
        return _clean_title(quoted["title"]), f"{before}. {text[quoted.end() :]}"
    title, *more = _SENTENCE_END.split(text, maxsplit=1)
    left = more[0] if more else ""
    for mark in _QUESTION.finditer(title):
        after = title[mark.end() :]
        if are_names(after) or is_venue(after.partition(",")[0]) or is_venue(after):
            title, left = title[: mark.start()], f"{after}. {left}"
            break
    return _clean_title(title), left


def _clean_title(text: str) -> str:
    return text.strip(" \t\xa0-–—:,;|·•*\"'“”").removesuffix(".").strip()


def _grouped(runs: Iterable[TextRun]) -> list[list[TextRun]]:
    """Join neighbours of one address and style; a title may hold code or emphasis in a link."""
    groups: list[list[TextRun]] = []
    for run in runs:
        if not run.text and not run.image:
            continue
        last = groups[-1][-1] if groups else TextRun("", image=True)
        one_link = bool(run.address) and run.address == last.address
        both_bold = run.bold and last.bold and not (run.image or last.image)
        one_style = run._replace(text="") == last._replace(text="") and not run.image
        if one_link or both_bold or one_style:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups
