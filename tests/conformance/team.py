"""A team whose script is known, and what a recording of it has to count.

A turn of a script is a line: an agent, and what its model calls. ``lead lookup`` calls a tool, ``lead ask scout`` starts a
helper who answers to the lead, ``lead pass closer`` hands over, and an agent alone ends its work with a text.
"""

import json
import subprocess
import sys
from dataclasses import dataclass, field

from endpoint import Said

#: Lead and two helpers: one is asked, to the other one the run is handed over.
TEAM = ["lead lookup", "lead ask scout", "scout lookup", "scout", "lead pass closer", "closer"]
#: The same where nobody can hand over: the lead asks both and ends the run.
ASKING = [*TEAM[:4], "lead ask closer", "closer", "lead"]
KINDS = ("input", "cached", "output", "reasoning")


@dataclass
class Turn:
    """A turn of a script: `verb` is what is called, `other` whom it concerns."""

    number: int
    agent: str
    verb: str = ""
    other: str = ""

    @property
    def usage(self):
        """Tokens by `KINDS`; no sum of some turns is that of others."""
        power = 2**self.number
        return 1000 * power, 100 * power, 20 * power, power


@dataclass
class Script:
    """What the model says, and what of it was played.

    `tools` are the names of a recorder for asking and passing; `arguments` are for tools with a schema that has more than
    texts. `{}` is the other agent in both.
    """

    lines: list[str]
    tools: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, dict] = field(default_factory=dict)
    played: list[Turn] = field(default_factory=list)

    def __post_init__(self):
        self.left = [Turn(number, *line.split()) for number, line in enumerate(self.lines)]

    def play(self, agent, request):
        """Return what the model says to an agent next.

        Raises
        ------
        LookupError
            The agent has no turn left.
        """
        turn = next((turn for turn in self.left if turn.agent == agent), None)
        if turn is None:
            raise LookupError(f"the script has no more turns of {agent}")
        self.left.remove(turn)
        self.played.append(turn)
        name = self.tools.get(turn.verb, turn.verb).format(turn.other)
        given = self.arguments.get(turn.verb)
        if given is None:
            given = dict.fromkeys(
                required(request.get("tools"), name), "{}" if turn.other else "fact"
            )
        filled = {key: fill(value, turn.other) for key, value in given.items()}
        return Said(turn.number, f"Answer {turn.number} of {agent}.", name, filled, turn.usage)

    def expected(self, kinds=KINDS):
        """Return what was played, in the terms of `counted`."""
        assert not self.left, f"never asked for: {self.left}"
        people = ("", "ask", "pass")
        usage = [dict(zip(KINDS, turn.usage, strict=True)) for turn in self.played]
        return {
            "steps": [turn.agent for turn in self.played],
            "tools": [(turn.agent, turn.verb) for turn in self.played if turn.verb not in people],
            "tokens": {kind: sum(tokens[kind] for tokens in usage) for kind in kinds},
            "agents": sorted({turn.agent for turn in self.played}),
            "parents": sorted(
                (turn.other, turn.agent) for turn in self.played if turn.verb == "ask"
            ),
            "messages": [(turn.agent, turn.other) for turn in self.played if turn.verb == "pass"],
        }


def fill(value, other):
    """Return a value of an argument with the name of the other agent in it."""
    return value.format(other) if isinstance(value, str) else value


def required(tools, name):
    """Return the names of the arguments that a tool needs, whatever provider the request is for."""
    tool = next((one for one in mappings(tools) if one.get("name") == name), {})
    schemas = (tool.get(key) for key in ("parameters", "input_schema", "parametersJsonSchema"))
    return next(filter(None, schemas), {}).get("required", [])


def mappings(value):
    """Yield all dicts inside a value."""
    if isinstance(value, dict):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from mappings(inner)


def corpus(*arguments):
    """Run a command as users do, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "corpus", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def counted(files, folder, forced=False):
    """Convert recordings and return what their traces have, in the order of the runs.

    Only what is known to have lost counts may be `forced`.
    """
    traces = folder / "traces.jsonl"
    corpus("trace", "convert", *files, "-o", traces, *["--force"] * forced)
    events = [
        event for line in traces.read_text().splitlines() for event in json.loads(line)["events"]
    ]
    measured = json.loads(corpus("trace", "stats", traces, "--format", "json"))["traces"]
    acting = [event for event in events for _ in range(event.get("x_steps", 0))]
    of_type = {
        kind: [event for event in events if event["type"] == kind]
        for kind in ("tool_call", "spawn", "message")
    }
    tokens = {kind: [row[f"tokens_{kind}"] for row in measured] for kind in KINDS}
    return {
        "steps": [event["agent"] for event in acting],
        "tools": [(event["agent"], event["tool"]) for event in of_type["tool_call"]],
        "tokens": {
            kind: sum(filter(None, found)) for kind, found in tokens.items() if set(found) != {None}
        },
        "agents": sorted({agent for row in measured for agent in row["agents"]} - {"user"}),
        "parents": sorted((event["to"], event["agent"]) for event in of_type["spawn"]),
        "messages": [(event["agent"], event["to"]) for event in of_type["message"]],
    }
