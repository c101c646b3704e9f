"""The full corpus: five made-up sensors, and what figures, claims, reports and exports read.

Its pool has two axes, one of them with several terms per entry, and cells that are hard to print.
Around it are dates, judgements, uses, measured ranges, probes (evidence), an exclusion log and the
tags of a second reader, each a table. The codebook has groups, an impossible cell, a crosstab and
anchors of sparsity; a second document has three claims.

``full()`` makes it in memory, ``write_full(folder)`` on disk, ``full_of(sensor("a"))`` has other
sensors. Rows are tuples in the order of the columns: optional cells at their end can be left out.
"""

import atexit
import copy
import csv
import shutil
import tempfile
import tomllib
from functools import cache
from pathlib import Path

from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.table import Row, picked
from corpus.tables.writing.writer import canonical_text, csv_text
from tests.corpora.making import study_of, write_files
from tests.support.repository import commit_all, git

CODEBOOK = """\
format = 1

[corpus]
id = "soils"
title = "Soil sensors"
description = "Sensors in the ground, made up."
license = "CC0-1.0"
homepage = "https://soil.example/"
cutoff = "2021-03-31"

[documents]
claims = "claims.toml"

[tables.sensors]
file = "sensors.csv"
role = "pool"
key = ["sensor"]
columns = [
  { name = "sensor", type = "key", role = "key", definition = "Key." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "depth", type = "term", axis = true, definition = "Depth." },
  { name = "senses", type = "term", axis = true, separator = "; ", definition = "What it senses." },
  { name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." },
  { name = "notes", type = "text", role = "notes", required = false, definition = "Notes." },
  { name = "authors", type = "names", role = "authors", required = false, definition = "Authors." },
  { name = "year", type = "year", role = "year", required = false, definition = "Year." },
  { name = "venue", type = "text", role = "venue", required = false, definition = "Venue." },
  { name = "url", type = "url", role = "url", required = false, definition = "Addresses." },
  { name = "weight", type = "number", required = false, definition = "Weight in kg." },
]

[tables.dated]
file = "dated.csv"
role = "bibliography"
key = ["sensor"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "seen", type = "date", role = "date", definition = "First seen." },
]

[tables.judged]
file = "judged.csv"
key = ["sensor"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "at", type = "term", vocabulary = "depth", definition = "Depth judged." },
  { name = "how", type = "term", definition = "How well." },
]

[tables.uses]
file = "uses.csv"
key = ["use", "sensor"]
columns = [
  { name = "use", type = "term", definition = "Use." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "proof", type = "term", definition = "Proof." },
  { name = "limit", type = "text", role = "boundary", required = false, definition = "Limit." },
]

[tables.ranges]
file = "ranges.csv"
key = ["range"]
columns = [
  { name = "range", type = "key", definition = "Key." },
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "of", type = "text", definition = "What." },
  { name = "value", type = "number", definition = "Value." },
  { name = "unit", type = "text", definition = "Unit." },
  { name = "limit", type = "text", role = "boundary", required = false, definition = "Limit." },
]

[tables.probes]
file = "probes.csv"
role = "evidence"
key = ["sensor", "nr"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },
  { name = "nr", type = "integer", definition = "Number." },
  { name = "taken", type = "date", required = false, definition = "Day." },
]

[tables.second]
file = "second.csv"
role = "audit"
key = ["sensor", "reader"]
columns = [
  { name = "sensor", type = "ref", references = "sensors", role = "key", definition = "Sensor." },
  { name = "reader", type = "text", role = "reader", definition = "Reader." },
  { name = "depth", type = "term", definition = "Depth." },
  { name = "senses", type = "term", separator = "; ", definition = "What it senses." },
]

[tables.dropped]
file = "dropped.csv"
role = "exclusions"
key = ["record"]
columns = [
  { name = "record", type = "key", role = "key", definition = "Key." },
  { name = "step", type = "term", role = "stage", definition = "Step." },
  { name = "label", type = "text", role = "title", required = false, definition = "Title." },
  { name = "found", type = "text", role = "identifier", required = false, definition = "Identifier." },
]

[vocabularies.depth]
not_applicable = "none"
terms = [
  { id = "surface", definition = "0 m." }, { id = "shallow", definition = "To 1 m." },
  { id = "deep", definition = "To 10 m." }, { id = "rock", definition = "Below." },
  { id = "none", definition = "No depth." },
]

[vocabularies.senses]
terms = [
  { id = "water", definition = "Water." }, { id = "salt", definition = "Salt." },
  { id = "heat", definition = "Heat." }, { id = "gas", definition = "Gas." },
]
groups = [ { id = "wet", label = "Wet", terms = ["water", "salt"] } ]

[vocabularies.how]
terms = [ { id = "well", definition = "Well." }, { id = "nearly", definition = "Nearly." },
          { id = "hardly", definition = "Hardly." } ]

[vocabularies.use]
terms = [ { id = "farm", definition = "Farm." }, { id = "dam", definition = "Dam." } ]

[vocabularies.proof]
terms = [ { id = "field", definition = "Seen in the field." },
          { id = "lab", definition = "Seen in the laboratory." } ]

[vocabularies.step]
terms = [ { id = "title", definition = "Title." }, { id = "text", definition = "Text." } ]

[[impossible]]
cells = { depth = ["rock"], senses = ["water"] }
reason = "rock holds no water"

[[crosstabs]]
id = "depth_by_senses"
rows = "depth"
columns = "senses"
title = "Depth by what is sensed"

[sparsity]
threshold = 1
ordered = ["depth"]

[[sparsity.readings]]
table = "judged"
axis = "depth"
unit = "at"
reading = "how"
strict = ["well"]
near = ["nearly"]

[[sparsity.anchors]]
table = "uses"
title = "Uses by proof"
rows = "use"
columns = "proof"

[[sparsity.related]]
axis = "senses"
term = "gas"
to = { depth = "deep" }
"""

