"""What can be wrong with a file as such, and the rules on cells that counting depends on."""

from corpus.model.finding import Rule

MISSING_FILE = Rule(
    "C101",
    "the file does not exist",
    "restore it, or remove its table from the codebook",
    title="File is missing",
    reason="A missing file is not an empty one.",
)
NOT_A_FILE = Rule(
    "C102",
    "this is a folder or a special file",
    "put a CSV file in its place",
    title="Not a file",
    reason="A table is a plain file.",
)
UNREADABLE = Rule(
    "C103",
    "the system refuses: {problem}",
    "check the permissions of the file and its folder",
    title="File cannot be read",
    reason="A file that cannot be read is not treated as empty.",
)
EMPTY_FILE = Rule(
    "C104",
    "the file holds nothing, not even a header",
    "restore the file; its first line is the header",
    title="File is empty",
    reason="An empty file is more often lost than a table without rows, which has its header.",
)
BYTE_ORDER_MARK = Rule(
    "C105",
    "the file starts with a byte order mark",
    "save as 'UTF-8', not 'UTF-8 with BOM', or run `corpus fmt`",
    title="Byte order mark",
    reason="Other tools take the mark as part of the first column's name.",
)
ENCODING = Rule(
    "C106",
    "byte {byte} is not valid UTF-8",
    "save the file as UTF-8",
    title="Not UTF-8",
    reason="Other encodings show other characters on every machine.",
)
NUL_BYTE = Rule(
    "C107",
    "the line holds a NUL byte",
    "remove it; a broken program wrote it",
    title="NUL byte",
    reason="C programs end a text at a NUL byte, so two tools would see two cells.",
)
CARRIAGE_RETURN = Rule(
    "C108",
    "carriage returns in the file: {count}; the first is on this line",
    "save with line ends LF ('Unix'), or run `corpus fmt`",
    title="Carriage return",
    reason="With one kind of line ends, a changed cell is a changed line.",
)
NO_FINAL_NEWLINE = Rule(
    "C109",
    "the last line does not end with a newline",
    "add a newline at the end, or run `corpus fmt`",
    title="No final newline",
    reason="The file may have been cut, and the next row would touch the last line.",
)
BLANK_LINE = Rule(
    "C110",
    "the line is empty",
    "remove the line",
    title="Blank line",
    reason="Readers disagree about whether a blank line is a row.",
)
STRAY_QUOTE = Rule(
    "C111",
    "a quotation mark is inside a cell that is not quoted, or text follows a closing one",
    'put the whole cell in quotation marks and double the ones inside it: "a ""b"" c"',
    title="Misplaced quotation mark",
    reason="Readers disagree about such a cell; RFC 4180 allows quotation marks in "
    "quoted cells only.",
)
UNCLOSED_QUOTE = Rule(
    "C112",
    "the cell that starts here is never closed",
    "add the closing quotation mark at the end of the cell",
    title="Unclosed quotation mark",
    reason="All up to the end of the file would be one cell.",
)
MERGE_MARKER = Rule(
    "C113",
    "a version control conflict was left in the file",
    "keep the right lines, remove those that start with <<<<<<<, ======= and >>>>>>>",
    title="Merge conflict marker",
    reason="A conflict marker is not a row.",
)
FIELD_COUNT = Rule(
    "C114",
    "{found} cells where the header has {expected}",
    "{advice}",
    title="Wrong number of cells",
    reason="One cell too many or too few shifts the cells behind it into other columns.",
)
MISSING_COLUMN = Rule(
    "C115",
    "column {column} is not in the header",
    "the header must be exactly: {header}",
    title="Missing column",
    reason="The codebook declares the columns; tools rely on all of them.",
)
UNKNOWN_COLUMN = Rule(
    "C116",
    "column {value} is not declared in the codebook",
    "{advice}",
    title="Unknown column",
    reason="Without a definition in the codebook a column has no agreed meaning.",
)
DUPLICATE_COLUMN = Rule(
    "C117",
    "column {value} is in the header more than once",
    "remove one of the two columns",
    title="Duplicate column",
    reason="Two columns of one name hide each other.",
)
COLUMN_ORDER = Rule(
    "C118",
    "column {value} is at position {found}, not at {expected}",
    "the header must be exactly: {header}; `corpus fmt` puts columns in order",
    title="Misplaced column",
    reason="A fixed order keeps every change small and every file readable by eye.",
)
SEPARATOR = Rule(
    "C121",
    "the header has {what} instead of commas",
    "save as CSV with commas",
    title="Cells not separated by commas",
    reason="With other separators, programs disagree about where a cell ends.",
)
CELL_TOO_LONG = Rule(
    "C123",
    "{column} has {length} characters, more than the {limit} that a cell may have",
    "shorten the text, or keep it in a file of its own",
    title="Cell too long",
    reason="A cell of this size is a file in the wrong place, and keeps programs busy for minutes.",
)
TOO_MANY_COLUMNS = Rule(
    "C124",
    "the header has {found} columns, more than the {limit} that a table may have",
    "write what repeats as rows of a second table",
    title="Too many columns",
    reason="Databases and spreadsheets refuse wider tables.",
)
BAD_TOML = Rule(
    "C119",
    "{problem}",
    "correct the line; strings need quotation marks, a backslash is written twice",
    title="Not valid TOML",
    reason="The file cannot be understood.",
)
ROW_ORDER = Rule(
    "C308",
    "{value} is after {other}",
    "run `corpus fmt`",
    title="Rows out of order",
    reason="Rows in one order make small changes and few merge conflicts.",
)
NOT_CANONICAL = Rule(
    "C309",
    "the file differs from its canonical form ({what})",
    "run `corpus fmt`",
    title="Not in canonical form",
    reason="In one form, one edited cell is one changed line.",
)
BAD_PARQUET = Rule(
    "C122",
    "the file cannot be read as this table: {problem}",
    "write it with `corpus export parquet`, or keep the table as CSV",
    title="Not a Parquet file of this table",
    reason="A Parquet file may replace a table's CSV file if it has the declared columns.",
)
INTERRUPTED = Rule(
    "C125",
    "a change of several files was interrupted and is not whole: {problem}",
    "{advice}",
    title="Interrupted change",
    reason="A program was stopped while it replaced several files. The next command that "
    "writes undoes the change by the journal in your state folder "
    "(~/.local/state/mas-rl-corpus); where that is not possible, a row may be in two tables.",
)
TRACKED_STATE = Rule(
    "C127",
    "git tracks this file, which is the private state of a program on one machine",
    "remove it from the repository: `git rm --cached {path}`",
    title="Private state in the repository",
    reason="A journal, lock or temporary file describes what a program did on one machine. In a "
    "repository it can only be a mistake, or an attempt to make another machine act on it; no "
    "command does.",
)
EMPTY_CELL = Rule(
    "C201",
    "{column} must not be empty",
    "{advice}",
    title="Empty cell",
    reason="An empty cell tells neither that a value is unknown nor that none applies.",
)
UNDECLARED_TERM = Rule(
    "C202",
    "{column} {value} is not a term of the codebook",
    "{advice}",
    title="Term not in the vocabulary",
    reason="Counts run over the declared vocabulary; a new term is added to the codebook first.",
)
REPEATED_TERM = Rule(
    "C219",
    "{column} {value} names a term more than once",
    "write each term once",
    title="Duplicate term in a cell",
    reason="The terms of a cell are a set.",
)
DUPLICATE_KEY = Rule(
    "C301",
    "{column} {value} is already on line {first}",
    "give one of the rows another key, or remove the copy",
    title="Duplicate key",
    reason="All else refers to a row by its key.",
)
LINK_OUTSIDE = Rule(
    "C126",
    "this is a link that leads out of the data folder",
    "put the file itself in its place",
    title="Link out of the data folder",
    reason="A corpus comes from others; a link in it could show a file of whoever "
    "checks or builds it.",
)
NOT_A_SCHEMA = Rule(
    "C128",
    "{problem}",
    "write the schema again: `corpus export schema`",
    title="Not a pandera schema",
    reason="pandera leaves out a check that it does not know, and every value would pass.",
)
