"""A small made-up corpus about soil sensors: two axes, one of them multi-valued, readings and anchors."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

from corpus.model.study import Study
from corpus.tables.writing.writer import canonical_text
from tests.corpora.making import study_of

TOML = """
format = 1
[corpus]
id = "soils"
title = "Soil sensors"
cutoff = "2021-03-31"
[tables.sensors]
file = "sensors.csv"
role = "pool"
key = ["sensor"]
columns = [
  { name = "sensor", type = "key", role = "key", definition = "Key." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "depth", type = "term", axis = true, definition = "Depth." },
  { name = "senses", type = "term", axis = true, separator = "; ", definition = "What it senses." },
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
  { name = "limit", type = "text", role = "boundary", definition = "Limit." },
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
  { name = "limit", type = "text", role = "boundary", definition = "Limit." },
]
[tables.dropped]
file = "dropped.csv"
role = "exclusions"
key = ["record"]
columns = [
  { name = "record", type = "key", role = "key", definition = "Key." },
  { name = "step", type = "term", role = "stage", definition = "Step." },
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
terms = [ { id = "field", definition = "Seen in the field." }, { id = "lab", definition = "Seen in the laboratory." } ]
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

ROWS: dict[str, list[tuple[str, ...]]] = {
    "sensors": [
        ("ada", "Ada", "surface", "water; heat"),
        ("bob", "Bob", "surface", "water"),
        ("cy", "Cy", "shallow", "salt"),
        ("dot", "Dot", "deep", "heat"),
        ("eve", "Eve", "none", "water"),
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
    "dropped": [("x1", "title"), ("x2", "title"), ("x3", "text")],
}  # fmt: skip


def codebook_data(**sections: Any) -> dict[str, Any]:
    """Decode the codebook, with other or further sections where given."""
    return {**copy.deepcopy(tomllib.loads(TOML)), **sections}


def soils(rows: dict[str, list[tuple[str, ...]]] | None = None, **sections: Any) -> Study:
    """Make the corpus in memory, with other rows of some tables or other codebook sections where given."""
    return study_of(codebook_data(**sections), {**ROWS, **(rows or {})})


def write_soils(folder: Path, more: str = "") -> Path:
    """Write the corpus to a folder, with further lines at the end of its codebook."""
    corpus = soils()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "codebook.toml").write_text(TOML + more, encoding="utf-8")
    for table in corpus.tables.values():
        (folder / table.spec.file).write_text(
            canonical_text(table.rows, table.spec), encoding="utf-8"
        )
    return folder
