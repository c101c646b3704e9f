"""What of a record of somebody else's list is recognised."""

from corpus.curation.coverage.coverage import read_list
from tests.support.imported import places


def listed(tmp_path, text, name="list.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_list(str(path), name, "lit")


def test_what_nothing_can_recognise_is_named_and_what_was_guessed_is_a_remark(tmp_path):
    found = listed(tmp_path, "title;year;note\nPeat;2019;x\n;2020;y\n???;2021;z\n")
    assert [work.title for work in found.works] == ["Peat"]
    assert places(found.records.findings) == [("I106", 3), ("I106", 4)]
    assert len(found.records.remarks) == 1  # the separator
