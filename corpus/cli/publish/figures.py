"""`corpus figures`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from corpus.cli.options import data_option, echo

if TYPE_CHECKING:
    from corpus.model.study import Study
    from corpus.publishing.figures.plan import FigurePlan

FORMATS = ("svg", "pdf", "png")


def _formats(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in FORMATS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return names


def _width(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    from corpus.publishing.figures.plan import WIDTHS

    if value is None or value in WIDTHS:
        return None if value is None else WIDTHS[value]
    try:
        width = float(value.removesuffix("in"))
    except ValueError:
        width = 0.0
    if not 2.5 <= width <= 20:
        raise click.BadParameter(f"{value!r} is none of {', '.join(WIDTHS)} and no width of 2.5 to 20 inches")
    return width


@click.command()
@click.option("--only", multiple=True, metavar="NAME[,NAME...]", help="Draw these figures; repeatable.")
@click.option(
    "--format",
    "formats",
    default="svg,pdf,png",
    show_default=True,
    callback=_formats,
    metavar="LIST",
    help="Files to write of each figure.",
)
@click.option(
    "--out", default="figures", show_default=True, type=click.Path(file_okay=False), help="Folder to write to."
)
@click.option(
    "--window", nargs=2, metavar="FIRST LAST", help="Months (YYYY-MM) that timelines show instead of the declared ones."
)
@click.option(
    "--width", callback=_width, metavar="one|two|INCHES", help="Width of all figures instead of the declared ones."
)
@click.option("--list", "list_", is_flag=True, help="List the declared figures and stop.")
@data_option
def figures(
    only: tuple[str, ...],
    formats: tuple[str, ...],
    out: str,
    window: tuple[str, str] | None,
    width: float | None,
    list_: bool,
    data: str | None,
) -> None:
    """Draw the figures that the codebook declares, each with the numbers it draws as CSV.

    Prints the path of every file written. Each file names its generator, the SHA-256 of the CSV beside it and a digest
    of all that decides how it looks. Widths: one column is 3.5 inches, two are 7.16.
    """
    corpus, plans = _plans(only, window, data)
    if list_:
        from corpus.printing.escape import terminal

        echo("".join(f"{plan.name}\t{plan.kind}\t{terminal(plan.title)}\n" for plan in plans))
        return
    from hashlib import sha256

    from corpus.publishing.figures.data import figure_data
    from corpus.publishing.figures.figure import figure_bytes
    from corpus.publishing.figures.frame import frame_csv
    from corpus.tables.atomic import write_atomic
    from corpus.tables.replacing import new_folders, refuse_protected

    drawn = [(plan, figure_data(corpus, plan)) for plan in plans]
    endings = ("csv", *formats)
    refuse_protected(os.path.join(out, f"{plan.name}.{ending}") for plan, _ in drawn for ending in endings)
    for plan, record in drawn:
        frame = frame_csv(record.frame())
        files: dict[str, str | bytes] = {"csv": frame}
        digest = sha256(frame.encode()).hexdigest()
        files.update({format_: figure_bytes(plan, record, format_, width, digest) for format_ in formats})
        for ending, content in files.items():
            path = os.path.join(out, f"{plan.name}.{ending}")
            with new_folders(out):
                write_atomic(path, content)
            echo(f"{path}\n")


def _plans(only: tuple[str, ...], window: tuple[str, str] | None, data: str | None) -> tuple[Study, list[FigurePlan]]:
    """Load the corpus and the figures asked for."""
    from corpus.publishing.figures.parser import figure_plans
    from corpus.tables.corpus_reader import load_corpus
    from corpus.tables.location import CODEBOOK_FILE, find_data, shown_path

    folder = find_data(data)
    corpus = load_corpus(folder)
    plans = figure_plans(corpus.codebook, shown_path(os.path.join(folder, CODEBOOK_FILE)))
    chosen = [plans[name] for name in _names(only, plans)]
    if window is not None:
        chosen = [_in_window(plan, window) for plan in chosen]
    return corpus, chosen


def _names(only: tuple[str, ...], plans: dict[str, FigurePlan]) -> list[str]:
    from corpus.model.finding import UsageProblem

    names = [name.strip() for text in only for name in text.split(",")]
    for name in names:
        if name not in plans:
            raise UsageProblem(f"there is no figure {name!r}; the codebook declares {', '.join(plans) or 'none'}")
    return list(dict.fromkeys(names)) or list(plans)


def _in_window(plan: FigurePlan, window: tuple[str, str]) -> FigurePlan:
    """Return a timeline with other months; any other figure as it is."""
    from corpus.model.finding import UsageProblem
    from corpus.publishing.figures.plan import TimelinePlan
    from corpus.publishing.figures.window import window_problem

    problem = window_problem(window)
    if problem:
        raise UsageProblem(f"--window {problem}")
    first, last = window
    return plan._replace(of=plan.of._replace(first=first, last=last)) if isinstance(plan.of, TimelinePlan) else plan
