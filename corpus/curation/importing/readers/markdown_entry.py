"""One entry of an awesome list: what of its words is title, authors, venue, date, tags, links."""

import re

from corpus.curation.importing.names import ascii_words
from corpus.curation.importing.readers.markdown_tree import (
    Runs,
    TextRun,
    addresses_of,
    is_outward,
    lines_of,
    plain_text_of,
)
from corpus.curation.importing.readers.records import Cell, Cells, add_cell, filled_cells, texts_of

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
_DATE = re.compile(r"[\[(]?(?P<year>(?:19|20)[0-9]{2})(?P<rest>(?:[./-][0-9]{1,2}){0,2})[\])]?")
#: A venue with its year, and the names by which preprints go.
_VENUE = re.compile(
    r"[\[(]?(?:"
    # "NeurIPS 2023", "ICML'20 Spotlight", "arXiv, 5 Sep 2024"
    r"(?=[^\s]*[A-Z])[\w&()'’./:+, -]{2,60}?[ ,'’-]{0,3}(?-i:(?<![a-z]))"
    # ... "arXiv 2023.08", "ICML 2024 workshop"
    r"(?:(?:19|20)[0-9]{2}(?:[./-][0-9]{1,2})?|['’][0-9]{2})(?: ?\(?[A-Za-z]{2,12}\)?){0,3}"
    # "2024-Findings of EMNLP"
    r"|(?:19|20)[0-9]{2}[-/ ][A-Z](?:(?! [-–] )[\w&()'’./: -]){1,40}"
    r"|(?:ar|bior|medr)xiv(?: preprint)?"
    r")[\])]?",
    re.IGNORECASE,
)
_PARTICLES = "de|da|di|van|von|der|den|del|la|le|el|bin|al|ter"
_NAME = rf"(?:(?!\d)[^\W_a-z][\w'’.-]*+|(?:{_PARTICLES})\b)"
_PERSON = re.compile(rf"{_NAME}(?: {_NAME}){{0,4}}")
#: A title in quotation marks, behind the name of the method or the people.
_QUOTED = re.compile(r"(?P<before>(?:[^\"“”]*[:.,]\s)?)[\"“](?P<title>[^\"“”]{8,300})[\"”]")
_BEGINS_QUOTED = re.compile(r"[^\w\"“]*[\"“][^\"“”]{8,300}[\"”]")
#: A date or a venue in brackets behind the title.
_BRACKETED = re.compile(r"\[([^\[\]]{2,40})\]")
_EMPTY_BRACKETS = re.compile(r"\[[ |,/]*+\]|\([ |,/]*+\)|\[\[[ |,/]*+\]\]|< *+>")
_IN_BRACKETS = re.compile(r"\[[^\[\]]*+\]")
_CUT = re.compile(r"\b(?:et\.? ?al\b|and others\b)[\s.,;]*$", re.IGNORECASE)
#: Behind a person is an institution, and characters that refer to notes.
_PLACE = re.compile(r"\(([^()]*+)\)")
_NOTE_MARKS = re.compile(r"[*†‡∗§¹²³]")
#: "[AAAI 2020] How peat grows", "(2021) How peat grows", "2020-AAAI - How peat grows", "How peat
#: grows (AAAI, 2020)"
_AROUND = (
    re.compile(r"^[\[(](?P<words>[^\[\]()]{1,40})[\])]"),
    re.compile(r"^(?P<words>[^\[\]():]{4,40}?) ?[-–] "),
    re.compile(r"[\[(](?P<words>[^\[\]()]{1,40})[\])]$"),
)
#: "Ward, A., & Moor, B. (2020). How peat grows. ..."
_REFERENCE = re.compile(
    r"(?P<authors>[A-Z][^()]{2,500}?) \((?P<year>(?:19|20)[0-9]{2})[a-z]?\)[.:]?\s+"
    r"(?P<title>.{3,300}?)(?:[.](?=\s)|(?<=[?!])(?=\s)|$)"
)
#: The page of a person, which no work has.
_PROFILE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|twitter\.com|x\.com|linkedin\.com/in)/[^/?#]+/?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<=[\w)’'\]][\w)’'\]])(?<!\bvs)(?<!\bvol)\.\s+|(?<=et al)\.?\s+(?=[A-Z(])"
)


def trimmed(text: str) -> str:
    """Return a text without ornaments and separators at its ends: emoji, dashes, boxes to tick."""
    text = re.sub(r"^(?:\[[ xX]?\]|[^\w\[(\"“'‘$<@#~])+", "", text)
    return re.sub(r"[^\w)\]\"”'’?!$>%+]{1,99}$", "", text)


