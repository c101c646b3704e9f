"""Keys as names of files, on any system."""

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.export.folder import refuse_file_names
from tests.corpora.full import full_of, sensor


def refused(*keys):
    """Return line and key of each finding."""
    try:
        refuse_file_names(full_of(*[sensor(key) for key in keys]))
    except CorpusError as error:
        assert {(found.code, found.column) for found in error.findings} == {("X107", "sensor")}
        return [(found.line, found.value) for found in error.findings]
    return []


@pytest.mark.parametrize(
    "key",
    ["", ".", "..", "../up", "a/b", "a\\b", "a:b", "a b", "é", "-a", "a.", "a\n", "x" * 101,
     "con", "NUL.txt", "Lpt1", "com0.a.b"],
)  # fmt: skip
def test_other_keys_lead_to_no_file_on_some_system(key):
    assert refused(key) == [(2, key)]


def test_keys_that_differ_in_case_only_are_one_file():
    assert refused("BOG", "Bog", "fen") == [(3, "Bog")]
    assert [line for line, _ in refused("BOG", "Bog", "bog")] == [3, 4]
