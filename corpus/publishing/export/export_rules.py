"""What can be wrong with a corpus so that an export of it is refused."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

BAD_BIBTEX_KEY = Rule(
    "X101",
    ERROR,
    "Invalid BibTeX key",
    "{value} has a character that BibTeX does not allow in a key",
    "use letters, digits and hyphens",
    "A manuscript cites entries by the keys of the pool.",
)
NOT_OF_TYPE = Rule(
    "X102",
    ERROR,
    "Cell is not of its column's type",
    "{column} {value} is not a valid {type}",
    "fix the cell; `corpus check` shows what a {type} looks like",
    "Typed formats (JSON, Parquet, SQLite) hold numbers as numbers and dates as dates.",
)
BROKEN_REFERENCE = Rule(
    "X103",
    ERROR,
    "Reference to a row that does not exist",
    "{column} {value} is not a key of table {table}",
    "fix the key, or add the row it refers to; `corpus check` shows the nearest keys",
    "A database with foreign keys holds no reference to nothing.",
)
EMPTY_REQUIRED = Rule(
    "X104",
    ERROR,
    "Empty cell of a required column",
    "{column} is empty, and the codebook requires it",
    "fill the cell; `corpus check` shows every one",
    "A database declares the column as NOT NULL.",
)
NOT_FOR_SQLITE = Rule(
    "X105",
    ERROR,
    "Refused by SQLite",
    "SQLite refuses this corpus: {problem}",
    "names of tables and columns must differ in more than case; a table of texts may have 1,990 "
    "columns",
    "A table or an index would be missing.",
)
NOT_FOR_WORKBOOK = Rule(
    "X106",
    ERROR,
    "Does not fit a workbook",
    "an Excel workbook cannot hold this: {problem}",
    "shorten or clean the cell, or take a format without such limits: sqlite, json",
    "Excel cuts long texts and drops control characters.",
)
BAD_FILE_NAME = Rule(
    "X107",
    ERROR,
    "Key is not a file name",
    "{value} cannot be the name of a file",
    "use letters, digits and hyphens, no name of a Windows device, and keys that differ in more "
    "than case",
    "Every entry becomes a file of its own, on any system, and a key must never lead to another "
    "folder.",
)
