"""What an author's file may name between markers or in a template: numbers, tables, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from corpus.analysis.counting.report import crosstab_grid, margin_grid
from corpus.analysis.numbers.main_finding import main_finding
from corpus.analysis.numbers.published import published_numbers
from corpus.model.codebook import Crosstab
from corpus.model.study import Study
from corpus.printing import escape
from corpus.printing.grid import Grid, grid_html, grid_latex, grid_markdown
from corpus.publishing.appendix.paper_list import paper_list
from corpus.tables.fast.tally import contingency_of

_TEXT: Mapping[str, Callable[[str], str]] = {
    "md": escape.markdown,
    "tex": escape.latex,
    "html": escape.html,
}
_GRID: Mapping[str, Callable[[list[Grid]], str]] = {
    "md": grid_markdown,
    "tex": grid_latex,
    "html": grid_html,
}


class PrintedNames(Mapping[str, str]):
    """Name -> text in the language of a sink (``md``, ``tex``, ``html``), made when it is used.

    Every published number has its name. ``table-AXIS`` and ``table-CROSSTAB`` are the tables of
    `corpus stats`; ``finding`` is the main finding where the codebook declares one; ``papers`` is
    the list of entries (Markdown only).
    """

    def __init__(self, study: Study, sink: str) -> None:
        self.study, self.sink = study, sink
        self.numbers = published_numbers(study)
        book = study.codebook
        axes = book.pool.axis_names
        self._counted = contingency_of(study)
        self._makers: dict[str, Callable[[], str]] = {}
        for axis in axes:
            self._makers[f"table-{axis}"] = partial(self._margin, axis)
        for crosstab in book.crosstabs:
            self._makers[f"table-{crosstab.id}"] = partial(self._crosstab, crosstab)
        if "finding" in book.settings:
            self._makers["finding"] = self._finding
        if sink == "md":
            self._makers["papers"] = partial(paper_list, study)

    def __getitem__(self, name: str) -> str:
        """Return the printed text of a name; KeyError where there is none."""
        number = self.numbers.get(name)
        if number is not None:
            return _TEXT[self.sink](number.text)
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        yield from self.numbers
        yield from self._makers

    def __len__(self) -> int:
        return len(self.numbers) + len(self._makers)

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a name, without making its text."""
        return name in self.numbers or name in self._makers

    def _finding(self) -> str:
        return _TEXT[self.sink](main_finding(self.study))

    def _margin(self, axis: str) -> str:
        return self._print(margin_grid(self._counted.margin(axis), labels=True))

    def _crosstab(self, declared: Crosstab) -> str:
        counted = self._counted.crosstab(declared.rows, declared.columns)
        return self._print(crosstab_grid(counted, declared.title, labels=True))

    def _print(self, grid: Grid) -> str:
        if self.sink == "md":
            # The author's own text has the heading.
            grid = grid._replace(title="")
        return _GRID[self.sink]([grid])
