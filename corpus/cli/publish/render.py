"""`corpus render`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corpus.cli.options import data_option, echo, output_option

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.model.study import Study


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path())
@click.option("--check", is_flag=True, help="Write nothing; say which marked texts are stale, and exit 1 if any is.")
@click.option("--template", metavar="FILE", type=click.Path(), help="Fill this jinja2 template with the same names.")
@output_option(metavar="FILE", help="Where macros or the filled template go.")
@data_option
def render(files: tuple[str, ...], check: bool, template: str | None, output: str | None, data: str | None) -> None:
    """Keep the numbers of a manuscript current.

    Without FILE, print numbers.tex: one LaTeX macro for every published number. With FILEs (Markdown, LaTeX, HTML),
    replace what stands between their markers: <!-- corpus: PoolSize -->84<!-- /corpus --> or, in LaTeX, the lines
    between "% corpus: table-category" and "% /corpus".
    """
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import find_data

    if files and (template or output):
        raise click.UsageError("--template and -o go without FILE; a file with markers is changed in place")
    corpus = load_corpus(find_data(data))
    if files:
        _renew(files, corpus, check)
    elif template is not None:
        _write(_filled(template, corpus), output)
    else:
        from corpus.analysis.numbers.macros import numbers_latex
        from corpus.analysis.numbers.published import published_numbers

        _write("% Made by corpus render.\n" + numbers_latex(published_numbers(corpus).values()), output)


def _renew(files: tuple[str, ...], corpus: Study, check: bool) -> None:
    """Renew all files; none is written where one of them has a fault."""
    from corpus.model.finding import CorpusError
    from corpus.publishing.manuscript.markers import renew, sink_of
    from corpus.publishing.manuscript.references import Names
    from corpus.tables.atomic import write_all_atomic
    from corpus.tables.content import read_text
    from corpus.tables.location import shown_path

    changed: dict[str, str] = {}
    stale: list[Finding] = []
    faults: list[Finding] = []
    for path in files:
        sink = sink_of(path)
        try:
            text = read_text(path, shown_path(path))
            end = "\r\n" if "\r\n" in text else "\n"
            new, found = renew(text.replace("\r\n", "\n"), sink, Names(corpus, sink), shown_path(path))
            new = new.replace("\n", end)
        except CorpusError as error:
            faults += error.findings
            continue
        stale += found
        if new != text:
            changed[path] = new
    if faults or (check and stale):
        raise CorpusError(faults + (stale if check else []))
    if not check:
        write_all_atomic(changed)
        echo("".join(f"{shown_path(path)} renewed\n" for path in changed) or "nothing changed\n")


def _filled(template: str, corpus: Study) -> str:
    from corpus.printing.templates import Printed
    from corpus.publishing.appendix.author_template import fill_template
    from corpus.publishing.manuscript.markers import sink_of
    from corpus.publishing.manuscript.references import Names

    sink = sink_of(template)
    names = Names(corpus, sink)
    known = {name: Printed(names[name]) for name in names if name.isidentifier()}
    tables = {name.removeprefix("table-"): Printed(names[name]) for name in names if name.startswith("table-")}
    return fill_template(template, sink, {**known, "tables": tables})


def _write(text: str, output: str | None) -> None:
    if output is None:
        echo(text, "latex")
        return
    from corpus.tables.atomic import write_atomic

    write_atomic(output, text)
