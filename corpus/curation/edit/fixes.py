"""What has exactly one right answer in the tables: form, equal rows, spellings of names."""

import difflib
import io
import os
from collections import Counter
from collections.abc import Iterable, Mapping

from corpus.curation.check.references import person_names, rarer_spellings
from corpus.model.codebook import Codebook
from corpus.model.finding import CorpusError
from corpus.model.table import Row, Table
from corpus.tables.content import read_text
from corpus.tables.location import shown_path
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text, fix_files


def fixed_tables(data: str, book: Codebook) -> dict[str, str]:
    """Return the tables of a data folder that can be fixed without a person: path -> new text.

    Beside what `corpus fmt` does: a name with other spaces or full stops is written as most often,
    and rows that are equal in every cell are one.

    Raises
    ------
    CorpusError
        With what prevents a table from being read.
    """
    fixed, _, broken = fix_files(data, book)
    if broken:
        raise CorpusError(broken)
    tables = {}
    for spec in book.tables.values():
        path = os.path.join(data, spec.file)
        text = fixed.get(path) or read_text(path, shown_path(path))
        tables[path] = parse_table(text.encode(), spec, shown_path(path))
    spellings = _spellings(tables.values())
    for path, table in tables.items():
        rows = [_with_names(table, row, spellings) for row in table.rows]
        rows = list(dict.fromkeys(rows))
        if rows != table.rows:
            fixed[path] = canonical_text(rows, table.spec)
    return fixed


def _spellings(tables: Iterable[Table]) -> dict[str, str]:
    """Return names that differ from a more frequent one in spaces and full stops, with that one.

    Any other difference may be that of two persons: "Lee, J.-H." and "Lee, J. H.", "Li Wei" and
    "Li, Wei". Two names in one cell are two persons, however they are written.
    """
    times: Counter[str] = Counter()
    together = set()
    for table in tables:
        for place in _name_places(table):
            for row in table.rows:
                names = person_names(row[place])
                times.update(names)
                initials = Counter(map(_without_stops, {*names}))
                together |= {name for name, number in initials.items() if number > 1}
    found = {}
    for name, usual in rarer_spellings(times).items():
        same = _without_stops(name)
        if same == _without_stops(usual) and same not in together:
            found[name] = usual
    return found


def _without_stops(name: str) -> str:
    return " ".join(name.replace(".", " ").split())


def _name_places(table: Table) -> list[int]:
    columns = enumerate(table.spec.columns)
    if table.spec.role not in ("pool", "bibliography"):
        return []
    return [place for place, column in columns if column.type in ("name", "names")]


def _with_names(table: Table, row: Row, spellings: Mapping[str, str]) -> Row:
    cells = list(row)
    for place in _name_places(table):
        names = person_names(row[place])
        if not spellings.keys().isdisjoint(names):
            cells[place] = "; ".join(spellings.get(name, name) for name in names)
    return tuple(cells)


def difference(texts: Mapping[str, str | bytes], context: int = 0) -> str:
    """Return what new texts of files change, as a unified diff with lines of `context`."""
    parts = []
    for path, text in texts.items():
        shown = shown_path(os.path.normpath(path))
        before, old = "/dev/null", ""
        if os.path.isfile(path):
            before = shown
            with open(path, encoding="utf-8", errors="replace", newline="") as handle:
                old = handle.read()
        new = text if isinstance(text, str) else text.decode()
        # Lines as git has them; str.splitlines would break at other characters as well.
        a = io.StringIO(old, newline="\n").readlines()
        b = io.StringIO(new, newline="\n").readlines()
        for line in difflib.unified_diff(a, b, before, shown, n=context):
            # As diff and patch have it: else the next line would follow on the same one.
            end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
            parts.append(line + end)
    return "".join(parts)
