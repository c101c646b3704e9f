"""Author lists: every name once, as family name and given name."""

import pytest

from corpus.curation.lookup.answers import (
    are_uncertain,
    commas_are_inside,
    is_cut,
    split_authors,
    whole_name,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ward, Ann", ("Ward, Ann",)),
        (("J. von Neumann", "Li Jr", "Ward, Jr"), ("von Neumann, J.", "Jr, Li", "Ward, Jr")),
        (("Christian de Witt III", "Ward, Ann, Jr."), ("de Witt III, Christian", "Ward Jr., Ann")),
        ("Ann Ward", ("Ward, Ann",)),
        ("Ward, Ann and Moor, Bo", ("Ward, Ann", "Moor, Bo")),
        ("Ann Ward & Bo Moor", ("Ward, Ann", "Moor, Bo")),
        ("Ward, A.; Moor, B.", ("Ward, A.", "Moor, B.")),
        ("Bog Trust Group", ("Bog Trust Group",)),
        (("Ward, Ann", "Bo Moor"), ("Ward, Ann", "Moor, Bo")),
        ("van Gogh, Vincent", ("van Gogh, Vincent",)),
        ("García López, María", ("García López, María",)),
        ("Ward A, van der Moor BC, O'Neil K-H", ("Ward, A", "van der Moor, BC", "O'Neil, K-H")),
        (("Ward A",), ("Ward, A",)),
        (("{World Bog Organisation}", "Moor, Bo"), ("World Bog Organisation", "Moor, Bo")),
        ("Vincent van Gogh, Ludwig van Beethoven", ("van Gogh, Vincent", "van Beethoven, Ludwig")),
        ("", ()),
        ("Ward, Ann; ; Ward, Ann", ("Ward, Ann", "Ward, Ann")),
        ("Ann Ward | Bo Moor", ("Ward, Ann", "Moor, Bo")),
        ("Ward, Ann; Moor, Bo, et al.", ("Ward, Ann", "Moor, Bo")),
        (("Ward, Ann", "et al."), ("Ward, Ann",)),
        ("Ann Ward and others", ("Ward, Ann",)),
        ("Ann Ward 0001, Bo Moor 0002", ("Ward, Ann", "Moor, Bo")),
        ("Ward, Ann (57190000000); Moor, Bo (57190000001)", ("Ward, Ann", "Moor, Bo")),
        ("Ann Ward, Bo Moor, and Cy Stein", ("Ward, Ann", "Moor, Bo", "Stein, Cy")),
        ("Ward, A., Moor, B.C. & Stein, C.", ("Ward, A.", "Moor, B.C.", "Stein, C.")),
        ("Ward B., Moor B. Z., de Silt D. M.", ("Ward, B.", "Moor, B. Z.", "de Silt, D. M.")),
        ("Loam A B, Moor III B. C.", ("Loam, A B", "Moor III, B. C.")),
        ("Иванов И.И., Петров П. П.", ("Иванов, И.И.", "Петров, П. П.")),
        ("Ward A*, Moor B†", ("Ward, A", "Moor, B")),
        ("Dr. Ann Ward, PhD and Bo Moor¹", ("Ward, Ann", "Moor, Bo")),
        ("Kim, Jong-Un / Lee, Min", ("Kim, Jong-Un", "Lee, Min")),
        ("World Health Organization", ("World Health Organization",)),
        ("University of Fens, Ann Ward", ("University of Fens", "Ward, Ann")),
        (("Institute of Fens, Bogs and Mires",), ("{Institute of Fens, Bogs and Mires}",)),
        (("European Commission, Joint Centre",), ("{European Commission, Joint Centre}",)),
        (("Google, Inc.", "Moor, Torf & Co. KG"), ("{Google, Inc.}", "{Moor, Torf & Co. KG}")),
        (("Peat and Sons, Pty. Ltd.",), ("{Peat and Sons, Pty. Ltd.}",)),
        (("Fen, Mire and Bog Working Group",), ("{Fen, Mire and Bog Working Group}",)),
        (("Université de Tourbe, Chaire",), ("{Université de Tourbe, Chaire}",)),
        (("Torfverband, Abteilung für Moore",), ("{Torfverband, Abteilung für Moore}",)),
        (("Silva, João da", "Champs, Jean des"), ("Silva, João da", "Champs, Jean des")),
        (
            ("Ward, A. & Moor, B. C.", "Sand, Cy and Silt, D."),
            ("Ward, A.", "Moor, B. C.", "Sand, Cy", "Silt, D."),
        ),
        (
            ("Ministry of Fens, Peat and Moss, Bogtown",),
            ("{Ministry of Fens, Peat and Moss, Bogtown}",),
        ),
        (("Ward,Ann", "Moor,Bo,Jr."), ("Ward, Ann", "Moor Jr., Bo")),
        (("Ward, Ann; Moor, Bo", "{Fens; Bogs}"), ("Ward, Ann", "Moor, Bo", "Fens; Bogs")),
        ("Open EU", ("EU, Open",)),
        ("Čapek, Karel; Žižka, Jan", ("Čapek, Karel", "Žižka, Jan")),
        ("Loam A.; Silt Jr. P.F.; Moor III B.", ("Loam, A.", "Silt Jr., P.F.", "Moor III, B.")),
        (
            "van der Moor B.; De Silt C.; Al-Loam D.",
            ("van der Moor, B.", "De Silt, C.", "Al-Loam, D."),
        ),
        ("Zhong, Z.; Hu, Z.; Zhong, Z.", ("Zhong, Z.", "Hu, Z.", "Zhong, Z.")),
        (("{Institute of Fens, Bogs}", "..."), ("{Institute of Fens, Bogs}",)),
        # Separators of other scripts; family names in Chinese characters come first.
        ("王，小明；李，雷", ("王, 小明", "李, 雷")),
        ("王小明、李雷、韩梅梅", ("王小明", "李雷", "韩梅梅")),
        ("王小明，李雷，韩梅梅", ("王小明", "李雷", "韩梅梅")),
        ("王, 小明, 李, 雷", ("王, 小明", "李, 雷")),
        ("李明, 王伟", ("李明", "王伟")),
        ("欧阳, 修", ("欧阳, 修",)),
        ("김철수, 이영희", ("김철수", "이영희")),
        ("رضایی، علی؛ محمدی، سارا", ("رضایی, علی", "محمدی, سارا")),
        ("رضایی، علی", ("رضایی, علی",)),
        ("Wang, Xiaoming；Li, Lei", ("Wang, Xiaoming", "Li, Lei")),
        ("ジョン・スミス", ("ジョン・スミス",)),
    ],
)
def test_authors_are_split(text, names):
    assert split_authors(text) == names


