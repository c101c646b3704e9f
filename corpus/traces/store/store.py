"""A store: many traces as a folder of Parquet files that only grows.

``traces/``, ``events/`` and ``edges/`` hold one file of each table for every part, under one name
made from the digests of its traces; a trace never spans parts. A part counts once
``manifest/NAME.json`` exists, which is written last, so that a killed writer leaves nothing that a
reader sees. ``manifest/done-*.json`` names the inputs that were read to their end.

A run becomes one row of traces, and one row for each of its events and edges.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Annotated, Any, TypeAlias

import msgspec
import pyarrow as pa
from msgspec import UNSET
from msgspec.structs import replace
from pyarrow import parquet

from corpus.model.finding import CorpusError, Finding, Rule
from corpus.tables.writing.atomic import TEMPORARY, sync_folder, write_atomic
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.catalogue import CATALOGUE
from corpus.traces.measures.summary import MEASURES, ROW, TYPE_COLUMNS, measured
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

DAMAGED_STORE = Rule(
    "OT301",
    "{problem}",
    "restore the file, or ingest the traces again into a new store",
    title="Damaged store",
    reason="A file that is missing, cut short or not what the manifest states would "
    "give wrong numbers.",
)
FOREIGN_STORE = Rule(
    "OT302",
    "{problem}",
    "name a folder that `corpus trace ingest` made, or ingest again",
    title="Not a store that this version reads",
    reason="Columns change their meaning between versions of the store.",
)


#: Incremented whenever a column changes its name or meaning.
VERSION = 6

#: Rows of one row group, which is as much as a reader holds in memory.
GROUP = 50_000

#: Columns that hold whole numbers; all other measures are doubles.
WHOLE = {"line", *TYPE_COLUMNS, *(metric.name for metric in CATALOGUE if metric.is_count)}


_MAPS = ("rewards", "costs", "metrics")


def _schema(
    names: Iterable[str], doubles: Iterable[str], others: dict[str, pa.DataType]
) -> pa.Schema:
    """Return columns of texts, but for `doubles` and `others`."""
    types = dict.fromkeys(names, pa.string()) | dict.fromkeys(doubles, pa.float64())
    return pa.schema(types | others)


TRACES = _schema(
    ("digest", *ROW, *_MAPS),
    MEASURES,
    dict.fromkeys(WHOLE, pa.int64()) | dict.fromkeys(_MAPS, pa.map_(pa.string(), pa.float64())),
)
_TOKENS = ("x_steps", "x_tokens", *map("x_tokens_{}".format, TOKEN_KINDS))
_ENDS = ("x_end", "x_step_t", "x_step_end")
# fmt: off
EVENTS = _schema(
    ("digest", "trace_id", "position", "id", "type", "agent", "role", "from_agent", "to_agent",
     "tool", "t", "content_ref", "trusted", *_TOKENS, "x_model", "x_contents", "x_rewards", *_ENDS,
     "x_call_id", "x_stop_reason", "x_inferred", "x_run", "x_error", "more"),
    ("t", *_TOKENS, *_ENDS),
    {"position": pa.int64(), "trusted": pa.bool_()},
)
# fmt: on
EDGES = _schema(("digest", "trace_id", "src", "dst", "type"), (), {})
#: Table by name, in the order in which their files are moved into place.
TABLES: dict[str, pa.Schema] = {"events": EVENTS, "edges": EDGES, "traces": TRACES}

#: Digest of all columns and their types: a store whose columns differ is another one, even where
#: somebody forgot to raise the version.
COLUMNS = hashlib.sha256("\n".join(map(str, TABLES.values())).encode()).hexdigest()

#: Columns that are called otherwise than the key of an event.
RENAMED = {"from_agent": "from_", "to_agent": "to"}
#: Columns that are not keys of an event or edge.
COMPUTED = frozenset({"digest", "trace_id", "position", "more"})
_GETTERS = {
    name: attrgetter(RENAMED.get(name, name)) for name in EVENTS.names if name not in COMPUTED
}
#: Keys of any shape, which a store has as JSON.
FREE = frozenset({"x_contents", "x_rewards", "x_inferred", "x_run", "x_error"})

MARK = "store.json"
#: What the mark of a store holds.
MADE_FOR = {
    "format": "corpus trace store",
    "version": VERSION,
    "tables": list(TABLES),
    "columns": COLUMNS,
}
STAGING = ".staging"
LOCK = ".lock"
FOLDERS = (*TABLES, "manifest")
#: Rows that are Python values at once.
AT_ONCE = 5_000
#: What reading a damaged manifest raises.
_MALFORMED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
#: What may exist of a store before its mark does.
_BEGUN = {LOCK, *FOLDERS}


#: The version of a file of ``manifest/``: no other one is read.
_Version: TypeAlias = Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)]


class StorePart(msgspec.Struct, frozen=True):
    """One part of a store, as its manifest describes it.

    Attributes
    ----------
    rows : dict of str to int
        How many rows each table has.
    files : dict of str to (int, str)
        Size in bytes and SHA-256 of the file of each table.
    sources : list of str
        The inputs it came from.
    name : str
        Its name, without an ending: the name of the manifest, so it is not in it.
    """

    version: _Version
    rows: dict[str, int]
    files: dict[str, tuple[int, str]]
    sources: list[str]
    name: str = ""

    def __post_init__(self) -> None:
        if not self.rows.keys() == self.files.keys() == TABLES.keys():
            raise ValueError(f"not of the tables {', '.join(TABLES)}")


class DoneInputs(msgspec.Struct, frozen=True):
    """Inputs that were read to their end: path by digest."""

    version: _Version
    sources: dict[str, str]


class Store:
    """The files of one store.

    Parameters
    ----------
    root : path
        Its folder.

    Raises
    ------
    CorpusError
        OT302 where the folder is not a store of this version.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self.manifests = self.root / "manifest"
        mark = self.root / MARK
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise _foreign(mark, f"not readable: {error}") from None
        if known != MADE_FOR:
            problem = f"not the mark of a trace store of version {VERSION} with its columns"
            raise _foreign(mark, problem)
        for name in (*FOLDERS, STAGING):
            folder = self.root / name
            # Files behind a link belong to somebody else, and sweep() would remove some.
            if folder.is_symlink():
                raise _foreign(folder, "a link, where a store has a folder of its own")

    @classmethod
    def make(cls, root: str | Path) -> Store:
        """Open a store; make it where nothing exists, or an empty folder."""
        folder = Path(root)
        cls.refuse_foreign(folder)
        if not (folder / MARK).exists():
            for name in FOLDERS:
                (folder / name).mkdir(parents=True, exist_ok=True)
            write_whole(folder / MARK, MADE_FOR)
        return cls(folder)

    @classmethod
    def refuse_foreign(cls, root: str | Path) -> None:
        """Raise OT302 where something else than a store of this version exists."""
        folder = Path(root)
        if (folder / MARK).exists():
            cls(folder)
        elif folder.exists() and not (folder.is_dir() and _BEGUN.issuperset(os.listdir(folder))):
            raise _foreign(folder, "not empty, and not a store")

    @classmethod
    def remove_unfilled(cls, root: str | Path) -> None:
        """Remove the files of a store that holds nothing yet: a failed ingest leaves no trace."""
        folder = Path(root)
        rmtree(folder / STAGING, ignore_errors=True)
        own = {folder / name for name in (*_BEGUN, MARK)}
        if own.issuperset(folder.rglob("*")):
            # What is behind a link belongs to somebody else.
            with suppress(OSError):
                for path in own:
                    if path.is_dir():
                        path.rmdir()
                    else:
                        path.unlink(missing_ok=True)

    def path(self, table: str, name: str) -> Path:
        """Return where a part keeps its rows of a table."""
        return self.root / table / f"{name}.parquet"

    def parts(self) -> list[StorePart]:
        """Return every part that counts, by name.

        Raises
        ------
        CorpusError
            OT301 where a manifest cannot be read, or a file is missing or of another size.
        """
        found = []
        wrong: list[Finding] = []
        for path in sorted(self.manifests.glob("part-*.json")):
            try:
                read = msgspec.json.decode(path.read_bytes(), type=StorePart)
                part = replace(read, name=path.stem)
                wrong += self._misfits(part)
                found.append(part)
            except OSError as error:
                problem = f"cannot be read: {error.strerror}"
                wrong.append(DAMAGED_STORE.at(str(error.filename or path), problem=problem))
            except _MALFORMED as error:
                problem = f"not the manifest of a part: {error}"
                wrong.append(DAMAGED_STORE.at(str(path), problem=problem))
        if wrong:
            raise CorpusError(wrong)
        return found

    def _misfits(self, part: StorePart) -> Iterator[Finding]:
        """Yield a finding for each file of a part that is not the one its manifest describes."""
        for table in TABLES:
            path = self.path(table, part.name)
            state = path.lstat()
            expected = part.files[table][0]
            if not stat.S_ISREG(state.st_mode):
                yield DAMAGED_STORE.at(str(path), problem="not a plain file")
            elif state.st_size != expected:
                problem = f"{state.st_size} bytes, but the manifest states {expected}"
                yield DAMAGED_STORE.at(str(path), problem=problem)

    def verify(self, part: StorePart) -> None:
        """Check the files of a part against their digests; OT301 where one differs."""
        for table, (_, digest) in part.files.items():
            path = self.path(table, part.name)
            if file_digest(path) != digest:
                raise _damaged(path, "its bytes differ from those that were written")

    def done(self) -> Iterator[tuple[str, str]]:
        """Yield digest and path of each input that was read to its end.

        Raises
        ------
        CorpusError
            OT301 where the list is damaged.
        """
        for path in sorted(self.manifests.glob("done-*.json")):
            try:
                known = msgspec.json.decode(path.read_bytes(), type=DoneInputs)
            except (OSError, *_MALFORMED) as error:
                raise _damaged(path, f"not a list of inputs: {error}") from None
            yield from known.sources.items()

    def finish(self, sources: dict[str, str]) -> None:
        """Record inputs that were read to their end: path by digest."""
        if sources:
            name = hashlib.sha256("\n".join(sorted(sources)).encode()).hexdigest()[:32]
            done = DoneInputs(VERSION, sources)
            write_whole(self.manifests / f"done-{name}.json", msgspec.to_builtins(done))

    def staging(self) -> Path:
        """Make a new folder in which a part is written before it counts."""
        folder = self.root / STAGING / token_hex(8)
        folder.mkdir(parents=True)
        return folder

    def sweep(self) -> None:
        """Remove what killed writers left: unfinished parts, and files that no manifest names."""
        rmtree(self.root / STAGING, ignore_errors=True)
        named = {path.stem for path in self.manifests.glob("part-*.json")}
        for folder in FOLDERS:
            for path in (self.root / folder).iterdir():
                is_part = path.suffix == ".parquet" and path.stem.startswith("part-")
                if TEMPORARY.fullmatch(path.name) or (is_part and path.stem not in named):
                    path.unlink(missing_ok=True)

    def adopt(self, folder: Path, part: StorePart) -> None:
        """Make a finished part in a staging folder count."""
        # The manifest comes last: until then the files do not count, and sweep() removes them.
        for table in TABLES:
            os.replace(folder / f"{table}.parquet", self.path(table, part.name))
            sync_folder(str(self.root / table))
        manifest = msgspec.to_builtins(part)
        del manifest["name"]
        write_whole(self.manifests / f"{part.name}.json", manifest)
        rmtree(folder, ignore_errors=True)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_whole(path: Path, value: object) -> None:
    """Write JSON whole or not at all."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    write_atomic(path, f"{text}\n")


def row_groups(store: Store, part: StorePart, table: str, names: list[str]) -> Iterator[pa.Table]:
    """Yield some columns of one file of a part, a row group at a time.

    Raises
    ------
    CorpusError
        OT301 where the file is not readable, or does not have the expected columns or number of
        rows.
    """
    path = store.path(table, part.name)
    rows = 0
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(TABLES[table]):
                raise _damaged(path, "its columns differ from those of a store")
            for group in range(file.num_row_groups):
                # A reader keeps a row group in memory, so a forged size could fill it.
                if file.metadata.row_group(group).num_rows > GROUP:
                    raise _damaged(path, f"a row group of more than {GROUP:,} rows")
                found = file.read_row_group(group, columns=names, use_threads=False)
                found.validate(full=True)
                rows += found.num_rows
                yield found
    except (OSError, ValueError, pa.ArrowException) as error:
        text = str(error).split("\n", 1)[0]
        raise _damaged(path, f"not readable as Parquet: {text}") from None
    if rows != part.rows[table]:
        raise _damaged(path, f"{rows} rows, but the manifest states {part.rows[table]}")


def _foreign(path: Path, problem: str) -> CorpusError:
    return FOREIGN_STORE.error(str(path), problem=problem)


def _damaged(path: Path, problem: str) -> CorpusError:
    return DAMAGED_STORE.error(str(path), problem=problem)


def known_digests(store: Store, parts: Iterable[StorePart]) -> Iterator[str]:
    """Yield the digests of the traces in some parts."""
    for part in parts:
        for group in row_groups(store, part, "traces", ["digest"]):
            yield from group["digest"].to_pylist()


def trace_row(document: TraceText, digest: str, run: Run) -> dict[str, Any]:
    """Return the row of `TRACES` for the run of one document."""
    trace = run.trace
    return {
        "digest": digest,
        **measured(document, run).cells,
        "rewards": list(trace.rewards.items()),
        "costs": list(trace.costs.items()),
        "metrics": list((trace.metrics or {}).items()),
    }


def event_columns(
    digest: str, run: Run, more: Sequence[str | None], start: int, stop: int
) -> dict[str, Sequence[Any]]:
    """Return the events from `start` to `stop` as columns of `EVENTS`, in the order of the trace.

    `more` has the further keys of each event, or is empty where no event has any.
    """
    events = run.events[start:stop]
    count = len(events)
    made: dict[str, Sequence[Any]] = {
        "digest": [digest] * count,
        "trace_id": [run.id] * count,
        "position": range(start, start + count),
        "more": more[start:stop] or [None] * count,
    }
    for name, getter in _GETTERS.items():
        values = map(getter, events)
        if name in FREE:
            made[name] = list(map(_as_json, values))
        else:
            # A conditional inside a comprehension: this runs for every key of every event, and a
            # loop takes half as long again.
            made[name] = [None if value is UNSET else value for value in values]
    return made


def _as_json(value: Any) -> str | None:
    if value is UNSET:
        return None
    return msgspec.json.encode(value).decode()


def edge_columns(digest: str, run: Run, start: int, stop: int) -> dict[str, Sequence[Any]]:
    """Return the edges from `start` to `stop` as columns of `EDGES`."""
    edges = run.trace.edges[start:stop]
    return {
        "digest": [digest] * len(edges),
        "trace_id": [run.id] * len(edges),
        **{name: list(map(attrgetter(name), edges)) for name in ("src", "dst", "type")},
    }


def stored(store: Store, part: StorePart) -> Iterator[TraceText]:
    """Yield the traces of a part as documents again, one at a time, in its order.

    Line and file are those that they were read from.
    """
    events = _stored_rows(store, part, "events")
    edges = _stored_rows(store, part, "edges")
    for cells in _stored_rows(store, part, "traces"):
        trace: JsonObject = {"trace_id": cells["trace_id"], "task_id": cells["task_id"]}
        for name in ("system", "topology"):
            if cells[name]:
                trace[name] = cells[name]
        trace["events"] = list(map(_event, islice(events, cells["events"])))
        trace["edges"] = list(map(_edge_keys, islice(edges, cells["edges"])))
        for name in ("rewards", "costs", "metrics"):
            trace[name] = dict(cells[name])
        yield TraceText(cells["file"], cells["line"], msgspec.json.encode(trace), False)


def _stored_rows(store: Store, part: StorePart, table: str) -> Iterator[JsonObject]:
    for group in row_groups(store, part, table, TABLES[table].names):
        for batch in group.to_batches(AT_ONCE):
            yield from batch.to_pylist()


def _edge_keys(cells: JsonObject) -> JsonObject:
    found = {}
    for name, value in cells.items():
        if value is not None and name not in COMPUTED:
            found[RENAMED.get(name, name).removesuffix("_")] = value
    return found


def _event(cells: JsonObject) -> JsonObject:
    event = _edge_keys(cells)
    for name in FREE & event.keys():
        event[name] = msgspec.json.decode(event[name])
    if cells["more"] is not None:
        event |= msgspec.json.decode(cells["more"])
    return event
