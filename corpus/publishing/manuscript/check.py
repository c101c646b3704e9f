"""Check the numbers of a manuscript against the corpus.

A sentence is read word by word, see :mod:`corpus.publishing.manuscript.statements`. A list or table
is taken where it has at least three terms of one axis, each with one number.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter

from corpus.analysis.numbers.published import Number, camel
from corpus.analysis.numbers.quantities import COUNT, Quantity
from corpus.model.codebook import Codebook, Column
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.study import Study
from corpus.printing.numerals import MOST_DIGITS, parse_number
from corpus.publishing.manuscript.lexicon import Lexicon
from corpus.publishing.manuscript.running_text import running_text
from corpus.publishing.manuscript.statements import Mention, Reader

CONTRADICTS = Rule(
    "M101",
    "{value}: the corpus has {right}, not {written}",
    "write {macro}; it counts {how}",
    title="Number contradicts the corpus",
    reason="The number did not follow a change of the data.",
)
BY_HAND = Rule(
    "M102",
    "{value}: right today, but it will not follow the data",
    "write {macro}; it counts {how}",
    WARNING,
    title="Number typed by hand",
    reason="`corpus render` renews a macro or a marker; a typed number is found only by reading.",
)
NOT_JUDGED = Rule(
    "M103",
    "{value}: a number beside a word of the corpus, but what it counts is not clear{nearest}",
    "check it by hand, or name what it counts in the words of the codebook",
    WARNING,
    title="Number not judged",
    reason="Passed over in silence, it would look like a number that was checked.",
)


#: The numbers of one axis by the words for its terms.
_Axis = Mapping[str, Number]

#: What may be between two items of a list or two rows of a table, such as a share or a rule.
_BETWEEN = re.compile(r"(?:[\s,;|&-]|\\[a-z]+|\\|\band\b|\b[0-9]+\s?\\?%)*+")

#: A list needs this many terms; two are likely to be about something else.
_FEWEST_TERMS = 3

_BOUNDS = {"=": "", ">": "more than ", ">=": "at least ", "<": "less than ", "<=": "at most "}

#: So many counts are shown beside a wrong number.
_SHOWN = 3


def check_manuscript(
    text: str, sink: str, shown: str, study: Study, numbers: Mapping[str, Number]
) -> tuple[list[Finding], Counter[str]]:
    """Compare the numbers of a manuscript with the corpus.

    Parameters
    ----------
    text : str
        The manuscript.
    sink : str
        ``tex``, ``md`` or ``html``.
    shown : str
        Its path as it is written into findings.
    study : Study
        Its codebook gives the words, its tables the counts.
    numbers : mapping of str to Number
        The right numbers; see :func:`corpus.analysis.numbers.published.published_numbers`.

    Returns
    -------
    findings : list of Finding
        M101 for a number that contradicts the corpus, M102 for one typed by hand, M103 for one that
        cannot be judged; a number that is right and has no macro gives none.
    verdicts : Counter
        How many numbers beside a word of the corpus are ``right``, ``wrong`` and ``not judged``.
    """
    findings: list[Finding] = []
    verdicts: Counter[str] = Counter()
    for mention in find_mentions(running_text(text, sink), study, numbers):
        quantity = mention.quantity
        line = text.count("\n", 0, quantity.start) + 1
        char = quantity.start - text.rfind("\n", 0, quantity.start)
        verdicts[mention.verdict] += 1
        if not mention.candidates:
            counts = ", ".join(f"{number.text} {number.how}" for number in mention.nearest)
            nearest = f"; nearest: {counts}" if counts else ""
            found = NOT_JUDGED.at(shown, line, value=mention.text, char=char, nearest=nearest)
            findings.append(found)
            continue
        # Many counts may be meant; the nearest ones are enough to see what is wrong.
        meant = sorted(mention.candidates, key=lambda one: abs(one.value - quantity.value))
        rule, meant = CONTRADICTS, meant[:_SHOWN]
        if mention.right:
            rule, meant = BY_HAND, []
            for number in mention.candidates:
                if number.name and quantity.agrees(number.value):
                    meant.append(number)
            if not meant or quantity.bound != "=":
                continue
        # Each once, in order: the texts, how they are computed, and how they are written so that
        # they follow the data, where they have a name.
        texts: dict[str, None] = {}
        hows: dict[str, None] = {}
        uses: dict[str, None] = {}
        for number in meant:
            use = number.text
            if number.name and sink == "tex":
                use = f"\\{number.name}{{}}"
            elif number.name:
                use = f"<!-- corpus: {number.name} -->{number.text}<!-- /corpus -->"
            texts[number.text] = hows[number.how] = uses[use] = None
        written = f"{quantity.value:,.3g}%"
        if quantity.kind == COUNT:
            written = f"{quantity.value:,.0f}"
        found = rule.at(
            shown,
            line,
            value=mention.text,
            char=char,
            right=" or ".join(texts),
            written=_BOUNDS[quantity.bound] + written,
            macro=" or ".join(uses),
            how="; or ".join(hows),
        )
        findings.append(found)
    return findings, verdicts


def find_mentions(text: str, study: Study, numbers: Mapping[str, Number]) -> list[Mention]:
    """Return the statements about the corpus in a running text, in order; see the module."""
    axes = list(_axes(study.codebook, numbers))
    by_start: dict[int, Mention] = {}
    reader = Reader(Lexicon(study, numbers))
    for mention in chain(_in_lists(text, axes), reader.statements(text)):
        by_start.setdefault(mention.quantity.start, mention)
    return list(map(by_start.__getitem__, sorted(by_start)))


def _in_lists(text: str, axes: Sequence[_Axis]) -> Iterator[Mention]:
    """Find lists and tables with at least three terms of one axis, each with one number."""
    # Longer words come first: a pattern takes the first alternative that fits.
    words = sorted(set(chain.from_iterable(axes)) - {""}, key=len, reverse=True)
    terms = [r"[\s_-]+".join(map(re.escape, word.split())) for word in words]
    item = re.compile(
        rf"(?<![\w/-])(?P<term>{'|'.join(terms)})(?![\w/-])[ \t]*+[|&:=(]?[ \t]*+"
        rf"(?P<n>(?<![\w.,])[0-9]{{1,{MOST_DIGITS}}})(?![\w.%]|[ \t]*\\?%)\)?",
        re.IGNORECASE,
    )
    items: list[re.Match[str]] = []
    for match in item.finditer(text):
        if items and not _BETWEEN.fullmatch(text, items[-1].end(), match.start()):
            yield from _list_mentions(items, axes)
            items = []
        items.append(match)
    yield from _list_mentions(items, axes)


def _list_mentions(items: list[re.Match[str]], axes: Iterable[_Axis]) -> Iterator[Mention]:
    """Take a list for the axis that has all its terms and most of its numbers.

    Lists of which less than half of the numbers are right are about something else.
    """
    terms = list(map(plain_words, map(itemgetter("term"), items)))
    if len(terms) < _FEWEST_TERMS or len(set(terms)) < len(terms):
        return
    best: list[Mention] = []
    for axis in axes:
        if axis.keys() >= set(terms):
            mentions = []
            for item, term in zip(items, terms, strict=True):
                start = item.start("n")
                quantity = Quantity(COUNT, parse_number(item["n"]), 0.0, "=", 0, 0, start)
                whole = " ".join(item.group().split())
                mentions.append(Mention(whole, quantity, (axis[term],)))
            best = max(best, mentions, key=_right_ones)
    if 2 * _right_ones(best) >= max(4, len(best)):
        yield from best


def _right_ones(mentions: Iterable[Mention]) -> int:
    return sum(mention.right for mention in mentions)


def _axes(book: Codebook, numbers: Mapping[str, Number]) -> Iterator[_Axis]:
    """Yield the numbers of each axis, and of the stages of screening, by the words for terms."""
    named: list[tuple[tuple[str, ...], Column]] = [((axis.name,), axis) for axis in book.pool.axes]
    for spec in book.by_role("exclusions"):
        stage = spec.by_role("stage")
        if stage is not None and stage.type == "term":
            named.append((("excluded", "stage"), stage))
    for prefix, column in named:
        terms: dict[str, Number] = {}
        for term in book.vocabulary_of(column).terms:
            number = numbers.get(camel(*prefix, term.id))
            if number is not None:
                for name in (term.id, term.label):
                    terms.setdefault(plain_words(name), number)
        yield terms


def plain_words(text: str) -> str:
    """Return a text in lower case, its words separated by one space.

    Examples
    --------
    >>> plain_words("RL_method"), plain_words("near  strict")
    ('rl method', 'near strict')
    """
    return re.sub(r"[_\s-]+", " ", text.lower()).strip()
