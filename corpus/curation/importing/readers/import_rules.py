"""What can be wrong with a file of another program."""

from corpus.model.finding import WARNING, Rule

NOT_READABLE = Rule("I101", "{problem}", "give a plain file that you may read")
TOO_LARGE = Rule(
    "I102",
    "the file has {size} MB, more than the {limit} MB that an import takes",
    "export fewer columns (no full texts), or import a part",
)
UNKNOWN_ENCODING = Rule(
    "I103",
    "byte {value} is not valid {encoding}{guess}",
    "save the file as UTF-8, or name its encoding with --encoding",
)
NOT_THE_FORMAT = Rule(
    "I104", "not a valid {format}: {problem}", "fix it there, or name the format with --format"
)
NO_RECORDS = Rule(
    "I105", "the file has no records ({format})", "check the file, or name its format with --format"
)
SKIPPED = Rule(
    "I106",
    "an entry cannot be read: {problem}",
    "fix it in the source and add it with `corpus add`",
    WARNING,
)
UNEVEN = Rule(
    "I107",
    "the row has {found} cells where the header has {expected}; {consequence}",
    "compare the row with the source",
    WARNING,
)
TOO_WIDE = Rule(
    "I108",
    "the records need {found} columns, more than the {limit} that a table may have",
    "export fewer columns; transpose a file with one record per column first",
)
NOT_SUPPORTED = Rule("I109", "this is {what}, which is not read", "{how}")
DECISIONS = Rule(
    "I110",
    "the column {column!r} excludes {excluded} of {records} records, which would be in the pool",
    "put them into the exclusion log with --excluded-where {wish}{reason}, "
    "or into the pool with --keep-excluded",
)
REPEATED_TITLES = Rule(
    "I111",
    "{repeated} of {records} titles are not the only one of their kind; {title!r} occurs {times} "
    "times",
    "name the column of the title with --map COLUMN=title; where the file is so, use --force",
)
FIELD_LEFT_OUT = Rule(
    "I112",
    "a field of an entry cannot be read: {problem}",
    "fix it in the source, or write the cell into the new pool",
    WARNING,
)
UNACCOUNTED = Rule(
    "I120",
    "this {what}, and is neither in a row nor reported; so are {lost} of {all}",
    "compare the line with the format; where what is lost may be lost, use --force",
)
NO_TITLES = Rule(
    "I121",
    "{lost} of {all} records have no title; columns that these have: {columns}",
    "name the column that has titles with --map COLUMN=title; where there is none, use --force",
)
