"""What the commands that change a corpus share: whom to ask, what a row says, what to report."""

from __future__ import annotations

from typing import Any

import pytest

from corpus.cli.change.writing import (
    MENTIONS,
    certain_duplicate,
    described,
    fetched,
    from_entry,
    known_works,
    named_record,
    refuse_record,
    refuse_references,
    report,
    report_documents,
    report_mentions,
    rows_csv,
    show_rows,
)
from corpus.curation.edit.revision import Revision
from corpus.curation.lookup.work import Work
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from tests.corpora.full import ROWS, codebook_data, full, sensor, write_full
from tests.support.recorded_answers import offline


def full_with(*columns: dict[str, Any], first: bool = False, **cells: str) -> Study:
    """The full corpus whose pool has further optional columns; `ada` has `cells` in them."""
    tables = codebook_data()["tables"]
    known = tables["sensors"]["columns"]
    added = [{"required": False, "definition": "More.", **column} for column in columns]
    tables["sensors"]["columns"] = [known[0], *added, *known[1:]] if first else [*known, *added]
    rows = []
    for row in ROWS["sensors"]:
        values = dict(zip([column["name"] for column in known], row, strict=False))
        if values["sensor"] == "ada":
            values |= cells
        names = [column["name"] for column in tables["sensors"]["columns"]]
        rows.append(tuple(values.get(name, "") for name in names))
    return full({"sensors": rows}, tables=tables)


def revision(before: Study, after: Study, **keys: Any) -> Revision:
    return Revision(before, after, [], [], **keys)


