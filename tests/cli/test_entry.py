"""How the program starts and ends: with the exit code of the command, or with that of a failure."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.daily import paired

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def interruptible():
    """Interrupts work as for who types a command, also where the tests run behind `nohup` or `&`."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("main()", 0),
        ("sys.argv[1] = 'nonsense'; main()", 2),
        ("import corpus.cli.main as m; m.main = lambda: 1 / 0; main()", 255),
        ("import corpus.cli.main as m; m.main = lambda: sys.exit(256); main()", 255),
        ("import corpus.cli.main as m; m.main = lambda: None; main()", 255),
        ("import corpus.cli.main as m; m.main = lambda: sys.exit('no'); main()", 1),
        ("print('only imported, as by a helper process')", 0),
        ("import pyarrow; main()", 0),
    ],
)
def test_the_exit_code_is_that_of_the_command(code, expected):
    start = f"import sys; sys.argv = ['corpus', 'stats']; from corpus.cli.entry import main; {code}"
    done = subprocess.run([sys.executable, "-c", start], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == expected, done.stderr


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="only Linux has a device that is always full"
)
@pytest.mark.parametrize(
    "late", ["", "import click; click.echo = lambda text, **_: sys.stdout.write(text); "]
)
def test_output_that_is_lost_is_an_error(late):
    """Also where it is lost only when the program ends."""
    start = f"import sys; sys.argv = ['corpus', 'stats']; from corpus.cli.entry import main; {late}main()"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", start],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 1, done.stderr


#: As installers write the console script, and as a module.
PROGRAMS = {
    "script": [
        sys.executable,
        "-c",
        "import sys; from corpus.cli.entry import main; sys.exit(main())",
    ],
    "module": [sys.executable, "-m", "corpus"],
}


def start(program, *arguments, **more):
    command = [*PROGRAMS[program], *map(str, arguments)]
    settings = {"cwd": ROOT, "capture_output": True, "text": True, "check": False, **more}
    return subprocess.run(command, **settings)


def in_the_way(folder, module, text, **more):
    """The environment in which a module is another one of the same name."""
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), **more}


