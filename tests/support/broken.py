"""What the example of a rule calls: rows of a made-up corpus, with other cells."""

import tomllib
from dataclasses import replace

from corpus.curation.check.rule import Check, Tables
from corpus.tables.sheet import sheet_of
from tests.corpora.making import study_of

CODEBOOK = """\
format = 1
[corpus]
id = "soils"
title = "Soil sensors"

[tables.sensors]
file = "sensors.csv"
role = "pool"
key = ["sensor"]
columns = [
  { name = "sensor", type = "key", role = "key", definition = "Key." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "author", type = "name", role = "first_author", definition = "First author." },
  { name = "depth", type = "term", axis = true, definition = "Depth." },
  { name = "senses", type = "term", axis = true, separator = "; ", definition = "What it senses." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." },
  { name = "year", type = "year", role = "year", required = false, definition = "Year." },
  { name = "venue", type = "text", role = "venue", required = false, definition = "Venue." },
  { name = "url", type = "url", role = "url", required = false, definition = "Address." },
  { name = "notes", type = "text", role = "notes", required = false, definition = "Notes." },
]

[tables.papers]
file = "papers.csv"
role = "bibliography"
key = ["sensor"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "authors", type = "names", role = "authors", definition = "Authors." },
  { name = "doi", type = "doi", required = false, definition = "DOI." },
  { name = "seen", type = "date", role = "date", definition = "First public." },
]

[tables.dropped]
file = "dropped.csv"
role = "exclusions"
key = ["nr"]
columns = [
  { name = "nr", type = "key", role = "key", definition = "Number." },
  { name = "source", type = "text", role = "source", definition = "Source." },
  { name = "label", type = "text", role = "title", required = false, definition = "Title." },
  { name = "found", type = "text", role = "identifier", required = false, definition = "Identifier." },
  { name = "page", type = "url", required = false, definition = "Address." },
  { name = "stage", type = "term", role = "stage", definition = "Stage." },
  { name = "screened", type = "date", role = "date", required = false, definition = "Day." },
]

[tables.reasons]
file = "reasons.csv"
role = "reasons"
key = ["nr"]
columns = [
  { name = "nr", type = "ref", references = "dropped", definition = "Record." },
  { name = "why", type = "text", role = "criterion", definition = "Criterion." },
]

[tables.corrected]
file = "corrected.csv"
role = "corrections"
key = ["sensor"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "column", type = "column", references = "sensors", role = "column", definition = "Column." },
  { name = "before", type = "text", role = "before", definition = "Old value." },
  { name = "after", type = "text", role = "after", definition = "New value." },
]

[tables.judged]
file = "judged.csv"
complete = true
key = ["sensor"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "judged_depth", type = "term", vocabulary = "depth", mirrors = "depth", definition = "Depth." },
]

[tables.read]
file = "read.csv"
key = ["question", "sensor"]
columns = [
  { name = "question", type = "key", definition = "Question." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "answer", type = "term", vocabulary = "depth", definition = "Answer." },
  { name = "place", type = "text", definition = "File." },
]

[tables.reach]
file = "reach.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "metres", type = "integer", definition = "Metres." },
]

[tables.printed]
file = "printed.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "depth", type = "term", definition = "Depth, as printed." },
]

[tables.told]
file = "told.csv"
key = ["row"]
columns = [
  { name = "row", type = "key", definition = "Row." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "here", type = "text", definition = "What is printed." },
  { name = "there", type = "text", definition = "What is published." },
]

[vocabularies.depth]
terms = [ { id = "surface", definition = "0 m." }, { id = "rock", definition = "Below." },
          { id = "none", definition = "No depth." } ]

[vocabularies.senses]
terms = [ { id = "water", definition = "Water." }, { id = "heat", definition = "Heat." } ]

[vocabularies.stage]
terms = [ { id = "title", definition = "Title." }, { id = "text", definition = "Text." } ]

[[rules]]
id = "no-depth-is-dry"
when = { depth = ["none"] }
then = { senses = ["heat"] }
reason = "without a depth only heat is known"

[[impossible]]
cells = { depth = ["rock"], senses = ["water"] }
reason = "rock holds no water"

[years]
after_first_public = 1
in_keys = true

[prose]
absolute = ["only"]
columns = { sensors = ["notes"] }

[same_file]
read = { place = "place", answer = "answer", apart = ["surface", "rock"] }

[repeated]
read = { column = "place", table = "reach", value = "metres" }

[printed]
printed = { ledger = "told", printed = "here", published = "there" }
"""
ROWS = {
    "sensors": [
        ("ada", "Rain above Ada's antenna", "Ward, Ann", "surface", "water", "2011.00010", "2020"),
        ("bob", "Birches that drink from the sky", "Moor, Bo", "none", "heat", "", "2019"),
    ],
    "papers": [("ada", "Ward, Ann; Silt, Dee", "", "2020-11"), ("bob", "Moor, Bo", "", "2019")],
    "dropped": [("X1", "arXiv", "A survey of mud", "arXiv:1901.00001", "", "title", "2020-02-01")],
    "reasons": [("X1", "off-topic")],
    "corrected": [("ada", "depth", "rock", "surface")],
    "reach": [("tip", "ada", "1200")],
    "printed": [("1", "ada", "rock"), ("2", "bob", "rock")],
    "told": [("t", "bob", "depth rock", "depth none")],
    "read": [("roots", "ada", "surface", "soil.py"), ("stones", "ada", "surface", "soil.py")],
    "judged": [("ada", "surface"), ("bob", "none")],
}
PROTOCOL = """\
protocol.first_query = "2020-01-15"
sources = [{ id = "arXiv" }]
stages = [{ id = "title" }, { id = "text" }]
exclusion = [{ id = "off-topic" }, { id = "no-field", stages = ["text"] }]
"""


def broken(check: Check, table: str, *rows: dict[str, str] | None) -> None:
    """Print what a check finds with these cells in the first rows of a table; None takes a row away."""
    study = study_of(tomllib.loads(CODEBOOK), ROWS)
    study = replace(study, documents={"protocol": tomllib.loads(PROTOCOL)})
    before = study.tables[table]
    after = list(map(dict, before.records()))
    for position, cells in enumerate(rows):
        after[position] |= cells or {}
    kept = [tuple(row.values()) for n, row in enumerate(after) if None not in rows[n : n + 1]]
    changed = before._replace(rows=kept, lines=before.lines[: len(kept)])
    sheets = {name: sheet_of(one) for name, one in (study.tables | {table: changed}).items()}
    for found in check.findings(Tables(sheets, study)):
        print(f"{found.file}: {found.message}")
