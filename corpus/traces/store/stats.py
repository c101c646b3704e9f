"""Measures over a whole store: some columns of all parts at a time, exact in any order."""

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from corpus.traces.measures.summary import MEASURES, Summary, spread
from corpus.traces.store.store import TRACES, Store, row_groups

#: Numbers that are in memory at once: as many measures are read together as this allows.
AT_ONCE = 2_000_000


def summary(store: Store) -> Summary:
    """Describe a store; exact, and the same in whatever order its parts are read.

    Raises
    ------
    CorpusError
        OT301 where a file is damaged.
    """
    parts = store.parts()

    def groups(names: list[str]) -> Iterator[pa.Table]:
        for part in parts:
            yield from row_groups(store, part, "traces", names)

    traces = sum(part.rows["traces"] for part in parts)
    words: dict[str, Counter[str]] = {"stop": Counter(), "topology": Counter()}
    for group in groups(list(words)):
        for name, counts in words.items():
            for pair in pc.value_counts(group[name]).to_pylist():
                counts[pair["values"] or "(none)"] += pair["counts"]
    measures = {}
    together = max(1, AT_ONCE // max(1, traces))
    for start in range(0, len(MEASURES), together):
        names = list(MEASURES[start : start + together])
        table = pa.concat_tables([TRACES.empty_table().select(names), *groups(names)])
        for name in names:
            # Zero is added since it makes one zero of the two that a double has.
            numbers = table[name].drop_null().to_numpy() + 0.0
            if len(numbers):
                numbers.sort()
                measures[name] = spread(numbers.data)
    return Summary(traces, words["stop"], words["topology"], measures)
