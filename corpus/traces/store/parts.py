"""Write one part of a store: three Parquet files, a row group at a time.

Memory does not grow with the part.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from corpus.traces.run import Run
from corpus.traces.store.schema import (
    GROUP,
    TABLES,
    VERSION,
    edge_columns,
    event_columns,
    trace_row,
)
from corpus.traces.store.store import Store, StorePart, file_digest

#: A part is closed once it has this many events; the trace that reaches it is in it whole.
PART_EVENTS = 1_000_000

#: Rows that are collected as Python values before they become an Arrow table.
PACK = 5_000


class Staged(NamedTuple):
    """A finished part in a staging folder, with the digests of its traces in their order."""

    folder: Path
    part: StorePart
    digests: list[str]


class PartTable:
    """One file of a part.

    Rows are collected as Python values, then as Arrow tables, which are far smaller, until they
    fill a row group.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.parquet"
        self.schema = TABLES[name]
        self.rows = 0
        self._waiting: dict[str, list[Any]] = {column: [] for column in self.schema.names}
        self._packed: list[pa.Table] = []
        self._handle = self.path.open("xb")
        self._writer = parquet.ParquetWriter(
            self._handle,
            self.schema,
            compression="zstd",
            compression_level=1,
            write_page_checksum=True,
        )

    def add(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add rows, given as columns."""
        for name, waiting in self._waiting.items():
            waiting.extend(columns[name])
        if len(self._waiting["digest"]) >= PACK:
            self._pack()

    def write(self, table: pa.Table) -> None:
        """Write rows that are an Arrow table already."""
        if table.num_rows:
            self.rows += table.num_rows
            self._writer.write_table(table, row_group_size=GROUP)

    def _pack(self) -> None:
        self._packed.append(pa.table(self._waiting, schema=self.schema))
        for waiting in self._waiting.values():
            waiting.clear()
        if sum(packed.num_rows for packed in self._packed) >= GROUP:
            self._flush(GROUP)

    def _flush(self, whole: int = 1) -> None:
        """Write the collected tables, except for the last rows that do not fill `whole`."""
        packed = pa.concat_tables(self._packed)
        full = packed.num_rows - packed.num_rows % whole
        self.write(packed.slice(0, full))
        self._packed = [packed.slice(full)]

    def close(self) -> None:
        """Write the collected rows and make them durable."""
        self._pack()
        self._flush()
        self._writer.close()
        self._handle.flush()
        os.fsync(self._handle.fileno())
        self._handle.close()

    def drop(self) -> None:
        """Close the file without the collected rows, also after an interrupted :meth:`close`."""
        try:
            # Arrow writes its footer now. If it could not, it would try again when the writer is
            # collected.
            self._writer.close()
        finally:
            self._handle.close()


class PartWriter:
    """Writes the traces of one part into a staging folder of the store."""

    def __init__(self, store: Store) -> None:
        self.folder = store.staging()
        self.tables = {name: PartTable(self.folder, name) for name in TABLES}
        self.digests: list[str] = []
        self.sources: list[str] = []
        self.events = 0

    def add(
        self, place: tuple[str, int], digest: str, run: Run, more: Sequence[str | None] = ()
    ) -> None:
        """Add one trace: its measures, its events (with their further keys as JSON), its edges."""
        row = trace_row(place, digest, run)
        for start in range(0, len(run.events), PACK):
            self.tables["events"].add(event_columns(digest, run, more, start, start + PACK))
        for start in range(0, len(run.trace.edges), PACK):
            self.tables["edges"].add(edge_columns(digest, run, start, start + PACK))
        self.tables["traces"].add({name: (value,) for name, value in row.items()})
        self.digests.append(digest)
        self.events += len(run.events)
        if place[0] not in self.sources[-1:]:
            self.sources.append(place[0])

    def close(self) -> Staged:
        """Close the files and name the part after its traces."""
        for table in self.tables.values():
            table.close()
        of_traces = hashlib.sha256("\n".join(self.digests).encode()).hexdigest()
        name = f"part-{of_traces[:32]}"
        rows = {}
        files = {}
        for table_name, written in self.tables.items():
            rows[table_name] = written.rows
            size = written.path.stat().st_size
            files[table_name] = (size, file_digest(written.path))
        part = StorePart(VERSION, rows, files, self.sources, name)
        return Staged(self.folder, part, self.digests)

    def drop(self) -> None:
        """Discard the part; on a full disk closing a file may fail, but removing it does not."""
        for table in self.tables.values():
            # Arrow raises ValueError where the file was closed and its writer was interrupted
            # before it noted that.
            with suppress(OSError, ValueError):
                table.drop()
        rmtree(self.folder, ignore_errors=True)


def without_duplicates(store: Store, staged: Staged, duplicates: set[str]) -> Staged | None:
    """Write a part again without some of its traces; None where nothing is left of it."""
    kept = [digest for digest in staged.digests if digest not in duplicates]
    if not kept:
        rmtree(staged.folder, ignore_errors=True)
        return None
    writer = PartWriter(store)
    try:
        unwanted = pa.array(sorted(duplicates))
        for name, table in writer.tables.items():
            with parquet.ParquetFile(staged.folder / f"{name}.parquet") as file:
                for group in range(file.num_row_groups):
                    rows = file.read_row_group(group)
                    is_unwanted = pc.is_in(rows["digest"], value_set=unwanted)
                    table.write(rows.filter(pc.invert(is_unwanted)))
        writer.digests = kept
        writer.sources = staged.part.sources
        rewritten = writer.close()
    except BaseException:
        writer.drop()
        raise
    rmtree(staged.folder, ignore_errors=True)
    return rewritten
