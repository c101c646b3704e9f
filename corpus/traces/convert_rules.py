"""What can be wrong with a run that is given for conversion."""

from corpus.model.finding import WARNING, Rule

BROKEN_LINE = Rule(
    "OT201",
    "the line is skipped: {problem}",
    "leave it, or restore the line from the recorder",
    WARNING,
    title="Line skipped",
    reason="Recorders are killed in the middle of a line and files are cut in "
    "transfer. The line is listed among the losses.",
)
UNKNOWN_FORMAT = Rule(
    "OT202",
    "no known format fits this input",
    "name the format with --from; `corpus trace formats` lists them",
    title="Format not recognised",
    reason="Each format is recognised by marks that only it writes.",
)
NOTHING_FOUND = Rule(
    "OT203",
    "holds no call of a model or a tool and no message, read as {format}",
    "name a recording with the steps of agents (not a log without its transcript), or another "
    "format with --from",
    title="Nothing to convert",
    reason="An empty trace would claim that the run did nothing.",
)
UNREADABLE = Rule(
    "OT204",
    "cannot be read: {problem}",
    "give a JSON or JSONL file in UTF-8, one compressed, or an archive of JSON files",
    title="Input not readable",
    reason="It does not exist, is not text or JSON, or is too large.",
)
LOST_MARK = Rule(
    "OT205",
    "the file is left out: {problem}",
    "name the wanted files on the command line",
    WARNING,
    title="Files left out",
    reason="A folder may hold other files, and a run may name files that cannot be read.",
)
UNKNOWN_DIALECT = Rule(
    "OT206",
    "no span has attributes with a known meaning; the most frequent are {seen}",
    "record with one of the conventions that `corpus trace formats` lists",
    title="Spans of an unknown dialect",
    reason="Without a known attribute, agents, model calls and tools cannot be told "
    "from other work.",
)
OTHER_RECORDER = Rule(
    "OT207",
    "was written by {recorder}, which is not read",
    "{way}",
    title="Recorder known, not read",
    reason="Some files are recognised only to name the way in that exists.",
)

RULES = (
    *(BROKEN_LINE, UNKNOWN_FORMAT, NOTHING_FOUND, UNREADABLE, LOST_MARK),
    *(UNKNOWN_DIALECT, OTHER_RECORDER),
)
"""All rules of the converters, for ``--explain`` and the catalogue."""
