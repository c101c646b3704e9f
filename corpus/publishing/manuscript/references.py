"""What an author's file may name between markers or in a template: numbers, tables, lists, printed for its sink."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from corpus.analysis.counting.report import crosstab_grid, margin_grid
from corpus.analysis.numbers.published import published_numbers
from corpus.model.contingency import Contingency
from corpus.model.study import Study
from corpus.printing import escape
from corpus.printing.grid import Grid, grid_html, grid_latex, grid_markdown
from corpus.publishing.appendix.paper_list import paper_list
from corpus.tables.fast.tally import tally_table

_TEXT: Mapping[str, Callable[[str], str]] = {"md": escape.markdown, "tex": escape.latex, "html": escape.html}
_GRID: Mapping[str, Callable[[list[Grid]], str]] = {"md": grid_markdown, "tex": grid_latex, "html": grid_html}


class Names(Mapping[str, str]):
    """Name -> text in the language of a sink (``md``, ``tex``, ``html``); made when it is asked for.

    Every published number has its name. ``table-AXIS`` and ``table-CROSSTAB`` are the tables of `corpus stats`;
    ``papers`` is the list of entries (Markdown only).
    """

    def __init__(self, corpus: Study, sink: str) -> None:
        self.corpus, self.sink = corpus, sink
        self.numbers = published_numbers(corpus)
        self._makers = dict(self._tables())
        if sink == "md":
            self._makers["papers"] = lambda: paper_list(corpus)

    def __getitem__(self, name: str) -> str:
        """Return the printed text of a name; KeyError where there is none."""
        number = self.numbers.get(name)
        return _TEXT[self.sink](number.text) if number else self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        yield from self.numbers
        yield from self._makers

    def __len__(self) -> int:
        return len(self.numbers) + len(self._makers)

    def _tables(self) -> Iterator[tuple[str, Callable[[], str]]]:
        book = self.corpus.codebook
        axes = tuple(column.name for column in book.pool.axes)
        counted = Contingency(book, axes, tally_table(self.corpus.pool, book, axes))
        for axis in axes:
            yield f"table-{axis}", lambda a=axis: self._print(margin_grid(counted.margin(a), labels=True))  # type: ignore[misc]
        for c in book.crosstabs:
            yield (
                f"table-{c.id}",
                lambda c=c: self._print(crosstab_grid(counted.crosstab(c.rows, c.columns), c.title, labels=True)),  # type: ignore[misc]
            )

    def _print(self, grid: Grid) -> str:
        return _GRID[self.sink]([grid._replace(title="") if self.sink == "md" else grid])
