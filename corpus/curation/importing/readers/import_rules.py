"""What can be wrong with a file of another program."""

from corpus.model.finding import WARNING, Rule

NOT_READABLE = Rule(
    "I101",
    "{problem}",
    "give a plain file that you may read",
    title="File cannot be read",
    reason="An import reads one file.",
)
TOO_LARGE = Rule(
    "I102",
    "the file has {size} MB, more than the {limit} MB that an import takes",
    "export fewer columns (no full texts), or import a part",
    title="File is too large to import",
    reason="A pool of a million works has less.",
)
UNKNOWN_ENCODING = Rule(
    "I103",
    "byte {value} is not valid {encoding}{guess}",
    "save the file as UTF-8, or name its encoding with --encoding",
    title="Encoding is not recognised",
    reason="Text in a wrongly guessed encoding shows other characters.",
)
NOT_THE_FORMAT = Rule(
    "I104",
    "not a valid {format}: {problem}",
    "fix it there, or name the format with --format",
    title="Not in the format that was expected",
    reason="The file cannot be split into records.",
)
NO_RECORDS = Rule(
    "I105",
    "the file has no records ({format})",
    "check the file, or name its format with --format",
    title="No records",
    reason="A corpus starts from at least one entry.",
)
SKIPPED = Rule(
    "I106",
    "an entry cannot be read: {problem}",
    "fix it in the source and add it with `corpus add`",
    WARNING,
    title="Entry skipped",
    reason="A malformed entry is left out, the others are imported.",
)
UNEVEN = Rule(
    "I107",
    "the row has {found} cells where the header has {expected}; {consequence}",
    "compare the row with the source",
    WARNING,
    title="Row of another length",
    reason="Most often a separator is inside a text without quotation marks.",
)
TOO_WIDE = Rule(
    "I108",
    "the records need {found} columns, more than the {limit} that a table may have",
    "export fewer columns; transpose a file with one record per column first",
    title="Too many columns to import",
    reason="A table of works has some dozens of columns.",
)
NOT_SUPPORTED = Rule(
    "I109",
    "this is {what}, which is not read",
    "{how}",
    title="Format that is not read",
    reason="Every reference manager and database exports a format that is read.",
)
DECISIONS = Rule(
    "I110",
    "the column {column!r} excludes {excluded} of {records} records, which would be in the pool",
    "put them into the exclusion log with --excluded-where {wish}{reason}, "
    "or into the pool with --keep-excluded",
    title="Excluded records are in the file",
    reason="A screening tool exports what it excluded as well.",
)
REPEATED_TITLES = Rule(
    "I111",
    "{repeated} of {records} titles are not the only one of their kind; {title!r} occurs {times} "
    "times",
    "name the column of the title with --map COLUMN=title; where the file is so, use --force",
    title="Titles repeat",
    reason="Another column or the text of links was taken for the title.",
)
FIELD_LEFT_OUT = Rule(
    "I112",
    "a field of an entry cannot be read: {problem}",
    "fix it in the source, or write the cell into the new pool",
    WARNING,
    title="Field left out",
    reason="The rest of the entry is imported: it is worth more than nothing.",
)
UNACCOUNTED = Rule(
    "I120",
    "this {what}, and is neither in a row nor reported; so are {lost} of {all}",
    "compare the line with the format; where what is lost may be lost, use --force",
    title="Source is not accounted for",
    reason="More than one in twenty works, or an identifier, did not arrive anywhere, "
    "by a count that shares no code with the reader.",
)
NO_TITLES = Rule(
    "I121",
    "{lost} of {all} records have no title; columns that these have: {columns}",
    "name the column that has titles with --map COLUMN=title; where there is none, use --force",
    title="Records without a title",
    reason="A work without its title can be recognised by nobody.",
)
