"""The declared figures as generated files: every format, the frame it draws, its caption."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from corpus.publishing.figures.figure import figure_bytes, figure_data, figure_digest, read_digest
from corpus.publishing.figures.parser import study_figures
from corpus.publishing.figures.plan import FigureData, FigurePlan
from corpus.publishing.outputs.output import Digests, Output, sha256
from corpus.publishing.outputs.sources import Sources

#: The formats that git keeps, and those that every `corpus build` makes beside them, which are
#: half a megabyte per change that nobody compares.
KEPT, LOCAL = ("svg",), ("pdf", "png")


class _Drawing:
    """One figure; its data is computed once, when a file of it is first needed."""

    def __init__(self, plan: FigurePlan, sources: Sources) -> None:
        self.plan, self.sources = plan, sources

    @cached_property
    def data(self) -> FigureData:
        return figure_data(self.sources.study, self.plan)

    @cached_property
    def csv(self) -> str:
        return self.data.frame().csv()

    def digest(self, _: Sources) -> str:
        return figure_digest(self.plan, self.data)

    def frame(self, _: Sources) -> str:
        return self.csv

    def caption(self, ending: str, _: Sources) -> str:
        return self.plan.captions()[ending]

    def draw(self, format_: str, _: Sources) -> bytes:
        return figure_bytes(self.plan, self.data, format_, data_sha256=sha256(self.csv.encode()))


def figure_outputs(sources: Sources) -> Iterator[Output]:
    """Yield the files of every figure that the codebook declares.

    Raises
    ------
    CorpusError
        With C001 findings where a declaration is wrong; data that cannot be drawn fails when its
        file is made.
    """
    for plan in study_figures(sources.study).values():
        drawing = _Drawing(plan, sources)
        command = f"corpus figures --only {plan.name}"
        title = plan.title or plan.name
        yield Output(f"figures/{plan.name}.csv", f"{title}: numbers", command, drawing.frame)
        for ending in plan.captions():
            make = partial(drawing.caption, ending)
            yield Output(f"figures/{plan.name}.{ending}", f"{title}: caption", command, make)
        for format_ in (*KEPT, *LOCAL):
            path = f"figures/{plan.name}.{format_}"
            draw = partial(drawing.draw, format_)
            digests = Digests(drawing.digest, read_digest)
            yield Output(path, title, command, draw, digests, local=format_ in LOCAL)
