"""Hypothesis strategies: cells, rows and texts of CSV files, sound and broken."""

from hypothesis import strategies as st

#: Any text that a cell can hold, with the signs that matter to CSV made likely.
cells = st.text(
    st.one_of(
        st.sampled_from('",\n;=+-@ aé\u0301\\${}'),
        st.characters(codec="utf-8", exclude_characters="\r\0"),
    ),
    max_size=30,
)

#: Short cells of plain signs, so that keys and terms collide often.
plain_cells = st.text("ab-", min_size=1, max_size=4)


def rows(width, cell=cells):
    """Rows of one width; the first cell is never empty."""
    return st.lists(st.tuples(plain_cells, *[cell] * (width - 1)), max_size=8)
