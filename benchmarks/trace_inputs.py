"""Traces of any size: a lead, its workers and their tool calls; the same on every machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def trace(events: int, workers: int = 5, name: str = "run") -> dict[str, Any]:
    """Return a sound trace of about this many events (at least 3 + 2 for each worker)."""
    made: list[dict[str, Any]] = [
        {"id": "e0", "t": 0, "type": "orchestrator_decision", "agent": "lead", "role": "lead"}
    ]
    edges: list[dict[str, str]] = []
    last: dict[str, str] = {}

    def add(kind: str, agent: str, cause: str, edge: str, **keys: Any) -> str:
        number = len(made)
        event = {
            "id": f"e{number}",
            "t": round(number * 0.25, 2),
            "type": kind,
            "agent": agent,
            **keys,
        }
        made.append(event)
        edges.append({"src": cause, "dst": event["id"], "type": edge})
        return str(event["id"])

    names = [f"worker-{number}" for number in range(workers)]
    for worker in names:
        last[worker] = add("spawn", "lead", "e0", "spawn", role="worker", to=worker)
    number = 0
    while len(made) + workers + 1 < events:
        worker, call = names[number % workers], f"c{number}"
        cause = last[worker]
        tool = {"tool": "search", "x_call_id": call, "content_ref": f"sha256:{number:032x}"}
        asked = add("tool_call", worker, cause, "causal", **tool, x_steps=1, x_tokens=400)
        last[worker] = add("tool_result", worker, asked, "tool_dependency", **tool, trusted=True)
        number += 1
    ends = [
        add("return", worker, last[worker], "causal", **{"from": worker, "to": "lead"}, x_steps=1)
        for worker in names
    ]
    final = add(
        "aggregate", "lead", ends[0], "aggregate", role="lead", content_ref="answer", x_steps=1
    )
    edges += [{"src": end, "dst": final, "type": "aggregate"} for end in ends[1:]]
    costs = {
        "tokens": 400 * number,
        "wall_clock_s": made[-1]["t"],
        "tool_calls": number,
        "messages": 0,
    }
    head = {
        "trace_id": name,
        "task_id": "benchmark",
        "system": "made up",
        "topology": "centralized",
    }
    return {**head, "events": made, "edges": edges, "rewards": {"team": 1.0}, "costs": costs}


def write_document(path: Path, events: int) -> None:
    """Write one trace as one JSON text."""
    path.write_text(
        json.dumps(trace(events, workers=max(1, min(50, events // 5)))), encoding="utf-8"
    )


def write_lines(path: Path, traces: int, events: int) -> None:
    """Write many small traces, one a line."""
    text = json.dumps(trace(events, workers=2 if events < 15 else 4, name="NAME"))
    with path.open("w", encoding="utf-8") as handle:
        for number in range(traces):
            handle.write(text.replace("NAME", f"run-{number}") + "\n")


if __name__ == "__main__":
    kind, target, *sizes = sys.argv[1:]
    {"document": write_document, "lines": write_lines}[kind](Path(target), *map(int, sizes))
