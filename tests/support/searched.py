"""The full corpus with searches, candidates and screening, declared as `corpus init --living` does."""

import csv
import re
from pathlib import Path

from tests.corpora.full import write_full

LIVING = Path(__file__).parents[2] / "corpus/curation/importing/files/living.toml"
DOCUMENT = '[documents]\nsearches = "searches.toml"'
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


def living(*names):
    """Return these tables and vocabularies as `corpus init --living` declares them."""
    sections = LIVING.read_text("utf-8").split("\n\n")
    heads = [f"[{name}]\n" for name in names]
    return (
        "\n\n".join(next(part for part in sections if part.startswith(head)) for head in heads)
        + "\n"
    )


SEARCHING = living("tables.candidates", "tables.search_log")
SCREENING = living("tables.screening", "vocabularies.screening_decision")
COVERAGE = living("tables.coverage", "vocabularies.coverage_verdict")


def write_searched(folder, searches):
    """Write the corpus into `folder`/data and return that."""
    data = write_full(folder)
    book = (data / "codebook.toml").read_text("utf-8")
    book = book.replace("[documents]\n", f'{DOCUMENT}\nprotocol = "protocol.toml"\n')
    declared = f"{SEARCHING}\n{SCREENING}"
    (data / "codebook.toml").write_text(f"{book}\n{declared}", "utf-8")
    for name in ("candidates", "search_log", "screening"):
        section = declared.split(f"[tables.{name}]")[1].split("\n]\n")[0]
        columns = re.findall(r'\{ name = "(\w+)"', section)
        (data / f"{name}.csv").write_text(",".join(columns) + "\n", "utf-8")
    (data / "searches.toml").write_text(searches, "utf-8")
    (data / "protocol.toml").write_text(PROTOCOL, "utf-8")
    return data


def table_rows(data, name):
    """Return the rows of a table as they are on disk."""
    return list(csv.DictReader((data / f"{name}.csv").read_text("utf-8").splitlines()))
