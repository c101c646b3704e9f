"""The CSV beside a figure."""

import csv
import io

from corpus.publishing.figures.frame import Frame, frame_csv


def test_a_frame_is_read_back_as_it_was():
    frame = Frame(("name", "n"), (("a, b", 1), ('say "x"\nnow', 2.5), ("", 0)))
    rows = list(csv.reader(io.StringIO(frame_csv(frame))))
    assert rows == [["name", "n"], ["a, b", "1"], ['say "x"\nnow', "2.5"], ["", "0"]]


def test_texts_that_a_spreadsheet_would_run_are_neutralised_and_numbers_are_not():
    text = frame_csv(Frame(("name", "n"), (("=1+1", -3), ("@x", -0.5))))
    assert text.splitlines()[1:] == ["'=1+1,-3", "'@x,-0.5"]
