"""Check the numbers of a manuscript against the corpus."""

from __future__ import annotations

from collections.abc import Mapping

from corpus.analysis.numbers.number_rules import BY_HAND, CONTRADICTS
from corpus.analysis.numbers.published import Number
from corpus.model.codebook import Codebook
from corpus.model.finding import Finding
from corpus.publishing.manuscript.mentions import Mention, find_mentions
from corpus.publishing.manuscript.running_text import running_text


def manuscript_findings(
    text: str, sink: str, shown: str, book: Codebook, numbers: Mapping[str, Number]
) -> list[Finding]:
    """Return the numbers that contradict the corpus (M101) or were typed by hand (M102).

    Parameters
    ----------
    text : str
        The manuscript.
    sink : str
        ``tex``, ``md`` or ``html``.
    shown : str
        Its path as it is written into findings.
    book : Codebook
        Gives the words for what is counted.
    numbers : mapping of str to Number
        The right numbers; see :func:`corpus.analysis.numbers.published.published_numbers`.
    """
    findings: list[Finding] = []
    for mention in find_mentions(running_text(text, sink), book, numbers):
        line = text.count("\n", 0, mention.start) + 1
        char = mention.start - text.rfind("\n", 0, mention.start)
        findings.append(_finding(mention, shown, line, char, sink))
    return findings


def _finding(mention: Mention, shown: str, line: int, char: int, sink: str) -> Finding:
    rule = BY_HAND if mention.right else CONTRADICTS
    equal = [number for number in mention.candidates if number.value == mention.written]
    meant = equal or mention.candidates
    right = dict.fromkeys(number.text for number in meant)
    return rule.at(
        shown,
        line,
        value=mention.text,
        char=char,
        right=" or ".join(right),
        written=f"{mention.written:,}",
        macro=" or ".join(_use(number, sink) for number in meant),
        how=" or ".join(number.how for number in meant),
    )


def _use(number: Number, sink: str) -> str:
    """Return how a number is written so that it follows the data."""
    if sink == "tex":
        return f"\\{number.name}{{}}"
    return f"<!-- corpus: {number.name} -->{number.text}<!-- /corpus -->"
