"""The jinja2 environments, one for each output, which escape every value for it."""

from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from corpus.printing import escape

#: How each output escapes a text.
ESCAPES = {"md": escape.markdown, "tex": escape.latex, "html": escape.html, "toml": escape.toml}
#: By output, where those of jinja2 do not serve: braces are too frequent in LaTeX.
_DELIMITERS: dict[str, Any] = {
    "tex": {
        "variable_start_string": "<<",
        "variable_end_string": ">>",
        "block_start_string": "<%",
        "block_end_string": "%>",
        "comment_start_string": "<#",
        "comment_end_string": "#>",
    }
}


@cache
def environment(sink: str, package: str = "corpus.printing") -> Environment:
    """Return the environment for one output and the templates of one package.

    Parameters
    ----------
    sink : str
        ``md``, ``tex``, ``html`` or ``toml``.
    package : str
        The package whose folder ``files`` is searched first. The folder of `corpus.printing` comes
        after it, so that every template may include the grids.

    Notes
    -----
    Values are escaped where they are printed (jinja2's `finalize`). Text that is already in the
    language of the output is passed as :class:`markupsafe.Markup`. LaTeX templates write ``<< value
    >>`` and ``<% for ... %>``.
    """
    escaped = ESCAPES[sink]

    def finalize(value: object) -> object:
        if isinstance(value, Markup):
            return value
        return Markup(escaped(str(value)))  # noqa: S704 — escaped

    made = Environment(
        loader=ChoiceLoader(
            [PackageLoader(package, "files"), PackageLoader("corpus.printing", "files")]
        ),
        autoescape=False,  # noqa: S701 — finalize escapes for the output; jinja2's own escaping is HTML only
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **_DELIMITERS.get(sink, {}),
    )
    made.filters["raw"] = Markup
    return made
