"""How large what people send may be. Beyond these limits it is refused with a finding, before anything works on it."""

from __future__ import annotations

#: Characters of one cell. The longest abstracts have some 5,000; what is longer is a file in the wrong place.
MAX_CELL = 100_000
#: Columns of one table. SQLite takes no more (SQLITE_MAX_COLUMN), and no table of a survey has a tenth of them.
MAX_COLUMNS = 2_000
