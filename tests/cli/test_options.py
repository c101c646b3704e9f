"""What options accept, and what reaches stdout of a result."""

import io
import json
from contextlib import redirect_stdout

import click
import pytest
from click.testing import CliRunner

from corpus.cli.options import echo, echo_report, names_in, output_option, terminal_columns
from corpus.model.finding import UsageProblem
from corpus.printing.grid import Grid

COMMAND = "::error::x"
GRID = Grid("Peat", ("term", "count"), (("fen | bog", "2"),))


class File(io.TextIOWrapper):
    """Stdout that goes to a file of an encoding."""

    def __init__(self, encoding="utf-8"):
        super().__init__(io.BytesIO(), encoding=encoding)

    def written(self):
        self.flush()
        return self.buffer.getvalue()


def test_names_have_no_space_around_them_and_may_be_empty():
    assert names_in("reward, credit ,is_rl") == ["reward", "credit", "is_rl"]
    assert names_in("a,") == ["a", ""]


@pytest.mark.parametrize(("given", "output"), [("-", None), ("x.md", "x.md"), (None, None)])
def test_a_dash_is_stdout(given, output):
    @click.command()
    @output_option("FILE", "Where to.")
    def command(output):
        click.echo(json.dumps(output))

    arguments = [] if given is None else ["-o", given]
    assert json.loads(CliRunner().invoke(command, arguments).output) == output


def test_a_result_is_utf_8_whatever_the_locale_is():
    with redirect_stdout(File("latin-1")) as latin:
        echo("土 ü")
    assert latin.written() == "土 ü\n".encode()


def test_a_result_ends_with_one_line_end():
    with redirect_stdout(File()) as stdout:
        echo("a\n")
        echo("b")
    assert stdout.written() == b"a\nb\n"


def test_json_keeps_its_value_without_the_command():
    with redirect_stdout(File()) as stdout:
        echo(json.dumps({"title": COMMAND}), "json")
    written = stdout.written().decode()
    assert COMMAND not in written
    assert json.loads(written) == {"title": COMMAND}


@pytest.mark.parametrize(
    ("format_", "row"),
    [
        ("csv", "fen | bog,2"),
        ("markdown", "| fen \\| bog | 2 |"),
        ("latex", "fen \\textbar{} bog & 2"),
    ],
)
def test_grids_are_written_in_each_format(format_, row):
    with redirect_stdout(File()) as stdout:
        echo_report(format_, lambda: [GRID])
    assert row in stdout.written().decode()


def test_data_with_a_command_do_not_reach_a_log(monkeypatch):
    """Another text would be other data, so it is refused; annotations are commands on purpose."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with redirect_stdout(File()) as stdout:
        with pytest.raises(UsageProblem):
            echo_report("csv", lambda: [Grid("", ("term",), ((COMMAND,),))])
        assert stdout.written() == b""
        echo(COMMAND, "github")
    assert stdout.written() == COMMAND.encode() + b"\n"


def test_nothing_is_cut_to_a_width_where_there_is_no_terminal():
    with redirect_stdout(File()):
        assert terminal_columns() is None
