"""What is said to differ between two states of a corpus."""

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import row_notes as effects
from corpus.curation.changes.row_changes import compare_rows as compare
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import FILES, ROWS, full, write_full
from tests.corpora.making import with_cell

BEFORE = full()
ADA, _, _, DOT, _ = ROWS["sensors"]


def on_disk(folder, **files):
    data = write_full(folder)
    for name, text in files.items():
        (data / f"{name}.csv").write_text(text, "utf-8")
    return load_corpus(str(data))


def notes(effect, before, after):
    return list(effect(Delta.between(before, after)))


def reported(changes):
    return [f"{row.table}:{row.line} {row.old_key} {row.kind} {row.key}" for row in changes.rows]


def test_rows_are_added_removed_and_changed_by_key():
    after = full(
        {
            "sensors": [
                *ROWS["sensors"][:3],
                ("dot", DOT[1], "rock", *DOT[3:]),
                ("fay", "Fay", "rock", "gas"),
            ]
        }
    )
    found = compare(BEFORE, after)
    assert reported(found) == [
        "sensors:5 dot changed dot", "sensors:6 fay added fay", "sensors:0 eve removed eve",
    ]  # fmt: skip
    changed, added, removed = found.rows
    assert changed.cells == (("depth", "deep", "rock"),)
    assert added.cells == (
        ("sensor", "", "fay"),
        ("name", "", "Fay"),
        ("depth", "", "rock"),
        ("senses", "", "gas"),
    )
    assert removed.cells[2:4] == (("depth", "none", ""), ("senses", "water", ""))
    result = [(row.title, row.file) for row in found.rows]
    assert result == [(DOT[1], "sensors.csv"), ("Fay", "sensors.csv"), ("Eve & {dry} ground", "")]


def test_a_new_key_for_the_same_title_is_a_renaming_which_references_follow():
    def renamed(key):
        return full({name: with_cell(rows, "ada", key) for name, rows in ROWS.items()})

    found = compare(BEFORE, renamed("ada-2020"))
    assert reported(found) == ["sensors:2 ada renamed ada-2020"]  # and no row that refers to it
    assert found.rows[0].cells == ()


POOL, LOG = FILES["sensors.csv"], FILES["dropped.csv"]
WITHOUT_EVE = "".join(POOL.splitlines(True)[:5])
LEFT = "x4,text,Eve & {dry} ground,\n"


def sentences(before, after):
    """The sentence about each sensor that differs, by its key."""
    found = [note for note in notes(effects.rows, before, after) if note.group == "sensors"]
    return {note.record.key: note.text for note in found}


def test_an_entry_leaves_for_the_log_or_without_a_trace(tmp_path):
    before = on_disk(tmp_path / "a")
    out = on_disk(tmp_path / "d", sensors=WITHOUT_EVE, dropped=LOG + LEFT)
    assert "dropped x4" in sentences(before, out)["eve"]
    assert (
        "without a trace" in sentences(before, on_disk(tmp_path / "e", sensors=WITHOUT_EVE))["eve"]
    )


def test_a_row_has_its_title_and_every_cell_that_differs():
    changed = [("aspen", *ADA[1:]), (*ROWS["sensors"][1][:2], "deep", *ROWS["sensors"][1][3:])]
    added = ("fay", "Fay", "rock", "gas")
    found = sentences(BEFORE, full({"sensors": [*changed, *ROWS["sensors"][2:], added]}))
    assert found == {
        "aspen": f"sensors: aspen renamed from ada, “{ADA[1]}”",
        "bob": f"sensors: bob changed, “{ROWS['sensors'][1][1]}”: depth surface -> deep",
        "fay": "sensors: fay added, “Fay”: depth rock; senses gas",
    }
