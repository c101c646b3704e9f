"""What can be wrong with a file as such, and the rules on cells that counting depends on."""

from corpus.model.finding import ERROR, Rule

MISSING_FILE = Rule(
    "C101", ERROR, "the file does not exist", "restore it, or remove its table from the codebook"
)
NOT_A_FILE = Rule(
    "C102", ERROR, "this is a folder or a special file", "put a CSV file in its place"
)
UNREADABLE = Rule(
    "C103",
    ERROR,
    "the system refuses: {problem}",
    "check the permissions of the file and its folder",
)
EMPTY_FILE = Rule(
    "C104",
    ERROR,
    "the file holds nothing, not even a header",
    "restore the file; its first line is the header",
)
BYTE_ORDER_MARK = Rule(
    "C105",
    ERROR,
    "the file starts with a byte order mark",
    "save as 'UTF-8', not 'UTF-8 with BOM', or run `corpus fmt`",
)
ENCODING = Rule("C106", ERROR, "byte {byte} is not valid UTF-8", "save the file as UTF-8")
NUL_BYTE = Rule("C107", ERROR, "the line holds a NUL byte", "remove it; a broken program wrote it")
CARRIAGE_RETURN = Rule(
    "C108",
    ERROR,
    "carriage returns in the file: {count}; the first is on this line",
    "save with line ends LF ('Unix'), or run `corpus fmt`",
)
NO_FINAL_NEWLINE = Rule(
    "C109",
    ERROR,
    "the last line does not end with a newline",
    "add a newline at the end, or run `corpus fmt`",
)
BLANK_LINE = Rule("C110", ERROR, "the line is empty", "remove the line")
STRAY_QUOTE = Rule(
    "C111",
    ERROR,
    "a quotation mark is inside a cell that is not quoted, or text follows a closing one",
    'put the whole cell in quotation marks and double the ones inside it: "a ""b"" c"',
)
UNCLOSED_QUOTE = Rule(
    "C112",
    ERROR,
    "the cell that starts here is never closed",
    "add the closing quotation mark at the end of the cell",
)
MERGE_MARKER = Rule(
    "C113",
    ERROR,
    "a version control conflict was left in the file",
    "keep the right lines, remove those that start with <<<<<<<, ======= and >>>>>>>",
)
FIELD_COUNT = Rule("C114", ERROR, "{found} cells where the header has {expected}", "{advice}")
MISSING_COLUMN = Rule(
    "C115", ERROR, "column {column} is not in the header", "the header must be exactly: {header}"
)
UNKNOWN_COLUMN = Rule("C116", ERROR, "column {value} is not declared in the codebook", "{advice}")
DUPLICATE_COLUMN = Rule(
    "C117", ERROR, "column {value} is in the header more than once", "remove one of the two columns"
)
COLUMN_ORDER = Rule(
    "C118",
    ERROR,
    "column {value} is at position {found}, not at {expected}",
    "the header must be exactly: {header}; `corpus fmt` puts columns in order",
)
SEPARATOR = Rule(
    "C121", ERROR, "the header has {what} instead of commas", "save as CSV with commas"
)
CELL_TOO_LONG = Rule(
    "C123",
    ERROR,
    "{column} has {length} characters, more than the {limit} that a cell may have",
    "shorten the text, or keep it in a file of its own",
)
TOO_MANY_COLUMNS = Rule(
    "C124",
    ERROR,
    "the header has {found} columns, more than the {limit} that a table may have",
    "write what repeats as rows of a second table",
)
BAD_TOML = Rule(
    "C119",
    ERROR,
    "{problem}",
    "correct the line; strings need quotation marks, a backslash is written twice",
)
ROW_ORDER = Rule("C308", ERROR, "{value} is after {other}", "run `corpus fmt`")
NOT_CANONICAL = Rule(
    "C309", ERROR, "the file differs from its canonical form ({what})", "run `corpus fmt`"
)
BAD_PARQUET = Rule(
    "C122",
    ERROR,
    "the file cannot be read as this table: {problem}",
    "write it with `corpus export parquet`, or keep the table as CSV",
)
INTERRUPTED = Rule(
    "C125",
    ERROR,
    "a change of several tables was interrupted and is not whole: {problem}",
    "{advice}",
)
EMPTY_CELL = Rule("C201", ERROR, "{column} must not be empty", "{advice}")
UNDECLARED_TERM = Rule("C202", ERROR, "{column} {value} is not a term of the codebook", "{advice}")
REPEATED_TERM = Rule(
    "C219", ERROR, "{column} {value} names a term more than once", "write each term once"
)
DUPLICATE_KEY = Rule(
    "C301",
    ERROR,
    "{column} {value} is already on line {first}",
    "give one of the rows another key, or remove the copy",
)
LINK_OUTSIDE = Rule(
    "C126",
    ERROR,
    "this is a link that leads out of the data folder",
    "put the file itself in its place",
)
