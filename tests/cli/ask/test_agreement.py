"""`corpus agreement`: its formats, and a corpus without a second reader."""

import pytest

from tests.corpora.full import write_full


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


@pytest.mark.parametrize(
    ("format_", "row"), [("text", "depth   "), ("markdown", "| depth | 2/3 |")]
)
def test_people_see_fields_and_disagreements(run, data, format_, row):
    result = run("agreement", "--format", format_, "--data", data)
    assert result.exit_code == 0
    assert any(line.startswith(row) for line in result.stdout.splitlines())
    assert "bob" in result.stdout
    assert "shallow" in result.stdout


def test_without_a_second_reader_there_is_nothing_to_measure(run, minimal):
    result = run("agreement", "--data", minimal)
    assert (result.exit_code, result.stdout) == (2, "")
