"""Many traces, no two alike, and stores of any size to measure with; the same on every machine.

``lines FILE TRACES EVENTS`` writes one trace per line. ``store FOLDER EVENTS`` makes a store whose
parts are copies (hard links) of one part of a million events, which is as much work to read as
parts that differ. ``ingest FILE`` brings traces into a new store.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from pathlib import Path

from benchmarks.trace_inputs import trace

EVENTS = 20
"""Events of a trace."""
PART_EVENTS = 1_000_000


def write_lines(path: Path, traces: int, events: int = EVENTS) -> None:
    """Write traces that differ in their times, tokens, references and rewards."""
    chance = random.Random(20)
    made = [trace(events, workers=workers) for workers in (1, 2, 3, 4)]
    with path.open("w", encoding="utf-8") as handle:
        for number in range(traces):
            one = made[number % len(made)]
            clock = 0.0
            for event in one["events"]:
                clock += chance.expovariate(2)
                event["t"] = round(clock, 3)
                if "x_tokens" in event:
                    event["x_tokens"] = chance.randrange(50, 4000)
                if "content_ref" in event:
                    event["content_ref"] = f"sha256:{chance.getrandbits(256):064x}"
            tokens = sum(event.get("x_tokens", 0) for event in one["events"])
            one["trace_id"] = f"run-{number:09}-{chance.getrandbits(64):016x}"
            one["costs"] |= {"tokens": tokens, "wall_clock_s": one["events"][-1]["t"]}
            one["rewards"] = {"team": round(chance.random(), 3)}
            handle.write(json.dumps(one) + "\n")


def write_store(root: Path, events: int) -> None:
    """Make a store of about this many events."""
    from corpus.cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "traces.jsonl"
        write_lines(lines, min(events, PART_EVENTS) // EVENTS)
        main(["trace", "ingest", str(lines), "-o", str(root)], standalone_mode=False)
    manifest = next((root / "manifest").glob("part-*.json"))
    for number in range(1, events // PART_EVENTS):
        name = f"part-{number:032x}"
        for table in ("traces", "events", "edges"):
            os.link(root / table / f"{manifest.stem}.parquet", root / table / f"{name}.parquet")
        (root / "manifest" / f"{name}.json").write_bytes(manifest.read_bytes())


def ingest_afresh(lines: Path) -> None:
    """Bring traces into a new store and throw it away: what a first ingest costs."""
    from corpus.cli.main import main

    with tempfile.TemporaryDirectory(dir=lines.parent) as folder:
        main(["trace", "ingest", str(lines), "-o", f"{folder}/store"], standalone_mode=False)


if __name__ == "__main__":
    kind, target, *sizes = sys.argv[1:]
    {"lines": write_lines, "store": write_store, "ingest": ingest_afresh}[kind](
        Path(target), *map(int, sizes)
    )
