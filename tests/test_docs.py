"""Generated documentation is current; what is promised in documents is what the program does."""

import importlib.util
import json
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import corpus
from corpus.cli.check.catalogue import catalogue
from corpus.model.finding import Rule
from tests.support.conformance import needed

ROOT = Path(__file__).parent.parent


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", generator().PAGES)
def test_generated_pages_are_current(name):
    page = ROOT / "docs" / name
    assert generator().PAGES[name]() == page.read_text(encoding="utf-8"), (
        "run: python docs/generate.py"
    )


def test_every_rule_of_the_program_is_in_the_catalogue():
    known = catalogue()
    for module in pkgutil.walk_packages(corpus.__path__, "corpus."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Rule):
                assert known.get(value.code) == value, f"{value.code} of {module.name}"


def test_every_code_that_a_document_names_exists():
    known = catalogue()
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for code in re.findall(r"\b(?:C|OT)[0-9]{3}\b", document.read_text(encoding="utf-8")):
            assert code in known, f"{document.name} names {code}"


def prose(document):
    return re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(document):
    """The anchors that GitHub gives the headings of a document."""
    titles = re.findall(r"^#+ (.*)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_relative_link_leads_somewhere():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "data").rglob("*.md")]
    seen = 0
    for document in documents:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
            if not re.match(r"[a-z]+:", target):
                path, _, anchor = target.partition("#")
                place = (document.parent / path).resolve() if path else document
                assert place.exists(), f"{document.relative_to(ROOT)}: {target}"
                assert not anchor or anchor in anchors(place), (
                    f"{document.relative_to(ROOT)}: {target}"
                )
                seen += 1
    assert seen > 50


def test_every_page_is_reached_from_the_index():
    pages = {page.resolve() for page in (ROOT / "docs").rglob("*.md")}
    reached, waiting = set(), [ROOT / "docs" / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in pages - reached:
            reached.add(page)
            waiting += [
                page.parent / link
                for link in re.findall(r"\]\(([^)#\s]+\.md)", page.read_text("utf-8"))
            ]
    assert pages == reached


def test_the_pages_are_a_site_with_search_and_no_broken_link(tmp_path):
    """Strict: a page that the navigation lacks, a missing target or anchor fails the build."""
    needed("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    search = json.loads((tmp_path / "search/search_index.json").read_text("utf-8"))
    found = {page["location"].split("#")[0] for page in search["docs"]}
    assert {
        "",
        "cli/",
        "guides/reader/",
        "reports/papers/",
        "reports/claims/",
        "notebooks/corpus/",
    } <= found
    # Reports are pages, no link leads to an account that does not exist, and nothing is fetched from others.
    reader = (tmp_path / "guides/reader/index.html").read_text("utf-8")
    assert 'href="../../reports/sparsity/"' in reader
    assert "OWNER/mas-rl-corpus/blob" not in reader
    assert not re.search(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)"', reader)


def test_every_public_name_is_in_the_python_reference():
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    for name in corpus.__all__:
        assert f"## `corpus.{name}`" in page
    for name in corpus.traces.__all__:
        assert f"## `corpus.traces.{name}`" in page
    for frames in (corpus.CorpusFrames, corpus.traces.TraceFrames):
        for name in vars(frames):
            if not name.startswith("_"):
                assert f"### `{frames.__name__}.{name}`" in page
