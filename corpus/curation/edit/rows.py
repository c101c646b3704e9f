"""The rows of a corpus after an entry is added, edited or excluded.

All by roles and references, never by name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from corpus.curation.edit.proposal import Cells, new_row, new_tables
from corpus.curation.lookup.candidate import Candidate
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import identities
from corpus.model.study import Study
from corpus.model.table import Row, Table

Rows = dict[str, list[Row]]

#: How identities are written in an exclusion log.
_PREFIXES = (("arxiv", "arXiv"), ("openreview", "OpenReview"), ("acl", "ACL"), ("doi", "DOI"))


def added(corpus: Study, cells: Cells, promoted: Collection[str] = ()) -> Rows:
    """Return the rows with a new entry.

    Records in `promoted` leave the exclusion log, and what refers to them too.
    """
    rows = {
        spec.name: [*corpus.tables[spec.name].rows, new_row(spec, cells[spec.name])]
        for spec in new_tables(corpus.codebook)
    }
    for record in promoted:
        spec = exclusion_log(corpus.codebook)
        rows[spec.name] = without(corpus.tables[spec.name], record, rows.get(spec.name))
        for table, position in referring(corpus, spec, record):
            rows[table.spec.name] = [
                row for row in rows.get(table.spec.name, table.rows) if row[position] != record
            ]
    return rows


def excluded(corpus: Study, cells: Mapping[str, str], key: str = "") -> Rows:
    """Return the rows with a new exclusion.

    An entry `key` leaves the pool, and what refers to it its tables.
    """
    log = exclusion_log(corpus.codebook)
    rows = {log.name: [*corpus.tables[log.name].rows, new_row(log, cells)]}
    if key:
        pool = corpus.codebook.pool
        rows[pool.name] = without(corpus.pool, key)
        for table, position in referring(corpus, pool, key):
            rows[table.spec.name] = [
                row for row in rows.get(table.spec.name, table.rows) if row[position] != key
            ]
    return rows


def edited(
    corpus: Study, key: str, changes: Mapping[str, Mapping[str, str]], evidence: str = ""
) -> Rows:
    """Return the rows with changed cells of one entry.

    Parameters
    ----------
    corpus : Study
        As it is.
    key : str
        The entry's key.
    changes : mapping of str to mapping of str to str
        Table -> column -> new cell. A new key is carried into every table that refers to the entry.
    evidence : str
        What shows that the new cells of the pool are right; they are then logged as corrections.
    """
    pool = corpus.codebook.pool
    entry(corpus, key)
    rows: Rows = {}
    for name, cells in changes.items():
        spec = corpus.codebook.tables[name]
        at = _place_of_key(spec, pool)
        if not any(row[at] == key for row in corpus.tables[name].rows):
            raise UsageProblem(f"{spec.title} ({spec.file}) has no row of {key}")
        rows[name] = [
            _with(spec, row, cells) if row[at] == key else row for row in corpus.tables[name].rows
        ]
    if evidence:
        rows.update(_corrected(corpus, key, changes.get(pool.name, {}), evidence))
    renamed = changes.get(pool.name, {}).get(pool.key[0], key)
    if renamed != key:
        for table, position in referring(corpus, pool, key):
            rows[table.spec.name] = [
                (*row[:position], renamed, *row[position + 1 :]) if row[position] == key else row
                for row in rows.get(table.spec.name, table.rows)
            ]
    return rows


def entry(corpus: Study, key: str) -> dict[str, str]:
    """Return one entry of the pool by column.

    UsageProblem, with the nearest keys, where there is none.
    """
    return corpus.entry(key).as_dict()


def exclusion_log(book: Codebook) -> TableSpec:
    """Return the exclusion log; UsageProblem where the corpus keeps none."""
    logs = book.by_role("exclusions")
    if not logs:
        raise UsageProblem(
            "this corpus keeps no exclusion log (no table with the role 'exclusions')"
        )
    return logs[0]


def without(table: Table, key: str, rows: list[Row] | None = None) -> list[Row]:
    """Return the rows of a table but the one with this key."""
    at = table.spec.position(table.spec.key[0])
    return [row for row in (table.rows if rows is None else rows) if row[at] != key]


def referring(corpus: Study, target: TableSpec, key: str) -> Iterator[tuple[Table, int]]:
    """Yield every table with a row that refers to a key of another, and the column's position."""
    for table in corpus.tables.values():
        for position in table.spec.references_to(target):
            if any(row[position] == key for row in table.rows):
                yield table, position


