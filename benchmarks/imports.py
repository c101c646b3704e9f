"""What imports make of foreign files: which fields they fill, what they leave, how long they take.

``python -m benchmarks imports [DIR]``: the files of DIR, or the made-up ones of the tests. Nothing
is written but in a temporary folder.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from corpus.curation.check.check import check_corpus
from corpus.curation.importing.decisions import likely_wish
from corpus.curation.importing.foreign_file import ForeignFile
from corpus.curation.importing.new_corpus import Start, new_corpus_files
from corpus.curation.importing.readers.reading import read_foreign
from corpus.model.finding import CorpusError, Finding
from corpus.printing.grid import Grid, grid_text
from corpus.tables.writing.atomic import write_new_folder

SAMPLES = Path(__file__).parent.parent / "tests" / "curation" / "importing" / "samples"
#: Findings that are left to people after any import.
LEFT = frozenset(("C002", "C303", "C304", "C305", "C403", "C404"))
_DUPLICATES = frozenset(("C303", "C304", "C305", "C403", "C404"))


class ImportedFile(NamedTuple):
    """What an import made of a file: the pool's rows by column, and the check of the new corpus."""

    name: str
    format: str
    pool: list[dict[str, str]]
    excluded: int
    findings: list[Finding]
    seconds: float
    refused: str = ""
    summary: str = ""

    def share(self, *columns: str) -> str:
        """Return the percentage of rows in which one of the columns is filled."""
        if not self.pool:
            return ""
        filled = sum(any(row.get(column) for column in columns) for row in self.pool)
        return f"{100 * filled / len(self.pool):.0f}"

    def share_of_titles(self) -> str:
        """Return the percentage of rows whose title is words, not an address or a stand-in."""
        if not self.pool:
            return ""
        real = sum(re.match(r"https?://|untitled$", row["title"]) is None for row in self.pool)
        return f"{100 * real / len(self.pool):.0f}"


def import_file(path: Path, folder: Path) -> ImportedFile:
    """Import a file as `corpus init` does; records that it excludes go to the log."""
    start = time.perf_counter()
    try:
        records = read_foreign(str(path), path.name)
        file = ForeignFile(records, likely_wish(records))
        imported = file.tables(path.name)
        (summary,) = file.summaries(imported)
        files = new_corpus_files(Start("new", "New", "TODO", path.name), imported, records)
        write_new_folder(str(folder), files)
        findings = check_corpus(str(folder / "data"))
    except CorpusError as error:
        refused = f"{error.findings[-1].code} {error.findings[-1].message}"
        return ImportedFile(path.name, "", [], 0, [], time.perf_counter() - start, refused)
    header = [column.name for column in imported.columns]
    pool = [dict(zip(header, row, strict=True)) for row in imported.rows]
    seconds = time.perf_counter() - start
    line = summary.line()
    return ImportedFile(
        path.name, records.format, pool, len(file.excluded), findings, seconds, summary=line
    )


def table(imported: list[ImportedFile]) -> str:
    """Return one line per file: rows, percentages of filled cells, findings, seconds."""
    head = (
        "file",
        "format",
        "rows",
        "excluded",
        "title",
        "authors",
        "year",
        "id",
        "venue",
        "duplicates",
        "other findings",
        "seconds",
    )
    rows = []
    for file in imported:
        duplicates = sum(finding.code in _DUPLICATES for finding in file.findings)
        others = sum(finding.code not in LEFT for finding in file.findings)
        rows.append(
            (
                file.name,
                file.refused or file.format,
                f"{len(file.pool):,}",
                f"{file.excluded:,}",
                file.share_of_titles(),
                file.share("authors", "first_author"),
                file.share("year"),
                file.share("doi", "arxiv_id"),
                file.share("venue"),
                f"{duplicates:,}",
                f"{others:,}",
                f"{file.seconds:.2f}",
            )
        )
    shares = grid_text(Grid("Shares are percentages of the rows.", head, tuple(rows)), 200)
    accounts = [f"{file.name}: {file.summary or file.refused}" for file in imported]
    return "\n".join([shares, *accounts, ""])


def main(arguments: list[str]) -> None:
    """Import every file of a folder and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks imports", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES)
    folder = parser.parse_args(arguments).folder
    imported = []
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name == "expected.csv":
            continue
        with tempfile.TemporaryDirectory() as temporary:
            imported.append(import_file(path, Path(temporary, "corpus")))
    sys.stdout.write(table(imported))
