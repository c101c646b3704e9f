"""A store: many traces as a folder of Parquet files that only grows.

``traces/``, ``events/`` and ``edges/`` hold one file of each table for every part, under one name made from the digests
of its traces; a trace never spans parts. A part counts once ``manifest/NAME.json`` is there, which is written last, so
that a killed writer leaves nothing that a reader sees. ``manifest/done-*.json`` names the inputs that are all in.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Any, Final, NamedTuple

from corpus.model.finding import CorpusError
from corpus.traces.store.schema import TABLES, VERSION
from corpus.traces.store.store_rules import DAMAGED_STORE, FOREIGN_STORE

MARK: Final = "store.json"
FORMAT: Final = "corpus trace store"
STAGING: Final = ".staging"
LOCK: Final = ".lock"
_BEGUN: Final = {LOCK, "manifest", *TABLES}
"""What there may be of a store before its mark is there."""


class StorePart(NamedTuple):
    """One part: its name, how many rows each table has, size and SHA-256 of each file, and the inputs it came from."""

    name: str
    rows: dict[str, int]
    files: dict[str, tuple[int, str]]
    sources: list[str]


class Store:
    """The files of one store.

    Parameters
    ----------
    root : path
        Its folder.

    Raises
    ------
    CorpusError
        OT302 where the folder is no store of this version.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        mark = self.root / MARK
        try:
            known = json.loads(mark.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CorpusError([FOREIGN_STORE.at(str(mark), problem=f"not readable: {error}")]) from None
        if not isinstance(known, dict) or known.get("format") != FORMAT:
            raise CorpusError([FOREIGN_STORE.at(str(mark), problem="not the mark of a trace store")])
        if known.get("version") != VERSION:
            problem = f"version {known.get('version')!r}, but this program reads {VERSION}"
            raise CorpusError([FOREIGN_STORE.at(str(mark), problem=problem)])
        for name in (*TABLES, "manifest", STAGING):
            if (self.root / name).is_symlink():  # what is swept or read there would be somebody else's
                problem = "a link, where a store has a folder of its own"
                raise CorpusError([FOREIGN_STORE.at(str(self.root / name), problem=problem)])

    @classmethod
    def make(cls, root: str | Path) -> Store:
        """Open a store; make it where there is nothing, or an empty folder."""
        folder = Path(root)
        cls.refuse_foreign(folder)
        if not (folder / MARK).exists():
            for name in (*TABLES, "manifest"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            write_whole(folder / MARK, {"format": FORMAT, "version": VERSION, "tables": list(TABLES)})
        return cls(folder)

    @classmethod
    def refuse_foreign(cls, root: str | Path) -> None:
        """Raise OT302 where there is something that is no store of this version."""
        folder = Path(root)
        if (folder / MARK).exists():
            cls(folder)
        elif folder.exists() and not (folder.is_dir() and set(os.listdir(folder)) <= _BEGUN):
            problem = "there is something else here, and it is no store"
            raise CorpusError([FOREIGN_STORE.at(str(folder), problem=problem)])

    @classmethod
    def remove_unfilled(cls, root: str | Path) -> None:
        """Remove the files of a store that holds nothing yet, so that a failed ingest leaves no trace of itself."""
        folder = Path(root)
        rmtree(folder / STAGING, ignore_errors=True)
        insides = [folder / name for name in (*TABLES, "manifest")]
        filled = [path for path in insides if path.is_symlink() or (path.is_dir() and any(path.iterdir()))]
        if filled or not {path.name for path in folder.iterdir()} <= {*_BEGUN, MARK}:
            return
        for path in insides:
            if path.is_dir():
                path.rmdir()
        for name in (MARK, LOCK):
            (folder / name).unlink(missing_ok=True)

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
        wrong = []
        for path in sorted((self.root / "manifest").glob("part-*.json")):
            try:
                known = _read(path)
                files = {table: (int(size), str(digest)) for table, (size, digest) in known["files"].items()}
                rows = {table: int(known["rows"][table]) for table in TABLES}
                part = StorePart(path.stem, rows, files, [str(name) for name in known["sources"]])
                for table in TABLES:
                    state = self.path(table, part.name).lstat()
                    size = state.st_size
                    if not stat.S_ISREG(state.st_mode):
                        wrong.append(DAMAGED_STORE.at(str(self.path(table, part.name)), problem="not a plain file"))
                    elif size != files[table][0]:
                        problem = f"{size} bytes, but the manifest says {files[table][0]}"
                        wrong.append(DAMAGED_STORE.at(str(self.path(table, part.name)), problem=problem))
                found.append(part)
            except OSError as error:
                problem = f"cannot be read: {error.strerror}"
                wrong.append(DAMAGED_STORE.at(str(error.filename or path), problem=problem))
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
                wrong.append(DAMAGED_STORE.at(str(path), problem=f"not the manifest of a part: {error}"))
        if wrong:
            raise CorpusError(wrong)
        return found

    def verify(self, part: StorePart) -> None:
        """Hold the files of a part against their digests; OT301 where one differs."""
        for table, (_, digest) in part.files.items():
            path = self.path(table, part.name)
            if file_digest(path) != digest:
                raise CorpusError([DAMAGED_STORE.at(str(path), problem="its bytes are not those that were written")])

    def done(self) -> Iterator[tuple[str, str]]:
        """Yield digest and path of each input whose traces are all in; OT301 where the list is damaged."""
        for path in sorted((self.root / "manifest").glob("done-*.json")):
            try:
                known = {str(digest): str(name) for digest, name in _read(path)["sources"].items()}
            except (OSError, ValueError, KeyError, AttributeError, RecursionError) as error:
                raise CorpusError([DAMAGED_STORE.at(str(path), problem=f"not a list of inputs: {error}")]) from None
            yield from known.items()

    def finish(self, sources: dict[str, str]) -> None:
        """Note inputs whose traces are all in: path by digest."""
        if sources:
            name = hashlib.sha256("\n".join(sorted(sources)).encode()).hexdigest()[:32]
            write_whole(self.root / "manifest" / f"done-{name}.json", {"version": VERSION, "sources": sources})

    def staging(self) -> Path:
        """Make a new folder in which a part is written before it counts."""
        folder = self.root / STAGING / token_hex(8)
        folder.mkdir(parents=True)
        return folder

    def sweep(self) -> None:
        """Remove what killed writers left: half parts, and files that no manifest names."""
        rmtree(self.root / STAGING, ignore_errors=True)
        named = {path.stem for path in (self.root / "manifest").glob("part-*.json")}
        for folder in (*TABLES, "manifest"):
            for path in self._strays(folder, named):
                path.unlink(missing_ok=True)

    def _strays(self, folder: str, named: set[str]) -> Iterator[Path]:
        for path in (self.root / folder).iterdir():
            if path.name.startswith(".") and path.suffix == ".tmp":
                yield path
            elif path.suffix == ".parquet" and path.stem.startswith("part-") and path.stem not in named:
                yield path

    def adopt(self, folder: Path, part: StorePart) -> None:
        """Make a part that lies ready in a staging folder count."""
        for table in TABLES:
            os.replace(folder / f"{table}.parquet", self.path(table, part.name))
            sync_folder(self.root / table)
        known = {"version": VERSION, "rows": part.rows, "files": part.files, "sources": part.sources}
        write_whole(self.root / "manifest" / f"{part.name}.json", known)
        rmtree(folder, ignore_errors=True)


def _read(path: Path) -> dict[str, Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise ValueError(f"no manifest of version {VERSION}")
    return value


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def write_whole(path: Path, value: object) -> None:
    """Write JSON whole or not at all."""
    temporary = path.with_name(f".{path.name}.{token_hex(6)}.tmp")
    try:
        with temporary.open("x", encoding="utf-8") as handle:
            handle.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
