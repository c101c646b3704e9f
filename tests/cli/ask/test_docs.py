"""The documentation on the command line: every page that a message names is there."""

import re
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
