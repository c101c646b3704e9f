"""The values of tracked claims at a release: what is written, in which order, and what stays."""

import pytest

from corpus.analysis.claims.evaluate import all_outcomes
from corpus.curation.release.baseline import rebased_claims
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import write_full

HEAD = "format = 1  # of the text\n"


def claim(id_, body, statement="As it is."):
    return f'\n[[claims]]\nid = "{id_}"\ntracked = true\nstatement = "{statement}"\n{body}\n'


@pytest.fixture
def rebase(tmp_path):
    """Give the claims of a file the values of today."""
    data = write_full(tmp_path)

    def run(*claims, confirm=False):
        text = HEAD + "".join(claims)
        (data / "claims.toml").write_text(text, "utf-8")
        study = load_corpus(str(data))
        return text, rebased_claims(study.sources["claims"], all_outcomes(study), {}, confirm)

    return run


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count = 4", "count = 5"),
        ("at_least = 6", "at_least = 5"),
        ("at_most = 3  # few", "at_most = 5  # few"),
        ('where = { depth = "surface" }\nkeys = ["ada", "dot"]', 'where = { depth = "surface" }\nkeys = ["ada", "bob"]'),
        ('where = { senses = "water" }\nkeys = ["dot"]', 'where = { senses = "water" }\nkeys = ["ada", "bob", "eve"]'),
        ('where = { depth = "surface" }\nincludes = ["bob", "dot"]', 'where = { depth = "surface" }\nincludes = ["bob"]'),
        ('by = ["senses"]\ncounts = { heat = 1, salt = 1 }', 'by = ["senses"]\ncounts = { heat = 2, salt = 1, water = 3 }'),
        (
            'by = ["senses", "depth"]\ncounts = { heat = { deep = 1 }, water = { surface = 1 } }',
            'by = ["senses", "depth"]\ncounts = { heat = { deep = 1, surface = 1 }, water = { surface = 2, none = 1 }, salt = { shallow = 1 } }',
        ),
        (
            'by = ["senses"]\n[claims.counts]\nwater = 1  # from rain\nsalt = 1',
            'by = ["senses"]\n[claims.counts]\nwater = 3  # from rain\nsalt = 1\nheat = 2',
        ),
    ],
)  # fmt: skip
def test_a_value_is_replaced_and_everything_else_stays(rebase, old, new):
    before = claim("one", "count = 5")
    between = '\n[[unchecked]]\nid = "moss"\nstatement = "A."\nreason = "B."\n'
    _, (text, _) = rebase(before, between, claim("two", old), "\n# The end.\n")
    assert text == HEAD + before + between + claim("two", new) + "\n# The end.\n"


def test_a_claim_without_a_value_to_replace_is_left_to_a_person(rebase):
    text, (after, findings) = rebase(
        claim("order", 'by = ["senses"]\ndescending = ["salt", "water"]'),
        claim("empty", 'where = { depth = "surface" }\nempty = true'),
        claim("fine", "count = 5"),
    )
    assert after == text
    assert [(one.code, one.value, one.line) for one in findings] == [
        ("V101", "order", 4),
        ("V101", "empty", 11),
    ]


def test_no_sentence_is_written(rebase):
    one = claim("one", "count = 4", "There are 4 sensors.")
    two = claim("two", "count = 4", "Few sensors are known.")
    _, (text, findings) = rebase(one, two)
    assert "There are 4 sensors." in text
    assert [item.code for item in findings] == ["V102"] * 2
    # A number that contradicts the new value is never confirmed.
    _, (_, findings) = rebase(one, two, confirm=True)
    assert [item.line for item in findings] == [4]
