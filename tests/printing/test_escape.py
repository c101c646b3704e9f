import html as html_entities
import re
import unicodedata

import pytest
from markdown_it import MarkdownIt
from pylatexenc.latex2text import LatexNodes2Text

from corpus.printing.escape import (
    csv_cell,
    github_message,
    has_command,
    is_formula,
    latex,
    markdown,
    terminal,
    terminal_lines,
    web_address,
    without_apostrophe,
)
from corpus.printing.grid import Grid, grid_text
from corpus.printing.sinks import grid_in
from tests.support.hostile import HOSTILE, NAUGHTY

ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})|\\([tnr])")
CODES = re.compile(r"\[((?:U\+[0-9A-F]{4,6} ?)+)\]")
#: Commands of LaTeX that the converter of the tests does not know.
COMMANDS = {
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "sqrt": "√",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textquotedbl": '"',
    "textasciicircum": "\ue123",
    "textasciigrave": "\ue124",
    "allowbreak": "",
    "ensuremath{^0": "⁰{",
    "ensuremath{^4": "⁴{",
    "ensuremath{^5": "⁵{",
    "ensuremath{_0": "₀{",
    "ensuremath{_1": "₁{",
    "ensuremath{_2": "₂{",
}
#: What is drawn as nothing or changes the order of what is drawn; none may be left in an output.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)


def with_characters(shown):
    """Put the character in place of each escape and of each code."""

    def character(match):
        if match[4]:
            return {"t": "\t", "n": "\n", "r": "\r"}[match[4]]
        return chr(int(match[1] or match[2] or match[3], 16))

    def characters(match):
        return "".join(chr(int(code[2:], 16)) for code in match[1].split())

    return CODES.sub(characters, ESCAPE.sub(character, shown))


def as_spaces(text):
    """A line break or a tab in running text is white space like a space; edges are not seen."""
    spaces = re.sub("\r\n|[\r\n\t\u00a0\u3000]", " ", text)
    return spaces.strip(" ")


def seen_in_browser(page):
    """The text that a browser shows: white space in a row is one space, entities are characters."""
    without_tags = re.sub(r"<!--.*?-->|<[^>]*>", "", page)
    return html_entities.unescape(re.sub("[ \t\n\r\f]+", " ", without_tags))


def first_cell(page):
    return seen_in_browser(re.search(r"<td>(.*?)</td>\s*<td>x</td>", page, re.DOTALL)[1])


def in_print(source):
    """The text that LaTeX prints."""
    for command, character in COMMANDS.items():
        source = source.replace(f"\\{command}{{}}", character).replace(f"\\{command}", character)
    printed = LatexNodes2Text(keep_comments=True).latex_to_text(source.replace(r"\-", ""))
    return printed.replace("\ue123", "^").replace("\ue124", "`")


def table(text):
    return Grid("", ("a", "b"), ((text, "x"),))


#: What each sink shows of a text.
SHOWN = {
    "terminal": lambda text: grid_text(table(text)).split("\n")[2].removesuffix("  x"),
    "paragraph of Markdown": lambda text: seen_in_browser(
        MarkdownIt("commonmark").render(markdown(text)).removesuffix("\n")
    ),
    "table of Markdown": lambda text: first_cell(
        MarkdownIt("commonmark").enable("table").render(grid_in("md", [table(text)]))
    ),
    "HTML": lambda text: first_cell(grid_in("html", [table(text)])),
    "LaTeX": lambda text: in_print(latex(text)),
    "annotation": lambda text: github_message(text).replace("%25", "%"),
}


@pytest.mark.parametrize("sink", SHOWN)
def test_what_is_shown_is_the_text_and_nothing_of_it_is_lost(sink):
    """Characters that cannot be seen are shown by their code."""
    altered = {}
    for name, texts in NAUGHTY.items():
        for text in texts:
            shown = SHOWN[sink](text)
            expected = text
            found = with_characters(shown)
            if sink == "LaTeX":
                # A letter of a mathematical alphabet is printed in one that the kernel has.
                found, expected = (unicodedata.normalize("NFKC", one) for one in (found, text))
            if as_spaces(found) != as_spaces(expected):
                altered[name, text] = shown
            if UNSEEN.search(shown):
                altered[name, text] = shown
    assert altered == {}


def test_spaces_in_a_row_are_all_shown():
    for sink in SHOWN:
        assert SHOWN[sink]("a     b").replace("\u00a0", " ") == "a     b"


def test_a_text_cannot_be_hidden_in_variation_selectors():
    """One after a character chooses how that is drawn; those that follow are drawn as nothing."""
    assert terminal("\u2764\ufe0f") == "\u2764\ufe0f"
    assert terminal("a\ufe00\ufe01\U000e0100b") == "a\ufe00\\ufe01\\U000e0100b"
    assert terminal("\ufe0fa") == "\\ufe0fa"


@pytest.mark.parametrize("text", NAUGHTY["commands of runners"])
def test_no_text_for_people_has_a_command(text):
    for before in ("", "12:00 ", "| ", "\x1b[1m", "x\n  "):
        assert not has_command(terminal_lines(before + text))


@pytest.mark.parametrize("name", NAUGHTY)
def test_a_cell_for_a_spreadsheet_is_no_formula_and_comes_back(name):
    for text in NAUGHTY[name]:
        assert not is_formula(csv_cell(text))
        assert without_apostrophe(csv_cell(text)) == text


@pytest.mark.parametrize(
    "text",
    ["1.8", "1. x", "12) y", "- a", "# h", "> q", "a_b_c", "*x*", "1.", "+ b", "~~s~~", "a | b"],
)
def test_a_text_reads_in_markdown_as_it_was_typed(text):
    page = MarkdownIt("commonmark").render(markdown(text))
    assert page == f"<p>{text.replace('>', '&gt;')}</p>\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_one_plain_paragraph(text):
    tokens = MarkdownIt("commonmark").parse(markdown(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    kinds = {token.type for token in tokens[1].children or []}
    assert kinds <= {"text", "text_special", "html_inline"}
    html = {token.content for token in tokens[1].children or [] if token.type == "html_inline"}
    assert html <= {"<!-- -->"}


@pytest.mark.parametrize(
    "text", ["@octocat", "see #12", "www.a.example", "http://a.example", "::error::x", "a @b/c"]
)
def test_syntax_of_github_alone_is_broken_up(text):
    """A mention, an issue, an address without brackets and a workflow command are no markup of plain Markdown."""
    assert not re.search(r"[@#]\w|www\.|://|::", markdown(text))


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://a.example/x", "https://a.example/x"),
        ("https://a.example/(x)|y z", "https://a.example/%28x%29%7Cy%20z"),
        ("http://a.example:80?q=<b>\"'", "http://a.example:80?q=%3Cb%3E%22%27"),
        ("javascript:alert(1)", ""),
        ("https://a.example\n.evil", ""),
        ("//a.example", ""),
        ("https:///x", ""),
        ("data:text/html,x", ""),
    ],
)
def test_only_plain_web_addresses_become_links(given, address):
    assert web_address(given) == address


@pytest.mark.parametrize(
    "sign", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
)
def test_no_cell_for_a_spreadsheet_begins_a_formula(sign):
    assert csv_cell(sign + "1+1") == "'" + sign + "1+1"
    assert csv_cell("a" + sign) == "a" + sign


@pytest.mark.parametrize(
    "text", ["RL_agent_v2", "A_B", "x_1", "(n = 3)", "a-b", "1.8 to 2", "3 > 2"]
)
def test_a_plain_text_is_written_as_it_is(text):
    assert markdown(text).replace("&gt;", ">") == text
