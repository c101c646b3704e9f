"""Write an export into a folder of its own, never over files of somebody else."""

import os
from collections.abc import Mapping

from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.tables.location import CODEBOOK_FILE
from corpus.tables.writing.atomic import is_filled, write_new_folder


def write_folder(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files (relative path -> content) into a new or an empty folder, all or none.

    Raises
    ------
    UsageProblem
        Where something is there already.
    """
    if os.path.lexists(folder) and (is_filled(folder) or not os.path.isdir(folder)):
        raise UsageProblem(f"{folder} is not an empty folder; remove it, or name another one")
    write_new_folder(folder, files)


def refuse_own_files(study: Study, out: str) -> None:
    """Refuse to write over the corpus itself.

    Raises
    ------
    UsageProblem
        Where `out` is a file of the corpus, or a folder with one.
    """
    inside = os.path.relpath(os.path.realpath(out), os.path.realpath(study.root))
    inside = inside.replace(os.sep, "/")
    own = {".", CODEBOOK_FILE}
    own.update(table.spec.file for table in study.tables.values())
    own.update(map(str, study.codebook.documents.values()))
    if inside in own or any(file.startswith(f"{inside}/") for file in own):
        raise UsageProblem(f"{out} belongs to the corpus itself; write somewhere else")
