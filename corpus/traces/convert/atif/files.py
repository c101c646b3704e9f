"""ATIF trajectories put together from their files: continuations in a row, sub-agents by reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.lookup import count, items, text


@dataclass(eq=False, slots=True)
class Trajectory:
    """One trajectory file or embedded trajectory.

    Attributes
    ----------
    node : dict
        As it stands in the file.
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
    """

    node: dict[str, Any]
    place: str
    file: str = ""
    later: Trajectory | None = None
    others: list[Trajectory] = field(default_factory=list, repr=False)
    taken: bool = False
    used: bool = False

    @property
    def name(self) -> str:
        """Session id."""
        return text(self.node, "trajectory_id") or text(self.node, "session_id")

    @property
    def version(self) -> str:
        """Version of the format."""
        return text(self.node, "schema_version")

    @property
    def agent(self) -> str:
        """Name of the agent."""
        return text(self.node, "agent", "name")

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of this part."""
        return [step for step in items(self.node, "steps") if isinstance(step, dict)]

    def parts(self) -> Iterator[Trajectory]:
        """Yield this trajectory and its continuations."""
        seen: set[int] = set()
        here: Trajectory | None = self
        while here is not None and id(here) not in seen:
            seen.add(id(here))
            yield here
            here = here.later

    def all_steps(self) -> Iterator[dict[str, Any]]:
        """Yield the steps of all parts."""
        for part in self.parts():
            yield from part.steps

    def declared_tokens(self) -> int:
        """Return the tokens of the final metrics; those of a continuation include what came before."""
        totals = [
            count(part.node, "final_metrics", "total_prompt_tokens")
            + count(part.node, "final_metrics", "total_completion_tokens")
            for part in self.parts()
        ]
        return max(totals)

    def sub_agent(self, ref: object) -> Trajectory | None:
        """Return the trajectory that `ref` names, once: embedded, by file, by id."""
        wanted = {text(ref, "trajectory_id"), text(ref, "session_id")} - {""}
        path = text(ref, "trajectory_path")
        for one in self.others:
            named = bool(one.file and path and _same_file(one.file, path)) or one.name in wanted
            if named and one is not self and not one.used:
                one.used = True
                return one
        return None


def trajectories(documents: Sequence[RecordedFile]) -> list[Trajectory]:
    """Return the trajectories at the top: those that no other one continues or calls."""
    found: list[Trajectory] = []
    for document in documents:
        for row in document.rows:
            if isinstance(row.value, dict):
                found.append(Trajectory(row.value, document.place(row.line), document.path.name))
                for inner in items(row.value, "subagent_trajectories"):
                    if isinstance(inner, dict):
                        found.append(Trajectory(inner, document.place(row.line), taken=True))
    for one in found:
        one.others = found
        wanted = text(one.node, "continued_trajectory_ref")
        later = next((two for two in found if wanted and two is not one and _same_file(two.file, wanted)), None)
        if later is not None and not later.taken:
            later.taken, one.later = True, later
    refs = [ref for one in found for ref in _references(one)]
    names = {text(ref, key) for ref in refs for key in ("trajectory_id", "session_id")} - {""}
    paths = {text(ref, "trajectory_path") for ref in refs} - {""}
    for one in found:
        one.taken = one.taken or one.name in names or any(_same_file(one.file, path) for path in paths)
    tops = [one for one in found if not one.taken]
    return tops or found[:1]


def _references(one: Trajectory) -> Iterator[object]:
    for step in one.steps:
        for result in items(step, "observation", "results"):
            yield from items(result, "subagent_trajectory_ref")


def _same_file(name: str, wanted: str) -> bool:
    """Whether a file name is the wanted one, or the wanted one with something before it."""
    wanted = wanted.rpartition("/")[2]
    return bool(wanted) and (name == wanted or name.endswith((f".{wanted}", f"_{wanted}", f"-{wanted}")))
