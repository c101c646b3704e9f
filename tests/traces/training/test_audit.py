"""Where credit falls, beside a game in which it is known: stop at once, or go on for one turn."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.canvas.style import style
from corpus.traces.training.audit import EVERY, UNDECIDED, audit_figure, audited, schemes_of
from corpus.traces.training.training_rows import STEP, TraceRows
from tests.support.trace_commands import trace
from tests.traces.training.test_credit import made
from tests.traces.training.test_training_rows import bakery

STOPPED, WENT_ON = 2, 3


def game(stopped, went_on, first, second):
    """Runs that stop in their first turn with one reward, and runs that go on once with another."""
    runs = [made(first, "a") for _ in range(stopped)]
    runs += [made(second, "aa") for _ in range(went_on)]
    rows = []
    for run in runs:
        row = {STEP: len(run.agents) - 1, "decision": "O5"}
        rows.append(TraceRows([json.dumps(row).encode()], run))
    return rows


numbers = st.integers(-50, 50).map(float)


@given(stopped=st.integers(1, 5), went_on=st.integers(1, 5), first=numbers, second=numbers)
def test_a_baseline_for_each_turn_takes_the_gain_of_going_on_from_the_second(
    stopped, went_on, first, second
):
    """One baseline for the run adds nothing for a turn.

    With R1 for a stop, R2 for going on and the share p of runs that go on, one for each turn is
    p R2 + (1 - p) R1 in the first and R2 in the second: that one has (1 - p) (R2 - R1) less.
    """
    schemes = schemes_of("grpo:std=none,at-grpo:std=none,alone=zero,discounted:gamma=0.5", "r")
    run, turn, discounted = audited(game(stopped, went_on, first, second), schemes)
    if first == second:
        assert [run.per_turn, turn.per_turn] == pytest.approx([0, 0], abs=1e-9)
        return
    gain = second - first
    assert run.per_turn == pytest.approx(0, abs=1e-9)
    assert turn.per_turn == pytest.approx(-gain * stopped / (stopped + went_on), abs=1e-9)
    assert discounted.per_turn == pytest.approx(0.5 * second, abs=1e-9)


def test_credit_is_shared_by_decision_and_agent():
    (one,) = audited(game(STOPPED, WENT_ON, 0.0, 5.0), schemes_of("grpo:std=none", "r"))
    # Mean 3: stops -3 and -3, six steps of 2.
    stops, others, every = one.parts["O5"], one.parts[UNDECIDED], one.parts[EVERY]
    assert sorted(stops.advantages) == pytest.approx([-3, -3, 2, 2, 2])
    assert others.advantages == pytest.approx([2, 2, 2])
    assert every.amount == pytest.approx(18)
    assert [stops.share, others.share, every.share] == pytest.approx([12 / 18, 6 / 18, 1])
    assert one.parts["a"].advantages == every.advantages


def test_groups_without_a_signal_and_steps_without_credit_are_counted():
    alone = TraceRows([], made(7.0, "a", group="other", task="other"))
    rows = [*game(1, 2, 1.0, 1.0), alone]
    one, other = audited(rows, schemes_of("grpo,discounted", "r"))
    assert (one.groups, one.silent, other.silent) == (2, 2, 0)
    assert [one.parts[EVERY].steps - len(one.parts[EVERY].advantages)] == [1]


def test_where_schemes_disagree_is_counted():
    one, other = audited(game(1, 1, -1.0, -3.0), schemes_of("grpo:std=none,discounted", "r"))
    assert one.parts[EVERY].opposed == 0
    assert other.parts[EVERY].opposed == 1


def test_a_figure_has_a_bar_for_each_part_and_scheme():
    audits = audited(game(1, 1, 1.0, 3.0), schemes_of("grpo,rloo", "r"))
    with style():
        (axes,) = audit_figure(audits).axes
    assert len(axes.patches) == 2 * 3
    assert [text.get_text() for text in axes.get_yticklabels()][-1] == "a"


def test_the_command_prints_a_table_and_draws_a_figure(tmp_path):
    path = tmp_path / "runs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(3):
            run = bakery() | {"trace_id": f"run-{number}", "rewards": {"r": float(number)}}
            file.write(f"{json.dumps(run)}\n")
    result = trace("rows", path, "--audit", "grpo,discounted:gamma=0.5", "-o", tmp_path / "a.svg")
    assert result.exit_code == 0
    table = [line.split() for line in result.stdout.splitlines()]
    assert any(line[:1] == ["O5"] for line in table)
    assert any(line[1:3] == ["1", "0"] and line[0].startswith("grpo(") for line in table)
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    for options in (("-o", "a.parquet"), ("--credit", "grpo"), ("--groups",)):
        assert trace("rows", path, "--audit", "grpo", *options).exit_code == 2
