"""`corpus docs`."""

from pathlib import Path

import click

import corpus
from corpus.cli.options import echo, echo_grids
from corpus.model.finding import refuse_unknown
from corpus.printing.grid import Grid

_PACKAGE = Path(corpus.__file__).parent


@click.command()
@click.argument("page", default="")
def docs(page: str) -> None:
    """Print a page of the documentation, or list the pages.

    The pages are those of this version, also where only the package is installed.
    """
    folder = _PACKAGE / "_docs"
    if not folder.is_dir():
        folder = _PACKAGE.parent / "docs"
    pages = {}
    for path in sorted([*folder.glob("*.md"), *folder.glob("guides/*.md")]):
        pages[path.stem] = path.read_text("utf-8")
    if page:
        refuse_unknown("page", [page], pages)
        echo(pages[page], "markdown")
        return
    titles = [(name, text.partition("\n")[0].strip("# ")) for name, text in pages.items()]
    echo_grids([Grid("", ("page", "title"), tuple(titles))])
