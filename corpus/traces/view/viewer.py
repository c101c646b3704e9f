"""Put the viewer together: runs, comparisons, style and script in one file without a request."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from msgspec import UNSET

from corpus.model.finding import UsageProblem
from corpus.printing.single_file import one_file, package_script, script_json
from corpus.traces.run import Run
from corpus.traces.view.run_data import RunText, run_data, short, value_text, vocabulary

PACKAGE = "corpus.traces.view"
STYLES = ("colours", "viewer", "swimlane", "events")
#: Files of the viewer, in the order in which they are inlined.
SCRIPTS = (
    "elements",
    "run",
    "selection",
    "marks",
    "pane",
    "tree",
    "drawing",
    "zoom",
    "list",
    "details",
    "comparison",
    "controls",
    "keys",
    "main",
)
#: Keys in which two events must agree; ids, times and costs may differ.
COMPARED = ("type", "agent", "role", "from_", "to", "tool", "content_ref", "trusted")
MOST_RUNS = 20
MOST_EVENTS = 100_000


def viewer_page(runs: Sequence[RunText]) -> str:
    """Return the viewer of one or more runs as HTML; every run is compared with the first.

    Raises
    ------
    UsageProblem
        Where the runs are more than a browser can show.
    """
    if len(runs) > MOST_RUNS:
        raise UsageProblem(
            f"{len(runs)} traces are too many for one page (at most {MOST_RUNS}); "
            "choose some with --trace ID"
        )
    events = sum(len(source.run.events) for source in runs)
    if events > MOST_EVENTS:
        raise UsageProblem(
            f"{events:,} events are too many for one page (at most {MOST_EVENTS:,}); "
            "corpus trace stats has no limit"
        )
    shown = list(map(run_data, runs))
    comparisons = [comparison_data(runs[0].run, other.run) for other in runs[1:]]
    data = {**vocabulary(), "runs": shown, "comparisons": comparisons}
    values = {"runs": shown, "data": script_json(data)}
    script = package_script(PACKAGE, SCRIPTS)
    return one_file(PACKAGE, "viewer.html.j2", STYLES, values, script=script)


def comparison_data(left: Run, right: Run) -> dict[str, Any]:
    """Return how many events two runs have in common, and the first that differs, from 1.

    No key differs where one of the runs is over.
    """
    # In an order that respects the edges: recorders list simultaneous events as they like.
    runs = (map(run.events.__getitem__, run.graph.order) for run in (left, right))
    for step, (one, other) in enumerate(zip_longest(*runs), 1):
        keys = []
        for name in COMPARED if one and other else ():
            values = [getattr(event, name) for event in (one, other)]
            if values[0] != values[1]:
                texts = ["" if value is UNSET else short(value_text(value)) for value in values]
                keys.append((name.removesuffix("_"), *texts))
        if keys or not (one and other):
            return {"common": step - 1, "divergence": {"step": step, "keys": keys}}
    return {"common": len(left.events), "divergence": None}
