"""What a change does to guards and to the numbers of a release, in the first sentences."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.cli.main import main
from corpus.curation.changes.changes import CellChange, Changes, RowChange
from corpus.curation.changes.consequences import ClaimChange, Consequences
from corpus.curation.changes.declared import DeclarationChange
from corpus.curation.changes.headline import SHOWN, ChangeReport, headline
from corpus.curation.changes.sentence import Citation
from corpus.curation.changes.weakened import Weakening
from corpus.tables.cells import DOI_FORM, MARKUP
from tests.corpora.full import CLAIMS, add_sensor, full, repository
from tests.support.changing import rewrite
from tests.support.repository import commit_all


def run(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments], catch_exceptions=False)


def summary(data, *revisions):
    result = run("diff", *revisions, "--data", data, "--format", "json")
    return "\n".join(json.loads(result.stdout)["summary"])


def add(data, *keys):
    for key in keys:
        add_sensor(data, key, name=f"{key} of the far hills", depth="shallow", senses="salt")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return a repository with a release, whose number of sensors is tracked."""
    folder = tmp_path_factory.mktemp("released")
    data = repository(folder)
    tracked = CLAIMS.replace('id = "size"\n', 'id = "size"\ntracked = true\n')
    (data / "claims.toml").write_text(tracked, "utf-8")
    commit_all(folder, "track")
    assert run("release", "v1", "--data", data).exit_code == 0
    commit_all(folder, "release")
    return folder


@pytest.fixture
def data(released, tmp_path):
    return Path(shutil.copytree(released, tmp_path, dirs_exist_ok=True)) / "data"


def test_a_tracked_number_is_shown_with_the_release_and_the_key(data):
    add(data, "fir")
    text = summary(data)
    assert "5 in v1, now 6" in text
    assert "+fir" in text
    assert "breaks" not in text


def test_a_number_that_another_change_has_moved_is_not_that_of_the_release(data):
    add(data, "fir")
    commit_all(data.parent, "first")
    add(data, "gorse")
    text = summary(data, "HEAD")
    assert "5 before, now" not in text
    assert "6 before, now 7" in text
    assert "+gorse" in text
    assert "+fir" not in text


def test_a_guard_that_states_a_number_breaks_as_any_other(data):
    claims = data / "claims.toml"
    rewrite(claims, "tracked = true\n", "")
    commit_all(data.parent, "guard")
    add(data, "fir")
    assert "A claim breaks: “Five sensors are known.”" in summary(data, "HEAD")


def test_a_tracked_number_fails_nothing_and_has_no_annotation(data):
    add(data, "fir")
    result = run("diff", "--data", data, "--format", "github")
    assert result.exit_code == 0
    assert "C601" not in result.stdout
    report = json.loads(run("diff", "--data", data, "--format", "json").stdout)
    assert {claim["id"]: claim["tracked"] for claim in report["claims"]}["size"] is True


BOOK = full().codebook
NO_CHANGES = Changes(())


def lines(found=NO_CHANGES, **parts):
    consequences = None
    if "claims" in parts or "cells" in parts:
        consequences = Consequences((), parts.pop("cells", ()), (), parts.pop("claims", ()))
    return headline(ChangeReport("v1", "now", BOOK, found, consequences, **parts))


def row(kind, key="fir", old_key="", table="sensors", cells=()):
    return RowChange(table, kind, key, old_key or key, "Fir", tuple(cells), "data/sensors.csv", 6)


def moved(record, staying=False):
    return [{"key": "fir", "record": record, "staying": staying}]


DEPTH = CellChange("depth", "deep", "")


