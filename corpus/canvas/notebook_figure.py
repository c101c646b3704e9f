"""A figure of matplotlib that a notebook shows by itself; imports matplotlib."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from corpus.canvas.style import encode, style


class NotebookFigure(Figure):
    """A figure that no window belongs to: without pyplot a notebook would print its name alone."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(figsize=(width, height), dpi=dpi)
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        with style():
            return encode(self, "png", {}, dpi=150)
