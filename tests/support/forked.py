"""Processes that tests may kill, without a start of Python for each.

One process imports the package and forks for every piece of code; the fork dies in its place. It
has one thread when it forks, as a test run has not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parents[2]
SERVER = """
import importlib, json, os, pkgutil, sys
import pandera.pandas, pyarrow
import corpus.cli
for module in pkgutil.walk_packages(corpus.cli.__path__, "corpus.cli."):
    importlib.import_module(module.name)
# Patched functions of os belong to the fork; these are the real ones.
fork, leave, wait = os.fork, os._exit, os.waitpid
for line in sys.stdin:
    asked = json.loads(line)
    child = fork()
    if not child:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.chdir(asked["folder"])
        code = 1
        try:
            exec(asked["code"], {"__name__": "__main__"})
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            leave(code)
    print(os.waitstatus_to_exitcode(wait(child, 0)[1]), flush=True)
"""


class Forks:
    """Runs code in forks of one process; a context manager that ends the process."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-c", SERVER]
        self._server = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.communicate()

    def run(self, code: str, folder: Path = ROOT) -> int:
        """Run code in a folder; return its exit code, negative where a signal ended it."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps({"code": code, "folder": str(folder)}) + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())
