"""What rows of different tables say of each other: where it is found, and what is advised."""

from __future__ import annotations

import pytest

from corpus.checks.check import check_corpus


def found(data, code):
    return [f for f in check_corpus(str(data)) if f.code == code]


def edit(data, name, old, new):
    path = data / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_a_source_that_the_protocol_lacks_is_told_the_nearest(soil):
    edit(soil, "rejected.csv", "X2,library", "X2,libary")
    (finding,) = found(soil, "C407")
    assert (finding.line, finding.column, finding.value) == (3, "source", "libary")
    assert "'library'" in finding.hint
    edit(soil, "rejected.csv", "X2,libary", "X2,zzz")
    (finding,) = found(soil, "C407")
    assert "arXiv, library" in finding.hint


def test_a_reference_into_nothing_is_told_the_nearest_key(soil):
    edit(soil, "papers.csv", "\nfen,", "\nfenn,")
    (finding,) = found(soil, "C401")
    assert (finding.file.rpartition("/")[2], finding.line, finding.column, finding.value) == (
        "papers.csv",
        3,
        "id",
        "fenn",
    )
    assert "'fen'" in finding.hint
    (lacking,) = found(soil, "C402")
    assert (lacking.line, lacking.column, lacking.value) == (3, "id", "fen")
    assert "papers.csv" in lacking.message


def test_a_key_with_stray_blanks_is_not_what_was_meant(soil):
    edit(soil, "sensors.csv", "\nfen,", "\nfen ,")
    (finding,) = found(soil, "C401")
    assert (finding.line, finding.value) == (3, "fen")
    assert "'fen '" in finding.hint
    assert "did you mean" not in finding.hint  # whoever followed it would break the second table as well


def test_the_first_author_is_compared_by_family_name(soil):
    edit(soil, "papers.csv", '"Loam, Ann; Silt, Dee"', '"LOAM, A.; Silt, Dee"')
    assert found(soil, "C409") == []
    edit(soil, "papers.csv", '"LOAM, A.; Silt, Dee"', '"Silt, Dee; Loam, Ann"')
    (finding,) = found(soil, "C409")
    assert (finding.line, finding.column, finding.value) == (2, "authors", "Silt, Dee")
    assert "Loam, Ann" in finding.message


@pytest.mark.parametrize(("public", "late"), [
    ("2020-03", False), ("2020-03-31", False), ("2020-04", True), ("2020-04-01", True), ("2020", False), ("2021", True),
    ("2019-12", False),
])  # fmt: skip
def test_a_work_is_public_no_later_than_its_preprint(soil, public, late):
    edit(soil, "papers.csv", ",2020-03\n", f",{public}\n")
    assert [(f.line, f.column, f.value) for f in found(soil, "C411")] == [(2, "public", public)] * late
    assert all("March 2020" in f.message for f in found(soil, "C411") if len(public) > 4)


def test_every_correction_must_stand_in_the_pool(real):
    name = real / "corrections.csv"
    lines = name.read_text("utf-8").splitlines(True)
    assert found(real, "C405") == []
    wrong = next(i for i, line in enumerate(lines) if line.startswith("comas2026,arxiv_id"))
    lines[wrong] = lines[wrong].replace("2510.08529,", "2510.08528,", 1)
    name.write_text("".join(lines), "utf-8")
    (finding,) = found(real, "C405")
    assert (finding.line, finding.column, finding.value) == (wrong + 1, "arxiv_id", "2510.08528")
    assert "2510.08529" in finding.message


def test_a_rule_says_where_it_is_broken_and_what_it_asks_for(soil):
    edit(soil, "codebook.toml", 'when = { probe = ["none"] }', 'when = { probe = ["none", "acoustic"] }')
    assert found(soil, "C302") == []
    edit(soil, "sensors.csv", "none,heat", "none,salt")
    (finding,) = found(soil, "C302")
    assert (finding.line, finding.column, finding.value) == (4, "measures", "salt")
    assert "none or acoustic" in finding.message
    assert "heat" in finding.message
    assert "only heat is known" in finding.message + finding.hint
