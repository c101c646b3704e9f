"""What of a reporting checklist a run records, and what it lacks."""

from msgspec import UNSET

from corpus.traces.lookup import JsonObject, table_of
from corpus.traces.measures.metrics import measure
from corpus.traces.run import Run

#: Items of the checklist by name.
CHECKLIST = table_of(__file__, "reporting.toml")


def reported(run: Run) -> JsonObject:
    """Return the items of the checklist for a run, as in JSON.

    ``measures`` is what the trace records: measures of the catalogue, keys of the trace; ``lacks``
    is what it would have to record for the rest.
    """
    facts = _facts(run)
    items = []
    for name, item in CHECKLIST.items():
        known: list[str] = []
        for fact in item["shows"]:
            known += facts.get(fact, ())
        missing = [text for fact, text in item["lacks"].items() if fact not in facts]
        items.append({"name": name, "label": item["label"], "measures": known, "lacks": missing})
    return {"trace": run.id, "items": items}


def _facts(run: Run) -> dict[str, list[str]]:
    """Return the facts that a run has, each with what is listed for it."""
    facts = {name: [name] for name, value in measure(run).values.items() if value is not None}
    rewards, topology = run.trace.rewards, run.trace.topology
    roles = set(run.stated("role"))
    members = f"{len(run.spawns)} spawns, {len(run.by_kind['despawn'])} despawns"
    # Whether each fact holds, and what is listed for it.
    stated: dict[str, tuple[object, list[str]]] = {
        "topology": (topology, [f"topology {topology}"]),
        "roles": (roles, [f"{len(roles)} roles"]),
        "spawns": (run.spawns, []),
        "members": (True, [members]),
        "rewards": (rewards, [f"rewards.{channel}" for channel in rewards]),
        "team_reward": (not rewards or "team" in rewards, []),
        "single_reward": (len(rewards) < 2, []),
    }
    for kind in ("message", "tool_call", "human_intervention"):
        stated[kind] = (kind in run.by_kind, [f"{kind} events"])
    for kind, what in (("tool_result", "tool output"), ("message", "messages")):
        marks = [event.trusted for event in run.of_kind(kind)]
        # Without any such event, nothing is missing.
        listed = [f"`trusted` on {what}"] if marks else []
        stated[f"trusted_{kind}"] = (UNSET not in marks, listed)
    return facts | {fact: listed for fact, (holds, listed) in stated.items() if holds}
