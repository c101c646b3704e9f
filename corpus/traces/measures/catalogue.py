"""The catalogue of measures, which docs/traces.md prints: name, unit, formula and source."""

from typing import NamedTuple

from corpus.traces.lookup import table_of


class Metric(NamedTuple):
    """One entry of the catalogue: name, unit, formula and source of a measure."""

    name: str
    unit: str
    formula: str
    source: str = "this project"

    @property
    def is_count(self) -> bool:
        """Whether the measure is a whole number: a unit that is counted, and no mean of it."""
        return self.unit in COUNTED and not self.name.endswith("_mean")


COUNTED = frozenset(("count", "events", "agents", "spawns", "edges", "0 or 1"))
"""Units of whole numbers."""


def _metrics(table: dict[str, list[str]], sources: dict[str, str]) -> tuple[Metric, ...]:
    metrics = []
    for name, (unit, formula, *source) in table.items():
        metrics.append(Metric(name, unit, formula, *(sources.get(one, one) for one in source)))
    return tuple(metrics)


_FILE = table_of(__file__, "catalogue.toml")
CATALOGUE = _metrics(_FILE["traces"], _FILE["sources"])
#: Measures that need the run of a single agent to compare with.
COMPARISON = _metrics(_FILE["comparison"], _FILE["sources"])
#: Measures that need a table of prices.
PRICING = _metrics(_FILE["prices"], _FILE["sources"])
NAMES = tuple(metric.name for metric in CATALOGUE)
