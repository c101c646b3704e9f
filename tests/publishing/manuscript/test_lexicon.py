"""Which words of running text name the terms, axes and vocabularies of a codebook."""

import pytest

from corpus.analysis.numbers.published import published_numbers
from corpus.analysis.numbers.quantities import stems
from corpus.publishing.manuscript.lexicon import Lexicon
from tests.corpora.full import codebook_data, full, full_of


def lexicon_of(study):
    return Lexicon(study, published_numbers(study))


def with_vocabulary(name, **vocabulary):
    """Return the lexicon of a corpus without entries, in which one vocabulary is another."""
    data = codebook_data(impossible=[], sparsity={})
    data["vocabularies"][name] |= vocabulary
    return lexicon_of(full_of(**data))


def meant(lexicon, text):
    """Return how many words of a text are a phrase, and the columns and terms that it may mean."""
    length, meanings = lexicon.at(stems(text))
    return length, sorted((meaning.column, sorted(meaning.terms)) for meaning in meanings)


def test_terms_are_named_by_identifier_label_and_group():
    lexicon = with_vocabulary(
        "senses",
        terms=[
            {"id": "water", "definition": "Water."},
            {"id": "salt", "label": "salty ground", "definition": "Salt."},
            {"id": "heat", "definition": "Heat."},
            {"id": "gas", "definition": "Gas."},
        ],
    )
    assert meant(lexicon, "Salty ground here") == (2, [("senses", ["salt"])])
    assert meant(lexicon, "salt") == (1, [("senses", ["salt"])])
    assert meant(lexicon, "wet") == (1, [("senses", ["salt", "water"])])
    assert meant(lexicon, "senses") == (1, [("senses", [])])  # the axis as a whole
    assert meant(lexicon, "title") == (1, [("step", ["title"])])  # of the exclusion log
    assert meant(lexicon, "none") == (0, [])  # "not applicable" is no name for entries
    assert meant(lexicon, "sand") == (0, [])


def test_a_term_is_called_without_the_words_of_its_vocabulary():
    lexicon = with_vocabulary(
        "depth",
        title="Depth zone",
        terms=[{"id": "surface_zone", "definition": "0 m."}],
        not_applicable="",
    )
    assert meant(lexicon, "surface") == (1, [("depth", ["surface_zone"])])
    assert meant(lexicon, "depth zone") == (2, [("depth", [])])


@pytest.mark.parametrize(("column", "terms", "value", "name"), [
    ("depth", {"surface"}, 2, "DepthSurface"),
    ("senses", {"water", "salt"}, 4, "SensesGroupWet"),
    ("depth", {"surface", "shallow", "deep", "rock"}, 4, "DepthApplicable"),
    ("step", {"text"}, 1, "ExcludedStageText"),
    ("depth", {"surface", "deep"}, 3, ""),
])  # fmt: skip
def test_a_count_is_given_by_its_published_name(column, terms, value, name):
    lexicon = lexicon_of(full())
    population = lexicon.excluded if column == "step" else lexicon.pool
    number = lexicon.number_of([(column, frozenset(terms))], population)
    assert (number.name, number.value) == (name, value)


def test_a_label_that_ends_like_the_works_does_not_take_their_name():
    data = codebook_data()
    data["tables"]["sensors"]["columns"][2]["role"] = "group"
    for term, label in zip(
        data["vocabularies"]["depth"]["terms"], ("field study", "study"), strict=False
    ):
        term["label"] = label
    lexicon = lexicon_of(full(**data))
    assert ("study",) not in lexicon.meanings
    assert "study" not in lexicon.heads
