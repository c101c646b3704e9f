import pytest

from corpus.curation.importing.kinds import infer_kind, joint, split_cell


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["field", "lab", "field", "Lab"], "term"),
        (["yes", "no", "yes"], "term"),
        (["a; b", "b; c", "a", "c; a"], "tags"),
        (["a, b", "b", "a, c", "c"], "tags"),
        (["a | b", "b|a", "a"], "tags"),
        ([("a", "b"), ("a",), ("b",)], "tags"),
        ([("a",), ("b",), ("a",), ("b",)], "term"),
        (["2019", "2020", "2019"], "year"),
        (["3", "14", "15"], "integer"),
        (["3", "1.5"], "number"),
        (["2019-05", "2020-01-31"], "date"),
        (["https://a.example", "http://b.example"], "url"),
        (["One sentence.", "Another sentence.", "A third, with a comma."], "text"),
        ([f"value {i}" for i in range(200)] * 2, "text"),
        (["x" * 100, "x" * 100], "text"),
        (["007", "008", "009"], "text"),
        ([], "empty"),
    ],
)
def test_cells_tell_the_kind(cells, kind):
    assert infer_kind(cells).name == kind


def test_tags_are_split_once_and_joined_by_what_none_holds():
    assert split_cell("a; b;a; ", ";") == ("a", "b")
    assert split_cell(("a", "a", " b ")) == ("a", "b")
    assert joint(["a", "b"]) == "; "
    assert joint(["a;b"]) == " | "


def test_a_comma_within_terms_that_a_semicolon_divides_stays():
    cells = ["clay, heavy; peat", "clay, heavy", "peat; sand, dry", "sand, dry", "peat"]
    assert infer_kind(cells).separator == ";"


def test_the_name_of_a_column_hints_at_terms_tags_and_text():
    assert infer_kind(["article", "book"], ["item", "type"]).name == "term"
    assert infer_kind(["a; b", "c"], ["manual", "tags"]).name == "tags"
    assert infer_kind(["same", "same"], ["abstract"]).name == "text"
    assert infer_kind(["article", "book"]).name == "text"


def test_times_are_not_terms():
    assert (
        infer_kind(["2024-01-02 10:11:12", "2024-01-02 10:11:12", "2024-01-03 10:11:12"]).name
        == "text"
    )


@pytest.mark.parametrize(("cells", "words", "kind", "reason"), [
    ([], [], "empty", "no cell is filled"), (["2019"], [], "year", "every cell is a year"), (["x", "y"], ["abstract"], "text", "by its name"),
    (["a", "b", "a", "B"], [], "term", "2 values in 4 cells"), (["a, b", "c d e"], [], "text", "2 different texts in 2 cells"),
    ([("a",), ("a",)], [], "term", "1 values in 2 cells"), ([("a", "b"), ("a", "b")], [], "tags", "2 tags, 4 uses in 2 cells"),
    ([("a", "b"), "c"], ["x"], "text", "lists of 3 different texts in 2 cells"), ([("a", "b"), "c"], ["tags"], "tags", "3 tags, 3 uses in 2 cells"),
])  # fmt: skip
def test_why_a_column_is_what_it_is(cells, words, kind, reason):
    found = infer_kind(cells, words)
    assert (found.name, found.reason) == (kind, reason)
    assert found.separator == ""


@pytest.mark.parametrize(
    "cell",
    [
        "2019",
        "1799",
        "2100",
        "19",
        "-5",
        "0",
        "12.50",
        "-0.5",
        "2019-05-01",
        "2019-5",
        "http://a b",
        "https://",
    ],
)
def test_plain_kinds_are_exact(cell):
    kinds = {
        "2019": "year", "1799": "integer", "2100": "integer", "19": "integer", "-5": "text", "0": "integer", "12.50": "number",
        "-0.5": "text", "2019-05-01": "date", "2019-5": "text", "http://a b": "text", "https://": "text",
    }  # fmt: skip
    assert infer_kind([cell]).name == kinds[cell]


