from tests.support.drawn import drawn, texts


def test_the_flow_prints_every_number_of_its_record():
    words = " ".join(texts(drawn("screening"))).replace("\u00a0", " ")
    for number in (116, 100, 91, 85, 84, 16, 9, 6, 1, 42, 18, 10, 5, 3):
        assert f"(n = {number})" in words
