"""Where the corpus is: named by the user, found above the working directory, or shipped with the package."""

from __future__ import annotations

import os

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import UsageProblem

CODEBOOK_FILE = "codebook.toml"

#: In the data folder while several tables are replaced; see `corpus.tables.journal`.
JOURNAL_FILE = ".corpus.journal"


def find_data(named: str | None = None, start: str | None = None) -> str:
    """Return the data folder of the corpus to work on.

    `named` (``--data DIR``) wins: the folder itself, or its ``data/``, must hold ``codebook.toml``; a Parquet file
    stands for the folder that it lies in. Otherwise the folders from `start` upwards are searched for
    ``data/codebook.toml``; where none has it, the dataset that is shipped inside the package is used.

    Raises
    ------
    UsageProblem
        Where `named` holds no codebook.
    """
    if named is not None:
        if named.endswith(".parquet"):  # a pool kept as Parquet stands beside its codebook
            named = os.path.dirname(named) or "."
        for folder in (named, os.path.join(named, "data")):
            if os.path.isfile(os.path.join(folder, CODEBOOK_FILE)):
                return os.path.normpath(folder)
        raise UsageProblem(
            f"{named} holds no {CODEBOOK_FILE}; give the folder that does, or start one with `corpus init`"
        )
    folder = os.path.abspath(start or os.getcwd())
    while True:
        if os.path.isfile(os.path.join(folder, "data", CODEBOOK_FILE)):
            return os.path.join(folder, "data")
        above = os.path.dirname(folder)
        if above == folder:
            return shipped_data()
        folder = above


def shipped_data() -> str:
    """Return the data folder inside the installed package, or of the checkout that the package is imported from."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in (os.path.join(package, "_data"), os.path.join(os.path.dirname(package), "data")):
        if os.path.isfile(os.path.join(folder, CODEBOOK_FILE)):
            return folder
    raise UsageProblem(f"no data/{CODEBOOK_FILE} here or above; name the folder with --data DIR")


def shown_path(path: str) -> str:
    """Return a path as it is shown to the user: relative to the working directory where that is shorter.

    Always with forward slashes, so that findings read the same everywhere.
    """
    relative = os.path.relpath(path)
    return (path if relative.startswith("..") else relative).replace(os.sep, "/")


def table_of(path: str, data: str, book: Codebook) -> TableSpec:
    """Return the table that a path (as version control names it) stands for; UsageProblem where it is none."""
    wanted = path.replace(os.sep, "/")
    folder = os.path.basename(os.path.abspath(data))
    for spec in book.tables.values():
        if wanted == spec.file or wanted.endswith(f"{folder}/{spec.file}"):
            return spec
    raise UsageProblem(f"{path} is no table of this corpus")


def is_parquet(path: str) -> bool:
    """Return whether a table, named by its CSV file, is kept as a Parquet file in place of it."""
    return not os.path.lexists(path) and os.path.isfile(path.removesuffix(".csv") + ".parquet")


def is_interrupted(data: str) -> bool:
    """Return whether a change of tables is under way or was interrupted; it costs one look at the file system."""
    return os.path.lexists(os.path.join(data, JOURNAL_FILE))
