"""A folder for the Hugging Face Hub: Parquet files and a dataset card whose configurations load right."""

from __future__ import annotations

import re
from typing import Any

from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.publishing.export.croissant import plain_parquet

CARD = "README.md"
_SIZES = (("n<1K", 1_000), ("1K<n<10K", 10_000), ("10K<n<100K", 100_000), ("100K<n<1M", 1_000_000))


def files(corpus: Study) -> dict[str, bytes]:
    """Return ``README.md`` and one Parquet file a table: NA stays a value, identifiers stay text.

    Raises
    ------
    CorpusError
        X102 where a cell is not of its column's type.
    """
    found = {f"data/{name}.parquet": plain_parquet(corpus, name) for name in _loadable(corpus)}
    return {CARD: card(corpus).encode(), **found}


def card(corpus: Study) -> str:
    """Return the dataset card: YAML head for the Hub, then what the tables and columns mean."""
    import yaml

    head = yaml.safe_dump(_head(corpus), sort_keys=False, allow_unicode=True, width=120)
    about = corpus.codebook.corpus
    parts = [f"---\n{head}---\n\n# {_text(about.get('title', about.get('id', 'Corpus')))}\n"]
    parts.append(f"{_text(about.get('description', ''))}\n")
    name = corpus.pool.spec.name
    parts.append(
        "```python\nfrom datasets import load_dataset\n\n"
        f'{re.sub(r"[^A-Za-z0-9_]", "_", name)} = load_dataset("path/or/repository", "{name}", split="train")\n```\n'
    )
    parts += [_table(corpus.codebook, corpus.tables[name]) for name in _loadable(corpus)]
    if about.get("cite"):
        parts.append(f"## Citation\n\n{_text(about['cite'])}\n")
    return "\n".join(parts)


def _head(corpus: Study) -> dict[str, Any]:
    book = corpus.codebook
    rows = len(corpus.pool.rows)
    default = corpus.pool.spec.name
    return {
        "license": book.corpus.get("license", "unknown").lower(),
        "pretty_name": " ".join(book.corpus.get("short_title", book.corpus.get("title", "")).split()),
        "language": ["en"],
        "size_categories": [next((name for name, limit in _SIZES if rows < limit), "n>1M")],
        "tags": [str(tag) for tag in book.settings.get("deposit", {}).get("keywords", [])],
        "configs": [
            {
                "config_name": name,
                "data_files": [{"split": "train", "path": f"data/{name}.parquet"}],
                **({"default": True} if name == default else {}),
            }
            for name in _loadable(corpus)
        ],
    }


def _loadable(corpus: Study) -> list[str]:
    """Return the tables that have rows; the Hub's reader fails on a file without any."""
    return [name for name, table in corpus.tables.items() if table.rows]


def _table(book: Codebook, table: Table) -> str:
    lines = [f"## {_text(table.spec.title)} (`{table.spec.name}`)", "", _text(table.spec.definition), ""]
    lines += [f"{len(table.rows)} rows.", "", "| column | type | meaning |", "|---|---|---|"]
    for column in table.spec.columns:
        meaning = _text(column.definition)
        if column.type == "term":
            meaning += " Terms: " + ", ".join(f"{_text(term.id)}" for term in book.vocabulary_of(column).terms) + "."
        lines.append(f"| `{column.name}` | {column.type} | {meaning} |")
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    r"""Escape a text for Markdown: one line, no markup, no HTML.

    Examples
    --------
    >>> print(_text("a <b> *c* | d_e"))
    a \<b\> \*c\* \| d\_e
    """
    return re.sub(r"([\\`*_\[\]<>|&~#!$])", r"\\\1", " ".join(text.split()))
