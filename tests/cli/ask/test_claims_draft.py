"""Claims drafted from a text: what of the corpus gives each number, and what is written."""

import re
import tomllib

import pytest

from tests.corpora.full import write_full


@pytest.fixture
def soils(tmp_path):
    return write_full(tmp_path / "soils")


def drafted(run, soils, text, *options, name="paper.tex"):
    (soils.parent / name).write_text(text, "utf-8")
    return run("claims", "--draft", soils.parent / name, *options, "--data", soils)


def proposals(run, soils, text, name="paper.tex"):
    """Return the first proposal of each number, by the number that accepts it."""
    shown = drafted(run, soils, text, name=name).stdout
    return re.findall(r"^.*paper.*\n +(\d+)  (.+)$", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("We know 5 sensors.", "5: all rows of sensors"),
        ("Three of them sense water.", "3: senses=water"),
        ("60\\% sense water.", "3 of 5 (60.0 %): senses=water"),
        ("Of 5 sensors, 3 sense water.", "5: all rows of sensors"),
        ("3 of the 5 sensors sense water.", "3 of 5 (60.0 %): senses=water"),
        ("More than half sense water.", "3 of 5 (60.0 %): senses=water"),
        ("At least two sense water.", "3: senses=water"),
        ("2 that sense water lie at the surface.", "2: depth=surface, senses=water"),
        ("In 2019 and Table 3 nothing is counted.", None),
    ],
)
def test_the_nearest_rows_that_give_a_number_come_first(run, soils, text, first):
    found = proposals(run, soils, text)
    assert found[:1] == ([("1", first)] if first else [])


def test_what_nothing_gives_is_listed(run, soils):
    assert "nothing gives it" in drafted(run, soils, "Forty sensors lie deep.").stdout


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3 sense water.", {"where": {"senses": "water"}, "count": 3}),
        ("60 % sense water.", {"where": {"senses": "water"}, "share": 60}),
        ("At least two sense water.", {"where": {"senses": "water"}, "at_least": 2}),
    ],
)
def test_an_accepted_proposal_is_a_tracked_claim(run, soils, text, written):
    result = drafted(run, soils, text, "--accept", "1", name="paper.md")
    assert result.exit_code == 0, result.stderr
    claim = tomllib.loads((soils / "claims.toml").read_text("utf-8"))["claims"][-1]
    assert written.items() <= claim.items()
    assert (claim["tracked"], claim["statement"], claim["made_in"]) == (True, text, ["paper"])
    assert run("claims", claim["id"], "--data", soils).exit_code == 0


def test_count_and_share_of_one_sentence_are_each_proposed(run, soils):
    text = "Only 3 sensors (60 %) sense water."
    (first, count), (other, share) = proposals(run, soils, text, "paper.md")
    assert (count, share) == ("3: senses=water", "3 of 5 (60.0 %): senses=water")
    for accepted in (first, other):
        assert drafted(run, soils, text, "--accept", accepted, name="paper.md").exit_code == 0
    *_, one, two = tomllib.loads((soils / "claims.toml").read_text("utf-8"))["claims"]
    stated = one | two
    assert (stated["count"], stated["share"], stated["statement"]) == (3, 60, text)


def test_a_number_that_is_no_proposal_is_wrong_usage(run, soils):
    assert drafted(run, soils, "3 sense water.", "--accept", "99").exit_code == 2
