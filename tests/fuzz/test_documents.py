"""2,000 damaged CODEBOOK files: codebook, claims and protocol are refused with a place, or every command can use them."""

import re

import pytest

from corpus.analysis.claims.evaluate import claim_findings
from corpus.model.contingency import Contingency
from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import load_corpus, with_documents
from corpus.tables.documents import read_codebook
from corpus.tables.fast.tally import tally_pool
from tests.corpora.full import CLAIMS, CODEBOOK, write_full
from tests.corpora.minimal import FILES
from tests.support.daily import part
from tests.support.declared import declaration_findings
from tests.support.mutation import damaged


def findings(data):
    """What is wrong with the documents of a corpus, without the cost of frames."""
    try:
        corpus = load_corpus(data)
        return [*declaration_findings(corpus.codebook), *claim_findings(corpus)]
    except CorpusError as error:
        return error.findings


@pytest.mark.slow
def test_a_damaged_codebook_is_refused_or_counts_every_entry(tmp_path, run):
    folder = write_full(tmp_path)
    book, refused, usable = folder / "codebook.toml", 0, 0
    assert findings(str(folder)) == []
    for seed in part(range(1_000), 10):
        data = damaged(CODEBOOK.encode(), seed)
        book.write_bytes(data)
        found = findings(str(folder))
        assert book.read_bytes() == data
        if found:
            refused += 1
            assert all(f.code.startswith("C") and f.hint for f in found), data
            continue
        corpus = load_corpus(str(folder))
        axes = tuple(column.name for column in corpus.codebook.pool.axes)
        counted = Contingency(corpus.codebook, axes, tally_pool(str(folder), corpus.codebook, axes))
        assert counted.entries == 5, data
        assert all(sum(row.entries for row in margin.rows) >= 5 for margin in counted.margins()), (
            data
        )
        usable += 1
        if usable % 10 == 0:
            for command in (
                ("stats",),
                ("stats", "--format", "latex"),
                ("sparsity",),
                ("render-appendix", "--format", "markdown"),
            ):
                result = run(*command, "--data", folder)
                assert result.exit_code in (0, 1, 2), data
    assert refused > 40
    assert usable > 3


@pytest.mark.slow
def test_damaged_claims_are_refused_or_evaluated(tmp_path):
    folder = write_full(tmp_path)
    claims, refused = folder / "claims.toml", 0
    assert findings(str(folder)) == []
    for seed in part(range(600), 10):
        data = damaged(CLAIMS.encode(), seed)
        claims.write_bytes(data)
        found = findings(str(folder))
        refused += bool(found)
        assert all(
            f.file.endswith("claims.toml") and f.line <= data.count(b"\n") + 1 for f in found
        ), data
        if not found:
            # No other size of the pool passes.
            assert re.search(rb"count *= *5\b", data) or b"size" not in data, data
    assert refused > 20


@pytest.mark.slow
def test_a_damaged_protocol_is_refused_or_read(minimal, run):
    protocol, refused = minimal / "protocol.toml", 0
    book = read_codebook(str(minimal))
    for seed in part(range(400), 10):
        data = damaged(FILES["protocol.toml"].encode(), seed)
        protocol.write_bytes(data)
        corpus, found = with_documents(str(minimal), book, {})
        assert ("protocol" in corpus.documents) is not bool(found), data
        refused += bool(found)
        if seed % 20 == 0:
            assert run("check", "--data", minimal).exit_code in (0, 1), data
            assert run(
                "render-appendix", "--part", "protocol", "--format", "markdown", "--data", minimal
            ).exit_code in (0, 1), data
        assert protocol.read_bytes() == data
    assert refused > 10