def test_initials_behind_names_separate_people_where_commas_are_inside_others():
    assert split_authors("Ward A, Moor BC", comma_is_inside=True) == ("Ward, A", "Moor, BC")


@pytest.mark.parametrize(
    ("cells", "inside"),
    [
        ([], False),
        (["Ward, Ann"], False),
        (["Ward, Ann; Moor, Bo"], True),
        (["a; b", *["c, d"] * 4], True),
        (["a; b", *["c, d"] * 5], False),
        ([("a; b",), "c, d"], False),
        # Commas separate people in other cells, and are in no name.
        (["Loam A.; Silt P.", "Ann Loam, Bo Moor", "Ann Loam, Bo Moor, Cy Stein"], False),
        (["Loam, A.; Silt, P.", "Ann Loam, Bo Moor", "Ann Loam, Bo Moor, Cy Stein"], True),
    ],
)
def test_a_fifth_with_sure_separators_is_enough(cells, inside):
    assert commas_are_inside(cells) is inside


@pytest.mark.parametrize(
    ("cell", "cut"),
    [
        ("Ward et al.", True),
        ("Ward, A. et. al", True),
        (("Ward, Ann", "and others"), True),
        ("Ward, Ann", False),
        ("Al, Et", False),
        ((), False),
    ],
)
def test_a_list_tells_that_it_is_cut(cell, cut):
    assert is_cut(cell) is cut


def test_names_of_organisations_and_numbers_of_databases():
    assert [whole_name(name) for name in ("Bog Trust", "Ward, Ann", "Plato")] == [
        "{Bog Trust}",
        "Ward, Ann",
        "Plato",
    ]
    assert (
        split_authors(whole_name("Bog Trust")) == split_authors(("{Bog  Trust}",)) == ("Bog Trust",)
    )
    assert split_authors(("Rago 0001, Antonio", "Antonio Rago 0001")) == ("Rago, Antonio",) * 2
    assert split_authors(("Ward, Ann (57190000000)",)) == ("Ward, Ann",)


@pytest.mark.parametrize(
    ("cell", "uncertain"),
    [
        ("Ward, Ann, Moor, Bo", True),
        ("Öberg, Åsa, O'Neil, Kim", True),
        ("Ward, Ann", False),
        ("Ward, Ann, Moor", False),
        ("Ward, A., Moor, B.", False),
        ("Ann Ward, Bo Moor, Cy Stein, Di Fen", False),
        ("Ward, Ann; Moor, Bo, Fen, Di", False),
        ("Ward, Ann and Moor, Bo, Fen, Di", False),
        ("李明, 王伟, 张三, 刘四", False),
        (("Ward, Ann, Moor, Bo",), False),
    ],
)
def test_names_of_one_word_between_commas_are_uncertain(cell, uncertain):
    assert are_uncertain(cell) is uncertain
