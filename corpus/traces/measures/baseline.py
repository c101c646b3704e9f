"""A team's run beside one agent's run of the same task: what one trace alone cannot tell."""

from __future__ import annotations

from typing import Final

from corpus.model.finding import UsageProblem
from corpus.traces.measures.metrics import SCALING, Metric, Number
from corpus.traces.measures.steps import Steps, steps
from corpus.traces.run import Run

COMPARISON: Final[tuple[Metric, ...]] = (
    Metric("step_overhead", "ratio", "(steps - baseline steps) / baseline steps", SCALING),
    Metric("token_overhead", "ratio", "(tokens - baseline tokens) / baseline tokens", SCALING),
    Metric("speedup", "ratio", "baseline costs.wall_clock_s / costs.wall_clock_s", "Amdahl 1967"),
    Metric("success", "share 0-1", "metrics.task_success, else the reward named with --success or team", "schema"),
    Metric("efficiency", "success per step ratio", "success / (steps / baseline steps)", SCALING),
    Metric("error_amplification", "ratio", "(1 - success) / (1 - baseline success)", SCALING),
)


class Baseline:
    """The single agent's run that others are held against.

    Parameters
    ----------
    run : Run
        A run in which one agent does everything.
    success : str or None
        The metric or reward channel, between 0 and 1, that says how well a run did.

    Raises
    ------
    UsageProblem
        Where several agents act, or the run has no such channel.
    """

    def __init__(self, run: Run, success: str | None = None) -> None:
        acting = [agent for agent in run.agents if agent in run.first]
        if len(acting) > 1:
            raise UsageProblem(
                f"the baseline must be the run of one agent; in {run.trace.trace_id!r} {len(acting)} act"
            )
        self._channel = success
        self._steps = steps(run).total
        self._costs = run.trace.costs
        self._success = success_of(run, success)
        if success is not None and self._success is None:
            raise UsageProblem(f"the baseline has no metric or reward {success!r} between 0 and 1")

    def compare(self, run: Run, counted: Steps | None = None) -> dict[str, Number]:
        """Measure one run against the baseline; None where a value is missing or divides by zero."""
        total = (counted or steps(run)).total
        success = success_of(run, self._channel)
        ratio = _over(total, self._steps)
        tokens = _over(run.trace.costs["tokens"], self._costs["tokens"])
        failed = None if success is None or self._success is None else _over(1 - success, 1 - self._success)
        return {
            "step_overhead": None if ratio is None else ratio - 1,
            "token_overhead": None if tokens is None else tokens - 1,
            "speedup": _over(self._costs["wall_clock_s"], run.trace.costs["wall_clock_s"]),
            "success": success,
            "efficiency": None if success is None or not ratio else success / ratio,
            "error_amplification": failed,
        }


def _over(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def success_of(run: Run, channel: str | None) -> float | None:
    """Return how well a run did, from 0 to 1, or None where the trace does not say."""
    metrics = run.trace.metrics if isinstance(run.trace.metrics, dict) else {}
    rewards = run.trace.rewards
    if channel is not None:
        value = metrics.get(channel, rewards.get(channel))
    else:
        value = metrics.get("task_success", rewards.get("team"))
    return value if value is not None and 0 <= value <= 1 else None
