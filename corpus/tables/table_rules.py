"""What can be wrong with a file as such, and the rules on cells that counting depends on."""

from corpus.model.finding import Rule

MISSING_FILE = Rule(
    "C101", "the file does not exist", "restore it, or remove its table from the codebook"
)
NOT_A_FILE = Rule("C102", "this is a folder or a special file", "put a CSV file in its place")
UNREADABLE = Rule(
    "C103", "the system refuses: {problem}", "check the permissions of the file and its folder"
)
EMPTY_FILE = Rule(
    "C104",
    "the file holds nothing, not even a header",
    "restore the file; its first line is the header",
)
BYTE_ORDER_MARK = Rule(
    "C105",
    "the file starts with a byte order mark",
    "save as 'UTF-8', not 'UTF-8 with BOM', or run `corpus fmt`",
)
ENCODING = Rule("C106", "byte {byte} is not valid UTF-8", "save the file as UTF-8")
NUL_BYTE = Rule("C107", "the line holds a NUL byte", "remove it; a broken program wrote it")
CARRIAGE_RETURN = Rule(
    "C108",
    "carriage returns in the file: {count}; the first is on this line",
    "save with line ends LF ('Unix'), or run `corpus fmt`",
)
NO_FINAL_NEWLINE = Rule(
    "C109",
    "the last line does not end with a newline",
    "add a newline at the end, or run `corpus fmt`",
)
BLANK_LINE = Rule("C110", "the line is empty", "remove the line")
STRAY_QUOTE = Rule(
    "C111",
    "a quotation mark is inside a cell that is not quoted, or text follows a closing one",
    'put the whole cell in quotation marks and double the ones inside it: "a ""b"" c"',
)
UNCLOSED_QUOTE = Rule(
    "C112",
    "the cell that starts here is never closed",
    "add the closing quotation mark at the end of the cell",
)
MERGE_MARKER = Rule(
    "C113",
    "a version control conflict was left in the file",
    "keep the right lines, remove those that start with <<<<<<<, ======= and >>>>>>>",
)
FIELD_COUNT = Rule("C114", "{found} cells where the header has {expected}", "{advice}")
MISSING_COLUMN = Rule(
    "C115", "column {column} is not in the header", "the header must be exactly: {header}"
)
UNKNOWN_COLUMN = Rule("C116", "column {value} is not declared in the codebook", "{advice}")
DUPLICATE_COLUMN = Rule(
    "C117", "column {value} is in the header more than once", "remove one of the two columns"
)
COLUMN_ORDER = Rule(
    "C118",
    "column {value} is at position {found}, not at {expected}",
    "the header must be exactly: {header}; `corpus fmt` puts columns in order",
)
SEPARATOR = Rule("C121", "the header has {what} instead of commas", "save as CSV with commas")
CELL_TOO_LONG = Rule(
    "C123",
    "{column} has {length} characters, more than the {limit} that a cell may have",
    "shorten the text, or keep it in a file of its own",
)
TOO_MANY_COLUMNS = Rule(
    "C124",
    "the header has {found} columns, more than the {limit} that a table may have",
    "write what repeats as rows of a second table",
)
BAD_TOML = Rule(
    "C119",
    "{problem}",
    "correct the line; strings need quotation marks, a backslash is written twice",
)
ROW_ORDER = Rule("C308", "{value} is after {other}", "run `corpus fmt`")
NOT_CANONICAL = Rule(
    "C309", "the file differs from its canonical form ({what})", "run `corpus fmt`"
)
BAD_PARQUET = Rule(
    "C122",
    "the file cannot be read as this table: {problem}",
    "write it with `corpus export parquet`, or keep the table as CSV",
)
INTERRUPTED = Rule(
    "C125", "a change of several tables was interrupted and is not whole: {problem}", "{advice}"
)
EMPTY_CELL = Rule("C201", "{column} must not be empty", "{advice}")
UNDECLARED_TERM = Rule("C202", "{column} {value} is not a term of the codebook", "{advice}")
REPEATED_TERM = Rule("C219", "{column} {value} names a term more than once", "write each term once")
DUPLICATE_KEY = Rule(
    "C301",
    "{column} {value} is already on line {first}",
    "give one of the rows another key, or remove the copy",
)
LINK_OUTSIDE = Rule(
    "C126", "this is a link that leads out of the data folder", "put the file itself in its place"
)
