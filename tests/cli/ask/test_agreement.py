"""`corpus agreement`: its formats, and a corpus without a second reader."""

import json

import pytest

from tests.corpora.full import write_full


@pytest.fixture
def data(tmp_path):
    return write_full(tmp_path)


def test_json_has_one_report_for_each_audit_table(run, data):
    (found,) = json.loads(run("agreement", "--format", "json", "--data", data).stdout)
    assert found["table"] == "second"
    fields = {field["field"]: (field["agreed"], field["units"]) for field in found["fields"]}
    assert fields == {"depth": (2, 3), "senses": (3, 3)}
    assert [odd["key"] for odd in found["disagreements"]] == ["bob"]


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
