"""What an HTML page needs to be one file: inlined texts, escaped data, a policy that allows both.

The page makes no request, and nothing but its own texts can run in it.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from markupsafe import Markup

from corpus.printing.templates import environment

#: Characters that HTML or older JavaScript would read inside a script element.
_HTML: Final = "<>&\u2028\u2029"


def one_file(
    package: str, template: str, styles: tuple[str, ...], values: Mapping[str, Any], **scripts: str
) -> str:
    """Return a page of a package as one file, from its template, styles and scripts.

    Parameters
    ----------
    package : str
        Its folder ``files`` has the template and the styles.
    template : str
        Name of the file.
    styles : tuple of str
        Names of the files without their ending, in order.
    values : mapping of str to object
        What the template prints.
    **scripts : str
        Name in the template -> script; the policy allows these and no other.
    """
    style = package_text(package, styles, "css")
    return (
        environment("html", package)
        .get_template(template)
        .render(
            values,
            policy=content_policy(list(scripts.values()), [style]),
            style=inlined(style),
            **{name: inlined(script) for name, script in scripts.items()},
        )
    )


def content_policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """Return the content security policy that allows these inline texts and nothing else.

    Trusted Types forbid the script to turn text into elements, whatever it contains.

    Examples
    --------
    >>> content_policy([], ["p{}"]).split("; ")[2]
    "style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"
    """
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hashes(texts: Sequence[str]) -> str:
    allowed = []
    for text in texts:
        digest = hashlib.sha256(text.encode()).digest()
        allowed.append(f"'sha256-{base64.b64encode(digest).decode()}'")
    return " ".join(allowed) or "'none'"


def script_json(value: object) -> Markup:
    """Write a value as JSON for a script element: no character is left that HTML would read.

    Examples
    --------
    >>> print(script_json("</script><!-- & "))
    "\\u003c/script\\u003e\\u003c!-- \\u0026 "
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in _HTML:
        text = text.replace(character, f"\\u{ord(character):04x}")
    # Half of a surrogate pair has no UTF-8; in JSON its escape is valid.
    text = text.encode("utf-8", "backslashreplace").decode()
    return Markup(text)  # noqa: S704 — every character that HTML could read is escaped above


@cache
def package_text(package: str, names: tuple[str, ...], ending: str) -> str:
    """Return the files of a package's folder ``files`` in this order, as one text."""
    folder = files(package) / "files"
    texts = [(folder / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
    return _without_comments("".join(texts))


def _without_comments(text: str) -> str:
    """Return a style or script without indentation and without the lines that are comments.

    The files of the package are written so that this is enough: no text of theirs goes over
    several lines, and a comment has its lines to itself.
    """
    kept = []
    in_comment = False
    for line in map(str.strip, text.splitlines()):
        in_comment |= line.startswith("/*")
        if line and not in_comment and not line.startswith("//"):
            kept.append(line)
        in_comment &= not line.endswith("*/")
    return "\n".join(kept) + "\n"


def package_script(package: str, names: tuple[str, ...]) -> str:
    """Return scripts of a package as one function: none of their names reaches the window."""
    return f'"use strict";\n(() => {{\n{package_text(package, names, "js")}}})();\n'


def inlined(text: str) -> Markup:
    """Return a style or script of the package as it is.

    Raises
    ------
    ValueError
        Where the text would close its own element.
    """
    # Not an assertion, which `python -O` leaves out.
    if "</" in text:
        raise ValueError("a style or script of a page must not close its element")
    return Markup(text)  # noqa: S704 — the package's own files
