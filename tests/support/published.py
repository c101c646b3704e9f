"""The corpus as its survey was published: release v1, as a data folder of its own.

The pool in data/ grows. Tests that know its counts, and pages that show them, are about this corpus,
so that a row that somebody adds breaks none of them.
"""

import shutil
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
RELEASE = "v1"


def write_published(folder, traces=True):
    """Write the corpus of the release into a new folder, as it was on the day of the release.

    Parameters
    ----------
    folder : Path
        A folder that does not exist; the corpus expects it to be called ``data``.
    traces : bool
        Whether to copy the example traces, too, which no release has.

    Returns
    -------
    Path
        The folder.
    """
    release = DATA / "releases" / RELEASE
    shutil.copytree(release, folder)
    shutil.copytree(release, folder / "releases" / RELEASE)
    (folder / "releases.toml").write_text(_first_release(), "utf-8")
    if traces:
        shutil.copytree(DATA / "traces", folder / "traces")
    return folder


def _first_release():
    """Return releases.toml without the releases that came later."""
    head, first, *_ = (DATA / "releases.toml").read_text("utf-8").split("[[releases]]\n")
    return f"{head}[[releases]]\n{first.rstrip()}\n"