@pytest.mark.parametrize(
    ("change", "moves", "sentence"),
    [
        (row("added"), (), "Adds fir, “Fir”."),
        (row("added"), moved("x2"), "Adds fir, “Fir” (moved from the exclusion log: x2)."),
        (row("added"), moved("x2", staying=True), "Adds fir, “Fir” (moved from the exclusion log: x2, where it still is as well)."),
        (row("removed"), (), "Takes fir, “Fir” out of the pool."),
        (row("removed"), moved("x4"), "Takes fir, “Fir” out of the pool (the exclusion log has it as x4)."),
        (row("changed", cells=[DEPTH]), (), "Changes fir, “Fir”: depth from deep to empty."),
        (row("renamed", "fir", "pine"), (), "fir, “Fir” is pine under a new key."),
        (row("renamed", "fir", "pine", cells=[DEPTH]), (), "fir, “Fir” is pine under a new key. It changes depth from deep to empty."),
        (row("changed", "dam/dot", table="uses", cells=[DEPTH]), (), "uses: changes dam/dot: depth from deep to empty."),
        (row("renamed", "b", "a", table="dropped"), (), "dropped: renames a to b."),
    ],
)  # fmt: skip
def test_each_kind_of_change_has_its_sentence(change, moves, sentence):
    assert lines(NO_CHANGES._replace(rows=(change,), notices={"moves": moves}))[0] == sentence


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1 reference follows"), (2, "2 references follow")]
)
def test_references_that_follow_a_new_key_are_counted(number, words):
    changes = NO_CHANGES._replace(rows=(row("renamed", "fir", "pine"),), follow=number)
    assert lines(changes)[0] == f"fir, “Fir” is pine under a new key; {words}."


def test_references_to_several_new_keys_are_counted_once():
    """Their number is that of all of them together."""
    rows = (row("renamed", "fir", "pine"), row("renamed", "elm", "oak"))
    found = lines(NO_CHANGES._replace(rows=rows, follow=3))
    assert [sentence.endswith("under a new key.") for sentence in found[:2]] == [True, True]
    assert "3 references to a renamed key followed" in found[2]


def test_a_citation_takes_the_place_of_a_title_and_tags_follow():
    cited = Citation("Firs", ("Ward, Ann", "2021"), (("depth", "deep"), ("senses", "gas")))
    found = lines(NO_CHANGES._replace(rows=(row("added"),)), citations={"fir": cited})
    assert found[0] == "Adds fir, “Firs” (Ward, Ann, 2021): depth = deep, senses = gas."


def test_so_many_of_a_kind_are_shown_and_a_single_further_one_too():
    def adding(number):
        return lines(NO_CHANGES._replace(rows=tuple(row("added", f"k{n}") for n in range(number))))

    assert len(adding(SHOWN)) == SHOWN + 1
    assert adding(SHOWN + 1)[SHOWN].startswith(f"Adds k{SHOWN}")
    found = adding(SHOWN + 2)
    assert found[SHOWN:-1] == ["2 more changed rows."]


def test_of_many_cells_the_first_are_shown():
    cells = [CellChange(f"c{number}", "a", "b") for number in range(SHOWN + 2)]
    sentence = lines(NO_CHANGES._replace(rows=(row("changed", cells=cells),)))[0]
    assert sentence.count(" from a to b") == SHOWN
    assert sentence.endswith("c4 from a to b and 2 more.")


def test_what_is_lost_or_in_doubt_is_named():
    changes = NO_CHANGES._replace(
        rows=(row("removed"), row("removed", "oak")),
        notices={
            "departures": [{"key": "fir", "title": "Fir", "other": ""}, {"key": "oak", "title": "Oak", "other": "elm"}],
            "duplicates": [{"key": "a", "other": "b", "evidence": "title"}, {"key": "c", "other": "d", "evidence": "arXiv:1"}],
            "left_behind": [*2 * [{"table": "uses", "old": "ada", "new": "aspen"}], {"table": "dated", "old": "bob", "new": "birch"}],
            "uncorrected": [{"key": "cy", "column": "name", "log": "fixed"}],
        },
    )  # fmt: skip
    assert lines(changes)[:-1] == [
        "fir, “Fir” leaves the pool without a trace in the exclusion log.",
        "oak, “Oak” leaves the pool; it looks like the same work as elm.",
        "a may be the same work as b: both have nearly the same title.",
        "c may be the same work as d: both have arXiv:1.",
        "2 rows (uses) still have ada, not aspen.",
        "1 row (dated) still has bob, not birch.",
        "name of cy changes, but fixed has no row with the new value.",
    ]


