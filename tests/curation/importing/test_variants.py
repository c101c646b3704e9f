from corpus.curation.importing.kinds import spelled_terms


def test_terms_that_differ_in_symbols_stay_separate():
    assert {t.id for t in spelled_terms(["C", "C++", "C#", "漢字"])} == {
        "c",
        "c_plus_plus",
        "c_sharp",
        "漢字",
    }


def test_two_labels_of_one_slug_get_two_identifiers():
    assert {t.id for t in spelled_terms(["a (b)", "a b"])} == {"a_b", "a_b_2"}
