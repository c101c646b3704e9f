"""What a good repository promises: a valid citation, licences, no address of a package host, no machine's path."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import jsonschema
import pytest
import yaml

from corpus.publishing.export.publication import deposit
from corpus.tables.corpus_reader import load_corpus

ROOT = Path(__file__).parent.parent


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [
        ROOT / name
        for name in listed.stdout.decode().split("\0")
        if name and (ROOT / name).is_file()
    ]


def test_the_citation_file_is_valid_and_cites_the_survey():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(
        json.loads((ROOT / "tests/schemas/cff-1.2.0.json").read_text())
    ).validate(citation)
    assert citation["preferred-citation"]["identifiers"][0]["value"] == "arXiv:2605.02801"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert str(citation["version"]) == project["version"]
    assert sorted(citation["license"]) == sorted(project["license"].split(" AND "))


def test_the_files_for_archives_have_the_version_and_the_words_of_the_corpus():
    corpus = load_corpus(str(ROOT / "data"))
    about, named = corpus.codebook.corpus, deposit(corpus.codebook)
    archive = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert {name: archive[name] for name in ("title", "description", "version", "license")} == {
        **{name: about[name] for name in ("title", "description", "version")},
        "license": about["license"].lower(),
    }
    assert archive["keywords"] == list(named.keywords)
    assert archive["creators"] == [{"name": name} for name in named.creators]
    described = json.loads((ROOT / "codemeta.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert described["version"] == project["version"] == corpus.codebook.corpus["version"]
    assert (described["description"], described["keywords"]) == (project["description"], project["keywords"])  # fmt: skip
    assert described["codeRepository"] == project["urls"]["Repository"]


def test_both_licenses_are_included():
    assert "CC0 1.0" in (ROOT / "LICENSES/CC0-1.0.txt").read_text()
    assert "MIT License" in (ROOT / "LICENSES/MIT.txt").read_text()


def test_no_file_names_a_package_host():
    hosts = re.compile(
        rb"pypi\.org/simple|pythonhosted\.org|registry\.npmjs\.org|deb\.debian\.org|--(extra-)?index-url"
    )
    this = Path(__file__)
    assert [path for path in tracked() if path != this and hosts.search(path.read_bytes())] == []


def test_placeholders_are_listed():
    """An account that does not exist is OWNER, and `docs/development.md` tells where to replace it."""
    page = "docs/development.md"
    listed = (ROOT / page).read_text("utf-8").split("## Before the repository is public")[1]
    named = set(re.findall(r"^\| `([^`]+)` \|", listed.split("\n## ")[0], re.MULTILINE))
    holding = re.compile(rb"github\.com/OWNER")
    found = {str(path.relative_to(ROOT)) for path in tracked() if holding.search(path.read_bytes())}
    assert found - {"tests/test_repository.py"} == named


def test_exact_versions_are_pinned_for_every_dependency():
    pins = (ROOT / "constraints.txt").read_text().lower().replace("_", "-")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = [re.match(r"[A-Za-z0-9._-]+", item)[0].lower().replace("_", "-") for item in wanted]
    assert [
        name for name in names if not re.search(rf"^{re.escape(name)}==", pins, re.MULTILINE)
    ] == []


def plain(name):
    return re.match(r"[A-Za-z0-9._-]+", name)[0].lower().replace("_", "-")


def test_a_plain_install_has_every_package_that_is_imported():
    """A package that only the test tools bring, or that is declared for one system, does not count."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [item for item in project["dependencies"] if ";" not in item]
    for extra in ("figures", "dask", "prices"):
        wanted += extras[extra]
    declared = {plain(item) for item in wanted} | {
        "dask",
        "mas-rl-corpus",
    }  # dask comes with distributed
    holders = packages_distributions()
    imported = set()
    for file in (ROOT / "corpus").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module)
            imported.update(name.partition(".")[0] for name in names)
    foreign = imported - sys.stdlib_module_names - {"corpus"}
    assert {
        name for name in foreign if declared.isdisjoint(map(plain, holders.get(name, [name])))
    } == set()


def test_the_lowest_versions_to_test_with_are_those_that_are_allowed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dask"], *extras["prices"]]
    floors = [re.match(r"([A-Za-z0-9_.-]+)>=([0-9.]+)", item) for item in wanted]
    lowest = (ROOT / "constraints-lowest.txt").read_text().splitlines()
    assert [floor[0] for floor in floors if f"{floor[1]}=={floor[2]}" not in lowest] == []
