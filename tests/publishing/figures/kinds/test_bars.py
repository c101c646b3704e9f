from tests.support.drawn import data_of


def test_bars_count_entries_and_their_parts(shipped):
    found = shipped["categories"]
    assert list(found.entries.values()) == [42, 18, 10, 6, 5, 3]
    assert found.parts["rl_method", "yes"] == 36
    multi = data_of(kind="bars", axis="senses")
    assert multi.entries == {"water": 3, "salt": 1, "heat": 2, "gas": 0}
    assert multi.total == 5
    assert multi.frame().rows[-1] == ("gas", 0)


def test_the_rows_behind_bars():
    found = data_of(kind="bars", axis="depth", split="senses")
    assert found.frame().header == ("term", "part", "entries")
    result = found.frame().rows[:3]
    assert result == (("surface", "water", 2), ("surface", "salt", 0), ("surface", "heat", 1))
    assert (found.split_name, [label.id for label in found.split]) == (
        "Senses",
        ["water", "salt", "heat", "gas"],
    )
    assert (found.entries, found.total, found.absent) == (
        {"surface": 2, "shallow": 1, "deep": 1, "rock": 0, "none": 1}, 5, "none",
    )  # fmt: skip
    whole = data_of(kind="bars", axis="depth")
    assert whole.frame() == (("term", "entries"), tuple(found.entries.items()))
    assert (whole.split, whole.split_name, whole.parts) == ((), "", {})
