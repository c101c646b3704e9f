"""What can be reported about a run: the items of a checklist, and properties of a benchmark.

Each property is computed from measures of :mod:`corpus.traces.measures.metrics`, or read from the
trace. Where the trace does not record what is needed, the property is not computed: it would be 0
or a guess.
"""

from msgspec import UNSET

from corpus.traces.lookup import JsonObject, table_of
from corpus.traces.measures.metrics import measure
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run

_FILE = table_of(__file__, "reporting.toml")
#: Items of the checklist, and properties of a benchmark, by name.
CHECKLIST: JsonObject = _FILE["checklist"]
PROPERTIES: JsonObject = _FILE["properties"]


def reported(_document: TraceText, run: Run) -> JsonObject:
    """Return the properties of a run, as in JSON.

    ``measures`` is what can be computed from this trace: measures of the catalogue, keys of the
    trace; ``lacks`` is what the trace would have to record for the rest.
    """
    facts = _facts(run)
    properties = []
    for name, item in (CHECKLIST | PROPERTIES).items():
        shows, lacks = item["shows"], item["lacks"]
        need = item.get("only_with")
        if need and need not in facts:
            shows, lacks = [], {need: lacks[need]}
        known: list[str] = []
        for fact in shows:
            known += facts.get(fact, ())
        missing = [text for fact, text in lacks.items() if fact not in facts]
        properties.append(
            {"name": name, "label": item["label"], "measures": known, "lacks": missing}
        )
    return {"trace": run.id, "properties": properties}


def _facts(run: Run) -> dict[str, list[str]]:
    """Return the facts that a run has, each with what is listed for it."""
    facts = {name: [name] for name, value in measure(run).values.items() if value is not None}
    for key in ("x_model", "x_end", "x_error", "trusted"):
        if run.stated(key):
            facts[key] = []
    edges, rewards, topology = run.trace.edges, run.trace.rewards, run.trace.topology
    roles = set(run.stated("role"))
    despawns = len(run.by_kind["despawn"])
    times = {"duration_s", "critical_path_s", "seconds_per_reward"}
    # Whether each fact holds, and what is listed for it.
    stated: dict[str, tuple[object, list[str]]] = {
        "edges_between": (edges, []),
        "after_errors": (edges and "x_error" in facts, ["events that follow one with x_error"]),
        "topology": (topology, [f"topology {topology}"]),
        "roles": (roles, [f"{len(roles)} roles"]),
        "spawns": (run.spawns, []),
        "members": (True, [f"{len(run.spawns)} spawns, {despawns} despawns"]),
        "rewards": (rewards, [f"rewards.{channel}" for channel in rewards]),
        "team_reward": (not rewards or "team" in rewards, []),
        "single_reward": (len(rewards) < 2, []),
        "seconds": (times & facts.keys(), []),
        "several_agents": (len(run.agents) > 1, []),
        "people": ("human_intervention" in run.by_kind, ["human_intervention events"]),
        "all_trusted": (all(event.trusted is not UNSET for event in run.events), []),
    }
    for kind in ("message", "tool_call"):
        stated[kind] = (kind in run.by_kind, [f"{kind} events"])
    for kind, what in (("tool_result", "tool output"), ("message", "messages")):
        marks = [event.trusted for event in run.of_kind(kind)]
        # Without any such event, nothing is missing.
        listed = [f"`trusted` on {what}"] if marks else []
        stated[f"trusted_{kind}"] = (UNSET not in marks, listed)
    for fact, (holds, listed) in stated.items():
        if holds:
            facts[fact] = listed
    return facts