@pytest.mark.parametrize(("text", "start_of"), paired(
    ["raise ImportError('half installed')", "def broken(:", "1 / 0", "raise BaseException",
     "from nowhere import thing"],
    [("script", "click"), ("module", "click"), ("module", "pandas")],
))  # fmt: skip
def test_a_program_that_cannot_be_loaded_never_passes(tmp_path, minimal, text, start_of):
    """`click` is imported at the start, `pandas` by the command."""
    program, module = start_of
    environment = in_the_way(tmp_path, module, text)
    done = start(program, "check", "--strict", "--data", minimal, env=environment)
    assert (done.returncode, done.stdout) == (255, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("module", ["click", "pandas"])
def test_a_variable_shows_why_a_program_cannot_be_loaded(tmp_path, minimal, module):
    environment = in_the_way(tmp_path, module, "1 / 0", CORPUS_DEBUG="1")
    shown = start("module", "check", "--strict", "--data", minimal, env=environment)
    assert shown.returncode == 255
    assert "Traceback" in shown.stderr


def test_a_module_that_ends_the_program_while_it_starts_is_a_failure(tmp_path):
    done = start("module", "stats", env=in_the_way(tmp_path, "click", "raise SystemExit(0)"))
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (255, "", False)


def test_without_any_installed_package_the_program_fails():
    done = subprocess.run(
        [sys.executable, "-S", "-m", "corpus", "check"], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 255
    assert b"Traceback" not in done.stderr


INTERRUPTED_IMPORT = """
import sys
from corpus.cli.entry import main

class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
sys.argv = ["corpus", "check", "--data", {data!r}]
main()
"""


@pytest.mark.parametrize(
    "module",
    [
        "corpus.cli.main",
        "click",
        "click.core",
        "corpus.model.finding",
        "corpus.cli.check.check",
        "pandas",
        "pandera",
        "pyarrow",
    ],
)
def test_an_interrupt_during_any_import_ends_the_program_in_one_line(minimal, module):
    code = INTERRUPTED_IMPORT.format(module=module, data=str(minimal))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.splitlines() == ["Interrupted: the command did not finish."]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_interrupt_while_the_program_is_loaded_ends_it_in_silence(tmp_path, program):
    text = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    done = start(program, "stats", env=in_the_way(tmp_path, "click", text))
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("milliseconds", "program"), paired([0, 10, 20, 40, 80, 160], PROGRAMS))
def test_an_interrupt_at_any_moment_is_not_a_pass(minimal, program, milliseconds):
    """The corpus has an error, so that no moment may end with 0, however fast the machine is."""
    pool = minimal / "sensors.csv"
    pool.write_text(pool.read_text().replace(",optical", ",optic"))
    command = [*PROGRAMS[program], "check", "--data", str(minimal)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        time.sleep(milliseconds / 1000)
        running.send_signal(signal.SIGINT)
        assert running.wait() != 0


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
@pytest.mark.parametrize(
    ("closed", "lost"),
    [
        ("<&-", False),
        (">&-", True),
        ("2>&-", True),
        (">&- 2>&-", True),
        ("<&- >&- 2>&-", True),
        ("</dev/null", False),
    ],
)
def test_a_console_stream_that_is_closed_is_lost_output_or_nothing(minimal, closed, lost):
    """`check` writes to both streams: what it found, and how much."""
    before = {path: path.read_bytes() for path in minimal.iterdir()}
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAMS["module"]]
    command = [*shell, "check", "--data", str(minimal)]
    if closed == ">&-":  # what it prints where nothing is wrong goes to the other one
        command = [*shell, "list", "--data", str(minimal)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == int(lost), done.stderr
    assert "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in minimal.iterdir()} == before


@pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")
def test_a_prompt_without_input_writes_nothing(minimal):
    before = (minimal / "sensors.csv").read_bytes()
    command = [
        "sh",
        "-c",
        'exec "$@" <&-',
        "sh",
        *PROGRAMS["module"],
        "add",
        "--data",
        str(minimal),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode not in (0, 255)
    assert "Traceback" not in done.stderr
    assert (minimal / "sensors.csv").read_bytes() == before


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("late", [False, True])
def test_a_closed_pipe_is_not_a_pass_and_prints_nothing(tmp_path, program, late):
    environment = dict(os.environ)
    if late:  # the output is lost only when the program ends
        patch = "import click, sys; click.echo = lambda text='', **_: sys.stdout.write(str(text))"
        environment = in_the_way(tmp_path, "sitecustomize", patch)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = start(
            program,
            "stats",
            env=environment,
            capture_output=False,
            stdout=writing,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(("arguments", "reader"), paired(
    ["stats", "list", "show kimi-k2-5", "claims", "export json", "nonsense", "show nothing",
     "trace stats data/traces/examples", "trace stats data/traces/examples --format csv"],
    ["head -n 1", "true"],
))  # fmt: skip
def test_a_reader_that_ends_early_is_never_a_failure_of_the_program(arguments, reader):
    """Also where it reads the messages."""
    command = shlex.join(PROGRAMS["module"])
    script = f"{{ {command} {arguments}; echo $? >&3; }} 2>&1 | {reader}"
    done = subprocess.run(
        ["sh", "-c", f"exec 3>&1; {{ {script}; }} > /dev/null"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert int(done.stdout) in (0, 1, 2, 141)


#: Each makes a stream that takes a part of what is written, and a check of what became of it.
SHORT = {
    "a full disk": "ulimit -f 100; exec > {out}",
    "a reader that ends": "exec > >(head -c 10 > {out})",
    "a reader that sleeps": "exec > >(sleep 1; cat > {out}; echo > {out}.done)",
    "a pipe that does not wait": "exec > >(sleep 1; cat > {out}; echo > {out}.done); "
    "python3 -c 'import os; os.set_blocking(1, False)'",
}


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize("variable", ["", "PYTHONUNBUFFERED=1"])
@pytest.mark.parametrize("stream", SHORT)
def test_output_is_whole_or_an_error(run, tmp_path, stream, variable):
    """Where the system takes a part of it, the rest was dropped with exit code 0."""
    out = tmp_path / "out"
    arguments = ["export", "json"]
    command = f"{SHORT[stream].format(out=out)}; exec env {variable} {shlex.join([*PROGRAMS['module'], *arguments])}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, stderr=subprocess.PIPE, check=False)
    for _ in range(300):
        if "sleep" not in SHORT[stream] or Path(f"{out}.done").exists():
            break
        time.sleep(0.1)
    if done.returncode == 0:
        assert out.read_bytes() == run(*arguments, cwd=ROOT).stdout_bytes
    else:
        assert done.returncode == (141 if stream == "a reader that ends" else 1)
        assert b"Traceback" not in done.stderr
    assert done.returncode == 0 or stream != "a reader that sleeps"
    assert done.returncode != 0 or "sleep" in SHORT[stream]
