"""The CSV beside a figure."""

from corpus.publishing.figures.frame import Frame, frame_csv


def test_texts_that_a_spreadsheet_would_run_are_neutralised_and_numbers_are_not():
    text = frame_csv(Frame(("name", "n"), (("=1+1", -3), ("@x", -0.5))))
    assert text.splitlines()[1:] == ["'=1+1,-3", "'@x,-0.5"]
