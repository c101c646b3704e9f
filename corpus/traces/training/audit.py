"""Where the credit of schemes falls: on which decisions and agents, and for a further turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from corpus.traces.measures.decisions import DECISIONS
from corpus.traces.measures.timing import summed
from corpus.traces.training.credit import CreditVariant, credit, reward_of, variant
from corpus.traces.training.groups import Rollout, grouped, mean
from corpus.traces.training.training_rows import STEP, TraceRows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EVERY = "all steps"
UNDECIDED = "no decision"


@dataclass
class CreditOf:
    """The credit that a scheme gives to some steps.

    Attributes
    ----------
    advantages : list of float
        Of the steps that have one.
    steps : int
        How many steps there are.
    opposed : int
        Steps to which the first scheme gives credit of the other sign.
    share : float
        Part of the credit of all steps, both by amount.
    """

    advantages: list[float] = field(default_factory=list)
    steps: int = 0
    opposed: int = 0
    share: float = 0.0

    @property
    def amount(self) -> float:
        """The credit, whatever its sign."""
        return summed(map(abs, self.advantages))


@dataclass
class SchemeAudit:
    """What a scheme does to some runs.

    Attributes
    ----------
    scheme : CreditVariant
        With all its options.
    parts : dict of str to CreditOf
        By decision, then by agent, then of all steps; a step may take several decisions.
    groups, silent : int
        Groups of runs, and those in which no step gets any credit but 0.
    per_turn : float or None
        What a step gets more for each turn that its agent has taken before, at equal rewards.
    """

    scheme: CreditVariant
    parts: dict[str, CreditOf]
    groups: int
    silent: int
    per_turn: float | None


def schemes_of(written: str, channel: str) -> list[CreditVariant]:
    """Read schemes with commas between them, and between the options of one.

    Raises
    ------
    UsageProblem
        As :func:`~corpus.traces.training.credit.variant` does.

    Examples
    --------
    >>> [one.scheme for one in schemes_of("grpo:std=none,eps=0,rloo", "team")]
    ['grpo', 'rloo']
    """
    found: list[str] = []
    for part in written.split(","):
        if "=" in part and ":" not in part and found:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return [variant(one, channel) for one in found]


def audited(rows: Iterable[TraceRows], schemes: Sequence[CreditVariant]) -> list[SchemeAudit]:
    """Return what each scheme gives to the steps of some runs.

    Parameters
    ----------
    rows
        The decisions of each run.
    schemes
        With the channel that they read.

    Raises
    ------
    UsageProblem
        As :func:`~corpus.traces.training.credit.credit` does.
    """
    rollouts = []
    decided: list[dict[int, list[str]]] = []
    for found in rows:
        rollouts.append(found.rollout)
        decided.append(defaultdict(list))
        for row in map(msgspec.json.decode, found.lines):
            decided[-1][row[STEP]].append(row["decision"])
    audits = []
    first: list[list[float | None]] = []
    for scheme in schemes:
        credit(rollouts, scheme)
        first = first or [one.advantages for one in rollouts]
        parts = {name: CreditOf() for name in (*DECISIONS, UNDECIDED)}
        agents: dict[str, CreditOf] = defaultdict(CreditOf)
        every = CreditOf()
        for run, of_step, others in zip(rollouts, decided, first, strict=True):
            for step, (advantage, other) in enumerate(zip(run.advantages, others, strict=True)):
                kinds = [parts[name] for name in of_step.get(step, [UNDECIDED])]
                for part in (*kinds, agents[run.agents[step]], every):
                    part.steps += 1
                    if advantage is None:
                        continue
                    part.advantages.append(advantage)
                    part.opposed += other is not None and advantage * other < 0
        parts = {name: part for name, part in parts.items() if part.steps}
        parts |= dict(sorted(agents.items()))
        parts[EVERY] = every
        for part in parts.values():
            part.share = part.amount / every.amount if every.amount else 0.0
        groups = grouped(rollouts)
        silent = sum(not any(any(run.advantages) for run in group) for group in groups)
        per_turn = _per_turn(groups, scheme.channel)
        audits.append(SchemeAudit(scheme, parts, len(groups), silent, per_turn))
    return audits


def _per_turn(groups: Iterable[list[Rollout]], channel: str) -> float | None:
    """Return the slope of advantages over turns, beside the slope over rewards.

    Both are within the steps of an agent in a group. A baseline for each turn compares runs that
    went on with those that went on as well: where to go on is a decision of the policy, it adds
    what they have in common to it, or takes it away.
    """
    rows: list[tuple[float, ...]] = []
    for group in groups:
        by_agent = defaultdict(list)
        for run in group:
            for agent, turn, advantage in zip(run.agents, run.turns, run.advantages, strict=True):
                reward = reward_of(run, agent, channel)
                if advantage is not None and reward is not None:
                    by_agent[agent].append((reward, float(turn), advantage))
        for samples in by_agent.values():
            columns = list(map(list, zip(*samples, strict=True)))
            centred = [[value - mean(column) for value in column] for column in columns]
            rows += zip(*centred, strict=True)
    if not rows:
        return None
    table = np.array(rows)
    used = [place for place in (0, 1) if np.ptp(table[:, place]) > 0]
    # All runs may have one reward, or as many turns as this one has steps.
    if 1 not in used or np.linalg.matrix_rank(table[:, used]) < len(used):
        return None
    slopes, *_ = np.linalg.lstsq(table[:, used], table[:, 2], rcond=None)
    return float(slopes[-1])


def titled(part: str) -> str:
    """Return the name of a part, with what a decision is."""
    return f"{part} {DECISIONS[part]}" if part in DECISIONS else part


def audit_figure(audits: Sequence[SchemeAudit]) -> Figure:
    """Draw the shares of decisions and agents, a bar for each scheme; within the style."""
    # Only figures need matplotlib, which takes longer to import than a table to print.
    from matplotlib.figure import Figure

    from corpus.canvas.style import PALETTE, SMALL, TEXT
    from corpus.canvas.typeface import drawable

    names = [name for name in audits[0].parts if name != EVERY]
    height = 0.8 / len(audits)
    figure = Figure((6.0, 0.8 + 0.16 * len(names) * (len(audits) + 1)))
    axes = figure.subplots()
    for number, audit in enumerate(audits):
        places = [place + number * height for place in range(len(names))]
        shares = [audit.parts[name].share for name in names]
        colour = PALETTE[number % len(PALETTE)]
        axes.barh(places, shares, height, align="edge", color=colour, label=str(audit.scheme))
    labels = [drawable(titled(name), 1.6, TEXT) for name in names]
    axes.set_yticks([place + 0.4 for place in range(len(names))], labels, fontsize=TEXT)
    axes.invert_yaxis()
    axes.tick_params(axis="x", labelsize=SMALL)
    axes.set_xlabel("share of the credit, by amount", fontsize=TEXT)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", fontsize=SMALL, frameon=False)
    figure.set_layout_engine("constrained")
    return figure
