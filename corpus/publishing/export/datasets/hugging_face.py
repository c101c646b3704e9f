"""A folder for the Hugging Face Hub: Parquet files and a dataset card with their configurations."""

from __future__ import annotations

import re
from typing import Any

import yaml

from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.datasets.croissant import plain_parquet
from corpus.publishing.export.datasets.publication import deposit

CARD = "README.md"
#: The Hub's names for sizes, each with the number of rows that it ends before.
_SIZES = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 100_000), ("100K<n<1M", 1_000_000))
_LARGEST = "n>1M"


def files(study: Study) -> dict[str, bytes]:
    """Return ``README.md`` and one Parquet file per table: NA stays a value, identifiers stay text.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    found = {f"data/{name}.parquet": plain_parquet(study, name) for name in _loadable(study)}
    return {CARD: card(study).encode(), **found}


def card(study: Study) -> str:
    """Return the dataset card: YAML head for the Hub, then what the tables and columns mean."""
    head = yaml.safe_dump(_head(study), sort_keys=False, allow_unicode=True, width=120)
    about = study.codebook.corpus
    title = about.get("title", about.get("id", "Corpus"))
    parts = [
        f"---\n{head}---\n\n# {_text(title)}\n",
        f"{_text(about.get('description', ''))}\n",
        _loading(study.pool.spec.name),
    ]
    for name in _loadable(study):
        parts.append(_table(study.codebook, study.tables[name]))
    if about.get("cite"):
        parts.append(f"## Citation\n\n{_text(about['cite'])}\n")
    return "\n".join(parts)


def _loading(table: str) -> str:
    """Return the lines that load a table in Python."""
    variable = re.sub(r"[^A-Za-z0-9_]", "_", table)
    return (
        "```python\nfrom datasets import load_dataset\n\n"
        f'{variable} = load_dataset("path/or/repository", "{table}", split="train")\n```\n'
    )


def _head(study: Study) -> dict[str, Any]:
    book = study.codebook
    title = book.corpus.get("short_title", book.corpus.get("title", ""))
    rows = len(study.pool.rows)
    size = next((name for name, limit in _SIZES if rows < limit), _LARGEST)
    configurations = []
    for name in _loadable(study):
        data_files = [{"split": "train", "path": f"data/{name}.parquet"}]
        configuration: dict[str, Any] = {"config_name": name, "data_files": data_files}
        if name == study.pool.spec.name:
            configuration["default"] = True
        configurations.append(configuration)
    return {
        "license": book.corpus.get("license", "unknown").lower(),
        "pretty_name": " ".join(title.split()),
        "language": [book.corpus.get("language") or "en"],
        "size_categories": [size],
        "tags": deposit(book).keywords,
        "configs": configurations,
    }


def _loadable(study: Study) -> list[str]:
    """Return the tables that have rows; the Hub's reader fails on a file without any."""
    return [name for name, table in study.tables.items() if table.rows]


def _table(book: Codebook, table: Table) -> str:
    spec = table.spec
    lines = [f"## {_text(spec.title)} (`{spec.name}`)", "", _text(spec.definition), ""]
    lines += [f"{len(table.rows)} rows.", "", "| column | type | meaning |", "|---|---|---|"]
    for column in spec.columns:
        meaning = _text(column.definition)
        if column.type == "term":
            terms = map(_text, book.vocabulary_of(column).ids)
            meaning += f" Terms: {', '.join(terms)}."
        lines.append(f"| `{column.name}` | {column.type} | {meaning} |")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    r"""Escape a text for the Hub's Markdown: one line, no markup, no HTML.

    Examples
    --------
    >>> print(_text("a <b> *c* | d_e"))
    a \<b\> \*c\* \| d\_e
    """
    line = " ".join(text.split())
    return re.sub(r"([\\`*_\[\]<>|&~#!$])", r"\\\1", line)
