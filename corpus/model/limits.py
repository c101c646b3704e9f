"""How large a file may be that people send; a larger one is refused with a finding at once."""

from __future__ import annotations

#: Characters of one cell. The longest abstracts have some 5,000; what is longer is a file in the
#: wrong place.
MAX_CELL = 100_000
#: Columns of one table. SQLite takes no more (SQLITE_MAX_COLUMN), and no table of a survey has a
#: tenth of them.
MAX_COLUMNS = 2_000
