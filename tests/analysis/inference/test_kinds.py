import pytest

from corpus.analysis.inference.kinds import infer_kind, joint, split_cell


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


def test_text_with_commas_is_no_list_of_tags():
    cells = ["Moss, wet and green", "Peat, dry", "Sand, warm and dry", "Clay, heavy", "Loam, light"]
    assert infer_kind(cells).name == "text"


def test_one_vocabulary_whose_terms_hold_a_slash_stays_whole():
    assert infer_kind(["soil/water", "soil/air", "soil/water", "soil/air", "soil/water"]).name in ("term", "tags")
    assert infer_kind(["N/A", "field", "N/A", "field"]).name == "term"


def test_tags_are_split_once_and_joined_by_what_none_holds():
    assert split_cell("a; b;a; ", ";") == ("a", "b")
    assert split_cell("a; b|a , c", (";", "|", ",")) == ("a", "b", "c")
    assert split_cell(("a", "a", " b "), ()) == ("a", "b")
    assert joint(["a", "b"]) == "; "
    assert joint(["a;b"]) == " | "


def test_separators_that_people_mixed_are_all_taken():
    cells = ["birds; bats", "birds | frogs", "bats, frogs", "frogs", "birds, bats", "bats | birds; frogs"]
    kind = infer_kind(cells)
    assert (kind.name, set(kind.separators)) == ("tags", {";", "|", ","})
    assert kind.reason.startswith("3 tags, 12 uses")


def test_a_comma_within_terms_that_a_semicolon_divides_stays():
    cells = ["clay, heavy; peat", "clay, heavy", "peat; sand, dry", "sand, dry", "peat"]
    assert infer_kind(cells).separators == (";",)


def test_the_name_of_a_column_hints_at_terms_tags_and_text():
    assert infer_kind(["article", "book"], ["item", "type"]).name == "term"
    assert infer_kind(["a; b", "c"], ["manual", "tags"]).name == "tags"
    assert infer_kind(["same", "same"], ["abstract"]).name == "text"
    assert infer_kind(["article", "book"]).name == "text"


def test_times_are_no_terms():
    assert infer_kind(["2024-01-02 10:11:12", "2024-01-02 10:11:12", "2024-01-03 10:11:12"]).name == "text"
