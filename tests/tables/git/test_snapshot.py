"""A corpus read through a function that opens its files, as from a revision."""

import pytest

from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.git.snapshot import read_snapshot


def opener(folder, **changed):
    """Open files of a folder; `changed` gives other bytes for some, None for a file that is missing."""

    def read(file):
        name = file.replace(".", "_")
        if name in changed:
            return changed[name]
        path = folder / file
        return path.read_bytes() if path.is_file() else None

    return read


def test_a_snapshot_is_what_the_folder_holds(minimal):
    found = read_snapshot("then", opener(minimal), "data")
    study = load_corpus(str(minimal))
    assert found.countable
    assert found.corpus.pool.rows == study.pool.rows
    assert found.corpus.documents == study.documents
    assert found.corpus.pool.file == "data/sensors.csv"
    texts = {name: source.text for name, source in found.corpus.sources.items()}
    assert texts == {name: source.text for name, source in study.sources.items()}
    assert "codebook.toml" in texts


@pytest.mark.parametrize(("may_lack", "codes"), [(True, []), (False, ["C101", "C101"])])
def test_a_missing_table_or_document_is_empty_in_an_older_state_alone(minimal, may_lack, codes):
    missing = opener(minimal, sensors_csv=None, protocol_toml=None)
    found = read_snapshot("then", missing, "", may_lack)
    assert [finding.code for finding in found.findings] == codes
    assert ("sensors" in found.corpus.tables) is may_lack
    assert "protocol" not in found.corpus.documents


def test_a_document_may_begin_with_a_semicolon(minimal):
    """Only a table must have commas in its first line."""
    text = b"# searched; twice\n" + (minimal / "protocol.toml").read_bytes()
    assert read_snapshot("then", opener(minimal, protocol_toml=text), "").countable


def test_a_snapshot_with_duplicate_keys_cannot_be_counted(minimal):
    pool = (minimal / "sensors.csv").read_bytes()
    twice = pool + pool.splitlines(keepends=True)[-1]
    found = read_snapshot("then", opener(minimal, sensors_csv=twice), "")
    assert not found.countable
    assert "C301" in {finding.code for finding in found.findings}


def test_a_snapshot_without_a_codebook_is_refused(minimal):
    with pytest.raises(CorpusError) as raised:
        read_snapshot("then", opener(minimal, codebook_toml=None), "data")
    assert [(f.code, f.file) for f in raised.value.findings] == [("C101", "data/codebook.toml")]
