"""Processes that tests may kill, without a start of Python for each.

One process imports the package and forks for every piece of code; the fork dies in its place. It
has one thread when it forks, as a test run has not.
"""

import json
import subprocess
import sys
from pathlib import Path

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

    def __enter__(self):
        command = [sys.executable, "-c", SERVER]
        self._server = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, kind, error, trace):
        self._server.communicate()

    def run(self, code, folder=ROOT):
        """Run code in a folder; return its exit code, negative where a signal ended it."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps({"code": code, "folder": str(folder)}) + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())


#: What the system is asked to do to a file; each call of one of these in a save is a place to stop.
STEPS = ("open", "fsync", "chmod", "link", "replace", "unlink")

DYING = """
import os, signal, sys
from corpus.tables.writing import atomic, journal, lock
calls = 0
def dying(real):
    def call(*arguments, **named):
        global calls
        if sys._getframe(1).f_code.co_filename in (atomic.__file__, journal.__file__):
            calls += 1
            if calls == {moment}:
                os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **named)
    return call
def start():
    for name in {steps!r}:
        setattr(os, name, dying(getattr(os, name)))
def save(*arguments, real=journal.replace_tables):
    start()
    real(*arguments)
if {writes!r} == "all":
    start()
else:
    lock.replace_tables = save
from corpus.cli.main import main
main({arguments!r})
"""


def killed(arguments, moment, writes):
    """Return code that runs a command and kills its own process at one step of a write.

    `writes` is ``all``, or ``save`` for what replaces tables only.
    """
    return DYING.format(moment=moment, steps=STEPS, writes=writes, arguments=arguments)
