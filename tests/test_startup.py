"""Light commands import nothing heavy: measured by what is loaded, not by the clock."""

import subprocess
import sys

import pytest

HEAVY = {
    "pandas",
    "pyarrow",
    "pandera",
    "matplotlib",
    "numpy",
    "rapidfuzz",
    "jinja2",
    "rich",
    "pylatexenc",
    "msgspec",
}
SCRIPT = """
import sys
from click.testing import CliRunner
from corpus.cli.main import main
result = CliRunner().invoke(main, {arguments!r}, catch_exceptions=False)
assert result.exit_code == 0, result.output
print(*sorted({heavy!r} & set(sys.modules)))
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["stats"], ["stats", "--format", "json"], ["check", "--help"],
                                       ["check", "--explain", "C204"],
                                       ["list"], ["show", "agent-lightning"], ["search", "credit assignment"]])  # fmt: skip
def test_nothing_heavy_is_imported(arguments):
    script = SCRIPT.format(arguments=arguments, heavy=HEAVY)
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == ""


def test_the_help_names_every_command(run):
    from corpus.cli.main import main

    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in main.lazy)
    assert run("stat").exit_code == 2
    assert "did you mean 'stats'" in run("stat").stderr


@pytest.mark.parametrize(
    ("change", "code"),
    [(lambda text: text, 0), (lambda text: text.replace(",optical", ",optic"), 1)],
)
def test_the_exit_code_survives_the_end_of_the_program(minimal, change, code):
    """`check` uses Arrow, after which the program ends without tearing its threads down."""
    pool = minimal / "sensors.csv"
    pool.write_text(change(pool.read_text()))
    command = [sys.executable, "-m", "corpus", "check", "--data", str(minimal)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert ("C202" in result.stdout) == bool(code)
    assert result.stderr.endswith("findings\n" if not code else "1 error, 0 warnings\n")


def test_python_m_corpus_is_the_command():
    result = subprocess.run(
        [sys.executable, "-m", "corpus", "--version"], capture_output=True, text=True, check=True
    )
    assert "0.1.0" in result.stdout
