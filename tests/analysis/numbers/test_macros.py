"""Numbers as LaTeX macros: whatever a text holds, one macro is one line."""

from corpus.analysis.numbers.published import Number, numbers_grid, numbers_latex

SIZE = Number("PoolSize", "1,234", "rows of pool.csv", 1234)
SHARE = Number("DepthDeepShare", "50%", "share of depth = deep among all entries (2)", 50)


def macros(*numbers):
    return [line for line in numbers_latex(numbers).splitlines() if not line.startswith("%")]


def test_each_number_is_a_macro_with_what_it_counts_behind_it():
    assert macros(SIZE, SHARE) == [
        "\\newcommand{\\PoolSize}{1,234}% rows of pool.csv",
        "\\newcommand{\\DepthDeepShare}{50\\%}% share of depth = deep among all entries (2)",
    ]


def test_a_line_break_in_a_description_ends_no_comment():
    (line,) = macros(SIZE._replace(how="rows\n\\input{secret}\r\x1b"))
    assert line.startswith("\\newcommand{\\PoolSize}{1,234}% rows")


def test_the_table_has_every_number_to_the_right():
    grid = numbers_grid([SIZE, SHARE])
    assert grid.rows[0] == ("PoolSize", "1,234", "rows of pool.csv")
    assert (len(grid.rows), grid.numeric) == (2, {1})
