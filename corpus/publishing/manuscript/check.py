"""Check the numbers of a manuscript against the corpus."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.analysis.numbers.number_rules import BY_HAND, CONTRADICTS, NOT_JUDGED
from corpus.analysis.numbers.published import Number
from corpus.model.finding import Finding
from corpus.model.study import Study
from corpus.publishing.manuscript.mentions import Mention, find_mentions
from corpus.publishing.manuscript.quantities import COUNT
from corpus.publishing.manuscript.running_text import running_text

_BOUNDS = {"=": "", ">": "more than ", ">=": "at least ", "<": "less than ", "<=": "at most "}


def manuscript_findings(
    text: str, sink: str, shown: str, study: Study, numbers: Mapping[str, Number]
) -> list[Finding]:
    """Return the numbers that contradict the corpus, were typed by hand or cannot be judged.

    They are M101, M102 and M103; a number that is right and has no macro gives nothing.

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
    for mention in find_mentions(running_text(text, sink), study, numbers):
        line = text.count("\n", 0, mention.start) + 1
        char = mention.start - text.rfind("\n", 0, mention.start)
        finding = _finding(mention, shown, line, char, sink)
        if finding is not None:
            findings.append(finding)
    return findings


def _finding(mention: Mention, shown: str, line: int, char: int, sink: str) -> Finding | None:
    if not mention.judged:
        return NOT_JUDGED.at(shown, line, value=mention.text, char=char)
    quantity = mention.quantity
    meant = mention.candidates
    rule = CONTRADICTS
    if mention.right:
        meant = tuple(n for n in meant if quantity.agrees(n.value) and n.name)
        rule = BY_HAND
        if not meant or quantity.bound != "=":
            return None
    right = dict.fromkeys(number.text for number in meant)
    written = f"{mention.written:,.3g}%"
    if quantity.kind == COUNT:
        written = f"{mention.written:,.0f}"
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
