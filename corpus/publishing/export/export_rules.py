"""What can be wrong with a corpus so that an export of it is refused."""

from corpus.model.finding import Rule

BAD_BIBTEX_KEY = Rule(
    "X101",
    "{value} has a character that BibTeX does not allow in a key",
    "use letters, digits and hyphens",
    title="Invalid BibTeX key",
    reason="A manuscript cites entries by the keys of the pool.",
)
NOT_OF_TYPE = Rule(
    "X102",
    "{column} {value} is not a valid {type}",
    "fix the cell; `corpus check` shows what a {type} looks like",
    title="Cell is not of its column's type",
    reason="Typed formats (JSON, Parquet, SQLite) hold numbers as numbers and dates as dates.",
)
BROKEN_REFERENCE = Rule(
    "X103",
    "{column} {value} is not a key of table {table}",
    "fix the key, or add the row it refers to; `corpus check` shows the nearest keys",
    title="Reference to a row that does not exist",
    reason="A database with foreign keys holds no reference to nothing.",
)
EMPTY_REQUIRED = Rule(
    "X104",
    "{column} is empty, and the codebook requires it",
    "fill the cell; `corpus check` shows every one",
    title="Empty cell of a required column",
    reason="A database declares the column as NOT NULL.",
)
NOT_FOR_SQLITE = Rule(
    "X105",
    "SQLite refuses this corpus: {problem}",
    "names of tables and columns must differ in more than case; a table of texts may have 1,990 "
    "columns",
    title="Refused by SQLite",
    reason="A table or an index would be missing.",
)
NOT_FOR_WORKBOOK = Rule(
    "X106",
    "an Excel workbook cannot hold this: {problem}",
    "shorten or clean the cell, or take a format without such limits: sqlite, json",
    title="Does not fit a workbook",
    reason="Excel cuts long texts and drops control characters.",
)
BAD_FILE_NAME = Rule(
    "X107",
    "{value} cannot be the name of a file",
    "use letters, digits and hyphens, no name of a Windows device, and keys that differ in more "
    "than case",
    title="Key is not a file name",
    reason="Every entry becomes a file of its own, on any system, and a key must never "
    "lead to another folder.",
)
