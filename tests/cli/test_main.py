"""The environment is input as well: wrong values there are reported or do nothing."""

import json
import os
import subprocess
import sys

import pytest

from tests.corpora.minimal import write_minimal


def corpus(data, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "corpus", *map(str, arguments), "--data", str(data)],
        capture_output=True, env={**os.environ, **environment}, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("epoch", ["soon", "", "-1", "1e9", "٣", "9" * 30])
def test_a_date_for_builds_that_is_none_is_wrong_usage(run, minimal, monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    result = run("stats", "--data", minimal)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "SOURCE_DATE_EPOCH" in result.stderr


def test_a_window_system_that_does_not_exist_draws_all_the_same(minimal, tmp_path):
    done = corpus(
        minimal, "figures", "--format", "svg", "--out", tmp_path / "figures", MPLBACKEND="nonsense"
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert list((tmp_path / "figures").glob("*.svg"))


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_no_encoding_of_the_terminal_stops_a_command(minimal, encoding):
    pool = minimal / "sensors.csv"
    pool.write_text(pool.read_text("utf-8").replace("Light", "多智能体 Łódź"), "utf-8")
    for command in (("list", "--columns", "all"), ("show", "fen")):
        done = corpus(minimal, *command, PYTHONIOENCODING=encoding)
        assert b"Traceback" not in done.stderr
        assert done.returncode == 0, command


@pytest.mark.parametrize(("name", "value"), [
    ("COLUMNS", "-5"), ("TERM", "nonsense"), ("LC_ALL", "xx_YY"), ("TZ", ":/etc/passwd"),
])  # fmt: skip
def test_other_settings_change_no_number(minimal, name, value):
    done = corpus(minimal, "stats", "--format", "json", **{name: value})
    assert json.loads(done.stdout)["entries"] == 3
    assert (done.returncode, done.stderr) == (0, b"")


#: Variables by which Python or a library of ours changes what it does, and values that they do not know. Those that
#: do not hide each other are set together: each set is a check of its own.
SWITCHES = [
    {
        "_CORPUS_COMPLETE": "bash_source", "_PYTHON _M CORPUS_COMPLETE": "bash_source",
        "_PYTHON__M_CORPUS_COMPLETE": "zsh_source", "CORPUS_CHECK_DATA": "/", "CORPUS_STRICT": "0",
        "PANDERA_VALIDATION_ENABLED": "False", "PANDERA_VALIDATION_DEPTH": "SCHEMA_ONLY",
        "PANDERA_USE_NARWHALS_BACKEND": "True", "PANDERA_CACHE_DATAFRAME": "True",
        "PANDAS_COPY_ON_WRITE": "nonsense", "RAPIDFUZZ_IMPLEMENTATION": "python",
        "PYTHONUTF8": "0", "PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1",
    },
    {
        "_CORPUS_COMPLETE": "bash_complete", "CORPUS_DEBUG": "1", "PANDERA_VALIDATION_ENABLED": "nonsense",
        "PANDERA_VALIDATION_DEPTH": "nonsense", "PANDAS_FUTURE_INFER_STRING": "nonsense",
        "RAPIDFUZZ_IMPLEMENTATION": "nonsense", "PYTHONDEVMODE": "1", "PYTHONINTMAXSTRDIGITS": "0",
    },
    {"_CORPUS_COMPLETE": "1", "PYTHONOPTIMIZE": "2", "PYTHONINSPECT": "1"},
]  # fmt: skip


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A corpus with two mistakes, and what a check without any switch finds in it."""
    data = write_minimal(tmp_path_factory.mktemp("faulty"))
    pool = data / "sensors.csv"
    pool.write_text(pool.read_text().replace(",optical", ",optic").replace(",2020,", ",20x0,"))
    return data, corpus(data, "check", "--strict")


@pytest.mark.parametrize("switches", SWITCHES)
def test_no_switch_of_a_library_changes_what_is_found(faulty, switches):
    data, plain = faulty
    switched = corpus(data, "check", "--strict", **switches)
    assert plain.returncode == 1
    assert (switched.returncode, switched.stdout) == (1, plain.stdout)
    # PYTHONINSPECT is a request to Python itself to show how a program ended.
    assert "PYTHONINSPECT" in switches or b"Traceback" not in switched.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_still_ask_for_completions(shell):
    """It asks without arguments: the words typed so far are in the environment."""
    asked = {"COMP_WORDS": "corpus che", "COMP_CWORD": "che" if shell == "fish" else "1"}
    command = [
        sys.executable,
        "-c",
        "import sys; sys.argv[0] = 'corpus'; from corpus.cli.entry import main; main()",
    ]

    def ask(instruction):
        environment = {**os.environ, **asked, "_CORPUS_COMPLETE": instruction}
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    completed = ask(f"{shell}_complete")
    assert completed.returncode == 0
    assert {"check", "check-text"} <= set(completed.stdout.replace(",", " ").split())
    script = ask(f"{shell}_source")
    assert (script.returncode, "_CORPUS_COMPLETE" in script.stdout) == (0, True)
    assert ask("nonsense").returncode != 0
    assert ask(f"{shell}_nonsense").returncode != 0
