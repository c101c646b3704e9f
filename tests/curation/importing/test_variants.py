import pytest

from corpus.curation.importing.variants import likely_merges, merged, spelled_terms


def merges(*values):
    return {(m.rarer, m.commoner, m.reason) for m in likely_merges(spelled_terms(values))}


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


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (("sensors", "sensor", "sensor"), "plural"),
        (("batteries", "battery", "battery"), "plural"),
        (("boxes", "box", "box"), "plural"),
        (("marshes", "marsh", "marsh"), "plural"),
        (("bogs", "bog", "bog"), "plural"),
        (("soil bogs", "soil bog", "soil bog"), "plural"),
        (("acustic", "acoustic", "acoustic"), "spelling"),
        (("moisutre", "moisture", "moisture"), "spelling"),
        (("timedomain", "time domain", "time domain"), "spelling"),
        (("reinforcment learning", "reinforcement learning", "reinforcement learning"), "spelling"),
    ],
)
def test_likely_variants_are_proposed_for_the_commoner_term(values, reason):
    terms = spelled_terms(values)
    assert merges(*values) == {(terms[1].id, terms[0].id, reason)}


@pytest.mark.parametrize(
    "values",
    [
        ("type 1", "type 2"),
        ("GPT-3", "GPT-4"),
        ("supervised", "unsupervised"),
        ("linear", "nonlinear"),
        ("static", "statistic"),
        ("field", "fiel d trial"),
        ("red", "bed"),
        ("ties", "ty"),
        ("gas", "ga"),
        ("axes", "ax"),
    ],
)
def test_terms_of_other_meaning_stay_separate(values):
    assert merges(*values) == set()


def test_a_merge_keeps_every_spelling():
    terms = spelled_terms(["sensor", "sensor", "sensors", "Sensors", "lab"])
    one = merged(terms, likely_merges(terms))
    assert (one[0].id, one[0].spellings) == ("sensor", {"sensor": 2, "sensors": 1, "Sensors": 1})
    assert sum(t.uses for t in one) == 5


def test_terms_come_in_order_of_use_and_not_applicable_last():
    values = [
        "n/a",
        "n/a",
        "n/a",
        "n/a",
        "peat",
        "peat",
        "sand",
        "sand",
        "Sand",
        "clays",
        "clay",
        "clay",
    ]
    terms = spelled_terms(values)
    assert [(t.id, t.label, t.uses) for t in terms] == [
        ("sand", "sand", 3), ("clay", "clay", 2), ("peat", "peat", 2), ("clays", "clays", 1), ("NA", "not applicable", 4),
    ]  # fmt: skip
    one = merged(terms, likely_merges(terms))
    assert [(t.id, t.uses) for t in one] == [("clay", 3), ("sand", 3), ("peat", 2), ("NA", 4)]


def test_nearly_alike_long_terms_are_one_and_short_ones_are_not():
    long = ("reinforcement learning", "reinforcement learning", "reinforcment lerning")
    assert merges(*long) == {("reinforcment_lerning", "reinforcement_learning", "spelling")}
    assert merges("fens", "fens", "fans") == set()
    assert merges("clayy", "clayx", "clayx") == {("clayy", "clayx", "spelling")}


def test_merges_lead_to_the_commonest_in_the_end():
    terms = spelled_terms(["sensor"] * 3 + ["sensors"] * 2 + ["sensorss"])
    assert [(t.id, t.uses) for t in merged(terms, likely_merges(terms))] == [("sensor", 6)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("retrospective", "prospective"),
        ("gpt-4", "gpt-4o"),
        ("interpersonal", "intrapersonal"),
        ("supervised", "unsupervised"),
        ("type a study", "type b study"),
        ("hyperthermia", "hypothermia"),
        ("online learning", "offline learning"),
    ],
)
def test_opposites_and_numbered_terms_are_not_proposed(first, second):
    assert likely_merges(spelled_terms([first, first, second])) == []
