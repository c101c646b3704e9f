"""Escape any text for where it is written: terminal, Markdown, LaTeX, HTML, GitHub, CSV."""

from __future__ import annotations

import re
from functools import cache

# Patterns are texts that `_compiled` compiles on first use: most commands need none of them.

_INVISIBLE = (
    r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MARKDOWN = r"[\\\\`*\[\]|~$]|^[-+=#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
_NUMBERED = r"^(\d{1,9})([.)])(?=\s|$)"
# What a workflow runner obeys: `##[` anywhere, `::` at the start of a line, and `::name ... ::`
# anywhere, because other programs put a time or a name before each line, which a reader of the log
# removes again. Each match ends with the character to escape.
_COMMAND = r"##\[|(?:\A|(?<=[\r\n]))[^\S\r\n]*::|::(?=[A-Za-z][^\r\n]*?::)"
_WEB = r"(?i)https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#]|$)"
_UNSAFE = r"[^A-Za-z0-9._~:/?#@!&*+,;=%-]"
_AUTOLINK = r"[@#](?=\w)|:(?=//)|www(?=\.)"

#: How a formula starts. With an East Asian language set, spreadsheets read the full-width
#: characters like the others.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def terminal(text: str) -> str:
    """Show control, bidi and zero-width characters as escapes; none reaches the terminal.

    Examples
    --------
    >>> print(terminal("a\\x1b[31mb"))
    a\\x1b[31mb
    """
    if text.isprintable():
        return text

    def escaped(match: re.Match[str]) -> str:
        return match.group().encode("unicode_escape").decode("ascii")

    return _compiled(_INVISIBLE).sub(escaped, text)


def terminal_lines(text: str) -> str:
    """Escape a text of several lines for the terminal and for workflow runners.

    Examples
    --------
    >>> print(terminal_lines("one\\n  ::error::two ##[warning]three"))
    one
      :\\x3aerror::two ##\\x5bwarning]three
    """
    lines = [terminal(line) for line in text.split("\n")]
    return without_commands("\n".join(lines))


def without_commands(text: str, start: int = 0) -> str:
    """Escape what a workflow runner would take for a command: it stays readable.

    Parameters
    ----------
    text : str
        Any number of lines.
    start : int
        Length of the beginning that is already written: it is searched, but not changed.

    Examples
    --------
    >>> print(without_commands("a ##[error]b"))
    a ##\\x5berror]b
    """
    if "::" not in text and "##[" not in text:
        return text

    def escaped(match: re.Match[str]) -> str:
        found = match.group()
        if match.end() <= start:
            return found
        return f"{found[:-1]}\\x{ord(found[-1]):02x}"

    return _compiled(_COMMAND).sub(escaped, text)


def has_command(text: str) -> bool:
    """Return whether a workflow runner would find a command in a text."""
    if "::" not in text and "##[" not in text:
        return False
    return _compiled(_COMMAND).search(text) is not None


def json_without_commands(text: str) -> str:
    """Write a JSON text so that it means the same and contains no runner command.

    Two ``#`` or two colons in a row can only be in its strings, where every character has an
    escape.

    Examples
    --------
    >>> print(json_without_commands('["##[error]a::b"]'))
    ["#\\u0023[error]a:\\u003ab"]
    """
    if not has_command(text):
        return text
    return text.replace("##", "#\\u0023").replace("::", ":\\u003a")


def markdown(text: str) -> str:
    """Escape a text for a Markdown table cell or paragraph.

    No markup, HTML, mention, link or runner command survives.

    Examples
    --------
    >>> print(markdown("a|b @me rl_method"))
    a\\|b @<!-- -->me rl_method
    """
    one_line = terminal(text.replace("\n", " ").replace("\t", " "))
    escaped = one_line.replace("&", "&amp;")
    escaped = _compiled(_MARKDOWN).sub(r"\\\g<0>", escaped)
    escaped = _compiled(_NUMBERED).sub(r"\1\\\2", escaped)
    escaped = escaped.replace("<", "&lt;").replace(">", "&gt;")
    # An empty comment between the characters is the only thing that keeps GitHub from making a link
    # of them.
    escaped = _compiled(_AUTOLINK).sub(r"\g<0><!-- -->", escaped)
    return escaped.replace("::", ":<!-- -->:")


def latex(text: str) -> str:
    """Escape a text for LaTeX; see :func:`corpus.printing.latex.latex_text`.

    Examples
    --------
    >>> print(latex("50% of \\\\x"))
    50\\% of \\textbackslash{}x
    """
    # Its tables and patterns cost time at every start, and most commands write no LaTeX.
    from corpus.printing.latex import latex_text

    return latex_text(text)


def html(text: str) -> str:
    """Escape a text for HTML content and attribute values."""
    # The module brings the table of all HTML entities; `corpus stats` starts without it.
    from html import escape

    return escape(terminal(text), quote=True)


def toml(text: str) -> str:
    """Write a text as a TOML string, quotation marks included.

    Examples
    --------
    >>> print(toml('say "yes"'))
    "say \\"yes\\""
    """
    import json  # `corpus stats` starts without it

    # A JSON string is a TOML string but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def github_message(text: str) -> str:
    """Escape the message of a GitHub workflow command."""
    one_line = terminal(text.replace("\n", " "))
    return without_commands(one_line).replace("%", "%25")


def github_property(text: str) -> str:
    """Escape a property (file, title) of a GitHub workflow command."""
    one_line = terminal(text.replace("\n", " "))
    encoded = one_line.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return without_commands(encoded)


def csv_cell(text: str) -> str:
    """Neutralise a cell that a spreadsheet would take for a formula, by an apostrophe before it."""
    if text.startswith(FORMULA_STARTS):
        return "'" + text
    return text


def quoted_formula(text: str) -> str:
    """Put a text in quotation marks that a spreadsheet would take for a formula.

    For a text of others that goes into a table, where C212 refuses such a start.

    Examples
    --------
    >>> quoted_formula("=1+1"), quoted_formula("Peat")
    ('"=1+1"', 'Peat')
    """
    return f'"{text}"' if text.startswith(FORMULA_STARTS) else text


def web_address(text: str) -> str:
    """Return an http(s) address that is safe in every output; empty where it is not one.

    Characters that an address may not contain are percent-encoded, and so are brackets and
    quotation marks.

    Examples
    --------
    >>> web_address("https://a.example/b(c)?d=1&e=<f>"), web_address("javascript:alert(1)")
    ('https://a.example/b%28c%29?d=1&e=%3Cf%3E', '')
    """
    if _compiled(_WEB).match(text) is None:
        return ""

    def encoded(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match.group().encode())

    return _compiled(_UNSAFE).sub(encoded, text)
