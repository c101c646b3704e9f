"""The definitions of the shipped codebook: they say what a term means, not what the tables hold.

A count in a definition would be wrong after the next paper, and no check would notice; counts
belong to claims.
"""

import re

from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data

STUDY = load_corpus(shipped_data())
#: A place in the text of the survey is no count.
PLACE = re.compile(r"\b(table|section|figure|appendix)s? [0-9.]+( (and|to) [0-9.]+)?")
#: Numbers of things, but "one" is also an article and a pronoun.
NUMBER = re.compile(
    r"\b([0-9]{2,}|[2-9]|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen"
    r"|(twen|thir|for|fif|six|seven|eigh|nine)ty)\b"
)


def definitions():
    book = STUDY.codebook
    for spec in book.tables.values():
        yield f"tables.{spec.name}", spec.definition
        for column in spec.columns:
            yield f"tables.{spec.name}.{column.name}", column.definition
    for vocabulary in book.vocabularies.values():
        yield f"vocabularies.{vocabulary.id}", vocabulary.definition
        for term in (*vocabulary.terms, *vocabulary.groups):
            yield f"vocabularies.{vocabulary.id}.{term.id}", term.definition


def test_no_definition_states_a_count_or_names_an_entry():
    # Some keys are words of the field, such as the name of an algorithm.
    keys = {key for key in STUDY.entries if re.search("[0-9]", key)}
    for place, text in definitions():
        found = [match[0] for match in NUMBER.finditer(PLACE.sub("", text.lower()))]
        assert found == [], place
        assert not re.search(r"\bno (retained|entry|entries)\b", text, re.IGNORECASE), place
        assert keys.isdisjoint(re.findall(r"[a-z0-9-]+", text.lower())), place
