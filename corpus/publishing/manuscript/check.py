"""Check the numbers of a manuscript against the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.numbers.number_rules import BY_HAND, CONTRADICTS, NOT_JUDGED
from corpus.analysis.numbers.published import Number
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.publishing.manuscript.mentions import find_mentions
from corpus.publishing.manuscript.quantities import COUNT
from corpus.publishing.manuscript.running_text import running_text
from corpus.publishing.manuscript.statements import Mention

_BOUNDS = {"=": "", ">": "more than ", ">=": "at least ", "<": "less than ", "<=": "at most "}


#: So many counts are shown beside a wrong number.
_SHOWN = 3


class Verdicts(NamedTuple):
    """What became of the numbers of a text that are beside a word of the corpus.

    Attributes
    ----------
    findings : tuple of Finding
        M101 for a number that contradicts the corpus, M102 for one typed by hand, M103 for one that
        cannot be judged; a number that is right and has no macro gives none.
    right, wrong, not_judged : int
        How many there are; they sum to all numbers beside a word of the corpus.
    """

    findings: tuple[Finding, ...] = ()
    right: int = 0
    wrong: int = 0
    not_judged: int = 0

    def __str__(self) -> str:
        """Return the account in one line."""
        return (
            f"{self.right + self.wrong + self.not_judged} numbers beside a word of the corpus: "
            f"{self.right} right, {self.wrong} wrong, {self.not_judged} not judged"
        )

    def joined(self, other: Verdicts) -> Verdicts:
        """Return what became of the numbers of two texts."""
        return Verdicts(
            (*self.findings, *other.findings),
            self.right + other.right,
            self.wrong + other.wrong,
            self.not_judged + other.not_judged,
        )


def check_manuscript(
    text: str, sink: str, shown: str, study: Study, numbers: Mapping[str, Number]
) -> Verdicts:
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
    """
    findings: list[Finding] = []
    verdicts: Counter[str] = Counter()
    for mention in find_mentions(running_text(text, sink), study, numbers):
        line = text.count("\n", 0, mention.start) + 1
        char = mention.start - text.rfind("\n", 0, mention.start)
        verdicts[mention.verdict] += 1
        finding = _finding(mention, shown, line, char, sink)
        if finding is not None:
            findings.append(finding)
    counts = (verdicts["right"], verdicts["wrong"], verdicts["not judged"])
    return Verdicts(tuple(findings), *counts)


def _finding(mention: Mention, shown: str, line: int, char: int, sink: str) -> Finding | None:
    if not mention.judged:
        counts = [f"{number.text} {number.how}" for number in mention.nearest]
        nearest = f"; nearest: {', '.join(counts)}" if counts else ""
        return NOT_JUDGED.at(shown, line, value=mention.text, char=char, nearest=nearest)
    quantity = mention.quantity
    # Many counts may be meant; the nearest ones are enough to see what is wrong.
    meant = tuple(sorted(mention.candidates, key=lambda n: abs(n.value - quantity.value))[:_SHOWN])
    rule = CONTRADICTS
    if mention.right:
        meant = tuple(n for n in mention.candidates if quantity.agrees(n.value) and n.name)
        rule = BY_HAND
        if not meant or quantity.bound != "=":
            return None
    right = dict.fromkeys(number.text for number in meant)
    written = f"{quantity.value:,.3g}%"
    if quantity.kind == COUNT:
        written = f"{quantity.value:,.0f}"
    return rule.at(
        shown,
        line,
        value=mention.text,
        char=char,
        right=" or ".join(right),
        written=_BOUNDS[quantity.bound] + written,
        macro=" or ".join(dict.fromkeys(_use(number, sink) for number in meant)),
        how=" or ".join(dict.fromkeys(number.how for number in meant)),
    )


def _use(number: Number, sink: str) -> str:
    """Return how a number is written so that it follows the data, where it has a name."""
    if not number.name:
        return number.text
    if sink == "tex":
        return f"\\{number.name}{{}}"
    return f"<!-- corpus: {number.name} -->{number.text}<!-- /corpus -->"
