"""Made-up runs of a task with all that a trainer could need, and their contents."""

import io

from corpus.traces.contents import Content, Contents
from corpus.traces.training.fitness import fitness
from corpus.traces.training.groups import Rollout
from tests.support.made_traces import act, edge, run_of

TOKENS = {"prompt_token_ids": [1], "completion_token_ids": [2], "logprobs": [-0.5]}


class Recorded:
    """Two runs of a task with all that a trainer could need, and their contents."""

    def __init__(self):
        self.contents = Contents(io.BytesIO())
        self.traces = [self.trace("a"), self.trace("b")]

    def keep(self, role, written):
        content = Content.of(role, written)
        self.contents.add(content)
        return content.hash

    def trace(self, name):
        asked = self.keep("user", "bake bread")
        events = [
            act("ask", 0, "human_intervention", "user", to="lead"),
            act("heat", 1, "tool_call", "lead", tool="oven"),
            act("hot", 2, "tool_result", "lead", tool="oven"),
            act("done", 3, "return", "lead", to="user"),
        ]
        events[0]["content_ref"] = asked
        for number, event in enumerate(events[1:]):
            event["content_ref"] = self.keep("assistant", f"turn {number}")
        for event in events[1:3]:
            event["x_call_id"] = "c1"
        for event in (events[1], events[3]):
            tokens = [self.keep("tokens", TOKENS | {"policy_version": 7})]
            event |= {"x_steps": 1, "x_model": "m", "x_rewards": {"prm": 0.5}}
            event["x_contents"] = {"tokens": tokens}
        events[1]["x_contents"]["system"] = [self.keep("system", "You bake.")]
        events[1]["x_contents"]["tool_definitions"] = [self.keep("tool_definitions", ["oven"])]
        costs = {"tokens": 0, "wall_clock_s": 3}
        edges = []
        for source, target in (("ask", "heat"), ("heat", "hot"), ("hot", "done")):
            edges.append(edge(source, target))
        head = {"trace_id": name, "task_id": "bake", "events": events, "edges": edges}
        return head | {"rewards": {"team": 1.0}, "costs": costs}

    def fitness(self, contents=None, train=()):
        runs = [Rollout(run_of(trace), ("t.jsonl", 1)) for trace in self.traces]
        return fitness(runs, self.contents if contents is None else contents, train)
