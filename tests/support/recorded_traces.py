"""Writers of small recorded runs, made up for these tests, and questions to a trace."""

import json
from collections.abc import Callable
from typing import Any

from corpus.traces.convert.format import Conversion

SECRET = "launch code 4711 in /home/ada/plan.txt"


class Recorder:
    """Writes the rows of a made-up Claude Code session; each row is one second after the one before."""

    def __init__(self, session="s-1", version="2.1.285"):
        self.rows: list[dict[str, Any]] = []
        self.heads: dict[str, str | None] = {}
        self.common = {"sessionId": session, "version": version, "cwd": "/home/ada/project"}

    def row(self, thread, kind, message, **more):
        number = len(self.rows)
        row = {
            **self.common,
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": self.heads.get(thread),
            "isSidechain": thread != "main",
            "timestamp": f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}Z",
            **({} if thread == "main" else {"agentId": thread}),
            **more,
        }
        if message is not None:
            row["message"] = message
        self.heads[thread] = row["uuid"]
        self.rows.append(row)
        return row

    def ask(self, thread, words, **more):
        self.row(thread, "user", {"role": "user", "content": words}, **more)

    def step(self, thread, name, *blocks, **usage):
        """One model step, one row a block, the usage repeated and growing as the real recorder does."""
        for place, block in enumerate(blocks, start=1):
            spent = {
                key: amount if place == len(blocks) else amount // 2
                for key, amount in usage.items()
            }
            message = {"id": name, "role": "assistant", "content": [block], "usage": spent}
            self.row(thread, "assistant", message)

    def result(self, thread, call, content, error=False, **report):
        block = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}
        more = {"toolUseResult": report} if report else {}
        self.row(thread, "user", {"role": "user", "content": [block]}, **more)

    def write(self, path, rows=None):
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_rows(path, self.rows if rows is None else rows)


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def use(call, tool, **arguments):
    return {"type": "tool_use", "id": call, "name": tool, "input": arguments}


def say(words):
    return {"type": "text", "text": words}


def task(call, prompt, role="helper"):
    return use(call, "Task", prompt=prompt, subagent_type=role, description=SECRET)


def helper(log, thread, prompt, steps):
    log.ask(thread, prompt)
    for number in range(1, steps):
        log.step(
            thread,
            f"{thread}{number}",
            use(f"{thread}-c{number}", "Read", path=SECRET),
            input_tokens=3,
        )
        log.result(thread, f"{thread}-c{number}", SECRET)
    log.step(thread, f"{thread}{steps}", say(f"done {thread}"), input_tokens=3, output_tokens=1)


def sequential_helpers():
    """Three Task calls, the first of which fails before it starts; helpers of 3 and 7 steps, one after the other."""
    log = Recorder()
    log.ask("main", SECRET)
    log.step("main", "m1", say("thinking"), use("c1", "Todo"), input_tokens=10, output_tokens=4)
    log.result("main", "c1", "noted")
    log.step(
        "main",
        "m2",
        task("t0", "bad call"),
        task("t1", "look left"),
        input_tokens=20,
        output_tokens=6,
    )
    log.result("main", "t0", "InputValidationError", error=True)
    helper(log, "left", "look left", steps=3)
    log.result("main", "t1", [say("done left")], agentId="left")
    log.step("main", "m3", task("t2", "look right"), input_tokens=30, output_tokens=5)
    helper(log, "right", "look right", steps=7)
    log.result("main", "t2", [say("done right")], agentId="right")
    for number in range(4, 10):
        log.step("main", f"m{number}", use(f"d{number}", "Edit"), input_tokens=5, output_tokens=5)
        log.result("main", f"d{number}", "edited")
    log.step("main", "m10", say("finished"), input_tokens=5, output_tokens=5)
    return log


Run = Callable[..., list[Conversion]]


def well_formed(trace):
    import msgspec

    from corpus.traces.model import Trace

    msgspec.convert(json.loads(json.dumps(trace, allow_nan=False)), Trace)
    times = {event["id"]: event["t"] for event in trace["events"]}
    assert len(times) == len(trace["events"])
    assert all(times[edge["src"]] <= times[edge["dst"]] for edge in trace["edges"])


def kinds(trace, agent=""):
    return [event["type"] for event in trace["events"] if agent in ("", event["agent"])]


def into(trace, event):
    """The events that an event depends on, with the type of the edge."""
    by_id = {one["id"]: one for one in trace["events"]}
    return [
        (by_id[edge["src"]], edge["type"]) for edge in trace["edges"] if edge["dst"] == event["id"]
    ]


def only(trace, **keys):
    """The one event with these keys."""
    found = [
        event
        for event in trace["events"]
        if all(event.get(key) == want for key, want in keys.items())
    ]
    assert len(found) == 1, found
    return found[0]
