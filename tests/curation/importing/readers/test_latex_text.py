"""LaTeX in the fields of BibTeX: titles, addresses, formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text

from corpus.curation.importing.readers.latex_text import address_text, plain_text


@pytest.mark.parametrize(
    ("latex", "address"),
    [
        (r"\url{https://a.example/x\_y\%20z}", "https://a.example/x_y%20z"),
        (r"https://a.example/{\~{}}ann/{\_}b", "https://a.example/~ann/_b"),
        (r"https://a.example/$\sim$ann", "https://a.example/~ann"),
        (r"\href{https://a.example/{\_}}{the paper}", "https://a.example/_"),
        (r"10.1007/978-3{\_}1\#2", "10.1007/978-3_1#2"),
        ("https://a.example/100%25~x", "https://a.example/100%25~x"),
    ],
)
def test_addresses_lose_the_latex_that_protects_them(latex, address):
    assert address_text(latex) == address


@given(st.text(st.sampled_from("abé {}'!?-_^<>|\"@[]()*+=:;.,/0 "), max_size=20))
def test_the_short_way_gives_what_the_converter_gives(text):
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return
    if depth == 0:
        slow = LatexNodes2Text(math_mode="verbatim").latex_to_text(text)
        assert plain_text(text).split() == slow.split()


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("R & D: 50% of peat, #1", "R & D: 50% of peat, #1"),
        (r"R \& D: 50\% of peat, \#1", "R & D: 50% of peat, #1"),
        (
            r"The {\TeX}book and \LaTeX{} for \BogFont\ users",
            "The TeXbook and LaTeX for BogFont users",
        ),
        (r"{\'E}tude na{\"\i}ve de \L{}\'od\'z", "Étude naïve de Łódź"),
        (r"Moor---or ``fen''", "Moor\u2014or \u201cfen\u201d"),
        (r"Electronic\emdash{}or not\slash both", "Electronic\u2014or not/both"),
        (r"See \url{bog.example/a_b}", "See bog.example/a_b"),
        (r"\emph{Peat} in 50% of $x^2$ bogs", "Peat in 50% of x^2 bogs"),
        (
            r"\texttt{Lib}: A \textsf{Team} \mbox{Multi-Agent} \verb|x_y| $\mbox{}$",
            "Lib: A Team Multi-Agent x_y",
        ),
        (
            r"\href{https://x.example}{Linked} and \textcolor{red}{colour}, {\tt type}, \foo{kept}",
            "Linked and colour, type, kept",
        ),
        (r"Win \$100 or lose \$5: a $2\times$ bandit", "Win $100 or lose $5: a 2× bandit"),
        (
            r"\SI{5}{\kilo\meter} of \foreignlanguage{french}{mot} \copyright",
            "5 kilo meter of mot ©",
        ),
        ("It's a `wet' fen, the authors' own", "It's a ‘wet’ fen, the authors' own"),
        ("Costs $5 in fens and $6 in bogs", "Costs $5 in fens and $6 in bogs"),
        (r"$10^{-3}\,m$ and $\alpha_i \leq 5$", "10^-3 m and α_i ≤ 5"),
        ("?`Peat? !`Moss! {\\o}re {\\aa}", "¿Peat? ¡Moss! øre å"),
        (r"100\% of \$5 \& H$_2$O, $x \in \mathbb{Z}$", "100% of $5 & H_2O, x ∈ ℤ"),
    ],
)
def test_what_people_type_into_a_title_stays_in_it(latex, text):
    assert " ".join(plain_text(latex).split()) == text


@given(st.text(st.sampled_from(r"abe \\{}'`^\"~&%#-$c"), max_size=16))
def test_no_text_of_a_field_breaks_the_conversion(text):
    if text.count("{") == text.count("}"):
        plain_text(text)


def test_a_command_without_its_arguments_is_text():
    assert plain_text(r"see \href").strip() == "see"
    assert plain_text(r"half \frac{1}") == r"half \frac{1}"
