"""Classes within classes become groups of terms, on every level."""

import tomllib

from click.testing import CliRunner

from corpus.cli.main import main
from corpus.curation.importing.hierarchy import path_groups

BRACES = (
    "energy{battery{ion{solid}}}",
    "energy{battery{ion{liquid}}}",
    '"energy{battery{lead}}, water"',
    "energy{wind{sea}}",
    '"energy{wind{land}}, water"',
    "energy{battery{ion{solid}}}",
)


def test_each_level_of_nested_classes_is_counted(tmp_path):
    rows = [f"A work on number {number},{cell}" for number, cell in enumerate(BRACES)]
    source = tmp_path / "list.csv"
    source.write_text("\n".join(["Title,Class", *rows]) + "\n", "utf-8")
    folder = tmp_path / "nested"
    for arguments in (
        ["init", str(folder), "--from", str(source)],
        ["check", "--data", str(folder)],
    ):
        assert CliRunner().invoke(main, arguments, catch_exceptions=False).exit_code == 0
    book = tomllib.loads((folder / "data/codebook.toml").read_text("utf-8"))
    vocabulary = book["vocabularies"]["class"]
    terms = {term["id"] for term in vocabulary["terms"]}
    groups = {group["label"]: set(group["terms"]) for group in vocabulary["groups"]}
    assert max(label.count(" › ") for label in groups) + 1 == 3
    assert groups["energy › battery › ion"] < groups["energy › battery"] <= groups["energy"] < terms


def test_tags_with_a_slash_are_no_classes():
    assert path_groups([("a", "RL/vision"), ("b", "RL/text"), ("c", "IL/vision")]) == ()
