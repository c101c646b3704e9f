"""Every page in Markdown as GitHub shows it: cmark-gfm reads it, and no paragraph is cut by a comment."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("reports/*.md"),
]


def html_blocks(text):
    if not shutil.which("cmark-gfm"):
        if os.environ.get("CI"):
            pytest.fail("cmark-gfm is missing in CI; .ci/run installs it")
        pytest.skip("no cmark-gfm on this machine")
    command = ["cmark-gfm", "-t", "xml", "-e", "table", "-e", "footnotes"]
    made = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    document = fromstring(
        made.stdout.decode().replace('<!DOCTYPE document SYSTEM "CommonMark.dtd">', "")
    )
    return [node.text or "" for node in document.iter() if node.tag.endswith("}html_block")]


def swallowed(block):
    """Text of an HTML block that was to be Markdown: it is neither a comment nor inside an element."""
    text = re.sub(r"(?s)<!--.*?-->", "", block)
    return text.strip() if not text.lstrip().startswith("<") else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_comment_turns_markdown_into_html(page):
    assert list(filter(None, map(swallowed, html_blocks(page.read_text("utf-8"))))) == []


def test_a_cut_paragraph_is_found():
    [block] = html_blocks("We kept\n<!-- corpus: X -->84<!-- /corpus --> **papers**.")
    assert swallowed(block) == "84 **papers**."
