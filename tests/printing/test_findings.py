"""Findings as text: what to do stands once where it is the same for several in a row."""

from corpus.model.finding import Rule
from corpus.printing.findings import findings_text

RULE = Rule("X001", "error", "Dry", "{value} is dry", "water it", "Dry is dead.")
OTHER = Rule("X002", "error", "Wet", "{value} is wet", "water it", "Wet is dead.")


def test_a_hint_for_several_in_a_row_stands_once_behind_them():
    found = [RULE.at("a.csv", line, "bed", str(line)) for line in (3, 2)] + [OTHER.at("a.csv", 4, "bed", "4")]
    lines = findings_text(found).splitlines()
    assert [line.startswith(" ") for line in lines] == [False, False, True, False, True]
    assert findings_text([]) == ""
