"""Quotation marks are only around whole cells, repeated inside them; the first wrong one is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.content import STRAY_QUOTE, UNCLOSED_QUOTE, is_valid_quoting, quote_problem


@given(st.text('a",\n', max_size=25))
def test_quoting_is_valid_exactly_where_a_strict_grammar_accepts_it(text):
    """RFC 4180: a cell is plain without quotation marks, or quoted with doubled ones; both end at a delimiter."""
    assert (quote_problem(text) is None) == grammar(text)


def grammar(text):
    state = "start"
    for sign in text:
        if state == "start":
            state = "quoted" if sign == '"' else "start" if sign in ",\n" else "plain"
        elif state == "plain":
            if sign == '"':
                return False
            state = "start" if sign in ",\n" else "plain"
        elif state == "quoted":
            state = "mark" if sign == '"' else "quoted"
        else:
            if sign not in '",\n':
                return False
            state = "quoted" if sign == '"' else "start"
    return state != "quoted"


@given(st.text('a",\n', max_size=25))
def test_the_fast_answer_is_that_of_the_search_for_a_position(text):
    assert is_valid_quoting(text.encode().split(b'"')) == (quote_problem(text) is None)


@pytest.mark.parametrize(
    ("text", "position", "unclosed"),
    [
        ('a,b"c\n', 3, False), ('a,"b"c\n', 4, False), ('a,"b', 2, True), ('"a\nb,c\n', 0, True),
        ('é,"ü" \n', 4, False), ('a,""b\n', 3, False), ('"a""', 0, True), ('a,"b""c"d"\n', 7, False),
        ('x\n"a","b\n', 6, True), ('"a" ,b\n', 2, False), ('a, "b"\n', 3, False),
    ],
)  # fmt: skip
def test_the_first_wrong_mark_is_located_by_its_character(text, position, unclosed):
    assert quote_problem(text) == (position, UNCLOSED_QUOTE if unclosed else STRAY_QUOTE)
