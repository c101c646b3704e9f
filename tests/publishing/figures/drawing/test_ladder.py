from tests.support.drawn import drawn, shipped, texts


def test_the_ladder_shows_every_unit_and_how_many_tags_were_judged():
    words = texts(drawn("credit_units"))
    _, data = shipped()["credit_units"]
    assert {rung.label for rung in data.rungs} <= set(words)
    assert any(word.startswith("22 of 48 tags have been judged") for word in words)
