"""The developer documentation names files that exist and that have what it says is in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs/development").glob("add-*.md"))
OVERVIEW = (ROOT / "docs/development.md").read_text("utf-8")

#: Page -> a word of its example. Every module of the package that has the word must be in the page's list.
EXAMPLES = {
    "add-check.md": r"\bincomplete_doi\b",
    "add-export.md": r"csl[-_]json",
    "add-figure.md": r"\b(?:draw_ladder|LadderPlan)\b",
    "add-trace-format.md": r"\bwho_and_when\b",
}


def files_to_touch(page):
    """The rows of a page's table: a file, and a text that is in it."""
    rows = re.findall(r"^\| `([^`]+)` \|.*\| `([^`]+)` \|$", page.read_text("utf-8"), re.MULTILINE)
    assert rows, page
    return rows


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_file_of_a_page_exists_and_has_the_text_to_look_for(page):
    missing = []
    for file, text in files_to_touch(page):
        path = ROOT / file
        if not path.is_file() or text not in path.read_text("utf-8"):
            missing.append((file, text))
    assert missing == []


@pytest.mark.parametrize("page", EXAMPLES)
def test_no_module_that_knows_the_example_is_left_out(page):
    listed = {file for file, _ in files_to_touch(ROOT / "docs/development" / page)}
    knowing = set()
    for module in (ROOT / "corpus").rglob("*.py"):
        if re.search(EXAMPLES[page], module.read_text("utf-8")):
            knowing.add(module.relative_to(ROOT).as_posix())
    assert knowing - listed == set()


def test_the_map_names_every_package_and_none_that_is_gone():
    named = set(re.findall(r"^\| `(corpus/\w+)` \|", OVERVIEW, re.MULTILINE))
    packages = {
        folder.relative_to(ROOT).as_posix()
        for folder in (ROOT / "corpus").iterdir()
        if (folder / "__init__.py").is_file()
    }
    assert named == packages


def is_there(module):
    """Whether a dotted name is a module, or something in the module that it begins with."""
    parts = module.split(".")
    for length in range(len(parts), 1, -1):
        path = ROOT.joinpath(*parts[:length])
        rest = parts[length:]
        if (path / "__init__.py").is_file():
            return all(part in (path / "__init__.py").read_text("utf-8") for part in rest)
        if path.with_suffix(".py").is_file():
            return all(part in path.with_suffix(".py").read_text("utf-8") for part in rest)
    return False


def test_every_module_that_a_document_names_exists():
    missing = []
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        text = page.read_text("utf-8")
        modules = re.findall(r"`((?:corpus|tests|benchmarks)(?:\.[a-z_]+){2,})`", text)
        paths = re.findall(r"\b((?:corpus|tests|benchmarks)(?:/\w+)+(?:\.py)?)\b", text)
        missing += [(page.name, module) for module in modules if not is_there(module)]
        missing += [(page.name, path) for path in paths if not any(ROOT.glob(f"{path}*"))]
    assert missing == []


def test_the_overview_links_every_page():
    assert set(re.findall(r"\(development/(add-[\w-]+\.md)\)", OVERVIEW)) == {
        page.name for page in PAGES
    }
