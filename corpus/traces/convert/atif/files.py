"""ATIF trajectories put together from their files.

Continuations in a row, sub-agents by reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.lookup import JsonObject, count, first_text, items, record, records, text
from corpus.traces.convert.usage import Usage, stated_usage

TOKEN_FIELDS = ("prompt_token_ids", "completion_token_ids", "logprobs")
"""Fields of the metrics of a step that tell which tokens it had."""


@dataclass(eq=False, slots=True)
class Trajectory:
    """One trajectory file or embedded trajectory.

    Attributes
    ----------
    node : dict
        As it is in the file.
    place : str
        ``file:line``.
    file : str
        File name, by which others refer to it; empty when embedded.
    later : Trajectory or None
        The trajectory that continues it.
    others : list of Trajectory
        All trajectories of the input, for references.
    taken : bool
        Whether another trajectory continues or calls this one.
    used : bool
        Whether a call was joined to it; a trajectory is one run of a sub-agent.
    walked : bool
        Whether its steps are in a trace.
    """

    node: JsonObject
    place: str
    file: str = ""
    later: Trajectory | None = None
    others: list[Trajectory] = field(default_factory=list, repr=False)
    taken: bool = False
    used: bool = False
    walked: bool = False

    @property
    def name(self) -> str:
        """Id of the trajectory, before 1.7 of the session."""
        return first_text(self.node, "trajectory_id", "session_id")

    @property
    def version(self) -> str:
        """Version of the format."""
        return text(self.node, "schema_version")

    @property
    def agent(self) -> str:
        """Name of the agent."""
        return text(self.node, "agent", "name")

    @property
    def steps(self) -> list[JsonObject]:
        """The steps of this part."""
        return records(self.node, "steps")

    def parts(self) -> Iterator[Trajectory]:
        """Yield this trajectory and its continuations."""
        seen: set[int] = set()
        here: Trajectory | None = self
        while here is not None and id(here) not in seen:
            seen.add(id(here))
            yield here
            here = here.later

    def all_steps(self) -> Iterator[JsonObject]:
        """Yield the steps of all parts."""
        for part in self.parts():
            yield from part.steps

    def usage_of(self, step: JsonObject) -> Usage:
        """Return the tokens of a step; those that were cached are part of the prompt here."""
        metrics = record(step, "metrics")
        usage = stated_usage(
            metrics,
            *("prompt_tokens", "cached_tokens", "extra.cache_write_tokens"),
            *("completion_tokens", "extra.reasoning_tokens"),
            model=text(step, "model_name") or text(self.node, "agent", "model_name"),
        )
        # The format has no field for tokens of no kind; this is where our writer states them.
        if usage.input is None and usage.output is None:
            usage = usage._replace(unsorted=count(metrics, "extra", "total_tokens"))
        return usage

    @staticmethod
    def tokens_of(step: JsonObject) -> JsonObject:
        """Return the ids of the tokens of a step and their log probabilities, where it has them."""
        metrics = record(step, "metrics")
        return {key: metrics[key] for key in TOKEN_FIELDS if metrics.get(key)}

    def declared_tokens(self) -> int:
        """Return the tokens of the final metrics.

        Those of a continuation include what came before.
        """
        most = 0
        for part in self.parts():
            prompt = count(part.node, "final_metrics", "total_prompt_tokens")
            most = max(most, prompt + count(part.node, "final_metrics", "total_completion_tokens"))
        return most

    def sub_agent(self, reference: object) -> Trajectory | None:
        """Return the trajectory that `reference` names, once: embedded, by file, by id."""
        wanted = {text(reference, "trajectory_id"), text(reference, "session_id")}
        wanted.discard("")
        in_file = _in_file(self.others, text(reference, "trajectory_path"))
        for one in self.others:
            # Before 1.7 references give the session only, which several trajectories may have.
            named = one.name in wanted or one in in_file
            if named and one is not self and not one.used:
                one.used = True
                return one
        return None


def references_of(step: JsonObject) -> Iterator[object]:
    """Yield the references of a step to trajectories of sub-agents."""
    for result in items(step, "observation", "results"):
        yield from items(result, "subagent_trajectory_ref")


def top_trajectories(documents: Sequence[RecordedFile]) -> list[Trajectory]:
    """Return the trajectories at the top: those that no other one continues or calls."""
    found: list[Trajectory] = []
    for document in documents:
        for row in document.objects:
            place = document.place(row.line)
            found.append(Trajectory(row.value, place, document.path.name))
            for inner in _embedded(row.value):
                found.append(Trajectory(inner, place, taken=True))
    for one in found:
        one.others = found
        _join_continuation(one)
    _mark_called(found)
    tops = [one for one in found if not one.taken]
    # Trajectories that all refer to each other: one of them has to be the beginning.
    return tops or found[:1]


def _embedded(node: JsonObject) -> Iterator[JsonObject]:
    """Yield the trajectories inside one, and those inside of these."""
    waiting = records(node, "subagent_trajectories")
    while waiting:
        inner = waiting.pop(0)
        yield inner
        waiting += records(inner, "subagent_trajectories")


def _join_continuation(one: Trajectory) -> None:
    for other in _in_file(one.others, text(one.node, "continued_trajectory_ref")):
        if other is not one:
            if not other.taken:
                other.taken = True
                one.later = other
            return


def _mark_called(found: Sequence[Trajectory]) -> None:
    names: set[str] = set()
    paths: set[str] = set()
    for one in found:
        for step in one.steps:
            for reference in references_of(step):
                names |= {text(reference, "trajectory_id"), text(reference, "session_id")}
                paths.add(text(reference, "trajectory_path"))
    names.discard("")
    for path in paths:
        for one in _in_file(found, path):
            one.taken = True
    for one in found:
        if one.name in names:
            one.taken = True


def _in_file(found: Sequence[Trajectory], path: str) -> list[Trajectory]:
    """Return the trajectories of the file that a reference names.

    Where no file has just that name: of those that have something before it, as files have that
    were copied together.
    """
    wanted = path.rpartition("/")[2]
    if not wanted:
        return []
    exact = [one for one in found if one.file == wanted]
    endings = (f".{wanted}", f"_{wanted}", f"-{wanted}")
    return exact or [one for one in found if one.file.endswith(endings)]
