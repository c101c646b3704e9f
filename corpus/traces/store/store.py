"""A store: many traces as a folder of Parquet files that only grows.

``traces/``, ``events/`` and ``edges/`` hold one file of each table for every part, under one name
made from the digests of its traces; a trace never spans parts. A part counts once
``manifest/NAME.json`` exists, which is written last, so that a killed writer leaves nothing that a
reader sees. It lists also the inputs that were read to their end.

A run becomes one row of traces, and one row for each of its events and edges.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Any

import msgspec
import pyarrow as pa
from msgspec import UNSET
from msgspec.structs import replace
from pyarrow import parquet

from corpus.model.finding import CorpusError, Rule
from corpus.tables.writing.atomic import TEMPORARY, sync_folder, write_atomic
from corpus.traces.measures.summary import MEASURES, ROW, measured
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


#: Rows of one row group, which is as much as a reader holds in memory.
GROUP = 50_000

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
    {"line": pa.int64(), **dict.fromkeys(_MAPS, pa.map_(pa.string(), pa.float64()))},
)
_TOKENS = ("x_steps", "x_tokens", *map("x_tokens_{}".format, TOKEN_KINDS))
_ENDS = ("x_end", "x_step_t", "x_step_end")
# fmt: off
EVENTS = _schema(
    ("digest", "trace_id", "position", "id", "type", "agent", "role", "from_agent", "to_agent",
     "tool", "t", "content_ref", "trusted", *_TOKENS, "x_model", "x_contents", "x_rewards", *_ENDS,
     "x_call_id", "x_stop_reason", "x_inferred", "x_run", "x_error"),
    ("t", *_TOKENS, *_ENDS),
    {"position": pa.int64(), "trusted": pa.bool_()},
)
# fmt: on
EDGES = _schema(("digest", "trace_id", "src", "dst", "type"), (), {})
#: Table by name, in the order in which their files are moved into place.
TABLES: dict[str, pa.Schema] = {"events": EVENTS, "edges": EDGES, "traces": TRACES}

#: Columns that are called otherwise than the key of an event.
_RENAMED = {"from_agent": "from_", "to_agent": "to"}
#: Keys of any shape, which a store has as JSON.
_FREE = frozenset({"x_contents", "x_rewards", "x_inferred", "x_run", "x_error"})

MARK = "store.json"
#: What the mark of a store holds. The version is raised where a column changes its meaning, the
#: digest tells apart stores whose columns differ.
MADE_FOR = {
    "format": "corpus trace store",
    "version": 7,
    "tables": list(TABLES),
    "columns": hashlib.sha256("\n".join(map(str, TABLES.values())).encode()).hexdigest(),
}
STAGING = ".staging"
LOCK = ".lock"
FOLDERS = (*TABLES, "manifest")


class StorePart(msgspec.Struct, frozen=True):
    """One part of a store: rows and bytes of the file of each table, as its manifest has them.

    Its name is that of the manifest, without an ending. Sources are the inputs that were read to
    their end with its last trace: path by digest.
    """

    rows: dict[str, int]
    sizes: dict[str, int]
    sources: dict[str, str] = {}
    name: str = ""


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
            raise _foreign(mark, "not the mark of a trace store with the columns of this version")
        for name in (*FOLDERS, STAGING):
            folder = self.root / name
            # Files behind a link belong to somebody else, and sweep() would remove some.
            if folder.is_symlink():
                raise _foreign(folder, "a link, where a store has a folder of its own")

    @classmethod
    def make(cls, root: str | Path) -> "Store":
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
            return
        # What a killed make() leaves.
        begun = {LOCK, *FOLDERS}
        if folder.exists() and not (folder.is_dir() and begun.issuperset(os.listdir(folder))):
            raise _foreign(folder, "not empty, and not a store")

    @classmethod
    def remove_unfilled(cls, root: str | Path) -> None:
        """Remove the files of a store that holds nothing yet: a failed ingest leaves no trace."""
        folder = Path(root)
        rmtree(folder / STAGING, ignore_errors=True)
        own = {folder / name for name in (LOCK, *FOLDERS, MARK)}
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
        for path in sorted(self.manifests.glob("part-*.json")):
            try:
                part = msgspec.json.decode(path.read_bytes(), type=StorePart)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise _damaged(path, f"not a manifest: {error}") from None
            part = replace(part, name=path.stem)
            if not part.rows.keys() == part.sizes.keys() == TABLES.keys():
                raise _damaged(path, f"not of the tables {', '.join(TABLES)}")
            for table, size in part.sizes.items():
                file = self.path(table, part.name)
                try:
                    state = file.lstat()
                except OSError as error:
                    raise _damaged(file, f"cannot be read: {error.strerror}") from None
                if not stat.S_ISREG(state.st_mode):
                    raise _damaged(file, "not a plain file")
                if state.st_size != size:
                    problem = f"{state.st_size} bytes, but the manifest states {size}"
                    raise _damaged(file, problem)
            found.append(part)
        return found

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
        manifest = {"rows": part.rows, "sizes": part.sizes, "sources": part.sources}
        write_whole(self.manifests / f"{part.name}.json", manifest)
        rmtree(folder, ignore_errors=True)


def write_whole(path: Path, value: object) -> None:
    """Write JSON whole or not at all."""
    write_atomic(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


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


def event_columns(digest: str, run: Run, start: int, stop: int) -> dict[str, Sequence[Any]]:
    """Return the events from `start` to `stop` as columns of `EVENTS`, in the order of the trace.

    Keys outside the schema of traces are left out.
    """
    events = run.events[start:stop]
    count = len(events)
    made: dict[str, Sequence[Any]] = {
        "digest": [digest] * count,
        "trace_id": [run.id] * count,
        "position": range(start, start + count),
    }
    for name in EVENTS.names:
        if name in made:
            continue
        values = map(attrgetter(_RENAMED.get(name, name)), events)
        if name in _FREE:
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
