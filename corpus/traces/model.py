"""The decoded trace: events, edges, rewards and costs of one run.

The types are msgspec structs, so that decoding JSON into them is also the schema check of
well-formed traces. Keys that the schema allows but does not name are skipped. An absent optional
value is ``UNSET``, never ``None``.
"""

from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

EventType: TypeAlias = Literal[
    "orchestrator_decision",
    "spawn",
    "despawn",
    "message",
    "tool_call",
    "tool_result",
    "return",
    "aggregate",
    "human_intervention",
    "safety_event",
]
EdgeType: TypeAlias = Literal[
    "temporal",
    "causal",
    "spawn",
    "message",
    "tool_dependency",
    "return",
    "aggregate",
    "safety_flow",
]
Topology: TypeAlias = Literal[
    "centralized",
    "planner_executor_critic",
    "debate",
    "swarm",
    "hierarchical",
    "harness",
    "mixed",
    "unknown",
]
EVENT_TYPES: tuple[str, ...] = get_args(EventType)
KNOWN_COSTS = ("tokens", "wall_clock_s", "tool_calls", "messages")
REQUIRED_COSTS = ("tokens", "wall_clock_s")

Name: TypeAlias = Annotated[str, Meta(min_length=1)]
Seconds: TypeAlias = Annotated[float, Meta(ge=0)]
Count: TypeAlias = Annotated[float, Meta(ge=0)]


#: Processed anew, read from a cache, written to a cache, generated, and of these for reasoning.
TOKEN_KINDS = ("input", "cached", "cache_write", "output", "reasoning")
#: Kinds that add up to all tokens; reasoning is part of the output.
DISJOINT_KINDS = TOKEN_KINDS[:-1]
#: Classes that have prices of their own, and the kind that each is part of.
PRICE_CLASSES = {"cache_write_1h": "cache_write", "input_audio": "input", "output_audio": "output"}
PRICED_KINDS = (*TOKEN_KINDS, *PRICE_CLASSES)


