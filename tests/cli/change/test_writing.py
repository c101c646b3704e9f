"""What the commands that change a corpus share: whom to ask, what a row says, what to report."""

import pytest

from corpus.cli.change.asking import MENTIONS, fetched, report_mentions
from corpus.curation.edit.revision import Revision
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.tables.writing.lock import changed_files
from tests.corpora.full import full, write_full
from tests.support.recorded_answers import offline


def revision(before, after):
    return Revision(before, after, [], changed_files(before, after))


@pytest.fixture
def no_connection(monkeypatch):
    def refuse(*_):
        raise offline()

    monkeypatch.setattr("corpus.curation.lookup.transport.open_address", refuse)


@pytest.mark.parametrize(
    ("reference", "known"),
    [
        (
            "arXiv:2601.00010v3",
            {
                "year": "2026",
                "venue": "arXiv",
                "arxiv": "2601.00010",
                "doi": "10.48550/arXiv.2601.00010",
                "url": "https://arxiv.org/abs/2601.00010",
                "first_public": "2026-01",
                "evidence": "arXiv id month",
            },
        ),
        ("10.5555/mire.2025.7", {"doi": "10.5555/mire.2025.7", "url": "https://doi.org/10.5555/mire.2025.7"}),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("no_connection")
def test_without_a_connection_a_reference_tells_what_it_can(reference, known, capsys):
    assert fetched(reference) == Work("hand", **known)
    assert "going on by hand" in capsys.readouterr().err


def test_lines_that_still_name_a_removed_key_are_listed_up_to_a_limit(tmp_path, capsys):
    write_full(tmp_path)
    text = tmp_path / "data" / "notes.md"
    study = full()
    study = Study(study.codebook, study.tables, str(tmp_path / "data"))
    report_mentions(revision(study, study), "zed")
    assert capsys.readouterr().err == ""
    text.write_text("".join(f"zed, line {number}\n" for number in range(MENTIONS + 3)))
    report_mentions(revision(study, study), "zed")
    first, *lines, last = capsys.readouterr().err.splitlines()
    assert "zed" in first
    assert len(lines) == MENTIONS
    assert lines[0].endswith("notes.md:1: zed, line 0")
    assert last == "  and 3 lines more"
