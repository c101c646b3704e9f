"""Decisions in the notes of screening tools."""

from tests.support.imported import cells, recorded


def split(**row):
    return recorded(row)


def test_decisions_of_several_readers_are_all_there_and_the_rest_of_the_note_stays():
    notes = (
        'Seen twice | RAYYAN-INCLUSION: {"Ann"=>"Included", "Bo"=>"Excluded"} | '
        'USER-NOTES: {"Bo"=>["wet"]} | RAYYAN-EXCLUSION-REASONS: wrong soil,too old'
    )
    (record,) = cells(split(title="Peat", notes=notes))
    assert record == {
        "title": "Peat",
        "notes": "Seen twice",
        "inclusion": ("Included", "Excluded"),
        "user notes": '{"Bo"=>["wet"]}',
        "exclusion reasons": ("wrong soil", "too old"),
    }


def test_a_column_with_the_name_of_a_note_keeps_its_cell():
    (record,) = cells(split(labels="mine", notes="RAYYAN-LABELS: moss", inclusion="yes"))
    assert record["labels"] == ("mine", "moss")
    (record,) = cells(split(notes="RAYYAN-LABELS: moss", labels="mine"))
    assert record["labels"] == ("moss", "mine")


def test_the_reason_of_covidence_becomes_a_column():
    records = split(Notes="Read it; Exclusion reason: wrong soil; later")
    assert cells(records) == [{"Notes": "Read it; later", "exclusion reason": "wrong soil"}]


def test_notes_of_a_person_stay_as_they_are():
    notes = {"notes": "Rayyan: wet", "Notes": "no reason"}
    assert cells(split(**notes)) == [notes]
