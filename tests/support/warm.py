"""The `corpus` command for scripts that call it often, without the start of Python and its imports.

One process imports the package once. The program that a script calls passes its arguments, folder,
environment and streams to that process, a fork of which runs the command as the console script does.
"""

import atexit
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = """
import importlib, json, os, pkgutil, signal, socket, sys
import pandera.pandas, pyarrow, matplotlib.figure
import corpus.cli, corpus.cli.entry
for module in pkgutil.walk_packages(corpus.cli.__path__, "corpus.cli."):
    importlib.import_module(module.name)
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print(flush=True)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a fork that has answered
while True:
    link, _ = listening.accept()
    if os.fork():
        link.close()
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    asked, streams, _, _ = socket.recv_fds(link, 1, 3)
    asked += b"".join(iter(lambda: link.recv(1 << 16), b""))
    code, arguments, folder, environment = json.loads(asked)
    command = os.fork()
    if command:
        ended = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
        link.sendall(str(ended).encode())
        os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = open(0, encoding="utf-8")
    sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8", buffering=1) for n in (1, 2))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["corpus", *arguments]
    exec(code, {"__name__": "__main__"})
    break
"""
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect({address!r})
asked = json.dumps([{code!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(link, [asked[:1]], [0, 1, 2])
link.sendall(asked[1:])
link.shutdown(socket.SHUT_WR)
sys.exit(int(link.recv(9)))
"""
CORPUS = "from corpus.cli.entry import main\nmain()\n"


def program(code=CORPUS):
    """Return the text of a program that runs Python code, `corpus` unless told otherwise."""
    return CLIENT.format(python=sys.executable, address=_address(), code=code)


def run(code, folder=ROOT, arguments=()):
    """Run Python code in a folder; return its exit code, negative where a signal ended it."""
    with socket.socket(socket.AF_UNIX) as link, open(os.devnull, "r+b") as nowhere:
        link.connect(_address())
        environment = dict(os.environ)
        asked = json.dumps([code, list(arguments), str(folder), environment]).encode()
        socket.send_fds(link, [asked[:1]], [nowhere.fileno()] * 3)
        link.sendall(asked[1:])
        link.shutdown(socket.SHUT_WR)
        return int(link.recv(9))


@functools.cache
def _address():
    """Start the process, which ends with the tests; return where it listens."""
    folder = Path(tempfile.mkdtemp(prefix="warm-"))
    address = str(folder / "socket")
    command = [sys.executable, "-c", SERVER, address]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.kill)
    assert server.stdout is not None
    server.stdout.readline()
    return address


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
from corpus.cli.entry import main
main()
"""


def killed(moment, writes):
    """Return code that runs a command and kills its own process at one step of a write.

    `writes` is ``all``, or ``save`` for what replaces tables only.
    """
    return DYING.format(moment=moment, steps=STEPS, writes=writes)