def test_dates_may_be_as_exact_as_is_known():
    assert infer_kind(["2019-05", "2019", "2019-05-01"]).name == "date"
    assert infer_kind(["2019", "2020"]).name == "year"
    assert infer_kind(["0012", "1203"]).name == "text"


def test_terms_are_short_and_few():
    long, words = "x" * 60, "a b c d e f"
    assert [infer_kind([cell] * 2).name for cell in (long, long + "x", words, words + " g")] == [
        "term",
        "text",
        "term",
        "text",
    ]
    for count, kind in ((60, "term"), (61, "text")):
        assert infer_kind([f"t{number}" for number in range(count)] * 2).name == kind
    many = ["wet", "dry"] * 97 + [f"{'x' * 61}{number}" for number in range(6)]
    assert infer_kind(many).name == "term"
    many += [f"{'y' * 61}{number}" for number in range(40)]
    assert infer_kind(many).name == "text"


def test_few_values_that_are_used_often_are_terms_even_where_long():
    choices = ["Yes, and the authors published both code and data for it", "x" * 100, "No."]
    assert infer_kind(choices * 5).name == "term"
    assert infer_kind(choices * 2).name == "text"
    assert infer_kind([f"{'x' * 70}{number}" for number in range(21)] * 9).name == "text"
    assert infer_kind(["x" * 301, "y"] * 9).name == "text"


def test_a_constant_is_not_an_axis_but_a_mark_is():
    assert infer_kind(["yes"] * 5, rows=5).name == "text"
    assert infer_kind([("a",)] * 5, rows=5).name == "text"
    assert infer_kind(["yes"] * 5, rows=6).name == "term"


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        (["12-20", "12-20", "e4", "e4"], "Pages"),
        (["ann", "ben", "ann", "ben"], "Owner"),
        (["2024-01-02T10:11:12Z", "2024-01-02T10:11:12Z"], "when"),
        (["ann@fen.example", "ann@fen.example"], "by whom"),
        (["12 (3)", "12 (3)", "12 (4)", "12 (4)"], "Issue"),
    ],
)
def test_what_a_program_keeps_for_itself_is_not_an_axis(cells, name):
    assert infer_kind(cells, name.lower().split()).name == "text"
    assert infer_kind(["ann", "ben", "ann", "ben"], ["study", "owner"]).name == "term"


def test_nested_classes_in_braces_are_not_divided():
    cells = ["soil{clay, wet}", "soil{clay, dry}", "soil{clay, wet}", "air"]
    assert infer_kind(cells).name == "text"


def test_mostly_signed_numbers_are_not_terms():
    times = ["10:11:12", "10:11:12"]
    assert infer_kind([*times, "noon", "noon"]).name == "term"
    assert infer_kind([*times, "10:11:12", "noon", "noon"]).name == "text"
    assert infer_kind(["1 2", "1 2", "3 4", "3 4"]).name == "term"


def test_a_comma_divides_where_that_makes_clearly_fewer_terms():
    assert infer_kind(["a, b", "b, a", "a", "b"] * 2).separator == ","
    assert (
        infer_kind(
            [
                "clay, wet",
                "sand",
                "peat",
                "clay, wet",
                "sand",
                "peat",
                "loam",
                "loam",
                "silt",
                "silt",
            ]
        ).name
        == "term"
    )


def test_a_character_that_is_in_no_term_joins_them():
    assert joint([]) == "; "
    assert joint(["a;b", "c|d"]) == " / "
    assert joint(["a;b", "c|d", "e/f"]) == " || "


def test_dates_with_slashes_are_no_tags():
    assert infer_kind(["2021/12/21", "2021/11/02", "2020/01/30"]).name == "date"
    assert infer_kind(["21 Dec 2021", "2 Nov 2021", "30 Jan 2020"]).name == "date"
