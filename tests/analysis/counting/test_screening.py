"""The flow of records through the screening."""

from corpus.analysis.counting.report import screening
from corpus.tables.corpus_reader import load_corpus


def test_every_stage_is_counted_and_the_rest_by_number(minimal):
    log = minimal / "rejected.csv"
    log.write_text(
        "nr,source,label,found,stage\nX1,zoo,A,LIB-1,abstract\nX2,arXiv,B,LIB-2,abstract\n"
        "X3,zoo,C,LIB-3,abstract\nX4,library,D,LIB-4,abstract\n", "utf-8",
    )  # fmt: skip
    study = load_corpus(str(minimal))
    found = screening(3, study.tables["rejected"], study.codebook)
    assert (found.retained, found.excluded, found.audited) == (3, 4, 7)
    assert found.stages == {"abstract": 4, "full_text": 0}
    assert list(found.sources.items()) == [("zoo", 2), ("arXiv", 1), ("library", 1)]
    assert found.query_families == {}
