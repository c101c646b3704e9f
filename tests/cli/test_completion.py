"""What a shell offers, asked as bash, zsh and fish ask."""

import pytest
from click.testing import CliRunner

from corpus.cli.main import main


@pytest.fixture
def offers(monkeypatch, minimal):
    """Return the completions of the last of some words, as a shell would get them."""
    monkeypatch.chdir(minimal.parent)

    def ask(*words, shell="zsh"):
        separator = "\n" if shell == "bash" else " "
        environment = {
            "_CORPUS_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": separator.join(("corpus", *words)),
            "COMP_CWORD": words[-1] if shell == "fish" else str(len(words)),
        }
        result = CliRunner().invoke(main, [], env=environment, prog_name="corpus")
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        if shell == "bash":
            return [line.split(",", 1)[1] for line in result.stdout.splitlines()]
        if shell == "fish":
            return [line.split(",", 1)[1].split("\t")[0] for line in result.stdout.splitlines()]
        # zsh gets a line with the kind, one with the value and one with the help for each.
        return result.stdout.splitlines()[1::3]

    return ask


@pytest.mark.parametrize(("words", "wanted"), [
    (["show", "cl"], ["clay"]), (["show", "CL"], ["clay"]), (["edit", "t"], ["till"]),
    (["exclude", "X"], []), (["list", "--columns", "na"], ["name"]), (["list", "--columns", "id,na"], ["id,name"]),
    (["list", "--sort", "year,na"], ["year,name"]),
    (["list", "--table", "rejected", "--columns", "st"], ["stage"]), (["list", "--where", "pro"], ["probe="]),
    (["list", "--where", "probe=o"], ["probe=optical"]), (["stats", "--where", "probe!=di"], ["probe!=dielectric"]),
    (["list", "--where", "probe=optical,no"], ["probe=optical,none"]), (["list", "--where", "year=2"], []), (["list", "--where", "nothing=x"], []),
    (["sparsity", "--by", "probe", "me"], ["measures"]), (["edit", "clay", "--set", "me"], ["measures="]), (["add", "--set", "measures=s"], ["measures=salt"]),
    (["edit", "clay", "--set", "measures=s"], ["measures=salt"]), (["list", "--format", "js"], ["json"]),
    (["stat"], ["stats"]),
])  # fmt: skip
def test_names_of_the_corpus_are_offered(offers, words, wanted):
    assert offers(*words) == wanted


def test_bash_and_fish_are_offered_the_same(offers):
    assert offers("list", "--where", "probe=o", shell="fish") == ["probe=optical"]
    assert offers("show", "cl", shell="bash") == ["clay"]


def test_a_broken_corpus_offers_nothing_and_fails_nothing(offers, minimal):
    (minimal / "codebook.toml").write_text("format = ", "utf-8")
    assert offers("show", "cl") == []
    assert offers("list", "--where", "pro") == []


@pytest.mark.parametrize("key", ["$(touch-x)", "`id`", "a b", "a;b", "a&b", "a'b", "a>b"])
def test_a_hostile_key_is_not_put_on_the_command_line(offers, minimal, key):
    sensors = minimal / "sensors.csv"
    sensors.write_text(sensors.read_text("utf-8").replace("clay,", f"{key},", 1), "utf-8")
    assert offers("show", "") == ["fen", "till"]


def test_a_set_variable_makes_no_command_pass(run, minimal, monkeypatch):
    monkeypatch.setenv("_CORPUS_COMPLETE", "bash_complete")
    (minimal / "sensors.csv").write_text("broken", "utf-8")
    assert run("check", "--data", minimal).exit_code == 1
