import pytest

from corpus.curation.importing.kinds import infer_kind, joint, split_cell

#: A kind, and columns of it: their cells, and the words of their names.
KINDS = {
    "term": (
        (["field", "lab", "field", "Lab"], ""), (["yes", "no", "yes"], ""), ([("a",), ("b",), ("a",), ("b",)], ""),
        (["article", "book"], "item type"), (["ann", "ben", "ann", "ben"], "study owner"),
        (["10:11:12", "10:11:12", "noon", "noon"], ""), (["1 2", "1 2", "3 4", "3 4"], ""),
        # A comma divides where most parts are in other cells as well.
        (["Yes, partly", "Yes, fully", "No", "Yes, partly", "Yes, fully", "No"], ""),
        (["Bonn, Germany", "Rome, Italy", "Bonn, Germany", "Rome, Italy"], ""), (["Ann, B", "Ann, C"] * 3, ""),
        (["clay, wet", "sand", "peat", "clay, wet", "sand", "peat", "loam", "loam", "silt", "silt"], ""),
        (["x" * 60] * 2, ""), (["a b c d e f"] * 2, ""), ([f"t{number}" for number in range(60)] * 2, ""),
    ),
    "tags": (
        (["a; b", "b; c", "a", "c; a"], ""), (["a, b", "b", "a, c", "c"], ""), (["a | b", "b|a", "a"], ""),
        ([("a", "b"), ("a",), ("b",)], ""), (["a; b", "c"], "manual tags"),
        (["CD, CI, Model", "CD", "CI", "CD"], ""), (["CD, CI, Model", "CD, CI, Model", "Model", "CI", "CI", "CD"], ""),
        (["fault,debug", "fault,debug", "fault,cause", "cause", "test", "test"], ""),
        (["no", *["yes"] * 60, "code, V&V", "code, V&V", "code", "V&V"], ""),
        (["R; Java", "R; Java", "Perl", "Perl"], ""),
    ),
    "year": ((["2019", "2020", "2019"], ""), (["2019"], "")),
    "integer": ((["3", "14", "15"], ""), (["1799"], ""), (["2100"], ""), (["19"], ""), (["0"], "")),
    "number": ((["3", "1.5"], ""), (["12.50"], "")),
    "date": (
        (["2019-05", "2020-01-31"], ""), (["2019-05-01"], ""), (["2019-05", "2019", "2019-05-01"], ""),
        (["2021/12/21", "2021/11/02", "2020/01/30"], ""), (["21 Dec 2021", "2 Nov 2021", "30 Jan 2020"], ""),
    ),
    "url": ((["https://a.example", "http://b.example"], ""),),
    "empty": (([], ""),),
    "text": (
        (["One sentence.", "Another sentence.", "A third, with a comma."], ""), (["article", "book"], ""),
        ([f"value {i}" for i in range(200)] * 2, ""), (["x" * 100, "x" * 100], ""), (["007", "008", "009"], ""),
        (["0012", "1203"], ""), (["-5"], ""), (["-0.5"], ""), (["2019-5"], ""), (["http://a b"], ""), (["https://"], ""),
        (["same", "same"], "abstract"), (["2024-01-02 10:11:12", "2024-01-02 10:11:12", "2024-01-03 10:11:12"], ""),
        (["10:11:12", "10:11:12", "10:11:12", "noon", "noon"], ""),
        # What a program keeps for itself.
        (["12-20", "12-20", "e4", "e4"], "pages"), (["ann", "ben", "ann", "ben"], "owner"), (["12 (3)", "12 (3)", "12 (4)", "12 (4)"], "issue"),
        (["x" * 61] * 2, ""), (["a b c d e f g"] * 2, ""), ([f"t{number}" for number in range(61)] * 2, ""),
        (["Yes, and the authors published both code and data for it", "x" * 100, "No."] * 5, ""),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_cells_and_the_name_of_a_column_tell_its_kind(kind):
    for cells, words in KINDS[kind]:
        assert infer_kind(cells, words.split()).name == kind, (cells, words)


def test_tags_are_split_once_and_joined_by_what_none_holds():
    assert split_cell("a; b;a; ", ";") == ("a", "b")
    assert split_cell("a, b, and c", ",") == split_cell("a, b, & c", ",") == ("a", "b", "c")
    assert split_cell("sand and gravel; and so", ";") == ("sand and gravel", "so")
    assert split_cell("and gates", ",") == ("and gates",)
    assert split_cell(("a", "a", " b ")) == ("a", "b")
    assert joint(["a", "b"]) == "; "
    assert joint(["a;b"]) == " | "


def test_a_comma_within_terms_that_a_semicolon_divides_stays():
    cells = ["clay, heavy; peat", "clay, heavy", "peat; sand, dry", "sand, dry", "peat"]
    assert infer_kind(cells).separator == ";"


def test_a_few_long_values_among_many_terms_do_no_harm():
    many = ["wet", "dry"] * 97 + [f"{'x' * 61}{number}" for number in range(6)]
    assert infer_kind(many).name == "term"
    many += [f"{'y' * 61}{number}" for number in range(40)]
    assert infer_kind(many).name == "text"


def test_a_constant_is_not_an_axis_but_a_mark_is():
    assert infer_kind(["yes"] * 5, rows=5).name == "text"
    assert infer_kind([("a",)] * 5, rows=5).name == "text"
    assert infer_kind(["yes"] * 5, rows=6).name == "term"


def test_a_comma_divides_where_that_makes_clearly_fewer_terms():
    assert infer_kind(["a, b", "b, a", "a", "b"] * 2).separator == ","


def test_a_character_that_is_in_no_term_joins_them():
    assert joint([]) == "; "
    assert joint(["a;b", "c|d"]) == " / "
    assert joint(["a;b", "c|d", "e/f"]) == " || "