CLAIMS = """\
format = 1

[[claims]]
id = "size"
statement = "Five sensors are known."
count = 5

[[claims]]
id = "surface"
statement = "Two sensors lie at the surface."
where = { depth = "surface" }
keys = ["ada", "bob"]

[[claims]]
id = "water-lead"
statement = "Water is sensed most often."
by = ["senses"]
descending = ["water", "salt"]
"""

ROWS: dict[str, list[Row]] = {
    "sensors": [
        ("ada", "Rain above Ada's antenna", "surface", "water; heat", "2011.00010", "",
         "Ward, Ann; Soil Trust", "2020", "Journal of Soil", "", "2.50"),
        ("bob", "Birches that drink from the sky", "surface", "water", "2011.00002"),
        ("cy", "Springs behind the second dune", "shallow", "salt", "2101.00004"),
        ("dot", "Warmth é 50% below a slow river", "deep", "heat", "", "flooded in spring",
         "", "2019", "SOILS 2019", "", "0.1"),
        ("eve", "Eve & {dry} ground", "none", "water", "", "",
         "Soil Trust", "2020", "", "https://soil.example/a ; https://soil.example/b"),
    ],
    "dated": [
        ("ada", "2020-11-02"), ("bob", "2020-11"), ("cy", "2021-01"), ("dot", "2019-05"), ("eve", "2020"),
    ],
    "judged": [
        ("ada", "surface", "well"), ("bob", "surface", "hardly"), ("cy", "shallow", "nearly"), ("dot", "rock", "well"),
    ],
    "uses": [("dam", "dot", "lab", "one dam only"), ("farm", "ada", "field", "one farm"), ("farm", "bob", "lab", "")],
    "ranges": [
        ("ada-reach", "ada", "reach", "3", "m", "on sand"), ("ada-life", "ada", "life", "1500", "days", "as sold"),
        ("dot-reach", "dot", "reach", "40", "m", "in clay"),
    ],
    "probes": [("ada", "1", "2019-05"), ("ada", "2", ""), ("dot", "1", "2021-01-31")],
    "second": [
        ("ada", "two", "surface", "water; heat"), ("bob", "two", "shallow", "water"), ("dot", "two", "deep", "heat"),
    ],
    "dropped": [
        ("x1", "title", "A meadow without a sensor", "DOI:10.1234/meadow"),
        ("x2", "title", "The hidden spring sensor of the west", "arXiv:2107.00007"),
        ("x3", "text"),
    ],
}  # fmt: skip


def codebook_data(**sections):
    """Decode the codebook, with other or further sections where given."""
    return {**copy.deepcopy(tomllib.loads(CODEBOOK)), **sections}


def declared(name, kind="text", **more):
    """Declare a column, as a codebook does."""
    return {"name": name, "type": kind, "definition": "Declared.", **more}


def full(rows=None, **sections):
    """Make the corpus in memory, with other rows of some tables or other codebook sections where given."""
    return study_of(codebook_data(**sections), {**ROWS, **(rows or {})})


def full_of(*sensors, rows=None, **sections):
    """Make the corpus with these sensors alone; tables that refer to sensors have only `rows`."""
    empty: dict[str, list[Row]] = {name: [] for name in ROWS if name != "dropped"}
    return full({**empty, "sensors": list(sensors), **(rows or {})}, **sections)


