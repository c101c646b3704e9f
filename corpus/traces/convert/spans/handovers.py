"""Which spans are agents, and which hand over: what one span alone cannot tell."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.spans.dialects import NAMES, WORDS, agent_in_title
from corpus.traces.convert.spans.tree import Span, Tree
from corpus.traces.lookup import first_text, parsed, text

#: Tools of Google ADK and Strands that transfer to another agent; an argument is its name.
_TRANSFERS = ("transfer_to_agent", "handoff_to_agent")


def handovers(group: Sequence[Span], run: Recorder) -> Iterator[Span]:
    """Settle what one span alone cannot tell.

    Which agent spans are agents, and which tools are handovers.
    """
    parents = set()
    agents = set()
    group = _with_coworkers(with_named_agents(group))
    for span in group:
        if span.kind in ("model", "tool"):
            parents.add(span.parent)
        elif span.kind == "agent" and span.name:
            agents.add(span.name)
    for span in group:
        if span.kind == "agent" and not span.name:
            # LangChain calls many groups of steps an agent: it is one only if it acts itself.
            span = replace(span, name=agent_in_title(span.title), name_guessed=True)
            if span.id not in parents:
                span = replace(span, kind="other")
        elif span.kind == "tool" and (
            target := _target_of_tool(span, agents) or _next(span, group)
        ):
            run.inferred("a tool named like a handover counts as one", span.id)
            span = replace(span, kind="handoff", target=target, marks=("type",))
        yield span


def with_named_agents(group: Sequence[Span]) -> list[Span]:
    """Return the spans; those in which an agent of LangChain begins are agents.

    LangChain writes the name of the agent on every span inside of it.
    """
    tree = Tree.of(group)
    inside: dict[str, str] = {}
    named = {}
    for span in tree.parents_first:
        above = inside.get(span.parent, "")
        given = span.given
        name = first_text(given, *NAMES["agent_around"])
        name = name.strip('"') or text(parsed(given.get("metadata")), "lc_agent_name") or above
        inside[span.id] = name
        if name != above and span.kind == "other":
            named[span.id] = replace(span, kind="agent", name=name)
    return [named.get(span.id, span) for span in group]


def _with_coworkers(group: Sequence[Span]) -> list[Span]:
    """Return the spans, and an agent inside each tool that a crew asks a coworker with.

    CrewAI records what the coworker does right below the tool.
    """
    tree = Tree.of(group)
    inside: dict[str, Span] = {}
    for span in group:
        name = text(parsed(span.asked), "coworker") if span.kind == "tool" else ""
        if name and tree.count_below(span, "model") and not tree.count_below(span, "agent"):
            inside[span.id] = replace(
                span, id=f"{span.id}.agent", parent=span.id, kind="agent", name=name, agent=name
            )
    moved = []
    for span in group:
        above = inside.get(span.parent)
        moved.append(replace(span, parent=above.id, agent="") if above else span)
    return [*moved, *inside.values()]


def _next(span: Span, group: Sequence[Span]) -> str:
    """Return the agent that begins after a transfer that was recorded without its arguments."""
    if span.name not in _TRANSFERS or span.asked:
        return ""
    later = [one for one in group if one.kind == "agent" and one.begins >= span.ends]
    later = [one for one in later if one.name != span.agent]
    return min(later, key=lambda one: one.begins).name if later else ""


def _target_of_tool(span: Span, agents: set[str]) -> str:
    """Return the agent that a tool hands over to: by its name, its argument, or who is next."""
    targets = []
    if span.name in _TRANSFERS:
        targets.append(text(parsed(span.asked), "agent_name"))
    for start in WORDS["handovers"]:
        if span.name.lower().startswith(start):
            targets.append(span.name[len(start) :])
    return next((target for target in targets if target in agents), "")
