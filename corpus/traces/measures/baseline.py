"""A team's run beside one agent's run of the same task: what one trace alone cannot tell."""

from corpus.model.finding import UsageProblem
from corpus.traces.measures.metrics import Numbers, ratio
from corpus.traces.measures.spending import known_tokens
from corpus.traces.measures.steps import steps
from corpus.traces.measures.timing import known_seconds
from corpus.traces.run import Run


class Baseline:
    """The single agent's run that others are compared with.

    Parameters
    ----------
    run : Run
        A run in which one agent does everything.
    success : str or None
        The metric or reward channel, between 0 and 1, that tells how well a run did.

    Raises
    ------
    UsageProblem
        Where several agents act, or the run has no such channel.
    """

    def __init__(self, run: Run, success: str | None = None) -> None:
        acting = [agent for agent in run.agents if agent in run.first]
        if len(acting) > 1:
            raise UsageProblem(
                f"the baseline must be the run of one agent; in {run.id!r} {len(acting)} act"
            )
        self._channel = success
        self._steps = steps(run).total
        self._tokens = known_tokens(run)
        self._seconds = known_seconds(run)
        self._success = success_of(run, success)
        if success is not None and self._success is None:
            raise UsageProblem(f"the baseline has no metric or reward {success!r} between 0 and 1")

    def compare(self, run: Run) -> Numbers:
        """Compare one run with the baseline; None where a value is missing or divides by zero."""
        step_ratio = ratio(steps(run).total, self._steps)
        token_ratio = ratio(known_tokens(run), self._tokens)
        success = success_of(run, self._channel)
        step_overhead = None if step_ratio is None else step_ratio - 1
        token_overhead = None if token_ratio is None else token_ratio - 1
        amplification = None
        if success is not None and self._success is not None:
            amplification = ratio(1 - success, 1 - self._success)
        return {
            "step_overhead": step_overhead,
            "token_overhead": token_overhead,
            "parallelism_efficiency": ratio(self._seconds, known_seconds(run)),
            "success": success,
            "efficiency": ratio(success, step_ratio),
            "error_amplification": amplification,
        }


def success_of(run: Run, channel: str | None) -> float | None:
    """Return how well a run did, from 0 to 1, or None where the trace has no such value."""
    metrics = run.trace.metrics or {}
    rewards = run.trace.rewards
    if channel is not None:
        value = metrics.get(channel, rewards.get(channel))
    else:
        value = metrics.get("task_success", rewards.get("team"))
    if value is None or not 0 <= value <= 1:
        return None
    return value