def link_column(text: str) -> str:
    """Return the column for a link whose text is not a title, or an empty string for a title.

    Examples
    --------
    >>> link_column("[Paper]"), link_column("Code (PyTorch)"), link_column("Peat by light")
    ('url', 'code', '')
    """
    # "PyTorch (annward)" is the code of somebody.
    bare = re.sub(r"(?<=\w)\s*\([^()]*\)", "", text)
    words = [word for word in ascii_words(bare) if not word.isdigit()]
    columns = [_COLUMN_OF_LABEL.get(word, "") for word in words]
    if not columns:
        return "links"
    return columns[0] * all(columns)


def is_title(run: TextRun) -> bool:
    """Whether words are set as a title is: bold or linked, three or more, and no label or venue."""
    return is_marked(run) and len(trimmed(run.text).split()) >= 3


def is_marked(run: TextRun) -> bool:
    """Whether words are bold or linked, and no label, venue, date or address."""
    # "arXiv: https://arxiv.org/..." is a label as well.
    text = trimmed(re.sub(r"https?://\S+", "", run.text))
    is_label = link_column(text) or is_venue(text) or _DATE.fullmatch(text)
    is_set = (run.bold or is_outward(run.address)) and not run.image
    return is_set and not is_label


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
    return cut is not None or (len(pieces) > 1 and " " in "".join(pieces))


def entry_cells(runs: Runs) -> Cells:
    """Return the cells of an entry's first paragraph; nothing where it is not a work.

    The title is the first run that is bold or linked and no label, else the words before the first
    link. An entry of links alone has none.
    """
    addresses = addresses_of(runs)
    if addresses and all(map(_PROFILE.fullmatch, addresses)):
        return {}
    lines = lines_of(runs) or [[]]
    # Another line may be above that of the title: links, "--- Older works ---".
    place = next((n for n, line in enumerate(lines) if any(map(is_title, line))), 0)
    line = lines.pop(place)
    place = _title_place(line)
    cells: Cells = {}
    if place < len(line):
        run, after = line[place], line[place + 1 :]
        title, left = run.text, ""
        is_named = run.bold and len(title.split()) <= 3
        if is_named and after and re.match(r"\s*(?:\([^()]*\)\s*)?[:：]\s", after[0].text):
            # "**Bog**: How peat grows. ..." has the rest of its title behind the bold word; also
            # "**Bog** (wet): ...".
            run = TextRun(title + after.pop(0).text)
        if run == TextRun(run.text):
            # A title in quotation marks, or all up to the end of the sentence.
            text = trimmed(run.text)
            quoted = _QUOTED.match(text)
            reference = _REFERENCE.match(text)
            title, *more = _SENTENCE_END.split(text, maxsplit=1)
            left = "".join(more)
            if reference:
                title, left = reference["title"], text[reference.end() :]
                cells.update(authors=reference["authors"], year=reference["year"])
            if quoted:
                title = quoted["title"]
                left = f"{trimmed(quoted['before'])}. {trimmed(text[quoted.end() :])}"
        title = trimmed(title)
        for pattern in (_AROUND[0], *_AROUND):
            found = pattern.search(title)
            if found and _is_date_or_venue(cells, found["words"]):
                title = trimmed(title[: found.start()] + title[found.end() :])
        cells["title"] = trimmed(re.sub('^["“]([^"“”]+)["”]$', r"\1", title))
        _add_runs(cells, line[:place])
        if is_outward(run.address):
            add_address(cells, "url", run.address)
        _add_runs(cells, [TextRun(f"{left} "), *after])
    elif addresses:
        _add_runs(cells, line)
    else:
        return {}
    for other in lines:
        add_line(cells, other)
    return filled_cells(cells)


def _title_place(line: Runs) -> int:
    """Return which run has the title; the number of runs where none has."""
    for place, run in enumerate(line):
        # Behind words of its own, a short link is the name of a repository; before them, one in
        # brackets is that of a group.
        beside = []
        if _IN_BRACKETS.fullmatch(run.text.strip()):
            beside = [other for other in line if other == TextRun(other.text)]
        elif not run.bold and len(run.text.split()) <= 3:
            beside = line[:place]
        if is_marked(run) and len(plain_text_of(beside).split()) < 3:
            return place
    for place, run in enumerate(line):
        if run == TextRun(run.text) and re.search(r"\w", run.text) and not is_venue(run.text):
            return place
    return len(line)


