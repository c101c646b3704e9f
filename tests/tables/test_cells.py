"""The rules about cells: each has cells that keep and that break it, and words for the message."""

from datetime import date

import pytest

from corpus.model.codebook import COLUMN_TYPES, Column
from corpus.tables.cells import CELL_RULES, broken

TODAY = date(2026, 5, 15)


def column(kind):
    return Column("c", kind, "C", "", "", True, "", "", "", False)


def trouble(cell, kind="text", today=TODAY):
    return [(rule.code, advice) for rule, advice in broken(cell, column(kind), today)]


def codes(cell, kind, today=TODAY):
    return [code for code, _ in trouble(cell, kind, today)]


@pytest.mark.parametrize("rule", CELL_RULES, ids=lambda rule: f"{rule.rule.code}-{rule.types[0]}")
def test_the_examples_of_a_rule_keep_and_break_it_in_every_type(rule):
    assert rule.wrong
    for kind in rule.types:
        for cell in rule.wrong:
            assert rule.rule.code in codes(cell, kind), (kind, cell)
        if rule.is_form:
            assert [cell for cell in rule.right if codes(cell, kind)] == []
    assert [cell for cell in rule.right if rule.rule.code in codes(cell, rule.types[0])] == []


def test_every_type_but_that_of_terms_has_rules():
    ruled = {kind for rule in CELL_RULES for kind in rule.types}
    assert ruled == set(COLUMN_TYPES) - {"term"}


@pytest.mark.parametrize(("kind", "cell", "codes_"), [
    ("arxiv", "2605.00001", []), ("arxiv", "2606.00001", ["C205"]), ("arxiv", "2701.00001", ["C205"]),
    ("year", "2027", []), ("year", "2028", ["C209"]), ("date", "2026-05-01", []), ("date", "2026-05-02", ["C210"]),
    ("date", "2026-06", ["C210"]), ("date", "2026-05", []), ("date", "2026", []), ("date", "2027", ["C210"]),
])  # fmt: skip
def test_what_is_in_the_future_depends_on_the_day(kind, cell, codes_):
    assert codes(cell, kind, date(2026, 5, 1)) == codes_


def test_in_december_no_month_of_the_year_is_to_come():
    assert codes("2612.00001", "arxiv", date(2026, 12, 1)) == []


@pytest.mark.parametrize(("kind", "cell", "codes_"), [
    ("verbatim", "TODO  \\emph{x} ", []), ("verbatim", "=A1\u200b", ["C211", "C212"]), ("text", "=A1\u200b  x", ["C211", "C212", "C214"]),
    ("key", "A\u200b", ["C211"]), ("url", "fen.example  x", ["C214"]), ("url", "LÃ©ger", ["C217", "C207"]), ("name", "", ["C201"]),
    ("text", "\tSUM", ["C211", "C212", "C214"]), ("text", "\rSUM", ["C211", "C212", "C214"]), ("text", "a\ud800", ["C211"]),
    ("year", "20x5", ["C208"]), ("date", "1599-02-30", ["C210"]),
])  # fmt: skip
def test_faults_of_any_text_are_reported_before_the_form(kind, cell, codes_):
    """Of a cell that is unsafe anywhere the form is not told as well, and of a form one fault."""
    assert codes(cell, kind) == codes_


@pytest.mark.parametrize(("kind", "cell", "told"), [
    ("text", "wet\nland", "a line break (U+000A)"), ("text", "wet\tland", "a tab (U+0009)"),
    ("text", "wet\x1bland", "a control character (U+001B)"), ("text", "wet\u202eland", "right-to-left override (U+202E)"),
    ("text", "\u2800x\u200b", "braille pattern blank (U+2800) and zero width space (U+200B)"),
    ("text", "\uff1dSUM(1)", "'\uff1d'"), ("text", "A p\u0435at", "cyrillic small letter ie (U+0435)"),
    ("key", "Not a Key!", "not-a-key"), ("key", "éé", "some-paper2026"), ("arxiv", "arXiv:2508.03680v2", "write 2508.03680"),
    ("arxiv", "2508.036", "a spreadsheet dropped zeros? then it was 2508.03600; compare with the address"),
    ("arxiv", "9812.00001", "December 2098"), ("year", "1599", "1600 to 2027"), ("date", "1599", "it is before 1600"),
    ("date", "2999", "it is in the future"),
])  # fmt: skip
def test_the_message_names_what_cannot_be_seen_or_what_to_write(kind, cell, told):
    assert told in [advice for _, advice in trouble(cell, kind)]
