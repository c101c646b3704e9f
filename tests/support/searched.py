"""The full corpus with searches, candidates and screening, as the documentation tells to declare them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from tests.corpora.full import write_full

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL = """\
[[inclusion]]
id = "I1"
text = "It is about sensors."
[[exclusion]]
id = "X1"
text = "It is dry."
[[exclusion]]
id = "X2"
text = "It is a review."
[[stages]]
id = "title"
definition = "By title and abstract."
[[stages]]
id = "text"
definition = "By full text."
"""


def toml_blocks(page: str) -> list[str]:
    """Return what a page of the documentation gives to copy."""
    return re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


def write_searched(folder: Path, searches: str) -> Path:
    """Write the corpus into `folder`/data and return that."""
    data = write_full(folder)
    document, tables = toml_blocks("searching.md")[1].split("\n\n", 1)
    (screening,) = toml_blocks("screening.md")
    book = (data / "codebook.toml").read_text("utf-8")
    book = book.replace("[documents]\n", f'{document}\nprotocol = "protocol.toml"\n')
    declared = f"{tables}\n{screening}"
    (data / "codebook.toml").write_text(f"{book}\n{declared}", "utf-8")
    for name in ("candidates", "search_log", "screening"):
        section = declared.split(f"[tables.{name}]")[1].split("\n]\n")[0]
        columns = re.findall(r'\{ name = "(\w+)"', section)
        (data / f"{name}.csv").write_text(",".join(columns) + "\n", "utf-8")
    (data / "searches.toml").write_text(searches, "utf-8")
    (data / "protocol.toml").write_text(PROTOCOL, "utf-8")
    return data


def table_rows(data: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table as they are on disk."""
    return list(csv.DictReader((data / f"{name}.csv").read_text("utf-8").splitlines()))
