"""Make any text from the data plain text for its sink."""

from __future__ import annotations

import re
from functools import cache

_INVISIBLE = (
    r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)
_MARKDOWN = r"[\\\\`*\[\]|~$]|^[-+=#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
_NUMBERED = r"^(\d{1,9})([.)])(?=\s|$)"
# What a workflow runner obeys: `##[` anywhere, `::` where a line begins, and `::name ... ::` anywhere: other programs
# put a time or a name before each line, and a reader of the log takes that away again. Each match ends with the
# character to escape.
_COMMAND = r"##\[|(?:\A|(?<=[\r\n]))[^\S\r\n]*::|::(?=[A-Za-z][^\r\n]*?::)"
_WEB = r"(?i)https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#]|$)"
_UNSAFE = r"[^A-Za-z0-9._~:/?#@!&*+,;=%-]"
_AUTOLINK = r"[@#](?=\w)|:(?=//)|www(?=\.)"

#: What begins a formula; with an East Asian language set, spreadsheets take the full-width forms for the narrow ones.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern on first use; most commands need none of them."""
    return re.compile(pattern)


def terminal(text: str) -> str:
    """Show control, bidi and zero-width characters as escapes, so that none reaches the terminal.

    Examples
    --------
    >>> print(terminal("a\\x1b[31mb"))
    a\\x1b[31mb
    """
    if text.isprintable():
        return text
    return _compiled(_INVISIBLE).sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), text)


def terminal_lines(text: str) -> str:
    """Escape a text of several lines for the terminal, its own line ends kept; nothing in it is a runner's command.

    Examples
    --------
    >>> print(terminal_lines("one\\n  ::error::two ##[warning]three"))
    one
      :\\x3aerror::two ##\\x5bwarning]three
    """
    return without_commands("\n".join(map(terminal, text.split("\n"))))


def without_commands(text: str, start: int = 0) -> str:
    """Show what a workflow runner would take for a command as an escape, so that it stays readable and does nothing.

    Parameters
    ----------
    text : str
        Any number of lines.
    start : int
        How many characters at its beginning are only looked at: they are written already.

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
    return ("::" in text or "##[" in text) and _compiled(_COMMAND).search(text) is not None


def json_without_commands(text: str) -> str:
    """Write a JSON text so that it means the same and has no runner's command.

    Two ``#`` or two colons in a row can only be in its strings, where every character has an escape.

    Examples
    --------
    >>> print(json_without_commands('["##[error]a::b"]'))
    ["#\\u0023[error]a:\\u003ab"]
    """
    if not has_command(text):
        return text
    return text.replace("##", "#\\u0023").replace("::", ":\\u003a")


def markdown(text: str) -> str:
    """Escape a text for a Markdown table cell or paragraph: no markup, HTML, mention, link or command survives.

    Examples
    --------
    >>> print(markdown("a|b @me rl_method"))
    a\\|b @<!-- -->me rl_method
    """
    plain = terminal(text.replace("\n", " ").replace("\t", " ")).replace("&", "&amp;")
    plain = (
        _compiled(_NUMBERED)
        .sub(r"\1\\\2", _compiled(_MARKDOWN).sub(r"\\\g<0>", plain))
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    plain = _compiled(_AUTOLINK).sub(r"\g<0><!-- -->", plain)
    return plain.replace("::", ":<!-- -->:")


def latex(text: str) -> str:
    """Escape a text for LaTeX; see :func:`corpus.printing.latex.latex_text`.

    Examples
    --------
    >>> print(latex("50% of \\\\x"))
    50\\% of \\textbackslash{}x
    """
    from corpus.printing.latex import latex_text  # the start of `corpus stats` does without it

    return latex_text(text)


def html(text: str) -> str:
    """Escape a text for HTML content and attribute values."""
    from html import escape

    return escape(terminal(text), quote=True)


def toml(text: str) -> str:
    """Write a text as a TOML string, quotation marks included.

    Examples
    --------
    >>> print(toml('say "yes"'))
    "say \\"yes\\""
    """
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def github_message(text: str) -> str:
    """Escape the message of a GitHub workflow command."""
    return without_commands(terminal(text.replace("\n", " "))).replace("%", "%25")


def github_property(text: str) -> str:
    """Escape a property (file, title) of a GitHub workflow command."""
    encoded = terminal(text.replace("\n", " ")).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return without_commands(encoded)


def csv_cell(text: str) -> str:
    """Neutralise a cell that a spreadsheet would take for a formula, by an apostrophe before it."""
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def web_address(text: str) -> str:
    """Return an http(s) address that no sink can take for anything else, or an empty string where it is none.

    Characters that an address may not hold are percent-encoded, and so are brackets and quotation marks.

    Examples
    --------
    >>> web_address("https://a.example/b(c)?d=1&e=<f>"), web_address("javascript:alert(1)")
    ('https://a.example/b%28c%29?d=1&e=%3Cf%3E', '')
    """
    if _compiled(_WEB).match(text) is None:
        return ""
    return _compiled(_UNSAFE).sub(lambda match: "".join(f"%{byte:02X}" for byte in match.group().encode()), text)
