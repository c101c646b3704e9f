"""Runs of a paragraph: words with one address and one style, from Markdown and from HTML in it."""

import pytest

from corpus.curation.importing.readers.markdown_tree import BREAK, TextRun, parsed, runs_of


def runs(text):
    (paragraph,) = parsed(text).nodes
    return [run for run in runs_of(paragraph) if run.text or run.image]


A = "https://a.example/1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[**x**]({A})", [TextRun("x", A, bold=True)]),
        ("*x* `y`", [TextRun("x", italic=True), TextRun(" "), TextRun("y", code=True)]),
        (f"[![alt](i.png)]({A})", [TextRun("alt", A, image=True)]),
        (f"see {A}, or", [TextRun("see "), TextRun(A, A), TextRun(", or")]),
        ("[x]()", [TextRun("x", "#")]),
        ("a\nb<br>c\\\nd", [TextRun("a b"), BREAK, TextRun("c"), BREAK, TextRun(" d")]),
        (f"<a href='{A}?x=1&amp;y=2'>x</a> y", [TextRun("x", f"{A}?x=1&y=2"), TextRun(" y")]),
        (f'<a href="{A}"><img alt="z" src=i.png></a>', [TextRun("z", A, image=True)]),
        ("<STRONG>x</STRONG></b> y", [TextRun("x", bold=True), TextRun(" y")]),
        ("<kbd>x</kbd><span>y</span>", [TextRun("xy")]),
        (f"[x *y* `z`]({A})", [TextRun("x y z", A)]),
        (f"**a [b]({A})**", [TextRun("a b", A, bold=True)]),
    ],
)  # fmt: skip
def test_words_have_one_address_and_one_style(text, expected):
    assert runs(text) == expected
