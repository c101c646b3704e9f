"""The `corpus` command for scripts that call it often, without the start of Python and its imports.

One process imports the package once. The program that a script calls passes its arguments, folder,
environment and streams to that process, a fork of which runs the command as the console script does.
"""

import functools
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from tests.support.shared import shared

ROOT = Path(__file__).parents[2]
SERVER = """
import gc, importlib, json, os, pkgutil, select, signal, socket, sys
import hypothesis, matplotlib.figure, pandera.pandas, pyarrow
import corpus.cli, corpus.cli.entry
from click.testing import CliRunner
from corpus.cli.main import main
for module in pkgutil.walk_packages(corpus.cli.__path__, "corpus.cli."):
    importlib.import_module(module.name)
# What a command imports and compiles when it first runs, a fork would do each time.
CliRunner().invoke(main, ["diff", "data", "data"])
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print(flush=True)
gc.collect()
gc.freeze()  # a fork that walked through all of this would copy it
woken, wakes = socket.socketpair()
wakes.setblocking(False)
signal.set_wakeup_fd(wakes.fileno())
signal.signal(signal.SIGCHLD, lambda *_: None)
running = {}
while True:
    ready, _, _ = select.select([listening, woken], [], [], 2)
    if not os.path.exists(sys.argv[1]):
        break  # the test run has ended
    if woken in ready:
        woken.recv(1 << 10)
        for process in list(running):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                link = running.pop(process)
                try:
                    link.sendall(str(os.waitstatus_to_exitcode(status)).encode())
                except OSError:
                    pass  # nobody waits for it any more
                link.close()
    if listening not in ready:
        continue
    link, _ = listening.accept()
    process = os.fork()
    if process:
        running[process] = link
        continue
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    asked, streams, _, _ = socket.recv_fds(link, 1, 3)
    asked += b"".join(iter(lambda: link.recv(1 << 16), b""))
    code, arguments, folder, environment = json.loads(asked)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    for own in (listening, woken, wakes, link, *running.values()):
        own.close()
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
    """Return where the process listens, which the first that needs it starts."""
    return str(shared("warm", _start))


def _start(address):
    command = [sys.executable, "-c", SERVER, str(address)]
    server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert server.stdout is not None
    with server.stdout:
        server.stdout.readline()
    server.returncode = 0  # it ends with the test run, when nobody waits for it


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
