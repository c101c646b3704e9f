"""Where the corpus is: named by the user, found above the working directory, or shipped.

Uses `os.path` and not `pathlib`: every command needs this module at its start.
"""

import os
import posixpath

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Rule, UsageProblem

LINK_OUTSIDE = Rule(
    "C126",
    "this is a link that leads out of the data folder",
    "put the file itself in its place",
    title="Link out of the data folder",
    reason="A corpus comes from others; a link in it could show a file of whoever "
    "checks or builds it.",
)


CODEBOOK_FILE = "codebook.toml"

#: In the data folder: the list of releases, and one folder per release with the files as they were.
#: They have these names in every corpus, as the codebook has.
RELEASES_FILE = "releases.toml"
RELEASES_FOLDER = "releases"

#: In the data folder: the description of the tables for other programs, where it is committed.
DESCRIPTION_FILE = "datapackage.json"

#: The data folder inside the installed package.
_SHIPPED = "_data"


def find_data(named: str | None = None, own: bool = False) -> str:
    """Return the data folder of the corpus to work on.

    `named` (``--data DIR``) wins: the folder itself, or its ``data/``, must hold ``codebook.toml``.
    Otherwise the folders from the working directory upwards are searched for
    ``data/codebook.toml``; where none has it, the dataset that is shipped inside the package is
    used. With `own` that is an error: a check must not pass because it looked at something else.

    Raises
    ------
    UsageProblem
        Where `named` holds no codebook; with `own`, where there is none.
    """
    if named is not None:
        for folder in (named, os.path.join(named, "data")):
            if _has_codebook(folder):
                return os.path.normpath(folder)
        raise UsageProblem(
            f"{named} holds no {CODEBOOK_FILE}; "
            "give the folder that does, or start one with `corpus init`"
        )
    folder = os.getcwd()
    while True:
        data = os.path.join(folder, "data")
        if _has_codebook(data):
            return data
        above = os.path.dirname(folder)
        if above == folder and own:
            raise UsageProblem(
                f"there is no corpus here: no folder from {os.getcwd()} upwards has "
                f"data/{CODEBOOK_FILE}; name the folder with --data DIR"
            )
        if above == folder:
            return shipped_data()
        folder = above


def _has_codebook(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, CODEBOOK_FILE))


def shipped_data() -> str:
    """Return the data folder of the installed package, or of the checkout that it is imported from.

    Raises
    ------
    UsageProblem
        Where there is neither.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    checkout = os.path.dirname(package)
    for folder in (os.path.join(package, _SHIPPED), os.path.join(checkout, "data")):
        if _has_codebook(folder):
            return folder
    raise UsageProblem(f"no data/{CODEBOOK_FILE} here or above; name the folder with --data DIR")


def file_of(data: str, file: str) -> str:
    """Return the path of a file below the data folder, as the codebook names it.

    Raises
    ------
    CorpusError
        C126 where a link leads out of the folder: whoever reads a proposed change on their machine
        must not print or publish a file of their own.
    """
    path = os.path.join(data, file)
    if is_outside(data, path):
        raise CorpusError([LINK_OUTSIDE.at(shown_path(path))])
    return path


def is_outside(data: str, path: str) -> bool:
    """Whether a path below the data folder leads out of it once links are followed."""
    return not os.path.realpath(path).startswith(os.path.join(os.path.realpath(data), ""))


def shown_path(path: str) -> str:
    """Return a path as it is shown to the user: relative to the working directory, unless above it.

    Always with forward slashes, so that findings read the same everywhere.
    """
    relative = os.path.relpath(path)
    shown = path if relative.startswith("..") else relative
    return shown.replace(os.sep, "/")


def table_of(path: str, data: str, book: Codebook) -> TableSpec:
    """Return the table that a path, as version control names it, belongs to.

    Raises
    ------
    UsageProblem
        Where it belongs to none.
    """
    # With a slash before both, the name of a folder does not begin inside that of another one.
    wanted = "/" + path.replace(os.sep, "/")
    folder = os.path.basename(os.path.abspath(data))
    for spec in book.tables.values():
        if wanted == f"/{spec.file}" or wanted.endswith(f"/{folder}/{spec.file}"):
            return spec
    raise UsageProblem(f"{path} is not a table of this corpus")


def released_files(book: Codebook) -> list[str]:
    """Return the files that a release keeps: codebook, documents and tables, below the data."""
    declared = [*book.documents.values()]
    declared += [spec.file for spec in book.tables.values()]
    return [CODEBOOK_FILE, *map(posixpath.normpath, declared)]


def journal_path(data: str) -> str:
    """Return where a writer of this data folder notes what it replaces, until it is done.

    That is in the state folder of the user: what is in a repository may come from anybody.
    """
    state = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or ""
    if not os.path.isabs(state):  # a relative one counts as unset, and might be in a repository
        state = os.path.expanduser("~/.local/state")
    inside = os.path.realpath(data).replace(":", "").strip(os.sep)
    return os.path.join(state, "mas-rl-corpus", inside, "journal.json")


def is_interrupted(data: str) -> bool:
    """Return whether a change of tables is under way or was interrupted.

    Costs one look at the file system.
    """
    return os.path.lexists(journal_path(data))
