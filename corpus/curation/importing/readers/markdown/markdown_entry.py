"""One entry of an awesome list: what of its words is title, authors, venue, date, tags, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.readers.markdown.tree import (
    TextRun,
    addresses_of,
    is_outward,
    lines_of,
    plain_text_of,
)
from corpus.curation.importing.readers.records import Cell, add_cell, texts_of

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
#: Behind a person is an institution, and characters that refer to notes.
_PLACE = re.compile(r"\(([^()]*+)\)")
_NOTE_MARKS = re.compile(r"[*†‡∗§¹²³]")
#: Emoji, boxes to tick and numbers before a title.
_ORNAMENTS = re.compile(
    r"^(?:\[[ xX]?\]|[0-9]{1,3}[.)](?=\s)|[^\w\s\[\](){}\"'“”‘’«»#$€<>*+=/\\.?!&@~|:;,-])+\s*"
)
_BRACKETED = re.compile(r"[\[(](?P<words>[^\[\]()]{1,40})[\])]\s*[:.,-]?\s*")
_LAST_BRACKET = re.compile(r"\s{0,4}[\[(](?P<words>[^\[\]()]{1,40})[\])]\W{0,20}$")
#: The page of a person, which no work has.
_PROFILE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|twitter\.com|x\.com|linkedin\.com/in)/[^/?#]+/?",
    re.IGNORECASE,
)
#: A title may ask: its sentence ends there only where people follow.
_SENTENCE_END = re.compile(
    r"(?<=[\w)’'\]][\w)’'\]])(?<!\bvs)(?<!\bvol)\.\s+|(?<=et al)\.?\s+(?=[A-Z(])"
    r"|(?<=[?!])\s+(?=(?:[A-Z][\w'’.-]{0,30} ){1,3}[A-Z][\w'’-]{0,30}(?:, [A-Z]| et al| and [A-Z]))"
)


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
    if known == words and len(words) <= 4:
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
    pieces = [piece.strip(" .*") for piece in re.split(r",|;|·|\band\b|&", words)]
    pieces = list(filter(None, pieces))
    if not pieces or not all(map(_PERSON.fullmatch, pieces)):
        return False
    is_family_first = re.search(r"^[^,]+, [^,]+ and [^,]+, [^,]+$", words) is not None
    several_words = is_family_first or any(" " in piece for piece in pieces)
    return cut is not None or (len(pieces) > 1 and several_words)


def entry_cells(runs: Sequence[TextRun]) -> dict[str, Cell]:
    """Return the cells of an entry's first paragraph; nothing where it is not a work.

    The title is the bold run, else the first link whose text is not a label, else the words before
    the first link. An entry of links alone has none.
    """
    addresses = addresses_of(runs)
    if addresses and all(map(_PROFILE.fullmatch, addresses)):
        return {}
    lines = [line for line in lines_of(runs) if plain_text_of(line)] or [[]]
    # Another line may be above that of the title: "--- Older works ---".
    place = next((n for n, line in enumerate(lines) if any(map(is_title, line))), 0)
    cells: dict[str, Cell] = {}
    title, rest = _titled(_without_brackets(lines.pop(place), cells))
    if not title and not addresses:
        return {}
    # "[AAAI 2020] How peat grows", "(2021) How peat grows", "How peat grows (AAAI, 2020)"
    for bracket in (_BRACKETED.match(title), _LAST_BRACKET.search(title)):
        words = bracket["words"] if bracket else ""
        if bracket and (is_venue(words) or _DATE.fullmatch(words)):
            title = title[: bracket.start()] + title[bracket.end() :]
            cells.setdefault("venue" if is_venue(words) else "year", words)
    cells["title"] = title.rstrip(" \t[(|")
    _add_runs(cells, rest)
    for line in lines:
        add_line(cells, line)
    return {name: cell for name, cell in cells.items() if cell}


def add_line(cells: dict[str, Cell], runs: Sequence[TextRun]) -> None:
    """Add a further line of an entry: a named part, or names, venue, links and a description."""
    label, value = labelled(runs)
    if not label:
        _add_runs(cells, runs)
        return
    column = link_column(label)
    addresses = addresses_of(runs)
    for address in addresses:
        add_address(cells, column or "links", address)
    if not (column and addresses):
        add_cell(cells, label, value)


def labelled(runs: Sequence[TextRun]) -> tuple[str, Cell]:
    """Return the label and the value of a line such as ``Keywords: [soil], [moss]``.

    Both are empty for another line. A line that is bold or linked throughout is a title with a
    colon.
    """
    match = _LABELLED.fullmatch(plain_text_of(runs))
    words = [run for run in runs if run.text.strip(_TRIM)]
    if match is None or (is_title(words[0]) and len(words[0].text.split(":")[-1].split()) > 1):
        return "", ""
    value = match["value"].strip()
    if re.sub(r"\[[^\[\]]+\]|[\s,;]", "", value):
        return match["label"], value
    return match["label"], tuple(re.findall(r"\[([^\[\]]+)\]", value))


def _add_runs(cells: dict[str, Cell], runs: Iterable[TextRun]) -> None:
    """Add words whose meaning their style, their address or their form tells."""
    words: list[str] = []
    for group in _grouped(runs):
        text = plain_text_of(group)
        if group[0].image or group[0].address:
            _add_link(cells, group, words)
        elif group[0].code and 0 < len(text) <= 40:
            cells["tags"] = (*texts_of(cells.get("tags", ())), text)
        elif group[0].italic or group[0].bold:
            words.append(_add_sentences(cells, text))
        else:
            words.append("".join(run.text for run in group))
    # Brackets that held a link only, and what separated the parts.
    text = _EMPTY_BRACKETS.sub(" ", " ".join("".join(words).split()))
    text = " ".join(text.split()).strip(_TRIM + "[]")
    text = re.sub(r"^\(([^()]*+)\)$", r"\1", text)
    describe(cells, _add_sentences(cells, text))


def _add_link(cells: dict[str, Cell], group: Sequence[TextRun], words: list[str]) -> None:
    text = " ".join(run.text for run in group)
    column = link_column(text)
    if not (column or group[0].image or text.startswith("http")):
        words.append(text)
    # "[paper]()" leads nowhere; an image without a link is for the eye, such as a count.
    if is_outward(group[0].address):
        if column in ("", "links") and "url" not in cells:
            column = "url"
        add_address(cells, column or "links", group[0].address)


def add_address(cells: dict[str, Cell], column: str, address: str, others: str = "links") -> None:
    """Put an address into its column; a second one of the same column goes to `others`."""
    links = texts_of(cells.get(others, ()))
    if address in cells.values() or address in links:
        return
    if column != others and column not in cells:
        cells[column] = address
    else:
        cells[others] = (*links, address)


def _add_sentences(cells: dict[str, Cell], text: str) -> str:
    """Sort the sentences of a text into authors and venue; return what is left."""
    left: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        part = " ".join(sentence.split()).strip(" *").lstrip(". ")
        bare = part.strip(_TRIM)
        before, _, last = bare.rpartition(", ")
        if is_venue(last) and are_names(before):
            cells.setdefault("venue", last)
            bare = before
        is_short_name = len(bare.split()) <= 4 and bare[:1].isupper()
        if are_names(bare) and "authors" not in cells:
            cells["authors"] = _names(cells, bare)
        elif "venue" not in cells and (is_venue(bare) or ("authors" in cells and is_short_name)):
            cells["venue"] = bare[1:-1] if bare[0] in "[(" else bare
        elif bare:
            left.append(part)
    return " ".join(left)


def _names(cells: dict[str, Cell], text: str) -> str:
    """Return people without what is in parentheses behind them, which is their institution."""
    places = "; ".join(dict.fromkeys(_PLACE.findall(text)))
    if places:
        cells.setdefault("institution", places)
    return " ".join(_PLACE.sub("", _NOTE_MARKS.sub("", text)).split()).replace(" ,", ",")


def describe(cells: dict[str, Cell], text: str) -> None:
    """Add a text to what is told of a work besides its bibliographic data."""
    parts = [*texts_of(cells.get("description", "")), text]
    cells["description"] = " ".join(filter(None, parts))


def _without_brackets(runs: Sequence[TextRun], cells: dict[str, Cell]) -> list[TextRun]:
    """Return the runs without ornaments, date, venue and tags in brackets at their start."""
    rest = list(runs)
    tags: list[str] = []
    while rest and not rest[0].address and not rest[0].image:
        text = _ORNAMENTS.sub("", rest[0].text.lstrip(" \t-–—|"))
        date = _DATE.match(text)
        bracketed = _BRACKETED.match(text)
        if not text:
            rest.pop(0)
            continue
        if date and (date.end() < len(text) or len(rest) > 1):
            parts = [date["year"], *re.findall(r"[0-9]+", date["rest"])]
            cells["year" if len(parts) == 1 else "date"] = "-".join(p.zfill(2) for p in parts)
            text = text[date.end() :]
        elif bracketed and len(bracketed["words"].split()) <= 5:
            words = bracketed["words"].strip()
            if is_venue(words):
                cells["venue"] = words
            else:
                tags.append(words)
            text = text[bracketed.end() :]
        else:
            rest[0] = rest[0]._replace(text=text)
            break
        rest[0] = rest[0]._replace(text=text)
    cells["tags"] = tuple(dict.fromkeys(filter(None, tags)))
    return rest


def _titled(runs: Sequence[TextRun]) -> tuple[str, list[TextRun]]:
    """Return the title of an entry and the runs beside it; its link stays among them as a label."""
    groups = _grouped(runs)
    place = _title_place(groups)
    if place is None:
        return _leading_title(groups)
    group = groups[place]
    title = plain_text_of(group)
    after = groups[place + 1 :]
    if len(title.split()) <= 3 and group[0].bold and after and _is_plain(after[0][0]):
        # "**Bog**: How peat grows. ..." has the rest of its title behind the bold word; a title in
        # quotation marks is whole.
        before, colon, text = plain_text_of(after[0]).partition(":")
        rest, left = _first_sentence(text.strip())
        if colon and not before.strip() and len(rest.split()) >= 2:
            if text.strip()[0] in '"“':
                left = f"{title.strip('?')}{left}"
                title = rest
            else:
                title = f"{title.rstrip(':')}: {rest}"
            after = [[TextRun(left)], *after[1:]]
    others = _joined(groups[:place])
    link = next((run.address for run in group if is_outward(run.address)), "")
    if link:
        others.append(TextRun("paper", link))
    return _clean_title(title), [*others, *_joined(after)]


def _joined(groups: Iterable[Sequence[TextRun]]) -> list[TextRun]:
    runs: list[TextRun] = []
    for group in groups:
        runs += group
    return runs


def _title_place(groups: Sequence[Sequence[TextRun]]) -> int | None:
    """Return the group that is the title: bold, else a link beyond a label, else a short one."""
    candidates: list[tuple[int, int]] = []
    words_before = 0
    for place, group in enumerate(groups):
        text = plain_text_of(group).strip(_TRIM)
        words = len(text.split())
        is_link = any(is_outward(run.address) for run in group)
        if _is_plain(group[0]):
            words_before += words
        is_label = link_column(text) or is_venue(text) or _DATE.fullmatch(text)
        if not (group[0].bold or is_link) or text.startswith("http") or is_label:
            continue
        # Behind words of its own, a short link is the name of a repository.
        if is_link and words_before >= 3 and (words <= 3 or "/" in text.split()[0]):
            continue
        rank = 2 - is_link
        if group[0].bold and (words >= 3 or is_link):
            rank = 0
        candidates.append((rank, place))
    if not candidates:
        return None
    return min(candidates)[1]


def _is_plain(run: TextRun) -> bool:
    return run == TextRun(run.text)


def _leading_title(groups: Sequence[Sequence[TextRun]]) -> tuple[str, list[TextRun]]:
    """Return the words before the first link as title: all of them, or their first sentence."""
    for place, group in enumerate(groups):
        text = plain_text_of(group).lstrip(" [](-–—|:,)")
        title, left = _first_sentence(text)
        title = title.strip(" [](|")
        if _is_plain(group[0]) and len(title) >= 3 and not is_venue(title):
            others = _joined((*groups[:place], *groups[place + 1 :]))
            return title, [TextRun(f"{left} "), *others]
    # Nothing but links.
    return "", _joined(groups)


def _first_sentence(text: str) -> tuple[str, str]:
    """Return the title that a text begins with, quoted or up to its end, and what is left."""
    quoted = _QUOTED.search(text)
    before = text[: quoted.start()].strip(_TRIM + "(") if quoted else ""
    if quoted and (not before or are_names(before)):
        return _clean_title(quoted["title"]), f"{before}. {text[quoted.end() :]}"
    title, *more = _SENTENCE_END.split(text, maxsplit=1)
    return _clean_title(title), "".join(more)


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
