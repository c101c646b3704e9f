"""A walk through the spans of one run in time order, telling what each agent did."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from corpus.traces.convert.events import USER, QueuedEvent
from corpus.traces.convert.format import Conversion
from corpus.traces.convert.messages import given, results_in
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.spans.requests import open_calls
from corpus.traces.convert.spans.tree import (
    Span,
    Tree,
    leaf_usage,
    with_times,
    without_groups,
    without_repeats,
)
from corpus.traces.convert.usage import Usage
from corpus.traces.lookup import parsed

_ACTING = ("agent", "model", "tool", "handoff")


class SpanRecorder(Recorder):
    """One run of spans, walked by :meth:`conversion`.

    Where it has a stop reason before, nobody answers the user at the end.
    """

    def conversion(self, spans: Iterable[Span], task: str = "") -> Conversion:
        """Walk, and return the trace.

        Parameters
        ----------
        spans : iterable of Span
            All spans of the run, in any order.
        task : str
            What the run was asked, where the source tells it outside of the spans.
        """
        recorded = list(spans)
        self.without_end = {span.id for span in recorded if span.end is None}
        self._note_gaps(recorded)
        self.tree = without_groups(without_repeats(with_times(Tree.of(recorded))))
        self.agents = [span for span in self.tree if span.kind == "agent"]
        handoffs = [span.agent for span in self.tree if span.kind == "handoff" and span.agent]
        self.handed_over = set(map(self.agent, handoffs))
        self.usage = defaultdict(Usage, leaf_usage(self.tree))
        times = [time for span in self.tree for time in (span.begins, span.ends)]
        if times:
            self.period = (min(times), max(times))
        self.names = self._name_agents()
        self.spawned: dict[str, QueuedEvent] = {}
        self.finished: list[Span] = []
        self.calls: dict[str, QueuedEvent] = {}
        # By the model call, what it asks for and no span carries out; and by agent and id, those
        # of which a later request may tell the result.
        self.asked = open_calls(self.tree)
        self.unanswered: dict[tuple[str, str], QueuedEvent] = {}
        self.children_open: Counter[str] = Counter()
        self.tools_open: Counter[str] = Counter()
        self.got_return: set[str] = set()
        self.guard_fired_at: float | None = None
        self.marks_of_steps: dict[str, tuple[str, ...]] = {}
        # What the run was asked: the first input of a span at the top or of an agent.
        asked = []
        for span in self.tree:
            if (span.kind == "agent" or not span.parent) and isinstance(span.asked, str):
                asked.append((span.begins, self.tree.depth[span.id], span.id, span.asked))
        *_, words = min(asked, default=("",))
        self.task = task or words
        self._walk()
        # The answer takes up the last step of its agent; what waits after it led to nothing.
        self._answer_user()
        for agent, marks in self.marks_of_steps.items():
            self.settle(agent, ("type", *marks))
        self.miss_unspent("tokens on a span that stands for no event", self.usage.values(), "usage")
        if others := sum(span.kind == "other" for span in self.tree):
            what = "a span that groups or transports, without a meaning of its own in a trace"
            self.dropped(what, "spans", others)
        return self.finish()

    def _walk(self) -> None:
        """Tell what happened, in order.

        At one time ends come first, outer starts before inner ones.
        """
        moments = []
        for name, span in self.tree.spans.items():
            depth = self.tree.depth[name]
            # A span without duration ends after it has begun.
            rank_of_end = 2 * (span.ends == span.begins)
            moments.append((span.begins, 1, depth, name))
            moments.append((span.ends, rank_of_end, -depth, name))
        for _, rank, _, name in sorted(moments):
            span = self.tree.spans[name]
            if rank == 1:
                self.at(span.start)
                if span.kind == "agent":
                    self._agent_starts(span)
                # A tool that is an agent is its spawn, not a call.
                elif span.kind != "tool" or not self.tree.count_below(span, "agent"):
                    self._starts(span)
                continue
            self.at(span.end)
            if span.kind == "agent" and name in self.spawned:
                spawn = self.spawned[name]
                self.inferred("the end of an agent span counts as its return", name)
                back = self.return_of(spawn, span.answered, ("event",), self.usage[name])
                self.replace(spawn.agent, spawn, back)
                self.children_open[spawn.agent] -= 1
                self.got_return.add(spawn.agent)
            elif span.kind == "agent":
                self.finished.append(span)
            elif name in self.calls:
                call = self.calls[name]
                self.tools_open[call.agent] -= 1
                self.tool_result(
                    call, span.answered, failed=span.failed, marks=span.marks_at("end")
                )

    def _starts(self, span: Span) -> None:
        """Add what an agent does in a span; where none is recorded, the root of the run acts."""
        if span.kind == "other":
            return
        agent = self.agent(span.agent)
        marks: tuple[str, ...] = ()
        above = self.tree.agent_above(span)
        if above is not None:
            agent = self.names[above.id]
        elif not span.agent:
            root = self.tree.roots[span.id]
            self.inferred("no agent is recorded; the root span stands for one", root.id)
            agent, marks = self.agent(root.name), ("agent",)
        at_start = (*span.marks_at("start"), *marks)
        if span.kind in ("handoff", "guard") and not self.tools_open[agent]:
            # Who hands over, or is checked, has seen what the tools of the same step answered.
            self.close(agent)
        match span.kind:
            case "model":
                self._model_starts(span, agent, marks)
            case "tool":
                # Where no model call is recorded, what begins after all answers depends on them.
                if agent not in self.marks_of_steps and not self.tools_open[agent]:
                    self.close(agent)
                name, usage = span.call or span.id, self.usage[span.id]
                call = self.tool_call(agent, span.name, name, span.asked, at_start, usage)
                self.calls[span.id] = call
                self.tools_open[agent] += 1
            case "handoff" if not span.target:
                # Such as one that failed: there is no agent to invent.
                self.dropped("a handover that names no receiver", span.id)
            case "handoff":
                self._decide(agent, marks)
                self.handed_over.add(agent)
                target, guessed = self.agent(span.target), "type" in span.marks
                words = span.answered
                self.message(agent, target, words, at_start, guessed=guessed, role="handoff")
            case "guard":
                if span.failed:
                    self.guard_fired_at = span.ends
                role = self.redaction.name(span.name, "check")
                self.add("safety_event", agent, at_start, role=role, x_error=span.failed or None)
            case "decision":
                self.add("orchestrator_decision", agent, at_start)
            case "interrupt":
                self.interrupt(agent)
            case _:
                self.prompt(agent, span.asked, span.name)

    def _note_gaps(self, spans: Sequence[Span]) -> None:
        """Note what the spans leave open: kinds, tokens, times, and parents that are not there."""
        for kind, times in sorted(Counter(span.unknown for span in spans).items()):
            if kind:
                self.unknown("spans of the unknown type", kind, "spans", times)
        if not any(span.tokens for span in spans):
            self.dropped("no span carries usage; tokens are 0 for unknown", "usage")
        known = {span.id for span in spans}
        missing = [(span.start, span.end).count(None) for span in spans]
        without_times = len(spans) - missing.count(0)
        self.has_clock = min(missing, default=2) < 2
        for span in spans:
            if span.start is not None and span.end is not None and span.end < span.start:
                self.inferred("a span that ends before it begins; it ends where it begins", span.id)
            if span.parent and span.parent not in known:
                self.dropped("the parent of a span, which is not in the input", span.id)
        if not self.has_clock:
            self.inferred("there is no clock; t is 0 throughout", "times")
        elif without_times:
            self.inferred("a span without a start or an end", "times", without_times)
        if len(spans) > len(known):
            self.dropped("a second span of one id", "spans", len(spans) - len(known))

    def _name_agents(self) -> dict[str, str]:
        """Name the agent of each agent span.

        A name is used again only once its former bearer has ended.
        """
        names = {}
        # Until when somebody has a name, and the id of that agent.
        taken: dict[str, tuple[float, str]] = {}
        highest: Counter[str] = Counter()
        for span in sorted(self.agents, key=lambda one: (one.begins, self.tree.depth[one.id])):
            base = self.agent(span.name)
            # A sub-agent is another one each time it is called; an agent at the top has further
            # spans for its further turns, which are those of the same agent.
            number = 1
            if self.tree.agent_above(span) is not None:
                number += highest[base]
            while True:
                name = f"{base}#{number}".removesuffix("#1")
                until, bearer = taken.get(name, (-1.0, ""))
                is_another = bearer and span.agent_id and bearer != span.agent_id
                if until <= span.begins and not is_another:
                    break
                number += 1
            highest[base] = max(highest[base], number)
            if number > 1:
                self.ambiguous(
                    "several agents have one name; they are told apart by their spans", span.id
                )
            names[span.id] = name
            taken[name] = (max(until, span.ends), bearer or span.agent_id)
        return names

    def _decide(self, agent: str, marks: Iterable[str] = ()) -> None:
        self.settle(
            agent,
            ("type", *marks),
            why="the model call before a spawn or a handover counts as a decision",
        )

    def _agent_starts(self, span: Span) -> None:
        parent = self.tree.agent_above(span)
        child = self.names[span.id]
        if parent is None:
            # A further span of an agent at the top is its next turn, after all that it has seen.
            self.close(child)
            self._go_on(child)
            return
        agent = self.names[parent.id]
        self._decide(agent)
        tool = self.tree.nearest_above(span, "agent", "tool") or parent
        call, asked, marks = tool.call or span.id, tool.asked, span.marks_at("start")
        if tool is parent:
            self.inferred("an agent inside an agent counts as spawned by it", span.id)
            call, asked, marks = span.id, span.asked, ("event",)
        self.spawned[span.id] = self.spawn(
            agent, child, call, asked, marks=marks, tool=tool.name if tool is not parent else ""
        )
        self.children_open[agent] += 1

    def _go_on(self, agent: str) -> None:
        """Let an agent at the top go on from what those before it returned, if they told nobody.

        The agents of a crew work one after the other; only the crew knows who is next.
        """
        for span in self.finished:
            name = self.names[span.id]
            if name == agent or name in self.handed_over:
                continue
            self.inferred("an agent at the top goes on from those that ended before", span.id)
            self.at(span.end)
            back = self.hand_back(name, agent, span.answered, ("event",), self.usage[span.id])
            self.seed(agent, back, inferred=True)
        self.finished.clear()

    def _model_starts(self, span: Span, agent: str, marks: tuple[str, ...]) -> None:
        # A call that led to nothing before this one is a decision of its own.
        self.settle(agent, ("type", *marks))
        stated = {role: one for role, one in span.contents.items() if one}
        self._take_results(agent, stated.get("messages") or span.asked)
        self.marks_of_steps[agent] = marks
        # The tokens may be stated by a span inside; the model is that of this call.
        usage = replace(self.usage[span.id], model=span.usage.model)
        end, guessed = self._end_of_call(span), "start" in span.guessed
        self.step(agent, usage, end, guessed=guessed, failed=span.failed)
        request = given(stated.get("messages") or span.asked)
        # A list without a message is no answer.
        answered = span.answered if parsed(span.answered) else None
        self.keep(agent, **{**request, "assistant": answered, **stated})
        if agent in self.got_return and not self.children_open[agent]:
            self.got_return.discard(agent)
            self.settle(
                agent,
                ("type",),
                "aggregate",
                "the first model call after all called agents have ended counts as an aggregate",
            )
        for call in self.asked.get(span.id, ()):
            self.ambiguous("a call that a model asks for and no span carries out is open", span.id)
            name, known = call["name"], call["id"]
            made = self.at(end).tool_call(agent, name, known, call["arguments"], marks)
            self.unanswered[agent, known or name] = made

    def _take_results(self, agent: str, request: object) -> None:
        """Answer the calls whose result no span has and the next request of the agent repeats."""
        waiting = [name for asking, name in self.unanswered if asking == agent]
        results = results_in(request) if waiting else {}
        for name in results.keys() & set(waiting):
            self.inferred("a result that only the next request tells of came when that was made")
            call = self.unanswered.pop((agent, name))
            self.tool_result(call, results[name], marks=("t",))

    def _end_of_call(self, span: Span) -> float | None:
        """Return when a model had answered, where the source tells.

        Some recorders run its tools inside of its span.
        """
        if "end" in span.guessed:
            return None
        acting = ("agent", "tool", "handoff")
        starts = [one.begins for one in self.tree.below(span) if one.kind in acting]
        return min([span.ends, *starts])

    def _answer_user(self) -> None:
        """End the run: the last agent at the top answers whoever asked."""
        if self.stop_reason:
            return
        # A check fired, and nobody acted after it.
        last_act = max((span.begins for span in self.tree if span.kind in _ACTING), default=0.0)
        stopped = self.guard_fired_at is not None and last_act <= self.guard_fired_at
        self.stop_reason = "external" if stopped else "implicit"
        # Where no span has an end, that of an agent tells nothing.
        is_any_end_known = len(self.without_end) < len(self.tree.spans)
        top = [span for span in self.agents if self.tree.agent_above(span) is None]
        # A check that fired ends the run instead of an answer.
        if not top or stopped or not (len(self) or self.marks_of_steps):
            return
        last = max(top, key=lambda span: (span.ends, span.begins))
        if last.id in self.without_end and is_any_end_known:
            self.stop_reason = "truncated"
            self.dropped(
                "the end of the last agent, which is not recorded; the run is cut short", last.id
            )
            return
        self._go_on(self.names[last.id])
        self.inferred("the end of the last agent counts as its answer to the user", last.id)
        self.at(last.end).hand_back(
            self.names[last.id], USER, last.answered, ("event",), usage=self.usage[last.id]
        )
