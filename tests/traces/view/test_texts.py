"""Texts of a trace on the page: nothing invisible, nothing endless."""

from corpus.traces.view.run_data import value_text


def test_numbers_of_any_size_are_written():
    found = [value_text(number) for number in (0, 1400.0, 0.125, -2.5)]
    assert found == ["0", "1,400", "0.125", "-2.5"]
    assert value_text(1e300) == "1e+300"
    assert value_text(10**400) == "an integer of 1,329 bits"
    assert value_text(-(10**6000)) == "an integer of 19,932 bits"