def _is_date_or_venue(cells: Cells, text: str) -> bool:
    """Take a date or a venue, which may be in brackets; whether a text is one."""
    date = _DATE.fullmatch(text)
    if date:
        parts = [date["year"], *re.findall("[0-9]+", date["rest"])]
        name = "year" if len(parts) == 1 else "date"
        cells.setdefault(name, "-".join(part.zfill(2) for part in parts))
    elif is_venue(text):
        cells.setdefault("venue", re.sub(r"^[\[(](.*)[\])]$", r"\1", text))
    return date is not None or is_venue(text)


def add_line(cells: Cells, runs: Runs) -> None:
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


def is_quoted(runs: Runs) -> bool:
    """Whether a line begins with a title in quotation marks."""
    return _BEGINS_QUOTED.match(plain_text_of(runs)) is not None


def labelled(runs: Runs) -> tuple[str, Cell]:
    """Return the label and the value of a line such as ``Keywords: [soil], [moss]``.

    Both are empty for another line. A line that is bold or linked throughout is a title with a
    colon.
    """
    match = _LABELLED.fullmatch(plain_text_of(runs))
    if is_quoted(runs):
        return "", ""
    words = [run for run in runs if trimmed(run.text)]
    if match is None or (is_title(words[0]) and len(words[0].text.split(":")[-1].split()) > 1):
        return "", ""
    value = match["value"].strip()
    if value.startswith("["):
        return match["label"], tuple(re.findall(r"\[([^\[\]]+)\]", value))
    return match["label"], value


def _add_runs(cells: Cells, runs: Runs) -> None:
    """Add words whose meaning their style, their address or their form tells."""
    words = []
    for run in runs:
        text = run.text
        if run.image or run.address:
            column = link_column(text)
            if not (column or run.image or text.startswith("http")):
                words.append(text)
            # "[paper]()" leads nowhere; an image without a link is for the eye, such as a count.
            if is_outward(run.address):
                if column in ("", "links") and "url" not in cells:
                    column = "url"
                add_address(cells, column or "links", run.address)
        elif run.code and 0 < len(text) <= 40:
            cells["tags"] = (*texts_of(cells.get("tags", ())), text)
        elif run.italic or run.bold:
            words.append(_add_sentences(cells, text))
        else:
            words.append(text)
    # Brackets that held a link only, and what separated the parts.
    text = trimmed(_EMPTY_BRACKETS.sub(" ", " ".join("".join(words).split())))
    for found in _BRACKETED.findall(text):
        number = len(cells)
        # "[code]" without an address is a link that the list does not have yet.
        is_label = found.casefold() in _COLUMN_OF_LABEL
        if is_label or (_is_date_or_venue(cells, found) and len(cells) > number):
            text = text.replace(f"[{found}]", " ", 1)
    text = re.sub(r"^\(([^()]*+)\)$", r"\1", text.strip("[]"))
    parts = (*texts_of(cells.get("description", "")), _add_sentences(cells, text))
    cells["description"] = " ".join(filter(None, parts))


def add_address(cells: Cells, column: str, address: str, others: str = "links") -> None:
    """Put an address into its column; a second one of the same column goes to `others`."""
    links = texts_of(cells.get(others, ()))
    if address in cells.values() or address in links:
        return
    if column != others and column not in cells:
        cells[column] = address
    else:
        cells[others] = (*links, address)


def _add_sentences(cells: Cells, text: str) -> str:
    """Sort the sentences of a text into authors, date and venue; return what is left."""
    left = []
    for sentence in _SENTENCE_END.split(text):
        bare = trimmed(" ".join(sentence.split()))
        people, _, last = bare.rpartition(", ")
        if is_venue(last) and are_names(people) and _is_date_or_venue(cells, last):
            bare = people
        is_short_name = "authors" in cells and len(bare.split()) <= 4 and bare[:1].isupper()
        if are_names(bare) and "authors" not in cells:
            # In parentheses behind people is their institution.
            places = "; ".join(dict.fromkeys(_PLACE.findall(bare)))
            if places:
                cells.setdefault("institution", places)
            names = " ".join(_PLACE.sub("", _NOTE_MARKS.sub("", bare)).split())
            cells["authors"] = names.replace(" ,", ",")
        elif "venue" not in cells and is_short_name:
            cells["venue"] = bare
        elif bare and ("venue" in cells or not _is_date_or_venue(cells, bare)):
            left.append(bare)
    return ". ".join(left)
