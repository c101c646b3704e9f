"""The jinja environments, one a sink: everything that is printed is escaped for it, and unknown names are errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from corpus.printing import escape

_ESCAPES: dict[str, Callable[[str], str]] = {
    "md": escape.markdown,
    "tex": escape.latex,
    "html": escape.html,
    "toml": escape.toml,
}


@cache
def environment(sink: str, package: str = "corpus.printing") -> Environment:
    """Return the environment for one sink and the templates of one package.

    Parameters
    ----------
    sink : str
        ``md``, ``tex``, ``html`` or ``toml``.
    package : str
        The package whose folder ``files`` is searched first. The folder of `corpus.printing` comes after it, so that
        every template may include the grids.

    Notes
    -----
    Values are escaped where they are printed (jinja's `finalize`); text that is already in the sink's language is
    passed as :class:`markupsafe.Markup`. LaTeX templates write ``<< value >>`` and ``<% for ... %>``.
    """
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package, "files"), PackageLoader("corpus.printing", "files")]),
        autoescape=False,  # noqa: S701 — finalize escapes for the sink; jinja's own escaping is HTML only
        **_settings(sink, Markup),
    )
    made.filters["raw"] = Markup
    return made


@cache
def sandbox(sink: str) -> SandboxedEnvironment:
    """Return the environment for an author's own template: the same language and escapes, no access to the program.

    It loads nothing: a template stands alone. No filter of jinja (`safe`, `escape`) can make a text pass unescaped,
    for they know HTML only; a macro prints text, which is escaped where it is called.
    """
    return SandboxedEnvironment(autoescape=False, **_settings(sink, Printed))


class Printed(str):
    """Text that is already in the language of its sink."""

    __slots__ = ()


def _settings(sink: str, passes: type[str]) -> dict[str, Any]:
    turn = _ESCAPES[sink]

    def finalize(value: object) -> object:
        return value if isinstance(value, passes) else passes(turn(str(value)))

    marks = ("<<", ">>", "<%", "%>", "<#", "#>") if sink == "tex" else ("{{", "}}", "{%", "%}", "{#", "#}")
    names = ("variable_start", "variable_end", "block_start", "block_end", "comment_start", "comment_end")
    return {
        "undefined": StrictUndefined,
        "finalize": finalize,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
        **{f"{name}_string": mark for name, mark in zip(names, marks, strict=True)},
    }
