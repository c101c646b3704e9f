"""The main finding of a corpus in one sentence, computed from its claims and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.numbers.published import published_numbers
from corpus.model.codebook import Codebook
from corpus.model.documents.section import Section, raise_findings, read_settings
from corpus.model.study import Study
from corpus.model.suggestions import unknown

_PLACE = re.compile(r"\{([^{}]*)\}")


class FindingPart(NamedTuple):
    """One part of the sentence.

    `text` is printed as long as `claim` holds, or always where no claim is named; `otherwise` is
    printed once it does not. Both may have numbers by their name in braces.
    """

    text: str
    claim: str
    otherwise: str


def finding_parts(book: Codebook, file: str = "codebook.toml") -> tuple[FindingPart, ...]:
    """Read ``[finding]``; a codebook without the section has none.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    section, findings = read_settings(book.settings, "finding", file)
    parts = tuple(_part(item) for item in section.sections("parts"))
    section.finish()
    raise_findings(findings)
    return parts


def _part(section: Section) -> FindingPart:
    text = section.text("text")
    claim = section.text("claim", "")
    otherwise = section.text("otherwise", "")
    if bool(claim) != bool(otherwise):
        section.mistake("", "needs `claim` and `otherwise` together, or neither")
    section.finish()
    return FindingPart(text, claim, otherwise)


def main_finding(study: Study, file: str = "codebook.toml") -> str:
    """Return the sentence with its numbers; empty where the codebook declares none.

    Raises
    ------
    CorpusError
        C001 for a claim or number that the corpus does not have, and what the claims raise.
    """
    parts = finding_parts(study.codebook, file)
    if not parts:
        return ""
    holding = holding_claims(study)
    numbers = {name: number.text for name, number in published_numbers(study).items()}
    section, findings = read_settings(study.codebook.settings, "finding", file)
    texts: list[str] = []
    for part, place in zip(parts, section.sections("parts"), strict=True):
        if part.claim and part.claim not in holding:
            place.mistake("claim", unknown("claim", part.claim, holding))
        # Both texts are checked: the other one may be printed after the next edit of the data.
        _check_numbers(place, "text", part.text, numbers)
        _check_numbers(place, "otherwise", part.otherwise, numbers)
        chosen = part.text if holding.get(part.claim, True) else part.otherwise
        filled = _PLACE.sub(lambda found: numbers.get(found[1], ""), chosen)
        texts.append(filled)
    raise_findings(findings)
    sentence = "; ".join(texts)
    # Not str.capitalize, which would make abbreviations lower case.
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _check_numbers(section: Section, key: str, text: str, numbers: Mapping[str, str]) -> None:
    for name in _PLACE.findall(text):
        if name not in numbers:
            section.mistake(key, unknown("number", name, numbers))
