"""What can be wrong with a file as such, and the rules on cells that counting depends on."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

MISSING_FILE = Rule(
    "C101",
    ERROR,
    "File is missing",
    "the file does not exist",
    "restore it, or remove its table from the codebook",
    "A missing file is not an empty one.",
)
NOT_A_FILE = Rule(
    "C102",
    ERROR,
    "Not a file",
    "this is a folder or a special file",
    "put a CSV file in its place",
    "A table is a plain file.",
)
UNREADABLE = Rule(
    "C103",
    ERROR,
    "File cannot be read",
    "the system refuses: {problem}",
    "check the permissions of the file and its folder",
    "A file that cannot be read is not treated as empty.",
)
EMPTY_FILE = Rule(
    "C104",
    ERROR,
    "File is empty",
    "the file holds nothing, not even a header",
    "restore the file; its first line is the header",
    "An empty file is more often lost than a table without rows, which has its header.",
)
BYTE_ORDER_MARK = Rule(
    "C105",
    ERROR,
    "Byte order mark",
    "the file starts with a byte order mark",
    "save as 'UTF-8', not 'UTF-8 with BOM', or run `corpus fmt`",
    "Other tools take the mark as part of the first column's name.",
)
ENCODING = Rule(
    "C106",
    ERROR,
    "Not UTF-8",
    "byte {byte} is not valid UTF-8{guess}",
    "save the file as UTF-8",
    "Other encodings show other characters on every machine.",
)
NUL_BYTE = Rule(
    "C107",
    ERROR,
    "NUL byte",
    "the line holds a NUL byte",
    "remove it; a broken program wrote it",
    "C programs end a text at a NUL byte, so two tools would see two cells.",
)
CARRIAGE_RETURN = Rule(
    "C108",
    ERROR,
    "Carriage return",
    "carriage returns in the file: {count}; the first is on this line",
    "save with line ends LF ('Unix'), or run `corpus fmt`",
    "With one kind of line ends, a changed cell is a changed line.",
)
NO_FINAL_NEWLINE = Rule(
    "C109",
    ERROR,
    "No final newline",
    "the last line does not end with a newline",
    "add a newline at the end, or run `corpus fmt`",
    "The file may have been cut, and the next row would touch the last line.",
)
BLANK_LINE = Rule(
    "C110",
    ERROR,
    "Blank line",
    "the line is empty",
    "remove the line",
    "Readers disagree about whether a blank line is a row.",
)
STRAY_QUOTE = Rule(
    "C111",
    ERROR,
    "Misplaced quotation mark",
    "a quotation mark is inside a cell that is not quoted, or text follows a closing one",
    'put the whole cell in quotation marks and double the ones inside it: "a ""b"" c"',
    "Readers disagree about such a cell; RFC 4180 allows quotation marks in quoted cells only.",
)
UNCLOSED_QUOTE = Rule(
    "C112",
    ERROR,
    "Unclosed quotation mark",
    "the cell that starts here is never closed",
    "add the closing quotation mark at the end of the cell",
    "All up to the end of the file would be one cell.",
)
MERGE_MARKER = Rule(
    "C113",
    ERROR,
    "Merge conflict marker",
    "a version control conflict was left in the file",
    "keep the right lines, remove those that start with <<<<<<<, ======= and >>>>>>>",
    "A conflict marker is not a row.",
)
FIELD_COUNT = Rule(
    "C114",
    ERROR,
    "Wrong number of cells",
    "{found} cells where the header has {expected}",
    "{advice}",
    "One cell too many or too few shifts the cells behind it into other columns.",
)
MISSING_COLUMN = Rule(
    "C115",
    ERROR,
    "Missing column",
    "column {column} is not in the header",
    "the header must be exactly: {header}",
    "The codebook declares the columns; tools rely on all of them.",
)
UNKNOWN_COLUMN = Rule(
    "C116",
    ERROR,
    "Unknown column",
    "column {value} is not declared in the codebook",
    "{advice}",
    "Without a definition in the codebook a column has no agreed meaning.",
)
DUPLICATE_COLUMN = Rule(
    "C117",
    ERROR,
    "Duplicate column",
    "column {value} is in the header more than once",
    "remove one of the two columns",
    "Two columns of one name hide each other.",
)
COLUMN_ORDER = Rule(
    "C118",
    ERROR,
    "Misplaced column",
    "column {value} is at position {found}, not at {expected}",
    "the header must be exactly: {header}; `corpus fmt` puts columns in order",
    "A fixed order keeps every change small and every file readable by eye.",
)
SEPARATOR = Rule(
    "C121",
    ERROR,
    "Cells not separated by commas",
    "the header has {what} instead of commas",
    "save as CSV with commas",
    "With other separators, programs disagree about where a cell ends.",
)
CELL_TOO_LONG = Rule(
    "C123",
    ERROR,
    "Cell too long",
    "{column} has {length} characters, more than the {limit} that a cell may have",
    "shorten the text, or keep it in a file of its own",
    "A cell of this size is a file in the wrong place, and keeps programs busy for minutes.",
)
TOO_MANY_COLUMNS = Rule(
    "C124",
    ERROR,
    "Too many columns",
    "the header has {found} columns, more than the {limit} that a table may have",
    "write what repeats as rows of a second table",
    "Databases and spreadsheets refuse wider tables.",
)
BAD_TOML = Rule(
    "C119",
    ERROR,
    "Not valid TOML",
    "{problem}",
    "correct the line; strings need quotation marks, a backslash is written twice",
    "The file cannot be understood.",
)
ROW_ORDER = Rule(
    "C308",
    ERROR,
    "Rows out of order",
    "{value} is after {other}",
    "run `corpus fmt`",
    "Rows in one order make small changes and few merge conflicts.",
)
NOT_CANONICAL = Rule(
    "C309",
    ERROR,
    "Not in canonical form",
    "the file differs from its canonical form ({what})",
    "run `corpus fmt`",
    "In one form, one edited cell is one changed line.",
)
BAD_PARQUET = Rule(
    "C122",
    ERROR,
    "Not a Parquet file of this table",
    "the file cannot be read as this table: {problem}",
    "write it with `corpus export parquet`, or keep the table as CSV",
    "A Parquet file may replace a table's CSV file if it has the declared columns.",
)
INTERRUPTED = Rule(
    "C125",
    ERROR,
    "Interrupted change",
    "a change of several tables was interrupted and is not whole: {problem}",
    "{advice}",
    "A program was stopped while it replaced several tables. The next command completes the change"
    " from its journal or undoes it; where neither is possible, a row may be in two tables.",
)
EMPTY_CELL = Rule(
    "C201",
    ERROR,
    "Empty cell",
    "{column} must not be empty",
    "{advice}",
    "An empty cell tells neither that a value is unknown nor that none applies.",
)
UNDECLARED_TERM = Rule(
    "C202",
    ERROR,
    "Term not in the vocabulary",
    "{column} {value} is not a term of the codebook",
    "{advice}",
    "Counts run over the declared vocabulary; a new term is added to the codebook first.",
)
REPEATED_TERM = Rule(
    "C219",
    ERROR,
    "Duplicate term in a cell",
    "{column} {value} names a term more than once",
    "write each term once",
    "The terms of a cell are a set.",
)
DUPLICATE_KEY = Rule(
    "C301",
    ERROR,
    "Duplicate key",
    "{column} {value} is already on line {first}",
    "give one of the rows another key, or remove the copy",
    "All else refers to a row by its key.",
)
LINK_OUTSIDE = Rule(
    "C126",
    ERROR,
    "Link out of the data folder",
    "this is a link that leads out of the data folder",
    "put the file itself in its place",
    "A corpus comes from others; a link in it could show a file of whoever checks or builds it.",
)
