"""``python -m benchmarks [CASE...] [--large] [--folder DIR]``: measure and print.

``python -m benchmarks imports [DIR]`` measures what imports make of a folder of files, and
``python -m benchmarks growth [MERGES]`` how much a repository grows by merges.
``python -m benchmarks blame DIR`` compares simple rules with a folder of labelled failures, and
``python -m benchmarks identity FILE`` judges labelled pairs of records.

Cases are start, stats, check, prints, traces and stores; all of them by default.
``--large`` adds the sizes that take minutes. A whole run with it takes half an hour and 15 GB of
disk; it writes benchmarks/RESULTS.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import growth, report, stores, traces
from benchmarks.cases import checking, counting, printing, start_up
from benchmarks.measure import interleaved
from benchmarks.pools import make_pool

HERE = Path(__file__).parent


def main() -> None:
    """Run the chosen cases."""
    if sys.argv[1:2] == ["imports"]:
        # Brings in the readers of reference lists. The system counts the memory of this process
        # into the peak of each command that it starts.
        from benchmarks import imports

        imports.main(sys.argv[2:])
        return
    if sys.argv[1:2] == ["blame"]:
        # Brings in the readers of traces.
        from benchmarks import blame

        blame.main(sys.argv[2:])
        return
    if sys.argv[1:2] == ["identity"]:
        from benchmarks import identity

        identity.main(sys.argv[2:])
        return
    if sys.argv[1:2] == ["growth"]:
        growth.main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("cases", nargs="*", help="see above; all by default")
    parser.add_argument("--large", action="store_true", help="also 1,000,000 rows and more")
    parser.add_argument("--rows", type=_sizes, help="sizes of the pools, such as 84,10000,1000000")
    parser.add_argument(
        "--folder", type=Path, help="where inputs are kept; a temporary folder by default"
    )
    parser.add_argument("--json", type=Path, help="write every measurement as JSON")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        results = measure(chosen, chosen.folder or Path(temporary))
    text = report.markdown(results)
    sys.stdout.write(text)
    if chosen.large and not chosen.cases and not chosen.rows:
        (HERE / "RESULTS.md").write_text(text, encoding="utf-8")


def _sizes(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def measure(chosen: argparse.Namespace, folder: Path) -> report.Results:
    """Run every case and say on stderr which one is running."""
    sizes = chosen.rows or [84, 10_000, 100_000] + [1_000_000] * chosen.large

    def make(rows: int) -> Path:
        return make_pool(folder, rows)

    groups = {
        "start": start_up,
        "stats": lambda: counting(sizes + [10_000_000] * chosen.large, make),
        "check": lambda: checking(sizes, make),
        "prints": lambda: printing(sizes[:3], make),
        "stores": lambda: [
            *stores.bringing([10, 100, 1_000, 10_000] + [100_000] * chosen.large, folder),
            *stores.reading([1_000_000] + [20_000_000] * chosen.large, folder),
        ],
        "traces": lambda: [
            *traces.documents([10, 1_000, 100_000] + [1_000_000] * chosen.large, folder),
            *traces.lines([100, 1_000, 10_000] + [100_000, 1_000_000] * chosen.large, folder),
        ],
    }
    results: report.Results = []
    for name, build in groups.items():
        if chosen.cases and name not in chosen.cases:
            continue
        for case in build():
            sys.stderr.write(f"{case.name} {case.size:,}\n")
            results.append((case, interleaved(case.commands, case.runs, cwd=str(HERE.parent))))
            if (
                chosen.json
            ):  # after each case: what was measured is not lost where a later one fails
                chosen.json.write_text(report.as_json(results), encoding="utf-8")
    return results


if __name__ == "__main__":
    main()