def test_every_weakened_check_is_shown_first():
    weakened = tuple(
        Weakening("codebook.toml", f"rule {n}", "is removed", n == 0) for n in range(SHOWN + 3)
    )
    found = lines(NO_CHANGES._replace(rows=(row("added"),)), weakened=weakened)
    assert found[0] == f"This change weakens {SHOWN + 3} checks."
    assert found[1:3] == [
        "codebook.toml: rule 0 is removed. It is acknowledged.",
        "codebook.toml: rule 1 is removed.",
    ]
    assert found[SHOWN + 4] == "Adds fir, “Fir”."


def test_declarations_have_both_values_where_both_are():
    declared = (
        DeclarationChange("codebook", ("a",), "changed", "x"), DeclarationChange("claims", ("b",), "removed", "y"),
    )  # fmt: skip
    assert lines(NO_CHANGES._replace(declarations=declared))[:2] == [
        "codebook: a changed from x to empty.",
        "claims: b removed.",
    ]


def test_errors_are_counted_and_warnings_are_not():
    wrong = DOI_FORM.rule.at("data/dated.csv", 3, "doi", "x")
    found = lines(
        findings=(MARKUP.rule.at("data/sensors.csv", 2, "name", "x"), wrong), under_older=(wrong,)
    )
    assert found[0] == "1 error to fix before this can be merged."
    assert found[1].startswith(f"{wrong.code} in data/dated.csv, line 3, doi: ")
    assert found[2] == "Under the codebook and protocol of v1 the newer data has 1 finding more."
    assert found[3] == found[1]


def outcome(number, tracked=False, kind="count", value=5, **seen):
    claim = Claim("size", "", "Five are known.", "", (), (), Expectation(kind, value), tracked)
    return ClaimOutcome(claim, number, **seen)


@pytest.mark.parametrize(
    ("kind", "before", "after", "sentence"),
    [
        ("breaks", outcome(5), outcome(6), "A claim breaks: “Five are known.” (size: 5 -> 6)"),
        ("fails", outcome(6), outcome(4), "A claim fails as before, now with another value: “Five are known.” (size: 6 -> 4)"),
        ("gone", outcome(5), None, "A claim is removed: “Five are known.” (size: 5)"),
        ("recovers", outcome(6), outcome(5), "Claims that hold again: size."),
    ],
)  # fmt: skip
def test_a_guard_that_changes_has_its_sentence(kind, before, after, sentence):
    assert lines(claims=(ClaimChange(kind, before, after, (1, None)),))[0] == sentence


def test_a_guard_that_moves_within_its_bounds_has_none():
    change = ClaimChange("moves", outcome(5), outcome(5), (1, 2))
    assert lines(claims=(change,)) == ["Nothing differs between v1 and now."]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (outcome(5), outcome(6), "5 -> 6"),
        (outcome(2, kind="keys", value=("a", "b"), keys=("a", "b")), outcome(2, kind="keys", value=("a", "b"), keys=("b", "c")), "+c, -a"),
        (outcome(3, kind="counts", value={("x",): 3}, counts={("x",): 3}),
         outcome(3, kind="counts", value={("x",): 3}, counts={("x",): 1, ("y",): 2}), "x 3 -> 1, y 0 -> 2"),
        (None, outcome(5), "5"),
        (outcome(5), None, "5"),
    ],
)  # fmt: skip
def test_what_was_observed_is_shown_by_key_by_count_or_as_a_number(before, after, text):
    assert ClaimChange("moves", before, after, (None, None)).observed == text


def test_stale_files_and_a_note_come_last():
    found = lines(stale=("a.svg", "b.svg"), generated=9, note="Nothing was counted.")
    assert found[-2:] == ["Stale: 2 of 9 files, run corpus build.", "Nothing was counted."]
