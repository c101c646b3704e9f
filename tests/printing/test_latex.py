from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.printing.latex import _PRINTED, _composed, latex_text, latex_url
from corpus.printing.typeset import typeset
from tests.support.latex_machine import need_latex, widest_overfull


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("plain, really (1)", "plain, really (1)"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("a--b", "a-{}-b"),
        ("''", "'{}'"),
        ("x~y^z", r"x\textasciitilde{}y\textasciicircum{}z"),
        ("cafe\u0301", r"caf{\'e}"),
        ("Nguyễn Thị Hà", r"Nguy{\~{\^{e}}}n Th{\d{i}} H{\`a}"),
        ("Ḥāǧǧī ệ", r"{\d{H}}{\={a}}{\v{g}}{\v{g}}{\={i}} {\d{\^{e}}}"),
        ("ǰ ḯ Ștefan", r"{\v{\j}} {\'{" + r"\"{\i}}} " + r"{\textcommabelow{S}}tefan"),
        ("ả ơ ж", "[U+1EA3] [U+01A1] [U+0436]"),
        ("中文 x", "[U+4E2D U+6587] x"),
        ("a\u202eb", "a[U+202E]b"),
        ("one\ntwo", "one two"),
        ("m² ½", r"m{\texttwosuperior} {\textonehalf}"),
    ],
)
def test_text_is_printed_not_run(text, latex):
    assert latex_text(text) == latex


@given(st.text())
def test_no_character_of_any_text_is_left_for_latex_to_interpret(text):
    printed = latex_text(text)
    assert printed.isascii()
    assert printed.count("{") - printed.count(r"\{") == printed.count("}") - printed.count(r"\}")
    for special in "%#$&_":
        assert printed.count(special) == printed.count("\\" + special)


def test_long_runs_may_break_and_ordinary_words_are_left_alone():
    assert latex_text("x" * 40).count(r"\allowbreak") == 39
    assert latex_text("Inter-Agent-Communication-Protocol") == "Inter-Agent-Communication-Protocol"


def test_an_address_is_safe_as_an_argument():
    assert latex_url("https://a.example/b_c?d=%20&e#f") == r"https://a.example/b\_c?d=\%20\&e\#f"


def test_every_character_that_is_printed_compiles():
    need_latex()
    text = " ".join(chr(code) for first, last in _PRINTED for code in range(first, last + 1))
    text += " " + " ".join(filter(_composed, map(chr, range(0x17F, 0x1F00))))
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern}\\begin{document}\\raggedright\n"
    made = typeset([head, latex_text(text), "\n\\end{document}"], 0)
    assert "Missing character" not in made.log
    assert widest_overfull(made.log) <= 2
