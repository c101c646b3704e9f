"""The catalogue of measures, which docs/traces.md prints: name, unit, formula and source."""

from typing import NamedTuple

from corpus.traces.lookup import table_of


class Metric(NamedTuple):
    """One entry of the catalogue: name, unit, formula and source of a measure."""

    name: str
    unit: str
    formula: str
    source: str = "this project"


def _metrics(table: dict[str, list[str]], sources: dict[str, str]) -> tuple[Metric, ...]:
    metrics = []
    for name, (unit, formula, *source) in table.items():
        metrics.append(Metric(name, unit, formula, *(sources.get(one, one) for one in source)))
    return tuple(metrics)


_FILE = table_of(__file__, "catalogue.toml")
CATALOGUE = _metrics(_FILE["traces"], _FILE["sources"])
#: Measures that need a table of prices.
PRICING = _metrics(_FILE["prices"], _FILE["sources"])
NAMES = tuple(metric.name for metric in CATALOGUE)
