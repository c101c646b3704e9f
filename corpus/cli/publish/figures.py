"""`corpus figures`."""

import os
from itertools import chain

import click

from corpus.cli.options import Texts, echo, echo_grids, flag, names_in, option, study_option
from corpus.model.finding import refuse_unknown
from corpus.model.study import Study
from corpus.printing.grid import Grid
from corpus.publishing.figures.figure import FORMATS, figure_bytes, study_figures
from corpus.tables.writing.atomic import new_folders, write_all_atomic


@click.command()
@option("--only NAME[,NAME...]", "Draw these figures; repeatable.", multiple=True)
@option("--format LIST", "Write each figure in these formats.", "formats", default="svg,pdf,png")
@option("--out", "Write to this folder.", default="figures", type=click.Path(file_okay=False))
@flag("--no-title", "Leave the titles to the captions.")
@flag("--list", "List the declared figures and stop.", "list_")
@study_option
def figures(only: Texts, formats: str, out: str, no_title: bool, list_: bool, study: Study) -> None:
    """Draw the declared figures as SVG, PDF and PNG.

    The codebook declares them. Each comes with the numbers it draws as CSV and with its caption for
    LaTeX. Prints the path of every file written. Each drawing names its generator, the SHA-256 of
    the CSV beside it and a digest of all that decides how it looks.
    """
    endings = names_in(formats)
    refuse_unknown("format", endings, FORMATS)
    known = study_figures(study)
    names = list(chain.from_iterable(map(names_in, only)))
    refuse_unknown("figure", names, known)
    plans = list(map(known.__getitem__, dict.fromkeys(names or known)))
    if list_:
        rows = tuple((plan.name, plan.kind, plan.title) for plan in plans)
        echo_grids([Grid("", ("figure", "kind", "title"), rows)])
        return
    files: dict[str, str | bytes] = {}
    for plan in plans:
        record, stem = plan.data(study), os.path.join(out, plan.name)
        files[f"{stem}.csv"], files[f"{stem}.tex"] = record.frame().csv(), plan.latex()
        if no_title:
            plan = plan._replace(title="")
        for ending in endings:
            files[f"{stem}.{ending}"] = figure_bytes(plan, record, ending)
    with new_folders(out):
        write_all_atomic(files)
    echo("".join(map("{}\n".format, files)))
