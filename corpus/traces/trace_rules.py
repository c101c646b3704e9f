"""The rules for traces: errors OT001 to OT005, warnings from OT101 on; for stores and prices."""

from corpus.model.finding import WARNING, Rule

SCHEMA = Rule(
    "OT001",
    "{problem}",
    "see data/traces/orchestration_trace.schema.json; convert other recordings with `corpus trace "
    "convert`",
    title="Does not match the trace schema",
    reason="Root and edges allow no further keys; events do, so what a producer wants "
    "to add belongs there.",
)
DUPLICATE_ID = Rule(
    "OT002",
    "event id {value} is already used by {first}",
    "give each event its own id",
    title="Duplicate event id",
    reason="Edges name events by id.",
)
DANGLING_EDGE = Rule(
    "OT003",
    "unknown event {value} as {end} of the edge",
    "add the event or remove the edge",
    title="An edge names an unknown event",
    reason="Such an edge hides a cause: paths, waste and untrusted content would be wrong.",
)
BAD_NUMBER = Rule(
    "OT004",
    "{name} is {value}, which is {fault}",
    "write times and costs as finite numbers from 0 on, others as finite numbers",
    title="Negative or non-finite number",
    reason="Sums, paths and comparisons over such a number mean nothing.",
)
NOT_JSON = Rule(
    "OT005",
    "{problem}",
    "{remedy}",
    title="Not readable as JSON",
    reason="A trace is one JSON text by RFC 8259 in UTF-8, without byte order mark, "
    "each key once in its object, of bounded size and depth. Readers differ on "
    "everything else.",
)
BAD_CONTENT = Rule(
    "OT006",
    "{problem}",
    "write the file again, with `corpus trace convert ... --contents FILE`",
    title="Content that is not that of its hash",
    reason="A line that was edited or cut would put words into an agent's mouth.",
)
TWO_CONTENTS = Rule(
    "OT007",
    "line {first} has the hash {value} with another text",
    "keep the line whose text has this hash, or write the file again",
    title="One hash, two texts",
    reason="An event refers to its content by the hash alone. Equal lines may appear twice.",
)
CYCLE = Rule(
    "OT101",
    "event {value} happens before itself: {cycle}",
    "remove the edge that points back",
    WARNING,
    title="Causal cycle",
    reason="No event can happen before itself. Paths are computed over the edges that "
    "run forward in time.",
)
BACKWARD_TIME = Rule(
    "OT102",
    "edge {source} -> {target} goes from t={before} to t={after}",
    "check the clocks, or the direction of the edge",
    WARNING,
    title="Time runs backwards along an edge",
    reason="Most often the clocks of two machines disagree.",
)
OUTSIDE_LIFE = Rule(
    "OT103",
    "agent {agent} acts {when} at t={limit}",
    "check the times, or the names of the agents",
    WARNING,
    title="Acts outside its lifetime",
    reason="Between despawn and spawn an agent does not exist.",
)
RESULT_WITHOUT_CALL = Rule(
    "OT104",
    "no unanswered tool_call of {tool} comes before this result",
    "add the call, or join the two with x_call_id or an edge",
    WARNING,
    title="tool_result without a tool_call",
    reason="Calls and results pair by x_call_id, else by an edge, else in order by tool name.",
)
CALL_WITHOUT_RESULT = Rule(
    "OT105",
    "the call of {tool} is still open at the end of the trace",
    "add the result, or an x_stop_reason that shows the run was cut off",
    WARNING,
    title="tool_call without a tool_result",
    reason="An open call is work paid for and never used, or a trace cut short.",
)
FOREIGN_RETURN = Rule(
    "OT106",
    "agent {agent} returns to {value}, but {parent} spawned it",
    "record a result for another agent as a message",
    WARNING,
    title="Returns to another agent than its parent",
    reason="Credit for a spawn decision flows back along the return.",
)
UNTRUSTED_FLOW = Rule(
    "OT107",
    "untrusted content of {source} reaches this {kind} with no safety or human event between",
    "record the check that was made as a safety_event, or mark the event untrusted",
    WARNING,
    title="Untrusted content reaches a trusted event",
    reason="An indirect prompt injection takes this path.",
)
NEVER_RETURNED = Rule(
    "OT108",
    "agent {value} is spawned but never returns",
    "add the return, or the despawn where it was stopped",
    WARNING,
    title="Spawned and never returned",
    reason="What the agent did counts as waste. A despawn shows that it was ended on purpose.",
)
UNKNOWN_AGENT = Rule(
    "OT109",
    "{value} {fault}",
    "add the spawn, or correct the name",
    WARNING,
    title="Unknown agent",
    reason="A name spelled in two ways splits one agent into two.",
)
UNREACHABLE = Rule(
    "OT110",
    "no path of edges leads here from a start of the trace",
    "add the edge from what caused it",
    WARNING,
    title="Unreachable event",
    reason="Starts are the first event, each human intervention, and the first event "
    "of each agent that nothing spawned, with the calls and spawns that it "
    "begins with.",
)
EDGE_ENDS = Rule(
    "OT111",
    "a {value} edge runs from a {source} to a {target} event",
    "choose the edge type by its events, or causal where nothing more is known",
    WARNING,
    title="Edge type does not fit its events",
    reason="Spawn trees and message graphs follow the edges of one type.",
)
COSTS_DIFFER = Rule(
    "OT112",
    "costs.{name} is {value}, the events count {counted}",
    "correct the cost, or the events that carry it",
    WARNING,
    title="Declared cost differs from the counted one",
    reason="Usage that is counted twice is the commonest cause.",
)
NO_TARGET = Rule(
    "OT113",
    "the spawn does not name the new agent",
    'name the new agent in "to"',
    WARNING,
    title="Spawn without a target",
    reason="Spawn tree, fan-out and lifetimes need the target.",
)
FROM_DIFFERS = Rule(
    "OT114",
    "from is {value}, but the acting agent is {agent}",
    "record an event at its sender: make the two equal",
    WARNING,
    title="from differs from agent",
    reason="Counts by agent and the message graph would name different senders.",
)
WALL_CLOCK = Rule(
    "OT115",
    "costs.wall_clock_s is {value}, the events span {span} s",
    'give t in seconds, or put "t" into x_inferred where the source has no clock',
    WARNING,
    title="Wall clock does not fit the times of the events",
    reason="Speed-ups are ratios of these two.",
)
AFTER_END = Rule(
    "OT116",
    "the run ended with {end} at t={limit}",
    "check the time",
    WARNING,
    title="Happens after the end",
    reason="The end is the last event with x_stop_reason, else the last of the agent that began.",
)
TOPOLOGY = Rule(
    "OT117",
    "topology is {value}, but {fault}",
    "correct the topology, or leave it out",
    WARNING,
    title="Topology does not fit the graph",
    reason="Traces are grouped by topology.",
)
ADDED_KEY = Rule(
    "OT118",
    "{name} is {value}, expected {expected}",
    "write the value as docs/traces.md describes the x_ keys",
    WARNING,
    title="An x_ key has an unexpected value",
    reason="The schema leaves the x_ keys free, so a wrong one is ignored, not refused.",
)
NEGATIVE_COST = Rule(
    "OT119",
    "costs.{name} is {value}, which is negative",
    "write costs from 0 on, and what the run earned as a reward",
    WARNING,
    title="Negative cost",
    reason="A negative cost lowers every sum over runs.",
)
KINDS_EXCEED = Rule(
    "OT120",
    "the kinds add up to {value} tokens, x_tokens is {tokens}",
    "count each token in one of the kinds, and all of them in x_tokens",
    WARNING,
    title="Kinds of tokens do not fit the tokens",
    reason="Some providers count cached input as input, others beside it.",
)
STRAY_CONTENT = Rule(
    "OT121",
    "no event of the traces refers to {value}",
    "name the traces of the contents, or remove the line",
    WARNING,
    title="Content of no event",
    reason="It may be what the owner of another run did not want to publish.",
)
_DEFINED = list(globals().values())
STATED: tuple[Rule, ...] = tuple(rule for rule in _DEFINED if isinstance(rule, Rule))
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in STATED}

# Below: rules that no trace is checked against.

BAD_PRICES = Rule(
    "OT401",
    "{problem}",
    "write one row per model and kind under the header model,kind,price; kinds are input, cached, "
    "cache_write, output, reasoning, cache_write_1h, input_audio and output_audio, prices those of "
    "a million tokens",
    title="Price table not readable",
    reason="A guessed price, or one of two that differ, gives a wrong cost that nobody notices.",
)
DAMAGED_STORE = Rule(
    "OT301",
    "{problem}",
    "restore the file, or ingest the traces again into a new store",
    title="Damaged store",
    reason="A file that is missing, cut short or not what the manifest states would "
    "give wrong numbers.",
)
FOREIGN_STORE = Rule(
    "OT302",
    "{problem}",
    "name a folder that `corpus trace ingest` made, or ingest again",
    title="Not a store that this version reads",
    reason="Columns change their meaning between versions of the store.",
)
WORKERS = Rule(
    "OT303",
    "{problem}",
    "{remedy}",
    title="Workers do not fit or fail",
    reason="Results are the same on any number of machines only if all run the same "
    "program and see the same files.",
)
