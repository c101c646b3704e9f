"""The rules for traces: errors OT001 to OT005, warnings from OT101 on; for stores and prices."""

from corpus.model.finding import WARNING, Rule

SCHEMA = Rule(
    "OT001",
    "{problem}",
    "see data/traces/orchestration_trace.schema.json; convert other recordings with `corpus trace "
    "convert`",
)
DUPLICATE_ID = Rule(
    "OT002", "event id {value} is already used by {first}", "give each event its own id"
)
DANGLING_EDGE = Rule(
    "OT003", "unknown event {value} as {end} of the edge", "add the event or remove the edge"
)
BAD_NUMBER = Rule(
    "OT004",
    "{name} is {value}, which is {fault}",
    "write times and costs as finite numbers from 0 on, others as finite numbers",
)
NOT_JSON = Rule("OT005", "{problem}", "{remedy}")
BAD_CONTENT = Rule(
    "OT006", "{problem}", "write the file again, with `corpus trace convert ... --contents FILE`"
)
TWO_CONTENTS = Rule(
    "OT007",
    "line {first} has the hash {value} with another text",
    "keep the line whose text has this hash, or write the file again",
)
CYCLE = Rule(
    "OT101",
    "event {value} happens before itself: {cycle}",
    "remove the edge that points back",
    WARNING,
)
BACKWARD_TIME = Rule(
    "OT102",
    "edge {source} -> {target} goes from t={before} to t={after}",
    "check the clocks, or the direction of the edge",
    WARNING,
)
OUTSIDE_LIFE = Rule(
    "OT103",
    "agent {agent} acts {when} at t={limit}",
    "check the times, or the names of the agents",
    WARNING,
)
RESULT_WITHOUT_CALL = Rule(
    "OT104",
    "no unanswered tool_call of {tool} comes before this result",
    "add the call, or join the two with x_call_id or an edge",
    WARNING,
)
CALL_WITHOUT_RESULT = Rule(
    "OT105",
    "the call of {tool} is still open at the end of the trace",
    "add the result, or an x_stop_reason that shows the run was cut off",
    WARNING,
)
FOREIGN_RETURN = Rule(
    "OT106",
    "agent {agent} returns to {value}, but {parent} spawned it",
    "record a result for another agent as a message",
    WARNING,
)
UNTRUSTED_FLOW = Rule(
    "OT107",
    "untrusted content of {source} reaches this {kind} with no safety or human event between",
    "record the check that was made as a safety_event, or mark the event untrusted",
    WARNING,
)
NEVER_RETURNED = Rule(
    "OT108",
    "agent {value} is spawned but never returns",
    "add the return, or the despawn where it was stopped",
    WARNING,
)
UNKNOWN_AGENT = Rule("OT109", "{value} {fault}", "add the spawn, or correct the name", WARNING)
UNREACHABLE = Rule(
    "OT110",
    "no path of edges leads here from a start of the trace",
    "add the edge from what caused it",
    WARNING,
)
EDGE_ENDS = Rule(
    "OT111",
    "a {value} edge runs from a {source} to a {target} event",
    "choose the edge type by its events, or causal where nothing more is known",
    WARNING,
)
COSTS_DIFFER = Rule(
    "OT112",
    "costs.{name} is {value}, the events count {counted}",
    "correct the cost, or the events that carry it",
    WARNING,
)
NO_TARGET = Rule(
    "OT113", "the spawn does not name the new agent", 'name the new agent in "to"', WARNING
)
FROM_DIFFERS = Rule(
    "OT114",
    "from is {value}, but the acting agent is {agent}",
    "record an event at its sender: make the two equal",
    WARNING,
)
WALL_CLOCK = Rule(
    "OT115",
    "costs.wall_clock_s is {value}, the events span {span} s",
    'give t in seconds, or put "t" into x_inferred where the source has no clock',
    WARNING,
)
AFTER_END = Rule("OT116", "the run ended with {end} at t={limit}", "check the time", WARNING)
TOPOLOGY = Rule(
    "OT117", "topology is {value}, but {fault}", "correct the topology, or leave it out", WARNING
)
ADDED_KEY = Rule(
    "OT118",
    "{name} is {value}, expected {expected}",
    "write the value as docs/traces.md describes the x_ keys",
    WARNING,
)
NEGATIVE_COST = Rule(
    "OT119",
    "costs.{name} is {value}, which is negative",
    "write costs from 0 on, and what the run earned as a reward",
    WARNING,
)
KINDS_EXCEED = Rule(
    "OT120",
    "the kinds add up to {value} tokens, x_tokens is {tokens}",
    "count each token in one of the kinds, and all of them in x_tokens",
    WARNING,
)
STRAY_CONTENT = Rule(
    "OT121",
    "no event of the traces refers to {value}",
    "name the traces of the contents, or remove the line",
    WARNING,
)
_DEFINED = list(globals().values())
STATED: tuple[Rule, ...] = tuple(rule for rule in _DEFINED if isinstance(rule, Rule))
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in STATED}

# Below: rules that no trace is checked against.

BAD_PRICES = Rule(
    "OT401",
    "{problem}",
    "write one row per model and kind under the header model,kind,price; kinds are input, cached, "
    "cache_write, output and reasoning, prices those of a million tokens",
)
DAMAGED_STORE = Rule(
    "OT301", "{problem}", "restore the file, or ingest the traces again into a new store"
)
FOREIGN_STORE = Rule(
    "OT302", "{problem}", "name a folder that `corpus trace ingest` made, or ingest again"
)
WORKERS = Rule("OT303", "{problem}", "{remedy}")
