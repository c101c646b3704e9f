"""LaTeX in fields and addresses, and the numbers of DBLP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text

from corpus.curation.importing.readers.bibtex import address_text, plain_text, read_bibtex


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


@given(st.text(st.sampled_from("abé {}'`!?-_^<>|\"@[]()*+=:;.,/0 "), max_size=20))
def test_the_short_way_gives_what_the_converter_gives(text):
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return
    if depth == 0:
        slow = LatexNodes2Text(math_mode="verbatim").latex_to_text(text)
        assert plain_text(text).split() == slow.split()


def test_the_numbers_of_dblp_are_no_family_names():
    names = "Antonio Rago 0001 and Rago 0002, Bo and {Bog Trust} and Jo van der Moor 0003"
    (record,) = read_bibtex(f"@misc{{a, title={{A}}, author={{{names}}}}}", "f").rows
    assert record.cells["author"] == (
        "Rago, Antonio",
        "Rago, Bo",
        "{Bog Trust}",
        "van der Moor, Jo",
    )
