"""The main finding of a corpus in one sentence, computed from its claims and numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.numbers.published import published_numbers, unresolved
from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, read_settings, settings_section
from corpus.model.finding import CorpusError
from corpus.model.study import Study

_PLACE = re.compile(r"\{([^{}]*)\}")


class FindingPart(NamedTuple):
    """One part of the sentence.

    `text` is printed as long as `claim` holds, or always where no claim is named; `otherwise` is
    printed once it does not. Both may have numbers by their name in braces.
    """

    text: str
    claim: str
    otherwise: str


def finding_parts(book: Codebook) -> tuple[FindingPart, ...]:
    """Read ``[finding]``; a codebook without the section has none.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "finding", read_finding)


def read_finding(section: Section) -> tuple[FindingPart, ...]:
    """Read ``[finding]``; mistakes are in the findings of the section."""
    parts = tuple(_part(item) for item in section.sections("parts"))
    section.finish()
    return parts


def _part(section: Section) -> FindingPart:
    text = section.text("text")
    claim = section.text("claim", "")
    otherwise = section.text("otherwise", "")
    if claim:
        section.reference("claim", claim, "claim")
    # Both texts are checked: the other one may be printed after the next edit of the data.
    for key, value in (("text", text), ("otherwise", otherwise)):
        for name in _PLACE.findall(value):
            section.reference("number", name, key)
    if bool(claim) != bool(otherwise):
        section.mistake("", "needs `claim` and `otherwise` together, or neither")
    section.finish()
    return FindingPart(text, claim, otherwise)


def main_finding(study: Study) -> str:
    """Return the sentence with its numbers; empty where the codebook declares none.

    Raises
    ------
    CorpusError
        C001 for a claim or number that the corpus does not have, and what the claims raise.
    """
    section = settings_section(study.codebook, "finding")
    parts = read_finding(section)
    findings = section.findings or unresolved(section.references, study)
    if findings:
        raise CorpusError(findings)
    if not parts:
        return ""
    holding = holding_claims(study)
    numbers = {name: number.text for name, number in published_numbers(study).items()}
    texts: list[str] = []
    for part in parts:
        chosen = part.text if holding.get(part.claim, True) else part.otherwise
        texts.append(_PLACE.sub(lambda found: numbers[found[1]], chosen))
    sentence = "; ".join(texts)
    # Not str.capitalize, which would make abbreviations lower case.
    return f"{sentence[:1].upper()}{sentence[1:]}."