@pytest.fixture
def no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
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
def test_without_a_connection_a_reference_tells_what_it_can(
    reference: str, known: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetched(reference) == Work("hand", **known)
    assert "going on by hand" in capsys.readouterr().err


def test_a_record_is_named_by_its_number_and_looked_up_by_its_identifier() -> None:
    assert named_record("x2", full()) == ("x2", "arXiv:2107.00007")
    assert named_record("x3", full()) == ("x3", "")
    assert named_record("X2", full()) is None
    assert named_record("ada", full()) is None


def test_a_record_that_a_form_names_is_refused_at_its_line() -> None:
    with pytest.raises(CorpusError) as caught:
        refuse_record("x2", full())
    (finding,) = caught.value.findings
    assert (finding.file, finding.line, finding.column, finding.value) == (
        "dropped.csv",
        3,
        "record",
        "x2",
    )
    assert "--promote" in finding.hint
    refuse_record("2107.00007", full())


def test_an_entry_as_a_candidate_has_its_first_address_and_where_it_is_from() -> None:
    assert from_entry(full(), "ada") == Work(
        "arXiv", title="Rain above Ada's antenna", arxiv="2011.00010"
    )
    assert from_entry(full(), "eve") == Work(
        "", title="Eve & {dry} ground", url="https://soil.example/a"
    )


@pytest.mark.parametrize("first", [True, False])
def test_the_address_of_the_code_is_not_that_of_the_work(first: bool) -> None:
    code = {"name": "code", "type": "url"}
    address = "https://soil.example/paper"
    both = full_with(code, first=first, code="https://code.example/x", url=address)
    assert from_entry(both, "ada").url == address
    alone = full_with(code, first=first, url=address)
    assert from_entry(alone, "ada").url == address
    cells = {"sensors": {"code": "https://code.example/x", "url": address}}
    assert described(Work("hand"), cells, both.codebook).url == address


def test_cells_that_were_given_replace_what_the_source_told() -> None:
    source = Work("arXiv", title="Old", year="2019", url="https://soil.example/old")
    cells = {"sensors": {"name": "New", "arxiv": "2011.00010", "authors": "Ward, Ann; Soil Trust"}}
    found = described(source, cells, full().codebook)
    assert found == source._replace(
        title="New",
        authors=("Ward, Ann", "Soil Trust"),
        arxiv="2011.00010",
        doi="10.48550/arXiv.2011.00010",
    )
    assert described(source, {"sensors": {}}, full().codebook) == source


def test_a_new_row_is_compared_with_pool_and_exclusion_log() -> None:
    for cells, name, kind in (
        ({"arxiv": "2011.00010"}, "ada (sensors.csv:2)", "identifier"),
        ({"name": "Warmth é 50% below a slow RIVER"}, "dot (sensors.csv:5)", "title"),
        ({"arxiv": "2107.00007"}, "x2 (dropped.csv:3)", "identifier"),
    ):
        found = known_works(full(), {"sensors": cells})
        assert [(work.name, of_kind) for work, of_kind in found][:1] == [(name, kind)]
    assert known_works(full(), {"sensors": {"name": "Something new about moss"}}) == []


def test_a_certain_duplicate_is_an_error_with_the_other_work() -> None:
    study = full()
    for cells, code, promotes in (
        ({"arxiv": "2011.00010"}, "C303", False),
        ({"name": "Warmth é 50% below a slow river"}, "C304", False),
        ({"arxiv": "2107.00007"}, "C403", True),
    ):
        ((work, kind), *_) = known_works(study, {"sensors": cells})
        (finding,) = certain_duplicate(work, kind, {"sensors": cells}, study.codebook).findings
        place = (finding.file, finding.line, finding.column, finding.value)
        assert place == ("sensors.csv", 0, "", cells.get("name", ""))
        assert finding.code == code
        assert ("--promote" in finding.hint) == promotes


def test_rows_that_refer_to_an_entry_are_named_but_for_those_that_go_with_it() -> None:
    with pytest.raises(UsageProblem) as caught:
        refuse_references(full(), "ada")
    places = str(caught.value)
    for place in ("judged.csv:2", "uses.csv:3", "probes.csv:2", "probes.csv:3", "second.csv:2"):
        assert place in places
    assert "dated.csv" not in places
    bare = full({name: [] for name in ("judged", "uses", "ranges", "probes", "second")})
    refuse_references(bare, "ada")


def test_changed_and_new_rows_are_shown_under_the_header_of_their_table() -> None:
    before = full()
    rows = [row for row in ROWS["sensors"] if row[0] != "bob"]
    after = full(
        {
            "sensors": [*rows, sensor("bob", name='Birches, "again"'), sensor("fay")],
            "dated": [*ROWS["dated"], ("fay", "2021-02")],
        }
    )
    header = ",".join(before.pool.spec.header)
    assert rows_csv(revision(before, after)) == (
        f'{header}\nbob,"Birches, ""again""",surface,water,,,,,,,\nfay,fay,surface,water,,,,,,,\n'
        "\nsensor,seen\nfay,2021-02\n"
    )
    assert rows_csv(revision(before, before)) == ""


def test_a_dry_run_with_an_error_ends_with_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    before = full()
    after = full({"dated": [*ROWS["dated"], ("fay", "2021-02")]})
    show_rows(revision(before, after))
    assert capsys.readouterr().out == "sensor,seen\nfay,2021-02\n"
    with pytest.raises(CorpusError) as caught:
        refuse_record("x2", before)
    with pytest.raises(SystemExit) as ended:
        show_rows(revision(before, before)._replace(findings=caught.value.findings))
    assert ended.value.code == 1
    assert capsys.readouterr().out == ""


def test_what_a_change_moves_is_reported_and_that_nothing_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = full()
    after = full({"sensors": [*ROWS["sensors"], sensor("fay", depth="rock", senses="gas")]})
    report(revision(before, after))
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert lines[0] == "What changes:"
    assert "  rows sensors 5 -> 6" in lines
    assert "  depth rock 0 -> 1" in lines
    report(revision(before, before))
    assert capsys.readouterr().err == "No count and no claim changes.\n"


def test_a_dry_run_names_the_documents_that_would_change(
    capsys: pytest.CaptureFixture[str],
) -> None:
    study = full()
    report_documents(revision(study, study))
    assert capsys.readouterr().err == ""
    report_documents(revision(study, study, documents={"claims.toml": "", "a/b.toml": ""}))
    assert capsys.readouterr().err == "Also changes: claims.toml, a/b.toml\n"


def test_lines_that_still_name_a_removed_key_are_listed_up_to_a_limit(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
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
