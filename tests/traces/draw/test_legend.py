"""The legend of a figure: which entries it has, and how many columns fit."""

from corpus.traces.draw.legend import column_count, edge_lines, line, row_count


def test_columns_are_as_many_as_fit_and_never_more_than_entries():
    entries = [line("black", f"entry {number}") for number in range(7)]
    assert column_count(entries, width=5.3, column=1.0) == 5
    assert column_count(entries, width=50, column=1.0) == 7
    assert column_count(entries, width=0.5, column=1.0) == 2
    assert column_count(entries, width=0.5, column=1.0, least=1) == 1


def test_the_last_row_need_not_be_full():
    entries = [line("black", "entry")] * 7
    assert [row_count(entries, columns) for columns in (1, 3, 7)] == [7, 3, 1]


def test_an_arrow_that_a_symbol_explains_has_no_entry():
    kinds = ["causal", "spawn", "safety_flow", "causal"]
    assert [entry.get_label() for entry in edge_lines(kinds)] == ["safety flow edge", "causal edge"]
