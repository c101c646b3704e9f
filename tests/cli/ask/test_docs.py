"""The documentation on the command line: every page that a message names is there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_page_that_the_package_names_is_printed(run):
    named = set()
    for path in (ROOT / "corpus").rglob("*"):
        if path.suffix in (".py", ".j2", ".toml"):
            named.update(re.findall(r"corpus docs ([a-z][a-z-]+)", path.read_text("utf-8")))
    assert len(named) > 5
    wheel = (ROOT / "pyproject.toml").read_text("utf-8")
    for page in named - {"own-survey"}:
        assert run("docs", page).stdout.startswith("# ")
        assert f'"corpus/_docs/{page}.md"' in wheel
    listed = run("docs").stdout
    assert "own-survey" in listed
    assert run("docs", "claims-fromat").exit_code == 2


def test_every_link_of_a_page_leads_to_a_page_that_a_wheel_has(run):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = {Path(path).stem for path in packed if path.endswith(".md")}
    pages |= {path.stem for path in (ROOT / "docs/guides").glob("*.md")}
    links = 0
    for page in pages:
        # Without code: examples may have any link.
        text = re.sub(r"```.*?```|`[^`\n]*`", "", run("docs", page).stdout, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^()]+)\)", text):
            if not re.match(r"https?:|#", target):
                assert target.removeprefix("corpus docs ") in pages, (page, target)
                links += 1
    assert links > 50


def test_what_a_corpus_is_told_names_no_file_of_this_repository():
    files = [
        *(ROOT / "corpus").rglob("*.j2"),
        *(ROOT / "corpus/curation/importing").rglob("*.toml"),
    ]
    files += [ROOT / "docs/errors.md", ROOT / "corpus/curation/release/release.py"]
    for path in files:
        assert not re.search(r"\bdocs/[a-z-]+\.md", path.read_text("utf-8")), path
