"""What the commands that change a corpus share: whom to ask, what a row says, what to report."""

from dataclasses import replace

import pytest

from corpus.cli.change.asking import MENTIONS, fetched, report_documents, report_mentions, show_rows
from corpus.curation.check.works.duplicates import EXCLUDED_WORK
from corpus.curation.edit.revision import Revision
from corpus.model.study import Source, Study
from corpus.model.work import Work
from corpus.tables.writing.lock import changed_files
from tests.corpora.full import ROWS, full, write_full
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


def test_a_dry_run_with_an_error_ends_with_exit_code_1(capsys):
    before = full()
    after = full({"dated": [*ROWS["dated"], ("fay", "2021-02")]})
    show_rows(revision(before, after))
    assert capsys.readouterr().out == "sensor,seen\nfay,2021-02\n"
    error = EXCLUDED_WORK.at("dropped.csv", 3, advice="the title", other="x2")
    with pytest.raises(SystemExit) as ended:
        show_rows(revision(before, before)._replace(findings=[error]))
    assert ended.value.code == 1
    assert capsys.readouterr().out == ""


def test_a_dry_run_names_the_documents_that_would_change(capsys):
    sources = {"codebook.toml": Source("codebook.toml"), "protocol": Source("a/b.toml")}
    before = replace(full(documents={"protocol": "a/b.toml"}), sources=sources)
    report_documents(revision(before, before))
    assert capsys.readouterr().err == ""
    after = {name: source._replace(text="x") for name, source in sources.items()}
    report_documents(revision(before, replace(before, sources=after)))
    assert capsys.readouterr().err == "Also changes: codebook.toml, a/b.toml\n"


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
