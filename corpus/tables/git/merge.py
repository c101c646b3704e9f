"""Three-way merge of a table by rows and cells, as version control asks for it."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable

from corpus.model.codebook import Codebook, Column, TableSpec, Texts
from corpus.model.finding import CorpusError
from corpus.model.table import Row, Table
from corpus.tables.content import read_bytes
from corpus.tables.git.repository import git_output
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FOLDER
from corpus.tables.reader import parse_table, unique_key_findings
from corpus.tables.writing.atomic import write_atomic
from corpus.tables.writing.writer import csv_text


def read_sides(paths: Iterable[str], spec: TableSpec, shown: str) -> list[Table]:
    """Read the base and both sides of a merge, each with the columns that it has.

    The codebook is that of one side. So a column that one side alone has is read there and is empty
    on the others. Line ends do not count.

    Raises
    ------
    CorpusError
        Where one of the files is not this table.
    """
    known = {column.name: column for column in spec.columns}

    def with_columns(names: Iterable[str]) -> TableSpec:
        # What a column may have, the check asks after the merge.
        columns = (known.get(name) or Column(name, "text", name, "") for name in names)
        return spec._replace(columns=tuple(columns))

    tables: list[Table] = []
    for path in paths:
        data, findings = read_bytes(path, shown)
        if findings:
            raise CorpusError(findings)
        data = data.replace(b"\r\n", b"\n")
        header = data.split(b"\n")[0].decode("utf-8", "replace").split(",")
        # Columns may come, of which only the other codebook knows. None goes: it was misspelt.
        needed = tables[0].spec.header if tables else spec.key
        own = with_columns(header) if {*needed} <= {*header} else spec
        tables.append(parse_table(data, own, shown))
    whole = with_columns(_merged_header(*(table.spec.header for table in tables[1:])))
    if all(table.spec == whole for table in tables):
        return tables
    found = []
    for table in tables:
        rows = []
        for record in table.records():
            rows.append(tuple(record.get(name, "") for name in whole.header))
        found.append(Table(whole, shown, rows, table.lines))
    return found


def _merged_header(ours: Texts, theirs: Texts) -> list[str]:
    """Return the columns of both, each new one behind the one that it was put behind."""
    names = list(ours)
    for place, name in enumerate(theirs):
        if name not in names:
            names.insert(names.index(theirs[place - 1]) + 1 if place else 0, name)
    return names


def merge_tables(base: Table, ours: Table, theirs: Table) -> tuple[str, list[str]]:
    """Merge two changes of one table: the file, and each conflict in words.

    Rows are matched by key, cells by column: additions of both sides are kept, edits of different
    cells are joined, a removal wins over no change. What both sides changed differently is a
    conflict, and its row is written twice between markers, with all cells merged that can be.

    Raises
    ------
    CorpusError
        C301 where a key appears twice in one of the tables: of its rows only one would be kept.
    """
    duplicates = []
    for table in (base, ours, theirs):
        duplicates += unique_key_findings(table)
    if duplicates:
        raise CorpusError(duplicates)
    spec = base.spec
    before = base.by_key()
    left = ours.by_key()
    right = theirs.by_key()
    parts = [csv_text([spec.header])]
    conflicts = []
    for key in sorted({*before, *left, *right}):
        mine, other, found = _merge_row(spec, before.get(key), left.get(key), right.get(key))
        if not found:
            parts.append(_row_line(mine))
            continue
        conflicts += [f"{', '.join(key)}{conflict}" for conflict in found]
        parts += ["<<<<<<< ours\n", _row_line(mine)]
        parts += ["=======\n", _row_line(other), ">>>>>>> theirs\n"]
    return "".join(parts), conflicts


def _row_line(row: Row | None) -> str:
    return csv_text([row]) if row is not None else ""


def _merge_row(
    spec: TableSpec, base: Row | None, ours: Row | None, theirs: Row | None
) -> tuple[Row | None, Row | None, list[str]]:
    """Return the merged row as each side gets it, equal without conflicts, and the conflicts."""
    if ours == theirs or theirs == base:
        return ours, ours, []
    if ours == base:
        return theirs, theirs, []
    # One side removed what the other changed.
    if ours is None:
        return ours, theirs, [_conflict("", "removed", "changed")]
    if theirs is None:
        return ours, theirs, [_conflict("", "changed", "removed")]
    left, right, conflicts = [], [], []
    before = base or ("",) * len(ours)
    for name, was, mine, other in zip(spec.header, before, ours, theirs, strict=True):
        if mine == was:
            mine = other
        elif other == was:
            other = mine
        elif mine != other:
            conflicts.append(_conflict(f" [{name}]", mine, other))
        left.append(mine)
        right.append(other)
    # Two new rows of one key may be two records: their cells are not mixed.
    if base is None:
        return ours, theirs, conflicts or [_conflict("", "added", "added")]
    return tuple(left), tuple(right), conflicts


def _conflict(column: str, ours: str, theirs: str) -> str:
    return f"{column}: ours {ours!r}, theirs {theirs!r}"


DRIVER = "corpus"

#: The driver of generated files. It keeps our side, since a program makes the file anew anyway.
GENERATED_DRIVER = "corpus-generated"
_KEEP_OURS = "true"  # git runs it in its own shell, and takes our side where it ends with 0


def set_up_git(data: str, book: Codebook, generated: Iterable[str]) -> list[str]:
    """Register the merge drivers for the repository that holds a data folder.

    The drivers go into the repository's own configuration, their use into `.gitattributes`.

    Parameters
    ----------
    data : str
        The data folder.
    book : Codebook
        Its codebook, which declares the tables.
    generated : iterable of str
        Patterns of generated files, relative to the folder above the data.

    Returns
    -------
    list of str
        What was done, in words; empty where everything was set up already.

    Raises
    ------
    UsageProblem
        Where the folder is in no git repository, or git is not installed.
    """
    root = git_output(data, "rev-parse", "--show-toplevel")
    command = f"{shlex.quote(sys.executable)} -m corpus merge-driver %O %A %B %P"
    settings = {
        f"merge.{DRIVER}.name": "rows and cells of a corpus",
        f"merge.{DRIVER}.driver": command,
        f"merge.{GENERATED_DRIVER}.name": "generated files of a corpus, to make anew afterwards",
        f"merge.{GENERATED_DRIVER}.driver": _KEEP_OURS,
    }
    done = []
    for name, value in settings.items():
        old = git_output(root, "config", "--local", "--default", "", "--get", name)
        if old != value:
            git_output(root, "config", "--local", name, value)
            done.append(f"git config {name}")
    folder = _prefix(data, root)
    lines = []
    for spec in book.tables.values():
        # Wherever git writes the line ends of Windows, a table would not be canonical.
        lines.append(f"{_pattern(folder + spec.file)} text eol=lf merge={DRIVER}")
    for file in (CODEBOOK_FILE, *book.documents.values()):
        lines.append(f"{_pattern(folder + file)} text eol=lf")
    # The digest of a release is that of its bytes, on every system.
    lines.append(f"{_pattern(folder + RELEASES_FOLDER)}/** -text")
    # Above the root of a repository there is nothing that git could merge.
    if folder:
        above = _prefix(os.path.dirname(os.path.realpath(data)), root)
        use = f"linguist-generated merge={GENERATED_DRIVER}"
        lines += [f"{_pattern(above + pattern)} {use}" for pattern in generated]
    if _add_lines(os.path.join(root, ".gitattributes"), lines):
        done.append(".gitattributes")
    return done


def _prefix(folder: str, root: str) -> str:
    """Return what patterns for a folder begin with in the `.gitattributes` of a repository."""
    inside = os.path.relpath(os.path.realpath(folder), os.path.realpath(root))
    if inside == ".":
        return ""
    return inside.replace(os.sep, "/") + "/"


def _pattern(path: str) -> str:
    """Return a path for `.gitattributes`, in quotation marks where it has a space."""
    # Everything behind the first space would be an attribute of a file that does not exist.
    if not any(map(str.isspace, path)):
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _add_lines(path: str, lines: list[str]) -> bool:
    """Add the lines that a file lacks; return whether there were any."""
    try:
        with open(path, "rb") as handle:
            old = handle.read()
    except FileNotFoundError:
        old = b""
    old_lines = old.decode("utf-8", "replace").splitlines()
    known = set(map(str.strip, old_lines))
    new = [line for line in lines if line not in known]
    if not new:
        return False
    if old and not old.endswith(b"\n"):
        old += b"\n"
    write_atomic(path, old + "\n".join([*new, ""]).encode())
    return True


def merge_lines(base: str, ours: str, theirs: str) -> int:
    """Merge three files line by line into `ours`, as git does by itself.

    Returns
    -------
    int
        0 where it went well, 1 where there are conflicts, 2 where git failed.
    """
    command = ["git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs]
    # Not through `run_git`: the driver has the time that git gives it, and stderr is for the user.
    result = subprocess.run(command, check=False)  # noqa: S603 - no shell; git's temporary files
    if result.returncode < 0 or result.returncode >= 128:
        return 2
    return min(result.returncode, 1)


def leave_unmerged(ours: str, path: str) -> int:
    """Write into the file of our side that it is not merged, lest that side pass for the result.

    It is overwritten in place, which needs no space on a full disk; git keeps all sides in its
    index.

    Returns
    -------
    int
        The exit code by which newer versions of git stop the merge, as for a driver that died.
    """
    with open(ours, "r+b") as handle:
        handle.write(
            f"not merged; once it can be written: git checkout --merge -- {path}\n".encode()
        )
        handle.truncate()
    return 255
