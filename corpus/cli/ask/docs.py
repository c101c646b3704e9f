"""`corpus docs`."""

import re
from functools import partial
from pathlib import Path

import click

import corpus
from corpus.cli.options import echo, echo_grids
from corpus.model.finding import refuse_unknown
from corpus.printing.grid import Grid

_PACKAGE = Path(corpus.__file__).parent
#: A link to another file of the repository; headings of the page itself start with "#".
_LINK = re.compile(r"\[([^\[\]]*)\]\((?![a-z]+:|#)([^()\s]*(?:/|\.md)[^()\s]*)\)")


@click.command()
@click.argument("page", default="")
def docs(page: str) -> None:
    """Print a page of the documentation, or list the pages.

    The pages are those of this version, also where only the package is installed.
    """
    folder = _PACKAGE / "_docs"
    if not folder.is_dir():
        folder = _PACKAGE.parent / "docs"
    pages = {path.stem: path for path in (*folder.glob("*.md"), *folder.glob("guides/*.md"))}
    if page:
        refuse_unknown("page", [page], sorted(pages))
        path = pages[page]
        echo(_LINK.sub(partial(_reachable, path, pages), path.read_text("utf-8")), "markdown")
        return
    titles = []
    for name, path in sorted(pages.items()):
        titles.append((name, path.read_text("utf-8").partition("\n")[0].strip("# ")))
    echo_grids([Grid("", ("page", "title"), tuple(titles))])


def _reachable(page: Path, pages: dict[str, Path], link: re.Match[str]) -> str:
    """Return a link with the command that prints its target; of another file its words."""
    target = page.parent / link[2].partition("#")[0]
    if pages.get(target.stem, page).resolve() == target.resolve():
        return f"[{link[1]}](corpus docs {target.stem})"
    return link[1]