def next_record(table: Table) -> str:
    """Return the next running number of a log: E033 after E032; the width is kept."""
    found = [
        re.fullmatch(r"(\D*)([0-9]+)", row[table.spec.position(table.spec.key[0])])
        for row in table.rows
    ]
    numbers = [(int(match[2]), match[1], len(match[2])) for match in found if match]
    number, prefix, width = max(numbers, default=(0, "E", 3))
    return f"{prefix}{number + 1:0{width}d}"


def exclusion_cells(candidate: Candidate, corpus: Study, today: str) -> dict[str, str]:
    """Return the known cells of a new exclusion: number, title, identifier, address, day."""
    log = exclusion_log(corpus.codebook)
    known = {
        "key": next_record(corpus.tables[log.name]),
        "title": candidate.title,
        "identifier": identifier(candidate),
        "url": candidate.url,
        "date": today,
        "source": candidate.source,
    }
    return {column.name: known[column.role] for column in log.columns if known.get(column.role)}


def identifier(candidate: Candidate) -> str:
    """Return the strongest identifier as an exclusion log writes it, else the address."""
    for kind, prefix in _PREFIXES:
        for identity in sorted(identities(candidate.arxiv, candidate.url, candidate.doi)):
            if identity.startswith(f"{kind}:"):
                return f"{prefix}:{identity.partition(':')[2]}"
    return candidate.url


def would_be_tags(corpus: Study, record: str) -> dict[str, str]:
    """Return the tags that a side table gives an excluded record, by the column of the pool."""
    tags: dict[str, str] = {}
    for table, position in referring(corpus, exclusion_log(corpus.codebook), record):
        for row in table.rows:
            if row[position] == record:
                cells = zip(table.spec.columns, row, strict=True)
                tags.update(
                    {
                        c.role: cell
                        for c, cell in cells
                        if c.type == "term" and c.role in corpus.pool.spec.header
                    }
                )
    return tags


def _place_of_key(spec: TableSpec, pool: TableSpec) -> int:
    if spec.name == pool.name:
        return spec.position(pool.key[0])
    return next(spec.references_to(pool))


def _with(spec: TableSpec, row: Row, cells: Mapping[str, str]) -> Row:
    return tuple(cells.get(name, cell) for name, cell in zip(spec.header, row, strict=True))


def _corrected(corpus: Study, key: str, changes: Mapping[str, str], evidence: str) -> Rows:
    """Return the log of corrections with the changed cells.

    One that was logged before keeps what was published.
    """
    logs = corpus.codebook.by_role("corrections")
    if not logs:
        raise UsageProblem(
            "this corpus keeps no log of corrections (no table with the role 'corrections')"
        )
    spec = logs[0]
    old = entry(corpus, key)
    columns = {
        role: spec.by_role(role) for role in ("key", "column", "before", "after", "evidence")
    }
    roles = {role: column.name for role, column in columns.items() if column}
    kept = list(corpus.tables[spec.name].rows)
    for column, cell in changes.items():
        logged = {
            "key": key,
            "column": column,
            "before": old[column],
            "after": cell,
            "evidence": evidence,
        }
        for row in list(kept):
            here = dict(zip(spec.header, row, strict=True))
            if here[roles["key"]] == key and here[roles["column"]] == column:
                logged["before"] = here[roles["before"]]
                kept.remove(row)
        if logged["before"] != cell:
            kept.append(
                new_row(
                    spec, {roles[role]: value for role, value in logged.items() if role in roles}
                )
            )
    return {spec.name: kept}
