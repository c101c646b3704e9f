"""What of a record of somebody else's list is recognised."""

from corpus.curation.coverage.coverage import read_list
from tests.support.imported import places


def listed(tmp_path, text, name="list.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_list(str(path), name, "lit")


def test_a_record_has_its_line_title_year_and_surest_identifier(tmp_path):
    found = listed(
        tmp_path,
        "title,year,doi,url\n"
        "Peat,2024,10.1234/x,https://arxiv.org/abs/2601.00001v2\n"
        "Moss,2023,10.1234/y,https://a.example/\n"
        "Fern,,,https://a.example/fern\n"
        ",,,\n"
        "Dune,,,\n",
    )
    assert found.name == "lit"
    assert [(work.place, work.title, work.year, work.identifier) for work in found.works] == [
        (2, "Peat", "2024", "arXiv:2601.00001"),
        (3, "Moss", "2023", "DOI:10.1234/y"),
        (4, "Fern", "", "https://a.example/fern"),
        (6, "Dune", "", ""),
    ]
    assert len(found.works[0].identities) == 2
    assert found.works[3].identities == frozenset()
    assert found.works[0].normal == "peat"
    assert (found.records.findings, found.records.remarks) == ([], [])


def test_what_nothing_can_recognise_is_named_and_what_was_guessed_is_a_remark(tmp_path):
    found = listed(tmp_path, "title;year;note\nPeat;2019;x\n;2020;y\n???;2021;z\n")
    assert [work.title for work in found.works] == ["Peat"]
    assert places(found.records.findings) == [("I106", 3), ("I106", 4)]
    assert len(found.records.remarks) == 1  # the separator
