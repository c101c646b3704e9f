import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.printing.latex import _PRINTED, _composed, _mathematical, latex_text
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


def test_every_character_that_is_printed_compiles():
    need_latex()
    letters = [*range(0xA1, 0x2B00), *range(0x1D400, 0x1D800)]
    text = " ".join(one for one in map(chr, letters) if _PRINTED.match(one) or _mathematical(one))
    text += " " + " ".join(filter(_composed, map(chr, range(0x17F, 0x1F00))))
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{lmodern}\\begin{document}\\raggedright\n"
    made = typeset([head, latex_text(text), "\n\\end{document}"], 0)
    assert "Missing character" not in made.log
    assert widest_overfull(made.log) <= 2


@pytest.mark.parametrize("character", "¡ňŊžΆΏΑώ‐‒‖‘‚“„†•…‰‹›⁰ⁱ⁴₎€™←↙⇐⇕∆∍∏∑∗∞∧∫≈≉≠≢≤≥≪≫⊂⊇")
def test_what_the_fonts_have_is_printed_and_not_named(character):
    assert "[U+" not in latex_text(f"a {character} b")


@pytest.mark.parametrize("character", "ŉſ΅\u03cf\u2017\u201f\u2023\u200f中≣")
def test_what_they_lack_is_named_by_its_code(character):
    assert latex_text(f"a {character} b") == f"a [U+{ord(character):04X}] b"


LONG = "https://a.example/0123456789"


def test_nothing_around_a_long_run_is_lost():
    printed = latex_text(f"50% see {LONG} and {LONG}x, really")
    plain = printed.replace(r"\allowbreak{}", "")
    assert plain == rf"50\% see {LONG} and {LONG}x, really"
    assert printed.startswith(r"50\% see h\allowbreak{}t")


@pytest.mark.parametrize(
    ("word", "joint"),
    [
        ("x" * 17, ""),
        ("x" * 18, r"\-"),
        ("x" * 24, r"\-"),
        ("x" * 25, r"\allowbreak{}"),
        ("x1" * 9, r"\allowbreak{}"),
    ],
)
def test_a_long_word_gets_hyphens_and_a_longer_run_none(word, joint):
    assert latex_text(word) == joint.join(word)


@pytest.mark.parametrize(
    ("text", "breaks"), [("peat/moss", 1), ("a:bcd", 1), ("wet_moss", 1), ("a/b", 0), ("1:20", 0)]
)
def test_words_may_break_after_a_joint_but_not_before_a_short_rest(text, breaks):
    assert latex_text(text).count(r"\allowbreak") == breaks
