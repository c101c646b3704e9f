"""What a change of codebook, protocol or claims makes the report of `corpus diff` name: each weakening by its place."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from tests.corpora.full import write_full
from tests.support.changing import rewrite

RULE = """[[rules]]
id = "salt-is-shallow"
when = { senses = ["salt"] }
then = { depth = ["shallow"] }
reason = "rain washes salt into what is shallow"
"""
PROTOCOL = """
[protocol]
search_cutoff = "2021-04-26"
limits = ["The pool is curated."]

[[inclusion]]
id = "I1"
text = "The work describes one sensor."

[[inclusion]]
id = "I2"
text = "The sensor still exists."

[[stages]]
id = "title"
text = "Read the title."
"""


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    data = write_full(tmp_path_factory.mktemp("before"))
    book = data / "codebook.toml"
    text = book.read_text("utf-8")
    text = text.replace(
        'claims = "claims.toml"', 'claims = "claims.toml"\nprotocol = "protocol.toml"'
    )
    book.write_text(text + "\n" + RULE, "utf-8")
    (data / "protocol.toml").write_text(PROTOCOL, "utf-8")
    return data


def changed(before, folder, old, new):
    """Copy the corpus with another text in the one file that has the older text."""
    data = Path(shutil.copytree(before, folder / "after" / "data"))
    (file,) = [path for path in data.iterdir() if old in path.read_text("utf-8")]
    assert file.read_text("utf-8").count(old) == 1
    rewrite(file, old, new)
    return data


def diff(before, after, *arguments):
    command = ["diff", str(before), str(after), "--data", str(after), *arguments]
    return CliRunner().invoke(main, command, catch_exceptions=False)


def as_json(before, after, *arguments):
    return json.loads(diff(before, after, "--format", "json", *arguments).stdout)


ARXIV = (
    '{ name = "arxiv", type = "arxiv", role = "arxiv", required = false, definition = "arXiv id." }'
)
NAME = '{ name = "name", type = "text", role = "title", definition = "Title." }'
OPTIONAL_NAME = NAME.replace('"title",', '"title", required = false,')
HOW = '{ name = "how", type = "term", definition = "How well." }'
LINK = '{ name = "sensor", type = "ref", references = "sensors", definition = "Sensor." },\n  { name = "at"'
FOUND = '{ name = "found", type = "text", role = "identifier", required = false, definition = "Identifier." }'
GAS = '{ id = "gas", definition = "Gas." }'
GAS_AND_RAIN = GAS + ', { id = "rain", definition = "Any." }'
WELL, NEARLY = '{ id = "well", definition = "Well." }', '{ id = "nearly", definition = "Nearly." }'
HARDLY = ',\n          { id = "hardly", definition = "Hardly." }'
IMPOSSIBLE = '[[impossible]]\ncells = { depth = ["rock"], senses = ["water"] }\nreason = "rock holds no water"'
CROSSTAB = '[[crosstabs]]\nid = "depth_by_senses"\nrows = "depth"\ncolumns = "senses"\ntitle = "Depth by what is sensed"'
INCLUSION = '[[inclusion]]\nid = "I2"\ntext = "The sensor still exists."'
STAGE = '[[stages]]\nid = "title"\ntext = "Read the title."'
SIZE = '[[claims]]\nid = "size"\nstatement = "Five sensors are known."\ncount = 5'

#: What is done -> a text that one file has, the text after, and the place that the report has to name, with the kind.
WEAKENINGS = {
    "a rule is removed": (RULE, "", "rule salt-is-shallow removed"),
    "a rule has another condition": ('when = { senses = ["salt"] }', 'when = { senses = ["gas"] }', "rule salt-is-shallow, when, senses, item 1 changed"),
    "a rule allows more": ('then = { depth = ["shallow"] }', 'then = { depth = ["shallow", "surface"] }', "rule salt-is-shallow, then, depth, item 2 added"),
    "a rule has another reason": ("rain washes salt into what is shallow", "it was so", "rule salt-is-shallow, reason changed"),
    "a combination becomes possible": (IMPOSSIBLE, "", "impossible combination depth rock; senses water removed"),
    "required is dropped": (NAME, OPTIONAL_NAME, "table sensors, column name, required changed"),
    "a type is relaxed": (ARXIV, ARXIV.replace('type = "arxiv"', 'type = "text"'), "table sensors, column arxiv, type changed"),
    "a role is removed": (ARXIV, ARXIV.replace('role = "arxiv", ', ""), "table sensors, column arxiv, role changed"),
    "a definition is changed": ("Weight in kg.", "Weight in g.", "table sensors, column weight, definition changed"),
    "a column is removed": (FOUND + ",", "", "table dropped, column found removed"),
    "a column becomes an axis": (HOW, HOW.replace('"term",', '"term", axis = true,'), "table judged, column how, axis changed"),
    "several terms are allowed": (HOW, HOW.replace('"term",', '"term", separator = ";",'), "table judged, column how, separator changed"),
    "a term column becomes text": (HOW, HOW.replace('"term"', '"text"'), "table judged, column how, type changed"),
    "another vocabulary": (HOW, HOW.replace('"term",', '"term", vocabulary = "senses",'), "table judged, column how, vocabulary changed"),
    "a reference is dropped": (LINK, LINK.replace('type = "ref", references = "sensors"', 'type = "key"'), "table judged, column sensor, references changed"),
    "a reference leads elsewhere": (LINK, LINK.replace('"sensors"', '"dropped"'), "table judged, column sensor, references changed"),
    "a key has fewer columns": ('key = ["sensor", "reader"]', 'key = ["sensor"]', "table second, key, item 2 removed"),
    "a table has another role": ('role = "exclusions"', 'role = "evidence"', "table dropped, role changed"),
    "a table has another file": ('file = "dropped.csv"', 'file = "gone.csv"', "table dropped, file changed"),
    "a term is added": (GAS, GAS_AND_RAIN, "vocabulary senses, term rain added"),
    "a term is removed": (HARDLY, "", "vocabulary how, term hardly removed"),
    "terms have another order": (f"{WELL}, {NEARLY}", f"{NEARLY}, {WELL}", "vocabulary how, terms reordered"),
    "a term means something else": ('"Gas."', '"Anything."', "vocabulary senses, term gas, definition changed"),
    "no term is set apart": ('not_applicable = "none"', "", "vocabulary depth, not_applicable changed"),
    "another term is set apart": ('not_applicable = "none"', 'not_applicable = "surface"', "vocabulary depth, not_applicable changed"),
    "a group takes more terms": ('terms = ["water", "salt"]', 'terms = ["water", "salt", "gas"]', "vocabulary senses, group wet, terms, item 3 added"),
    "a cross-tabulation is removed": (CROSSTAB, "", "cross-tabulation depth_by_senses removed"),
    "the cutoff of the corpus moves": ("2021-03-31", "2031-03-31", "corpus, cutoff changed"),
    "a document has another file": ('"protocol.toml"', '"claims.toml"', "document protocol changed"),
    "a document is dropped": ('protocol = "protocol.toml"', "", "document protocol removed"),
    "the cutoff of the search moves": ("2021-04-26", "2031-04-26", "protocol, search_cutoff changed"),
    "a limit is removed": ('["The pool is curated."]', "[]", "protocol, limits, item 1 removed"),
    "an inclusion rule is weaker": ("The sensor still exists.", "Anything.", "inclusion, I2, text changed"),
    "an inclusion rule is removed": (INCLUSION, "", "inclusion, I2 removed"),
    "a stage is removed": (STAGE, "", "stages removed"),
    "a claim is removed": (SIZE, "", "claim size removed"),
    "a claim expects something else": ("count = 5", "count = 6", "claim size, count changed"),
    "a claim is reworded": ("Five sensors are known.", "Sensors are known.", "claim size, statement changed"),
    "a definition is turned round": ("Weight in kg.", "No weight in kg.", "table sensors, column weight, definition changed"),
    "fewer cells are thin": ("threshold = 1", "threshold = 0", "sparsity, threshold changed"),
    "a group loses a term": ('terms = ["water", "salt"]', 'terms = ["water"]', "vocabulary senses, group wet, terms, item 2 removed"),
    "a guard is only tracked": ("count = 5", "count = 5\ntracked = true", "claim size, tracked added"),
    "a claim looks at other rows": ('where = { depth = "surface" }', 'where = { depth = "shallow" }', "claim surface, where, depth changed"),
}  # fmt: skip
#: Those of them that check as much as before.
HARMLESS = {
    "a rule has another reason", "a definition is changed", "a column becomes an axis", "a table has another file",
    "a term is added", "a term is removed", "terms have another order", "a term means something else",
    "a group takes more terms", "a cross-tabulation is removed", "a limit is removed", "an inclusion rule is weaker",
    "a claim is reworded",
}  # fmt: skip


@pytest.mark.parametrize("name", WEAKENINGS)
def test_a_weakening_is_named_by_its_place(before, tmp_path, name):
    old, new, change = WEAKENINGS[name]
    found = as_json(before, changed(before, tmp_path, old, new))
    assert change in [f"{item['place']} {item['kind']}" for item in found["declarations"]]
    place = change.rpartition(" ")[0]
    assert any(place in sentence for sentence in found["summary"])
    weaker = [item["place"] for item in found["weaker_checks"]]
    assert bool(weaker) is (name not in HARMLESS)
    errors = [item["value"] for item in found["findings"] if item["code"] == "C431"]
    assert set(weaker) <= set(errors)


def test_a_weakening_is_in_every_report_with_both_values(before, tmp_path):
    old, new, _ = WEAKENINGS["a type is relaxed"]
    after = changed(before, tmp_path, old, new)
    [change] = as_json(before, after)["declarations"]
    assert (change["document"], change["before"], change["after"]) == ("codebook", "arxiv", "text")
    for format_ in ("text", "markdown"):
        shown = diff(before, after, "--format", format_).stdout
        assert "table sensors, column arxiv, type" in shown


def test_values_that_python_takes_for_equal_differ(before, tmp_path):
    after = changed(before, tmp_path, "count = 5", "count = 5.0")
    assert "claim size, count" in [item["place"] for item in as_json(before, after)["declarations"]]


def test_hostile_declarations_reach_no_sink(before, tmp_path):
    hostile = "\\u001b[31m<script>alert(1)</script> | @everyone\\n::error::no"
    after = changed(before, tmp_path, '"Gas."', f'"{hostile}"')
    for format_ in ("text", "markdown"):
        shown = diff(before, after, "--format", format_).stdout
        assert "\x1b" not in shown
        assert not [line for line in shown.splitlines() if line.startswith("::error::no")]
    assert "<script>" not in diff(before, after, "--format", "markdown").stdout


@pytest.mark.parametrize("value", [
    "[" * 90 + "]" * 90,
    "{ a = " * 90 + "1" + " }" * 90,
    "nan",
    "2021-05-04T00:00:00Z",
])  # fmt: skip
def test_odd_values_of_a_document_are_compared(before, tmp_path, value):
    after = changed(before, tmp_path, "search_cutoff =", f"odd = {value}\nsearch_cutoff =")
    assert [item["place"] for item in as_json(before, after)["declarations"]] == ["protocol, odd"]
