"""The main finding of a corpus in one sentence, computed from its claims and numbers."""

import re

from corpus.analysis.claims.evaluate import holding_claims
from corpus.analysis.numbers.published import published_numbers, unresolved
from corpus.model.documents.section import Section, settings_section
from corpus.model.finding import CorpusError
from corpus.model.study import Study

_PLACE = re.compile(r"\{([^{}]*)\}")


#: A part of the sentence: its text, the claim as long as which it is printed (always where none is
#: named), and what is printed otherwise. Both texts may have numbers by their name in braces.
FindingPart = tuple[str, str, str]


def read_finding(section: Section) -> list[FindingPart]:
    """Read ``[finding]``; mistakes are in the findings of the section."""
    parts = []
    for item in section.sections("parts"):
        part = (item.text("text"), item.text("claim", ""), item.text("otherwise", ""))
        text, claim, otherwise = part
        if claim:
            item.reference("claim", claim, "claim")
        # Both texts are checked: the other one may be printed after the next edit of the data.
        for key, value in (("text", text), ("otherwise", otherwise)):
            for name in _PLACE.findall(value):
                item.reference("number", name, key)
        if bool(claim) != bool(otherwise):
            item.mistake("", "needs `claim` and `otherwise` together, or neither")
        item.finish()
        parts.append(part)
    section.finish()
    return parts


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
    texts = []
    for chosen, claim, otherwise in parts:
        if not holding.get(claim, True):
            chosen = otherwise
        texts.append(_PLACE.sub(lambda found: numbers[found[1]], chosen))
    sentence = "; ".join(texts)
    # Not str.capitalize, which would make abbreviations lower case.
    return f"{sentence[:1].upper()}{sentence[1:]}."