# gc=False: an event never refers to itself, and the garbage collector would walk a million of them
# for nothing.
class Event(Struct, frozen=True, gc=False):
    """One thing that happened.

    The first four keys are required; the ``x_*`` keys are additions of this project.

    Attributes
    ----------
    id : str
        Unique in the trace.
    t : float
        When it began, in seconds from the start of the run (or a step number where there is no
        clock).
    type, agent : str
        One of the ten event types; the agent (or tool) that acts.
    role, from_, to, tool, content_ref : str or UNSET
        Role of the acting or spawned agent, sender, receiver or new agent, tool name, pointer or
        hash of the content.
    trusted : bool or UNSET
        Whether the content comes from a source the run trusts.
    x_inferred : bool, list of str or UNSET
        What the source did not state: ``true`` for the whole event, else names of keys, and
        ``edge:ID`` for the edge that arrives from event ID.
    x_steps, x_tokens : float or UNSET
        Model steps and tokens of this event; each step and token is counted on one event only.
    x_tokens_input, x_tokens_cached, x_tokens_cache_write : float or UNSET
        Those of `x_tokens` that went in: processed anew, read from a cache, written to a cache.
    x_tokens_output, x_tokens_reasoning : float or UNSET
        Those of `x_tokens` that came out, and how many of these were spent on reasoning.
    x_tokens_cache_write_1h, x_tokens_input_audio, x_tokens_output_audio : float or UNSET
        Those of the kinds above that are priced apart: kept in a cache for an hour, and of speech.
    x_model : str or UNSET
        The model that the tokens are of.
    x_call_id : str or UNSET
        Joins a tool_call with its tool_result, and a spawn with its return.
    x_contents : dict of str to list of str, or UNSET
        Hashes of what else was written or read in the model steps of this event, by role.
    x_rewards : dict of str to float, or UNSET
        What the event was rewarded with, by channel; for a model step, on its first event.
    x_end : float or UNSET
        When it ended, on the clock of `t`.
    x_step_t, x_step_end : float or UNSET
        When the model step that led to this event began and ended, where the event is another act,
        such as the call of a tool; all acts of one step have them.
    x_stop_reason : str or UNSET
        On the event that ends the run: why it stopped (explicit, implicit, external, truncated).
    x_undone : bool or UNSET
        Whether a person took the turn back later: it was spent, and no later context has it.
    x_compacted : bool or UNSET
        Whether the context of the agent was replaced by a summary right before.
    x_run : object
        On the first event: where the trace comes from.
    x_error : object
        Present where the call, return or event failed.
    """

    id: Name
    t: Seconds
    type: EventType
    agent: Name
    role: str | UnsetType = UNSET
    from_: str | UnsetType = field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    tool: str | UnsetType = UNSET
    content_ref: str | UnsetType = UNSET
    trusted: bool | UnsetType = UNSET
    x_inferred: bool | list[str] | UnsetType = UNSET
    x_steps: Count | UnsetType = UNSET
    x_tokens: Count | UnsetType = UNSET
    x_tokens_input: Count | UnsetType = UNSET
    x_tokens_cached: Count | UnsetType = UNSET
    x_tokens_cache_write: Count | UnsetType = UNSET
    x_tokens_output: Count | UnsetType = UNSET
    x_tokens_reasoning: Count | UnsetType = UNSET
    x_tokens_cache_write_1h: Count | UnsetType = UNSET
    x_tokens_input_audio: Count | UnsetType = UNSET
    x_tokens_output_audio: Count | UnsetType = UNSET
    x_model: str | UnsetType = UNSET
    x_call_id: str | UnsetType = UNSET
    x_contents: dict[str, list[str]] | UnsetType = UNSET
    x_rewards: dict[str, float] | UnsetType = UNSET
    x_end: Seconds | UnsetType = UNSET
    x_step_t: Seconds | UnsetType = UNSET
    x_step_end: Seconds | UnsetType = UNSET
    x_stop_reason: str | UnsetType = UNSET
    x_undone: bool | UnsetType = UNSET
    x_compacted: bool | UnsetType = UNSET
    x_run: Any = UNSET
    x_error: Any = UNSET

    def infers(self, part: str) -> bool:
        """Whether all of the event was inferred, or the named part of it."""
        marks = self.x_inferred
        return marks is True or (isinstance(marks, list) and part in marks)

    @property
    def failed(self) -> bool:
        """Whether the event carries an error."""
        return self.x_error not in (UNSET, None, False)

    def stated(self, *keys: str) -> dict[str, Any]:
        """Return those of some keys that the event has, with their values."""
        found = {}
        for key in keys:
            value = getattr(self, key)
            if value is not UNSET:
                found[key] = value
        return found

    @property
    def references(self) -> list[str]:
        """Hashes of all contents of the event."""
        names = [] if self.content_ref is UNSET else [self.content_ref]
        if self.x_contents is not UNSET:
            for others in self.x_contents.values():
                names += others
        return names


# Edges and the root allow no keys but these: the published schema closes both, and events only
# are open to additions.
class Edge(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One event happened before another, and why."""

    src: Name
    dst: Name
    type: EdgeType


class TraceOutline(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a trace; what its lists and objects hold may be anything."""

    trace_id: Name
    task_id: Name
    events: Annotated[list[Any], Meta(min_length=1)]
    edges: list[Any]
    rewards: dict[str, Any]
    costs: dict[str, Any]
    system: str | UnsetType = UNSET
    topology: Topology | UnsetType = UNSET
    metrics: dict[str, Any] | UnsetType = UNSET


class Trace(TraceOutline, frozen=True, forbid_unknown_fields=True):
    """One run of a team on one task.

    Attributes
    ----------
    events : list of Event
        At least one, in any order.
    edges : list of Edge
        The declared happened-before graph over event ids.
    rewards, metrics : dict of str to float
        Reward channels and benchmark metrics by name; the reward of one agent is called
        ``CHANNEL@AGENT``, this project's own metrics ``corpus.*``.
    costs : dict of str to float
        ``tokens`` and ``wall_clock_s`` (seconds) always; others as the producer likes.
    """

    events: Annotated[list[Event], Meta(min_length=1)]
    edges: list[Edge]
    rewards: dict[str, float]
    costs: dict[str, float]
    metrics: dict[str, float] | UnsetType = UNSET
