"""A small made-up corpus about bogs, with a multi-valued axis, for the tests of exports."""

from __future__ import annotations

import tomllib
from typing import Any

from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.study import Study
from tests.corpora.making import study_of

CODEBOOK: dict[str, Any] = tomllib.loads(
    """
format = 1
[corpus]
id = "bogs"
title = "Bogs"
description = "Bogs of the north, made up."
license = "CC0-1.0"
homepage = "https://bogs.example/"
[tables.sites]
file = "sites.csv"
role = "pool"
key = ["site"]
columns = [
  { name = "site", type = "key", role = "key", definition = "Key." },
  { name = "name", type = "text", role = "title", definition = "Title." },
  { name = "who", type = "names", role = "authors", required = false, definition = "Authors." },
  { name = "when", type = "year", role = "year", definition = "Year." },
  { name = "arx", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." },
  { name = "place", type = "text", role = "venue", required = false, definition = "Venue." },
  { name = "web", type = "url", role = "url", required = false, definition = "Addresses." },
  { name = "peat", type = "term", axis = true, definition = "Kind of peat." },
  { name = "plants", type = "term", axis = true, separator = "; ", required = false, definition = "Plants." },
  { name = "depth", type = "number", required = false, definition = "Depth in m." },
]
[tables.probes]
file = "probes.csv"
role = "evidence"
key = ["site", "nr"]
columns = [
  { name = "site", type = "ref", references = "sites", definition = "Site." },
  { name = "nr", type = "integer", definition = "Number." },
  { name = "taken", type = "date", required = false, definition = "Day." },
]
[vocabularies.peat]
not_applicable = "NA"
terms = [
  { id = "moss", definition = "Of moss." },
  { id = "sedge", definition = "Of sedge." },
  { id = "NA", definition = "No peat." },
]
[vocabularies.plants]
terms = [ { id = "heath", definition = "Heath." }, { id = "birch", definition = "Birch." } ]
"""
)

SITES = [
    ("adder", "The adder's mire", "Ward, Ann; Bog Trust", "2019", "1901.00010", "Journal of Mires", "", "moss",
     "heath; birch", "2.50"),
    ("black", "=Black & {wet}", "Bog Trust", "2020", "", "", "https://bogs.example/a ; https://bogs.example/b", "NA",
     "", ""),
    ("crane", "Crane é 50%", "", "2021", "", "MIRES 2021", "", "sedge", "birch", "0.1"),
]  # fmt: skip
PROBES = [("adder", "1", "2019-05"), ("adder", "2", ""), ("crane", "1", "2021-01-31")]


def bogs(
    sites: list[tuple[str, ...]] | None = None,
    probes: list[tuple[str, ...]] | None = None,
    **sections: Any,
) -> Study:
    """Make the corpus, with other rows or further codebook sections where given."""
    rows = {
        "sites": SITES if sites is None else sites,
        "probes": PROBES if probes is None else probes,
    }
    return study_of(CODEBOOK, rows, **sections)


def site(key: str, **cells: str) -> tuple[str, ...]:
    """Make one row of the pool; cells that are not given are empty, required ones have a plain value."""
    spec = parse_codebook(CODEBOOK).pool
    values = {"site": key, "name": key, "when": "2020", "peat": "moss", **cells}
    return tuple(values.get(column, "") for column in spec.header)
