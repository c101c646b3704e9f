"""Escape any text for where it is written: terminal, Markdown, LaTeX, HTML, GitHub, CSV."""

import re
from functools import cache

# Patterns are texts that `_compiled` compiles on first use: most commands need none of them.

# Variation selectors choose how one character is drawn. One after another draws nothing, and is a
# way to hide a text in a text.
_SELECTOR = r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_INVISIBLE = (
    r"[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    rf"\U000e0000-\U000e00ff]|(?:\A|(?<={_SELECTOR})){_SELECTOR}"
)
_MARKDOWN = r"[\\\\`*\[\]|~$]|^[-+=#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
_NUMBERED = r"^(\d{1,9})([.)])(?=\s|$)"
# What a workflow runner obeys: `##[` and, with the name of a runner, `##vso[` anywhere, `::` at the
# start of a line, and `::name ... ::` anywhere, because other programs put a time or a name before
# each line, which a reader of the log removes again. Each match ends with the character to escape.
_COMMAND = r"##[A-Za-z]{0,12}\[|(?:\A|(?<=[\r\n]))[^\S\r\n]*::|::(?=[A-Za-z][^\r\n]*?::)"
_WEB = r"(?i)https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#]|$)"
_UNSAFE = r"[^A-Za-z0-9._~:/?#@!&*+,;=%-]"
_AUTOLINK = r"[@#](?=\w)|:(?=//)|www(?=\.)|(?i:\bgh)(?=-\d)"

#: How a formula starts. With an East Asian language set, spreadsheets read the full-width
#: characters like the others.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
#: What some spreadsheets drop before they look for a formula: white space, a byte order mark.
_SKIPPED = (
    " \n\v\f\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
)

#: How a formula starts, behind what is dropped before, as a pattern.
FORMULA_START = f"^[{_SKIPPED}]*[{re.escape(''.join(FORMULA_STARTS))}]"


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
    # Python calls some characters printable that are drawn as nothing; none of them is ASCII.
    if text.isascii() and text.isprintable():
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
    return without_commands("\n".join(map(terminal, text.split("\n"))))


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
    if "::" not in text and "##" not in text:
        return text

    def escaped(match: re.Match[str]) -> str:
        found = match.group()
        if match.end() <= start:
            return found
        return f"{found[:-1]}\\x{ord(found[-1]):02x}"

    return _compiled(_COMMAND).sub(escaped, text)


def has_command(text: str) -> bool:
    """Return whether a workflow runner would find a command in a text."""
    if "::" not in text and "##" not in text:
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
    one_line = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    escaped = terminal(one_line).replace("&", "&amp;")
    escaped = _compiled(_MARKDOWN).sub(r"\\\g<0>", escaped)
    escaped = _compiled(_NUMBERED).sub(r"\1\\\2", escaped)
    escaped = escaped.replace("<", "&lt;").replace(">", "&gt;")
    # An empty comment between the characters is the only thing that keeps GitHub from making a link
    # of them.
    escaped = _compiled(_AUTOLINK).sub(r"\g<0><!-- -->", escaped)
    return _every_space(escaped.replace("::", ":<!-- -->:"))


def _every_space(text: str) -> str:
    """Write spaces in a row so that HTML shows each of them: it shows a row of spaces as one."""
    return text.replace("  ", "&nbsp; ").replace("  ", "&nbsp; ")


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

    return _every_space(escape(terminal(text), quote=True))


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
    one_line = terminal(text.replace("\r\n", " ").replace("\n", " "))
    return without_commands(one_line).replace("%", "%25")


def github_property(text: str) -> str:
    """Escape a property (file, title) of a GitHub workflow command."""
    one_line = terminal(text.replace("\r\n", " ").replace("\n", " "))
    encoded = one_line.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return without_commands(encoded)


def csv_cell(text: str) -> str:
    """Neutralise a cell that a spreadsheet would take for a formula, by an apostrophe before it.

    A text that has apostrophes of its own there gets one more, so that :func:`without_apostrophe`
    returns every text as it was.

    Examples
    --------
    >>> print(csv_cell("=1+1"), csv_cell("'=1+1"), csv_cell("'90s"))
    '=1+1 ''=1+1 '90s
    """
    if is_formula(text.lstrip("'")):
        return "'" + text
    return text


def without_apostrophe(cell: str) -> str:
    """Return the text that :func:`csv_cell` wrote as a cell."""
    if cell.startswith("'") and is_formula(cell.lstrip("'")):
        return cell[1:]
    return cell


def is_formula(text: str) -> bool:
    """Return whether some spreadsheet takes a text for a formula.

    Examples
    --------
    >>> is_formula("=1+1"), is_formula(" \uff1d1+1"), is_formula("1+1")
    (True, True, False)
    """
    return _compiled(FORMULA_START).search(text) is not None


def quoted_formula(text: str) -> str:
    """Put a text in quotation marks that a spreadsheet would take for a formula.

    For a text of others that goes into a table, where C212 refuses such a start.

    Examples
    --------
    >>> quoted_formula("=1+1"), quoted_formula("Peat")
    ('"=1+1"', 'Peat')
    """
    return f'"{text}"' if is_formula(text) else text


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
        return "".join(map("%{:02X}".format, match.group().encode()))

    return _compiled(_UNSAFE).sub(encoded, text)
