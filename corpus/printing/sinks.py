"""Tables in the language of an output, each through its template."""

from collections.abc import Sequence

from corpus.printing.grid import Grid
from corpus.printing.latex_grid import printed_grids


def grid_in(sink: str, grids: Sequence[Grid], wide: bool = False) -> str:
    """Write tables in the language of a sink.

    ``md`` is GitHub-flavoured Markdown, each table under a heading; ``tex`` is LaTeX (booktabs),
    each a `table` with its caption, or with `wide` a `table*` across both columns of print;
    ``html`` has the title as caption and the note as a paragraph.
    """
    # jinja2 takes longer to import than most commands to run, and the terminal does without it.
    from corpus.printing.templates import environment

    template = environment(sink).get_template(f"grids.{sink}.j2")
    names = {"printed_grids": printed_grids, "environment": "table*" if wide else "table"}
    return template.render(grids=grids, **names)
