"""Decisions in the notes of screening tools."""

from corpus.curation.importing.readers.reading import read_foreign
from tests.support.imported import cells

RAYYAN = (
    "key,title,year,authors,notes\n"
    'rayyan-1,Peat,2019,"Ward, Ann and Moor, Bo","RAYYAN-INCLUSION: {""Di""=>""Excluded""} | '
    'RAYYAN-LABELS: field,moss | RAYYAN-EXCLUSION-REASONS: wrong soil"\n'
)


def test_rayyans_notes_are_split_into_columns(tmp_path):
    file = tmp_path / "articles.csv"
    file.write_text(RAYYAN)
    (record,) = cells(read_foreign(str(file), "articles.csv"))
    assert record["inclusion"] == ("Excluded",)
    assert record["labels"] == ("field", "moss")
    assert record["exclusion reasons"] == ("wrong soil",)
