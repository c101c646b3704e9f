"""What one process of a test run makes for all of them, in a folder that ends with the run."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from filelock import FileLock

_NAME = "CORPUS_TESTS_SHARED"
#: Workers of a run inherit the folder of the process that has started them.
if _NAME not in os.environ:
    os.environ[_NAME] = tempfile.mkdtemp(prefix="shared-")
    atexit.register(shutil.rmtree, os.environ[_NAME], ignore_errors=True)
SHARED = Path(os.environ[_NAME])


def shared(name, make):
    """Return a path, which `make` makes where no other process has."""
    path = SHARED / name
    with FileLock(SHARED / f"{name}.lock"):
        if not path.exists():
            make(path)
    return path
