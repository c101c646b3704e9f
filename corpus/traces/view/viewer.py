"""Put the viewer together: runs, comparisons, style and script in one file without a request."""

from collections.abc import Sequence
from typing import Any

from corpus.model.finding import UsageProblem
from corpus.printing.numerals import number
from corpus.printing.single_file import one_file, package_script, script_json
from corpus.traces.difference import Difference, compare
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
    comparisons = [comparison_data(compare(runs[0].run, other.run)) for other in runs[1:]]
    data = {**vocabulary(), "runs": shown, "comparisons": comparisons}
    values = {"runs": shown, "data": script_json(data)}
    script = package_script(PACKAGE, SCRIPTS)
    return one_file(PACKAGE, "viewer.html.j2", STYLES, values, script=script)


def comparison_data(found: Difference) -> dict[str, Any]:
    """Return the result of ``corpus trace diff`` as plain values, numbers as people read them."""
    divergence = None
    if found.divergence:
        keys = []
        for key, (left, right) in found.divergence.keys.items():
            keys.append((key, short(left), short(right)))
        divergence = {"step": found.divergence.step, "keys": keys}
    changes = []
    for change in found.changes:
        changes.append((short(change.name), *map(number, change[1:])))
    return {"common": found.common, "divergence": divergence, "changes": changes}
