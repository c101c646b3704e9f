"""What newer rows fail under an older codebook: found at the newer files, and only where both have a place."""

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import under_older
from corpus.tables.git.repository import folder_snapshot
from tests.corpora.full import CODEBOOK, FILES, write_full

ARXIV = 'name = "arxiv", type = "arxiv", role = "arxiv", required = false'


def state(folder, *edits):
    """Write the full corpus with other texts in some files: (file, old, new)."""
    data = write_full(folder)
    for file, old, new in edits:
        text = (data / file).read_text("utf-8")
        assert text.count(old) == 1, old
        (data / file).write_text(text.replace(old, new), "utf-8")
    return data


def snapshot(data):
    return folder_snapshot(str(data))


def found_under(older, newer):
    delta = Delta(snapshot(older), snapshot(newer))
    return [row for note in under_older(delta) for row in note.table]


def places(older, newer):
    names = ("code", "file", "line", "column", "value")
    return [tuple(row[name] for name in names) for row in found_under(older, newer)]


RELAXED = ("codebook.toml", ARXIV, ARXIV.replace('type = "arxiv"', 'type = "text"'))
WRONG = ("sensors.csv", "2011.00002", "nonsense")


def test_a_cell_that_only_the_older_codebook_refuses_is_found_in_the_newer_file(tmp_path):
    newer = state(tmp_path / "b", RELAXED, WRONG)
    found = places(state(tmp_path / "a"), newer)
    assert found == [("C204", str(newer / "sensors.csv"), 3, "arxiv", "nonsense")]


def test_no_finding_tells_of_the_folder_that_it_was_found_in(tmp_path):
    newer = state(tmp_path / "b", RELAXED, WRONG)
    (found,) = found_under(state(tmp_path / "a"), newer)
    assert "corpus-" not in f"{found['file']}{found['message']}{found['hint']}"


def test_what_is_found_anyway_is_not_repeated(tmp_path):
    assert places(state(tmp_path / "a"), state(tmp_path / "b", WRONG)) == []


def test_a_column_that_was_removed_has_nothing_to_fail_with(tmp_path):
    notes = '  { name = "notes", type = "text", role = "notes", required = false, definition = "Notes." },\n'
    data = write_full(tmp_path / "b")
    (data / "codebook.toml").write_text(CODEBOOK.replace(notes, ""), "utf-8")
    lines = []
    for line in FILES["sensors.csv"].splitlines():
        cells = line.split(",", 6)
        lines.append(",".join([*cells[:5], cells[6]]) + "\n")
    (data / "sensors.csv").write_text("".join(lines), "utf-8")
    required = ("codebook.toml", 'role = "notes", required = false', 'role = "notes"')
    assert places(state(tmp_path / "a", required), data) == []
