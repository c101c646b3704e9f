"""The catalogue that docs/traces.md prints: each measure has a name, a unit and a formula."""

import re

from corpus.traces.measures.catalogue import CATALOGUE, NAMES, PRICING

UNITS = {
    "count",
    "agents",
    "events",
    "spawns",
    "steps",
    "tokens",
    "seconds",
    "ratio",
    "share 0-1",
    "currency of the table",
}


def test_every_measure_has_a_name_of_its_own_a_known_unit_and_a_formula_in_words():
    metrics = (*CATALOGUE, *PRICING)
    names = [metric.name for metric in metrics]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+(?:_[a-z]+)*", name) for name in names)
    assert {metric.unit for metric in metrics} == UNITS
    assert not {metric.formula for metric in metrics} & {*UNITS, "schema"}
    assert names[: len(NAMES)] == list(NAMES)
