"""The rules about single cells: each is declared once, with a pattern wherever a pattern tells it.

:mod:`corpus.tables.schema` makes a schema of pandera from them; :func:`broken` asks them
about one cell without pandera, whose import takes longer than a small edit. The patterns mean the
same to both engines (RE2 and re): no look-around, and no class such as \\w that depends on Unicode.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from unicodedata import is_normalized, name

from corpus.model.codebook import COLUMN_TYPES, Column
from corpus.model.dates import parse_date
from corpus.model.finding import WARNING, Rule
from corpus.model.identifiers import ARXIV, DOI, KEY, arxiv_month, find_arxiv, parse_arxiv
from corpus.model.joiners import STRAY_JOINER, without_joiners
from corpus.model.table import MAX_CELL
from corpus.printing.escape import FORMULA_START
from corpus.tables.terms import EMPTY_CELL

#: A rule that a cell breaks, and the advice or place for its message.
Trouble = tuple[Rule, str]
#: The types whose cells are written by hand; of a verbatim text others chose the words.
WRITTEN = tuple(kind for kind in COLUMN_TYPES if kind not in ("term", "verbatim"))
ANY_TEXT = (*WRITTEN, "verbatim")
FIRST_YEAR = 1600

#: Half of a pair: in no file, but in what JSON escapes. RE2 does not know them.
SURROGATES = "\ud800-\udfff"
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    f"\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f{SURROGATES}"
)
_FORBIDDEN = f"[{_UNSEEN}]|{STRAY_JOINER}"
_SPACE = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_PORT = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
_HOST = rf"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::(?:{_PORT})?)?"
#: Printable ASCII without whitespace and without what an address must escape.
_ADDRESS = rf"https?://{_HOST}(?:[/?#][!#-;=?-\[\]_a-z~]*)?"
_NAME = r"[^; ](?:[^;]*[^; ])?"
#: Cyrillic, Greek and full-width letters that are drawn like a Latin one.
_LOOK_ALIKE = (
    "[\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd"
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0443"
    "\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d\uff21-\uff3a\uff41-\uff5a]"
)
#: Part of a word: no whitespace, no punctuation.
_PART = "[^\x00-/:-@\\[-^`{-\u00a9\u00ab-\u00b1\u00bb\u00bf\u2000-\u206f\u3000-\u303f]{0,60}?"
_MIXED_WORD = f"[A-Za-z]{_PART}{_LOOK_ALIKE}|{_LOOK_ALIKE}{_PART}[A-Za-z]"
#: What Excel writes into a cell whose formula fails.
SHEET_ERROR = r"#(?:N/A|VALUE!|REF!|NAME\?|DIV/0!|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!)"
_NOT_A_NUMBER = "Programs read ' 2025 ', '20_25' or Arabic digits differently."


@dataclass(frozen=True)
class CellRule:
    """A rule about cells of some types that are not empty.

    Attributes
    ----------
    rule : Rule
        Its entry in the catalogue.
    types : tuple of str
        The types of columns.
    form : str
        Pattern of the whole cell; with one, the rule is about the form of a type.
    lacks : str or callable
        Pattern that is nowhere in the cell; it may depend on the current day.
    between : callable or None
        The smallest and the largest text, by the current day.
    test : callable or None
        What no pattern tells; true for a cell that is right.
    advice : callable or None
        Words for the message, from a cell that breaks the rule and the current day.
    right, wrong : tuple of str
        Examples, which are its tests.
    """

    rule: Rule
    types: tuple[str, ...] = WRITTEN
    form: str = ""
    lacks: str | Callable[[date], str] = ""
    between: Callable[[date], tuple[str, str]] | None = None
    test: Callable[[str], bool] | None = None
    advice: Callable[[str, date], str] | None = None
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def is_form(self) -> bool:
        """Whether it is about the form of some types, and not about texts of any."""
        return self.types not in (WRITTEN, ANY_TEXT)

    def lacked(self, today: date) -> str:
        """Return the pattern of what a cell must not have; empty without one."""
        return self.lacks if isinstance(self.lacks, str) else self.lacks(today)

    def passes(self, cell: str, today: date) -> bool:
        """Return whether a cell keeps the rule."""
        if self.form and not re.fullmatch(self.form, cell):
            return False
        lacked = self.lacked(today)
        if lacked and re.search(lacked, cell):
            return False
        if self.between:
            least, most = self.between(today)
            if not least <= cell <= most:
                return False
        return self.test is None or self.test(cell)


def broken(cell: str, column: Column, today: date) -> list[Trouble]:
    """Return the rules that a cell breaks, each with its advice; an optional cell may be empty."""
    if not cell:
        advice = "fill it; the codebook defines what belongs there"
        return [(EMPTY_CELL, advice)] if column.required else []
    # The reader reports such a cell (C123); no pattern is tried on it.
    if len(cell) > MAX_CELL:
        return []
    return _broken_rules(cell, column.type, today)


@lru_cache(maxsize=1 << 15)  # a command that changes rows checks the others twice
def _broken_rules(cell: str, type_: str, today: date) -> list[Trouble]:
    """Return what is reported of the rules that a cell breaks.

    Of an unsafe text the form is not told as well, and of a form one fault: the others would only
    follow from the first.
    """
    rules = rules_of(type_)
    # One pass is as quick for eight patterns as for one, and most cells have nothing of them.
    if is_normalized("NFC", cell) and not re.search(lacked_by(type_, today), cell):
        rules = forms_of(type_)
    found: list[Trouble] = []
    is_told = False
    for one in rules:
        if (one.is_form and is_told) or one.passes(cell, today):
            continue
        is_told = is_told or one.is_form or one.rule.is_error
        found.append((one.rule, one.advice(cell, today) if one.advice else ""))
    return found


@cache
def rules_of(type_: str) -> tuple[CellRule, ...]:
    """Return the rules about cells of a type, those about texts of any type first."""
    return tuple(one for one in CELL_RULES if type_ in one.types)


@cache
def forms_of(type_: str) -> tuple[CellRule, ...]:
    """Return the rules about the form of a type."""
    return tuple(one for one in rules_of(type_) if one.is_form)


@cache
def lacked_by(type_: str, today: date) -> str:
    """Return the pattern of all that is nowhere in a cell of a type."""
    lacked = filter(None, (one.lacked(today) for one in rules_of(type_)))
    return "|".join(f"(?:{pattern})" for pattern in lacked)


def _described(character: str) -> str:
    names = {"\n": "a line break", "\t": "a tab"}
    called = names.get(character) or name(character, "a control character").lower()
    return f"{called} (U+{ord(character):04X})"


def _forbidden_advice(cell: str, _: date) -> str:
    found = re.findall(f"[{_UNSEEN}\u200c\u200d]", without_joiners(cell))
    return " and ".join(map(_described, dict.fromkeys(found)))


def _look_alike_advice(cell: str, _: date) -> str:
    # Another such letter may be alone before it, as a name.
    word = re.search(_MIXED_WORD, cell)
    return _described(re.findall(_LOOK_ALIKE, word[0])[0]) if word else ""


def _arxiv_advice(cell: str, _: date) -> str:
    found = find_arxiv(cell)
    if found:
        return f"write {found}"
    if re.fullmatch(r"[0-9]{4}\.[0-9]{1,4}", cell):
        lost = f"a spreadsheet dropped zeros? then it was {cell.ljust(10, '0')}"
        return f"{lost}; compare with the address"
    return "write YYMM.NNNNN, without version and without 'arXiv:'"


def _coming_months(today: date) -> str:
    """Return the pattern of the months to come; identifiers with a slash are all of the past."""
    this_year = f"{today.year % 100:02d}"
    months = "|".join(f"{this_year}{month:02d}" for month in range(today.month + 1, 13))
    years = "|".join(f"{year:02d}[0-9]{{2}}" for year in range(today.year % 100 + 1, 100))
    return rf"^(?:{'|'.join(filter(None, (months, years)))})\."


def _is_date(cell: str) -> bool:
    try:
        return parse_date(cell).start.year > 0
    except ValueError:
        return False


def _date_advice(cell: str, _: date) -> str:
    try:
        start = parse_date(cell).start
    except ValueError as error:
        return str(error)
    return f"it is before {FIRST_YEAR}" if start.year < FIRST_YEAR else "it is in the future"


FORBIDDEN_CHARACTER = CellRule(
    Rule(
        "C211",
        "{column} contains {advice}",
        "remove it; it often comes from a PDF or web page",
        title="Forbidden character",
        reason="Control, direction and zero-width characters change what is read, compared and "
        "executed.",
    ),
    ANY_TEXT,
    lacks=_FORBIDDEN,
    advice=_forbidden_advice,
    right=(
        "\u0634\u0628\u06a9\u0647\u200c\u0647\u0627",
        "\u0915\u094d\u200d\u0937",
        "\U0001f468\u200d\U0001f467",
    ),
    wrong=("peat\u200b", "wet\nland", "pe\u200dat", "\u200c"),
)
FORMULA = CellRule(
    Rule(
        "C212",
        "{column} starts with {advice}",
        "write the text so that it starts with a letter or a digit",
        title="Cell that a spreadsheet would run",
        reason="Spreadsheets take a cell that starts with = + - @ for a formula.",
    ),
    ANY_TEXT,
    lacks=FORMULA_START,
    advice=lambda cell, _: repr(cell.lstrip()[:1] or cell[0]),
    right=("1+1",),
    wrong=("=1+1", " \uff1d1+1"),
)
PLACEHOLDER = CellRule(
    Rule(
        "C213",
        "{column} {value} is a placeholder",
        "write the value, the declared term for unknown, or leave an optional cell empty",
        title="Placeholder",
        reason="Tools count a placeholder as a value.",
    ),
    lacks=rf"^[\s{_SPACE}]*(?i:todo|tbd|tba|fixme|x{{3,8}}|n/?a|nan|null|none|nil|unknown\?|\?+|-+"
    rf"|\.+|…|{SHEET_ERROR})[\s{_SPACE}]*$",
    right=("None of these",),
    wrong=(
        "TODO",
        "tbd",
        "xxx",
        "N/A",
        "na",
        "NaN",
        "None",
        "?",
        "???",
        "…",
        "...",
        "#REF!",
        "#DIV/0!",
    ),
)
BLANKS = CellRule(
    Rule(
        "C214",
        "{column} has whitespace at an end, twice in a row, or of another kind than a space",
        "rewrite the cell with single plain spaces",
        title="Stray whitespace",
        reason="Invisible whitespace makes equal values different.",
    ),
    lacks=rf"^\s|\s$|  |[{_SPACE}]",
    wrong=("peat  bog", "peat\u00a0bog", " peat", "peat "),
)
NOT_NFC = CellRule(
    Rule(
        "C215",
        "{column} {value} is composed of separate accents",
        "run `corpus fmt`",
        title="Not in Unicode normal form C",
        reason="The same letter written in two ways compares as different.",
    ),
    test=lambda cell: is_normalized("NFC", cell),
    right=("étang",),
    wrong=("e\u0301tang",),
)
LOOK_ALIKE = CellRule(
    Rule(
        "C221",
        "{value} has {advice} inside a Latin word",
        "write the Latin letter",
        title="Look-alike letter of another script",
        reason="Texts are compared letter by letter. A word that mixes scripts is a mistake of a "
        "scan, or meant to deceive.",
    ),
    lacks=_MIXED_WORD,
    advice=_look_alike_advice,
    right=("Part \u0410 of learning", "\u03c4-bench and \u03b2-VAE", "торф"),
    wrong=("Multi-\u0410gent learning", "p\u0435at", "A \uff21gent"),
)
MARKUP = CellRule(
    Rule(
        "C216",
        "{column} {value} contains LaTeX markup",
        "write the character itself, such as é",
        WARNING,
        title="LaTeX in a cell",
        reason="The data is plain text and every output escapes it, so markup would be printed "
        "as is.",
    ),
    lacks=r"\\[a-zA-Z]+|\\['`^\"~=.uvHtcdbr]\{?[a-zA-Z]|\{\\|\$[^$\\^_]*[\\^_][^$]*\$",
    right=("5$ and 6$",),
    wrong=(r"\emph{peat}", r"M\'{o}or", r"{\em wet}", "$x^2$ of peat"),
)
MOJIBAKE = CellRule(
    Rule(
        "C217",
        "{column} {value} looks like UTF-8 that was read as Latin-1",
        "restore the accented characters from the source",
        WARNING,
        title="Wrongly decoded text",
        reason="A program that handled the file before has damaged the cell.",
    ),
    lacks="[ÂÃâ][\u0080-\u00bf€™œ\u201a-\u201e]",
    wrong=("\u00c3\u00a9tang", "wet â€” dry"),
)
KEY_FORM = CellRule(
    Rule(
        "C203",
        "{value} is not a valid key",
        "use letters a-z, digits and single hyphens, at most 80 characters; for example {advice}",
        title="Invalid key",
        reason="Keys are used in file names, addresses, BibTeX and LaTeX.",
    ),
    ("key", "ref"),
    form=KEY,
    lacks="^.{81}",
    advice=lambda cell, _: (
        re.sub("[^a-z0-9]+", "-", cell.lower()).strip("-")[:80] or "some-paper2026"
    ),
    right=("m7", "moss-fen2002"),
    wrong=("Not a key!", "a--b", "a_b", "é", "x" * 81),
)
NAMES_FORM = CellRule(
    Rule(
        "C218",
        "{column} has an empty name, or names that are not separated by '; '",
        "separate names by '; '",
        title="Invalid list of names",
        reason="A reader of the list cannot tell a missing name from a typing error.",
    ),
    ("names",),
    form=f"{_NAME}(?:; {_NAME})*",
    right=("Loam, Ann", "Loam, Ann; Silt, Dee"),
    wrong=("Loam, Ann;Silt, Dee", "; A", "A; ; B"),
)
NAMESAKES = CellRule(
    Rule(
        "C224",
        "{column} has one name twice",
        "if they are one person, write the name once; else accept the warning: "
        "`corpus check --explain C224` shows how",
        WARNING,
        title="One name twice",
        reason="Two authors can have one name, and a program can repeat one author.",
    ),
    ("names",),
    test=lambda cell: len(set(cell.split("; "))) == cell.count("; ") + 1,
    right=("Loam, Ann; Loam, Anna",),
    wrong=("Zhong, Z.; Hu, Z.; Zhong, Z.",),
)
ARXIV_FORM = CellRule(
    Rule(
        "C204",
        "{value} is not a valid arXiv identifier",
        "{advice}",
        title="Invalid arXiv identifier",
        reason="Identifiers are compared as text; with a version or a resolver it would be "
        "another work.",
    ),
    ("arxiv",),
    form=ARXIV,
    advice=_arxiv_advice,
    right=("2605.12345", "1412.0001", "hep-th/9901001", "math.GT/0309136"),
    wrong=(
        "1412.00001",
        "2605.1234",
        "arXiv:2605.12345",
        "2605.12345v1",
        "0613.0001",
        "٢605.12345",
    ),
)
ARXIV_FUTURE = CellRule(
    Rule(
        "C205",
        "{value} would be assigned in {advice}",
        "check the digits",
        title="arXiv identifier from the future",
        reason="A coming month is a typing error.",
    ),
    ("arxiv",),
    lacks=_coming_months,
    advice=lambda cell, _: f"{arxiv_month(parse_arxiv(cell)):%B %Y}",
    wrong=("9812.00001",),
)
DOI_FORM = CellRule(
    Rule(
        "C206",
        "{value} is not a valid DOI",
        "write it as 10.NNNN/suffix, without https://doi.org/ and without whitespace",
        title="Invalid DOI",
        reason="A DOI with a resolver in front is an address.",
    ),
    ("doi",),
    form=DOI,
    right=("10.1234/x", "10.48550/arXiv.2605.12345"),
    wrong=("10.12/x", "https://doi.org/10.1234/x", "10.1234/x y", "10.1234/"),
)
URL_FORM = CellRule(
    Rule(
        "C207",
        "{value} is not a valid http(s) address",
        "write https://host/path; separate several by ' ; '",
        title="Invalid address",
        reason="Addresses become links, so only http and https are allowed, without user names "
        "or whitespace.",
    ),
    ("url",),
    form=f"{_ADDRESS}(?: ; {_ADDRESS})*",
    right=("http://a.b", "https://a.b/c?d=e#f", "https://a.b/x ; https://c.d/y", "https://a.b:1/"),
    wrong=(
        *("ftp://a.b", "Https://a.b", "https://a.b;https://c.d", "https://a b.c", "https://"),
        *("//a.b", "https://a", "https:///x", "data:text/html,x", "https://a.b/<script>"),
        *("https://a.b/é", "https://[::1", "https://a.b:0/", "https://a.b:65536/"),
        *("https://ann@a.b/", "https://:pw@a.b/"),
    ),
)
YEAR_FORM = CellRule(
    Rule(
        "C208",
        "{value} is not a valid {kind}",
        "write plain ASCII digits{advice}",
        title="Invalid number",
        reason=_NOT_A_NUMBER,
    ),
    ("year",),
    form="[0-9]{4}",
    advice=lambda _, __: ", four of them",
    right=("1994",),
    wrong=("994", "20266", "20x5", "00"),
)
YEAR_RANGE = CellRule(
    Rule(
        "C209",
        "{value} is outside {advice}",
        "check the year",
        title="Year out of range",
        reason="Such a year is a typing error.",
    ),
    ("year",),
    between=lambda today: (str(FIRST_YEAR), str(today.year + 1)),
    advice=lambda _, today: f"{FIRST_YEAR} to {today.year + 1}",
    right=("1600",),
    wrong=("1599", "9999"),
)
INTEGER_FORM = CellRule(
    YEAR_FORM.rule,
    ("integer",),
    form="0|[1-9][0-9]{0,17}",
    right=("0", "18"),
    wrong=("1.0", "01", "٠"),
)
NUMBER_FORM = CellRule(
    YEAR_FORM.rule,
    ("number",),
    form=r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?",
    advice=lambda _, __: ", with a point before decimals",
    right=("0", "12.5"),
    wrong=("1e5", "1,000", "01", ".5", "inf"),
)
DATE_FORM = CellRule(
    Rule(
        "C210",
        "{value} is not a valid date: {advice}",
        "write YYYY, YYYY-MM or YYYY-MM-DD, as exact as is known",
        title="Invalid date",
        reason="Dates sort and compare as text.",
    ),
    ("date",),
    form=r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?",
    # A year sorts before its months, and a month before its days.
    between=lambda today: (str(FIRST_YEAR), today.isoformat()),
    test=_is_date,
    advice=_date_advice,
    right=("1600", "2024", "2024-05", "2024-02-29"),
    wrong=("2026-5", "2025-02-29", "2025-13", "26-05", "May 2026", "1599", "9999"),
)
#: In the order in which they are reported.
CELL_RULES = (
    *(FORBIDDEN_CHARACTER, FORMULA, PLACEHOLDER, BLANKS, NOT_NFC, LOOK_ALIKE, MARKUP, MOJIBAKE),
    *(KEY_FORM, NAMES_FORM, NAMESAKES, ARXIV_FORM, ARXIV_FUTURE, DOI_FORM, URL_FORM),
    *(YEAR_FORM, YEAR_RANGE, INTEGER_FORM, NUMBER_FORM, DATE_FORM),
)
