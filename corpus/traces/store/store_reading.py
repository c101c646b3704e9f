"""Read the files of a store: some columns, a row group at a time; whatever is wrong with a file is a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyarrow import parquet

from corpus.model.finding import CorpusError
from corpus.traces.store.schema import GROUP, TABLES
from corpus.traces.store.store import Store, StorePart
from corpus.traces.store.store_rules import DAMAGED_STORE


def row_groups(store: Store, part: StorePart, table: str, columns: list[str]) -> Iterator[pa.Table]:
    """Yield some columns of one file of a part, a row group at a time.

    Raises
    ------
    CorpusError
        OT301 where the file is not readable, or does not have the columns or the number of rows that it should.
    """
    path = store.path(table, part.name)
    rows = 0
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(TABLES[table]):
                raise CorpusError([DAMAGED_STORE.at(str(path), problem="it has other columns than a store")])
            for group in range(file.num_row_groups):
                if file.metadata.row_group(group).num_rows > GROUP:
                    problem = f"a row group of more than the {GROUP:,} rows that are written at once"
                    raise CorpusError([DAMAGED_STORE.at(str(path), problem=problem)])
                found = file.read_row_group(group, columns=columns, use_threads=False)
                found.validate(full=True)
                rows += found.num_rows
                yield found
    except (OSError, ValueError, pa.ArrowException) as error:
        text = str(error).split("\n", 1)[0]
        raise CorpusError([DAMAGED_STORE.at(str(path), problem=f"not readable as Parquet: {text}")]) from None
    if rows != part.rows[table]:
        problem = f"{rows} rows, but the manifest says {part.rows[table]}"
        raise CorpusError([DAMAGED_STORE.at(str(path), problem=problem)])


def known_digests(store: Store, parts: Iterable[StorePart]) -> Iterator[str]:
    """Yield the digests of the traces in some parts."""
    for part in parts:
        for group in row_groups(store, part, "traces", ["digest"]):
            yield from group["digest"].to_pylist()
