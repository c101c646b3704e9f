import re
from dataclasses import replace

import pytest

from corpus.analysis.numbers.published import Number, camel, numbers_latex, published_numbers
from corpus.model.finding import CorpusError
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import codebook_data, full
from tests.corpora.making import with_claims


def numbers(folder):
    return published_numbers(load_corpus(str(folder)))


def edit(data, name, old, new):
    path = data / name
    path.write_text(
        path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8", newline=""
    )


def test_every_name_is_letters_and_has_its_definition():
    for name, number in numbers(REAL).items():
        assert re.fullmatch("[A-Z][A-Za-z]+", name)
        assert number.how
        assert "\n" not in number.how


def test_a_term_without_latin_letters_is_named_by_its_characters(minimal):
    edit(
        minimal,
        "codebook.toml",
        '{ id = "salt"',
        '{ id = "日本", definition = "Salt." }, { id = "salt"',
    )
    assert numbers(minimal)["MeasuresSixFiveEFiveSixSevenTwoC"].value == 0
    assert [camel(text) for text in ("мох", "한국", "?", "日本語 3", "Ωmega")] == [
        "EmOHa", "HanGug", "QuestionMark", "Three", "Mega",
    ]  # fmt: skip


def test_names_drop_accents_and_spell_digits():
    assert camel("Saïd's 42") == "SaidSFourTwo"
    assert camel("0123456789") == "ZeroOneTwoThreeFourFiveSixSevenEightNine"
    assert camel("--") == "HyphenMinusHyphenMinus"
    assert camel("") == camel("\n") == ""


def test_each_number_has_its_description_in_the_order_of_the_corpus():
    found = published_numbers(full())
    result = list(found)[:5]
    assert result == ["PoolSize", "PoolColumns", "ExcludedCount", "AuditedCount", "DepthApplicable"]
    assert {name: (found[name].value, found[name].how) for name in (
        "PoolSize", "PoolColumns", "ExcludedCount", "DepthApplicable", "DepthSurfaceShare", "SensesWaterShare",
        "SensesGroupWet", "DepthSurfaceBySensesWater", "ExcludedStageTitle", "DatedRows", "RangesAdaLifeValue",
    )} == {
        "PoolSize": (5, "rows of sensors.csv"), "PoolColumns": (11, "columns of sensors.csv"),
        "ExcludedCount": (3, "rows of the exclusion log"), "DepthApplicable": (4, "entries whose depth is not none"),
        "DepthSurfaceShare": (50, "share of depth = surface among applicable (4)"),
        "SensesWaterShare": (60, "share of senses = water among all entries (5)"),
        "SensesGroupWet": (4, "entries with senses = water or salt"),
        "DepthSurfaceBySensesWater": (2, "entries with depth = surface and senses = water"),
        "ExcludedStageTitle": (2, "excluded records with stage = title"), "DatedRows": (5, "rows of dated.csv"),
        "RangesAdaLifeValue": (1500, "value of ada-life in ranges.csv"),
    }  # fmt: skip
    assert (found["RangesAdaLifeValue"].text, found["DepthSurfaceShare"].text) == ("1,500", "50%")


RATIO = """format = 1
[[claims]]
id = "reach"
statement = "One reaches as far."
tracked = true
value_of = "value"
ratio = {value}
of = [{{ table = "ranges", where = {{ range = "a" }} }}, {{ table = "ranges", where = {{ range = "b" }} }}]
"""


def with_ratio(above, below, value):
    made = full({"ranges": [("a", "ada", "x", above, "m"), ("b", "ada", "x", below, "m")]})
    return with_claims(made, RATIO.format(value=value))


def test_a_ratio_that_has_no_value_is_not_published():
    assert "ClaimReach" not in published_numbers(with_ratio("1", "0", 1))


def test_an_empty_pool_has_counts_and_no_shares():
    found = published_numbers(full({"sensors": [], "judged": [], "uses": []}))
    assert (found["PoolSize"].value, found["DepthSurface"].value) == (0, 0)
    assert not any(name.endswith("Share") for name in found)


def test_terms_of_evidence_are_counted_alone_and_in_pairs():
    data = codebook_data()
    data["tables"]["uses"]["role"] = "evidence"
    found = published_numbers(full(**data))
    assert {name: number.value for name, number in found.items() if name.startswith("Uses")} == {
        "UsesRows": 3, "UsesUseFarm": 2, "UsesUseDam": 1, "UsesProofField": 1, "UsesProofLab": 2,
        "UsesUseFarmByProofField": 1, "UsesUseFarmByProofLab": 1, "UsesUseDamByProofField": 0, "UsesUseDamByProofLab": 1,
    }  # fmt: skip


def test_every_fault_of_a_name_is_reported():
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"] += [
        {"id": "Salt", "definition": "Again."},
        {"id": "\ue000", "definition": "Nothing."},
    ]
    with pytest.raises(CorpusError) as caught:
        published_numbers(full(**data))
    found = [(f.code, f.file, f.value) for f in caught.value.findings]
    assert ("N102", "sensors.csv", "\ue000") in found
    assert ("N101", "sensors.csv", "SensesSalt") in found


def test_a_share_among_several_tags_is_of_the_entries_to_which_they_apply():
    vocabularies = codebook_data()["vocabularies"]
    vocabularies["senses"]["not_applicable"] = "gas"
    rows = [
        ("ada", "Ada", "surface", "water; heat"),
        ("bob", "Bob", "surface", "gas"),
        ("cy", "Cy", "shallow", "water"),
    ]
    found = published_numbers(full({"sensors": rows}, vocabularies=vocabularies, sparsity={}))
    assert {name: found[name].text for name in ("SensesApplicable", "SensesWaterShare", "SensesHeatShare", "SensesGas")} == {
        "SensesApplicable": "2", "SensesWaterShare": "100%", "SensesHeatShare": "50%", "SensesGas": "1",
    }  # fmt: skip
    assert "SensesGasShare" not in found


SIZE = Number("PoolSize", "1,234", "rows of pool.csv", 1234)
SHARE = Number("DepthDeepShare", "50%", "share of depth = deep among all entries (2)", 50)


def macros(*numbers):
    return [line for line in numbers_latex(numbers).splitlines() if not line.startswith("%")]


def test_a_line_break_in_a_description_ends_no_comment():
    (line,) = macros(replace(SIZE, how="rows\n\\input{secret}\r\x1b"))
    assert line.startswith("\\newcommand{\\PoolSize}{1,234}% rows")
