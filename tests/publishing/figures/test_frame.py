"""The CSV beside a figure."""

from corpus.publishing.figures.figure_plan import Frame


def test_texts_that_a_spreadsheet_would_run_are_neutralised_and_numbers_are_not():
    text = Frame(("name", "n"), (("=1+1", -3), ("@x", -0.5))).csv()
    assert text.splitlines()[1:] == ["'=1+1,-3", "'@x,-0.5"]
