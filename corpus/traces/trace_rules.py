"""The rules for traces: errors OT001 to OT005, warnings from OT101 on; for stores and prices."""

from corpus.model.finding import ERROR, WARNING, Rule

SCHEMA = Rule(
    "OT001",
    ERROR,
    "{problem}",
    "see data/traces/orchestration_trace.schema.json; convert other recordings with `corpus trace "
    "convert`",
)
DUPLICATE_ID = Rule(
    "OT002", ERROR, "event id {value} is already used by {first}", "give each event its own id"
)
DANGLING_EDGE = Rule(
    "OT003", ERROR, "unknown event {value} as {end} of the edge", "add the event or remove the edge"
)
BAD_NUMBER = Rule(
    "OT004",
    ERROR,
    "{name} is {value}, which is {fault}",
    "write times and costs as finite numbers from 0 on, others as finite numbers",
)
NOT_JSON = Rule("OT005", ERROR, "{problem}", "{remedy}")
BAD_CONTENT = Rule(
    "OT006",
    ERROR,
    "{problem}",
    "write the file again, with `corpus trace convert ... --contents FILE`",
)
TWO_CONTENTS = Rule(
    "OT007",
    ERROR,
    "line {first} has the hash {value} with another text",
    "keep the line whose text has this hash, or write the file again",
)
CYCLE = Rule(
    "OT101",
    WARNING,
    "event {value} happens before itself: {cycle}",
    "remove the edge that points back",
)
BACKWARD_TIME = Rule(
    "OT102",
    WARNING,
    "edge {source} -> {target} goes from t={before} to t={after}",
    "check the clocks, or the direction of the edge",
)
OUTSIDE_LIFE = Rule(
    "OT103",
    WARNING,
    "agent {agent} acts {when} at t={limit}",
    "check the times, or the names of the agents",
)
RESULT_WITHOUT_CALL = Rule(
    "OT104",
    WARNING,
    "no unanswered tool_call of {tool} comes before this result",
    "add the call, or join the two with x_call_id or an edge",
)
CALL_WITHOUT_RESULT = Rule(
    "OT105",
    WARNING,
    "the call of {tool} is still open at the end of the trace",
    "add the result, or an x_stop_reason that shows the run was cut off",
)
FOREIGN_RETURN = Rule(
    "OT106",
    WARNING,
    "agent {agent} returns to {value}, but {parent} spawned it",
    "record a result for another agent as a message",
)
UNTRUSTED_FLOW = Rule(
    "OT107",
    WARNING,
    "untrusted content of {source} reaches this {kind} with no safety or human event between",
    "record the check that was made as a safety_event, or mark the event untrusted",
)
NEVER_RETURNED = Rule(
    "OT108",
    WARNING,
    "agent {value} is spawned but never returns",
    "add the return, or the despawn where it was stopped",
)
UNKNOWN_AGENT = Rule("OT109", WARNING, "{value} {fault}", "add the spawn, or correct the name")
UNREACHABLE = Rule(
    "OT110",
    WARNING,
    "no path of edges leads here from a start of the trace",
    "add the edge from what caused it",
)
EDGE_ENDS = Rule(
    "OT111",
    WARNING,
    "a {value} edge runs from a {source} to a {target} event",
    "choose the edge type by its events, or causal where nothing more is known",
)
COSTS_DIFFER = Rule(
    "OT112",
    WARNING,
    "costs.{name} is {value}, the events count {counted}",
    "correct the cost, or the events that carry it",
)
NO_TARGET = Rule(
    "OT113", WARNING, "the spawn does not name the new agent", 'name the new agent in "to"'
)
FROM_DIFFERS = Rule(
    "OT114",
    WARNING,
    "from is {value}, but the acting agent is {agent}",
    "record an event at its sender: make the two equal",
)
WALL_CLOCK = Rule(
    "OT115",
    WARNING,
    "costs.wall_clock_s is {value}, the events span {span} s",
    'give t in seconds, or put "t" into x_inferred where the source has no clock',
)
AFTER_END = Rule("OT116", WARNING, "the run ended with {end} at t={limit}", "check the time")
TOPOLOGY = Rule(
    "OT117", WARNING, "topology is {value}, but {fault}", "correct the topology, or leave it out"
)
ADDED_KEY = Rule(
    "OT118",
    WARNING,
    "{name} is {value}, expected {expected}",
    "write the value as docs/traces.md describes the x_ keys",
)
NEGATIVE_COST = Rule(
    "OT119",
    WARNING,
    "costs.{name} is {value}, which is negative",
    "write costs from 0 on, and what the run earned as a reward",
)
KINDS_EXCEED = Rule(
    "OT120",
    WARNING,
    "the kinds add up to {value} tokens, x_tokens is {tokens}",
    "count each token in one of the kinds, and all of them in x_tokens",
)
STRAY_CONTENT = Rule(
    "OT121",
    WARNING,
    "no event of the traces refers to {value}",
    "name the traces of the contents, or remove the line",
)
_DEFINED = list(globals().values())
STATED: tuple[Rule, ...] = tuple(rule for rule in _DEFINED if isinstance(rule, Rule))
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in STATED}

# Below: rules that no trace is checked against.

BAD_PRICES = Rule(
    "OT401",
    ERROR,
    "{problem}",
    "write one row per model and kind under the header model,kind,price; kinds are input, cached, "
    "cache_write, output and reasoning, prices those of a million tokens",
)
DAMAGED_STORE = Rule(
    "OT301", ERROR, "{problem}", "restore the file, or ingest the traces again into a new store"
)
FOREIGN_STORE = Rule(
    "OT302", ERROR, "{problem}", "name a folder that `corpus trace ingest` made, or ingest again"
)
WORKERS = Rule("OT303", ERROR, "{problem}", "{remedy}")
