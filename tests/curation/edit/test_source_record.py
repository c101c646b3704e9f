"""A new entry gets a source record of what the service stated, whatever its cells became."""

from pathlib import Path

from corpus.curation.edit.source_record import with_source_record
from corpus.model.work import Work
from corpus.tables.corpus_reader import load_corpus

TODAY = Path(__file__).parents[3] / "data"
PEAT = Work(
    "arXiv", "Peat", ("Ward, Ann",), "2026", "arXiv", "", "2601.00010",
    "10.48550/arXiv.2601.00010", "https://arxiv.org/abs/2601.00010", "2026-01-30",
)  # fmt: skip


def test_what_a_service_stated_is_stored():
    study = load_corpus(str(TODAY))
    after = with_source_record(study, PEAT, "peat", "2026-05-01")
    table = after.tables["source_records"]
    assert table.rows[:-1] == study.tables["source_records"].rows
    cells = dict(zip(table.spec.header, table.rows[-1], strict=True))
    assert cells == {
        "key": "peat", "identifier": "arXiv:2601.00010", "title": "Peat", "authors": "Ward, Ann",
        "first_version": "2026-01-30", "last_version": "", "doi": "10.48550/arXiv.2601.00010",
        "venue": "arXiv", "status": "available", "read_from": "arXiv", "read_on": "2026-05-01", "venue_from": "",
    }  # fmt: skip
