"""What `--where` takes, and which entries it keeps."""

import pytest

from corpus.model.filters import parse_filter, parse_filters, unmatched
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import codebook_data, full


def kept_by(study, *texts):
    """The study with the entries that pass filters, written as ``--where`` takes them."""
    return study.where(parse_filters(texts, study.pool.spec, study.codebook))


@pytest.mark.parametrize(("text", "kept"), [
    ("probe=optical", ["fen"]), ("PROBE=Optical", ["fen"]), ("probe=optical,none", ["fen", "till"]), ("probe=optical|none", ["fen", "till"]),
    ("probe = ", None), ("probe!=optical", ["clay", "till"]), ("measures=salt", ["clay"]), ("measures!=moisture", ["till"]),
    ("measures=heat, salt", ["clay", "till"]), ("year=2019|2020", ["clay", "till"]), ("year=2019,2020", ["clay", "till"]),
    ("year!=2019|2020", ["fen"]), ("arxiv=", ["fen", "till"]), ("arxiv!=", ["clay"]), ("name=Light in the fen", ["fen"]),
    ("link=https://fen.example/paper?a=b", []), ("probe=Optical", ["fen"]), ("year>=2020", ["clay", "fen"]), ("year<2020", ["till"]), ("name>=A", None),
    ("year>=soon", None), ("year>2019.5", None), ("year>=nan", None), ("year<1e4", None), ("year>=2_0", None),
    ("name~THE FEN", ["fen"]), ("name=light in the FEN", ["fen"]), ("name!=light in the FEN", ["clay", "till"]), ("name~zebra", []),
    ("link~FEN.example", ["fen"]), ("probe~opt", ["fen"]), ("name~", None), ("year=abc", None), ("year=2019|soon", None),
    ("year>2019", ["clay", "fen"]), ("year<=2019", ["till"]), ("year<2021", ["clay", "till"]), ("probes=optical", None), ("optical", None),
])  # fmt: skip
def test_filters_keep_what_they_say(minimal, text, kept):
    corpus = load_corpus(str(minimal))
    if kept is None:
        with pytest.raises(UsageProblem):
            kept_by(corpus, text)
        return
    smaller = kept_by(corpus, text)
    assert [row[0] for row in smaller.pool.rows] == kept
    assert [corpus.pool.lines[corpus.pool.rows.index(row)] for row in smaller.pool.rows] == list(
        smaller.pool.lines
    )


def test_an_unknown_term_is_answered_with_the_known_ones(minimal):
    corpus = load_corpus(str(minimal))
    with pytest.raises(UsageProblem, match="dielectric, optical, acoustic, none"):
        parse_filter("probe=radar", corpus.pool.spec, corpus.codebook)


def test_a_declared_term_may_have_a_comma():
    data = codebook_data()
    data["vocabularies"]["depth"]["terms"].append({"id": "deep, wet", "definition": "Both."})
    corpus = full(
        {"sensors": [("ada", "Ada", "deep, wet", "water"), ("bob", "Bob", "deep", "gas")]}, **data
    )
    assert [row[0] for row in kept_by(corpus, "depth=deep, wet").pool.rows] == ["ada"]


def test_a_value_that_no_cell_has_is_answered_with_the_nearest(minimal):
    corpus = load_corpus(str(minimal))
    book, spec = corpus.codebook, corpus.pool.spec
    filters = parse_filters(["name=Light in the fenn", "year=2019", "probe=none"], spec, book)
    [sentence] = unmatched(filters, corpus.pool.column)
    assert "'Light in the fen'" in sentence
    assert unmatched(parse_filters(["name~fenn", "name!=x"], spec, book), corpus.pool.column) == []