def sensor(key, **cells):
    """Make one row of the pool; cells that are not given are plain where required, otherwise empty."""
    values = {"sensor": key, "name": key, "depth": "surface", "senses": "water", **cells}
    return tuple(values.get(column, "") for column in POOL.header)


def sensor_line(key, **cells):
    """Make one line of the pool's file, as :func:`sensor` makes a row."""
    return csv_text([sensor(key, **cells)])


POOL = parse_codebook(codebook_data()).pool

#: What is on disk: file -> text.
FILES = {
    "codebook.toml": CODEBOOK,
    "claims.toml": CLAIMS,
    **{table.spec.file: canonical_text(table.rows, table.spec) for table in full().tables.values()},
}


def write_full(folder, more=""):
    """Write the corpus into `folder`/data, with `more` at the end of its codebook; return that."""
    return write_files(folder / "data", {**FILES, "codebook.toml": CODEBOOK + more})


#: Columns of the pool, as somebody calls them in a spreadsheet.
SHEET = {
    "name": "Paper",
    "authors": "Author(s)",
    "year": "Publication Year",
    "venue": "Journal",
    "url": "Link",
    "depth": "Depth",
    "senses": "Measured quantities",
}


def spreadsheet():
    """Return the pool as somebody keeps it in a spreadsheet, with one more paper, as CSV.

    Spellings vary as they do when people type.
    """
    markup = sensor(
        "loam",
        name="Moss & <peat> as thermometers",
        authors="Loam, Bo; Till, Cy",
        year="2013",
        venue="SenSys 2013",
        url="https://soil.example/c",
        senses="heat; gas",
    )
    lines = [tuple(SHEET.values())]
    for row in [*full().pool.rows, markup]:
        cells = dict(zip(POOL.header, row, strict=True))
        if cells["year"]:
            cells["depth"] = cells["depth"].capitalize()
        lines.append(tuple(cells[column] for column in SHEET))
    return csv_text(lines)


def add_sensor(data, key, seen="2021-02", **cells):
    """Add a sensor to the corpus on disk, with the date that every sensor has."""
    _add_line(data / "sensors.csv", sensor_line(key, **cells))
    _add_line(data / "dated.csv", csv_text([(key, seen)]))


def _add_line(file, line):
    header, *lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([header, *sorted([*lines, line])]), "utf-8")


def without_columns(data, table, *names):
    """Take columns out of a table, in the codebook and in the file."""
    spec = full().codebook.tables[table]
    book = data / "codebook.toml"
    head, mark, rest = book.read_text("utf-8").partition(f"[tables.{table}]\n")
    declared, end, tail = rest.partition("\n]\n")
    kept = [line for line in declared.split("\n") if not line.startswith(_declarations(names))]
    book.write_text("".join([head, mark, "\n".join(kept), end, tail]), "utf-8")
    file = data / spec.file
    rows = list(csv.reader(file.read_text("utf-8").splitlines()))
    positions = [spec.header.index(name) for name in spec.header if name not in names]
    file.write_text(csv_text([picked(row, positions) for row in rows]), "utf-8")


def _declarations(names):
    return tuple(f'  {{ name = "{name}",' for name in names)


@cache
def _started():
    """Start the repository once: copying it is quicker than four calls of git."""
    folder = Path(tempfile.mkdtemp(prefix="repository-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_full(folder)
    git(folder, "init", "-q", "-b", "main", ".")
    commit_all(folder, "start")
    return folder


def repository(folder):
    """Start a repository with the corpus on branch main; return its data folder."""
    return Path(shutil.copytree(_started(), folder, dirs_exist_ok=True)) / "data"


#: The table that `corpus claims --acknowledge` writes; not every corpus declares it.
ACCEPTED_CLAIMS = """

[tables.accepted_claims]
file = "accepted_claims.csv"
role = "accepted_claims"
key = ["claim", "sign", "key"]
columns = [
  { name = "claim", type = "text", role = "claim", definition = "Claim." },
  { name = "sign", type = "verbatim", role = "sign", definition = "Sign." },
  { name = "key", type = "verbatim", role = "key", definition = "Key." },
  { name = "reason", type = "text", role = "reason", definition = "Reason." },
]
"""


def declare_accepted_claims(data):
    """Add an empty table of accepted differences to a corpus."""
    with (data / "codebook.toml").open("a", encoding="utf-8") as book:
        book.write(ACCEPTED_CLAIMS)
    (data / "accepted_claims.csv").write_text("claim,sign,key,reason\n", encoding="utf-8")
