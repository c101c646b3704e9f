"""Put the viewer together: runs, comparisons, style and script in one file without a request."""

from collections.abc import Sequence
from typing import Any

from corpus.model.finding import UsageProblem
from corpus.printing.numerals import number
from corpus.printing.single_file import one_file, package_script, script_json
from corpus.traces.difference import changes, divergence
from corpus.traces.run import Run
from corpus.traces.view.run_data import RunText, run_data, short, vocabulary

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
    """Compare two runs: plain values, numbers as people read them."""
    found = divergence(left, right)
    common, first = len(left.events), None
    if found is not None:
        step, differing = found
        common = step - 1
        keys = [(key, *map(short, values)) for key, values in differing.items()]
        first = {"step": step, "keys": keys}
    rows = [(short(name), *map(number, values)) for name, *values in changes(left, right)]
    return {"common": common, "divergence": first, "changes": rows}
