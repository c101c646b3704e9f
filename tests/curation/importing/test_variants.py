from corpus.curation.importing.kinds import spelled_terms


def test_case_hyphens_and_whitespace_make_no_new_term():
    terms = spelled_terms(["Time-domain", "time domain", "TIME_DOMAIN", "time  domain", "optical"])
    assert [(t.id, t.uses) for t in terms] == [("time_domain", 4), ("optical", 1)]


def test_placeholders_for_nothing_are_one_term():
    terms = spelled_terms(["n/a", "None", "-", "field"])
    assert [(t.id, t.uses) for t in terms] == [("field", 1), ("NA", 3)]


def test_terms_that_differ_in_symbols_stay_separate():
    assert {t.id for t in spelled_terms(["C", "C++", "C#", "漢字"])} == {
        "c",
        "c_plus_plus",
        "c_sharp",
        "漢字",
    }


def test_two_labels_of_one_slug_get_two_identifiers():
    assert {t.id for t in spelled_terms(["a (b)", "a b"])} == {"a_b", "a_b_2"}
