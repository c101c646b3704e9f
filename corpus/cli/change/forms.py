"""`corpus forms`."""

from __future__ import annotations

import os

import click

from corpus.cli.options import data_option, echo, flag, option
from corpus.curation.edit.form import PATH, form_yaml
from corpus.tables.documents import read_codebook
from corpus.tables.location import shown_path, writable_data
from corpus.tables.writing.atomic import new_folders, write_atomic


@click.command()
@flag("--check", "Change nothing; exit 1 where the form is stale.")
@option("--out FILE", "Write somewhere else ('-': stdout).", type=click.Path(dir_okay=False))
@data_option
def forms(check: bool, out: str | None, data: str | None) -> None:
    """Write GitHub's issue form for a new entry.

    It is made from the codebook, into .github/ISSUE_TEMPLATE. One dropdown per vocabulary, with
    the definitions beside it. An issue that was opened with the form is read by `corpus add
    --form FILE`.
    """
    folder = writable_data(data)
    text = form_yaml(read_codebook(folder))
    root = os.path.dirname(os.path.abspath(folder))
    path = out or os.path.join(root, PATH)
    if path == "-":
        echo(text, "yaml")
        return
    try:
        with open(path, "rb") as handle:
            written = handle.read().decode("utf-8", "replace")
        # Git may have changed the line ends on checkout.
        current = written.replace("\r\n", "\n") == text
    except FileNotFoundError:
        current = False
    if check and not current:
        click.echo(
            f"{shown_path(path)} is stale: made from an older codebook; run `corpus forms`",
            err=True,
        )
        raise SystemExit(1)
    if not current:
        parent = os.path.dirname(os.path.abspath(path))
        with new_folders(parent):
            write_atomic(path, text)
        click.echo(f"written: {shown_path(path)}", err=True)
