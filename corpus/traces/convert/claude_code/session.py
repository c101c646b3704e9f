"""Claude Code session files (JSON lines), with the sub-agents inline or in files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpus.traces.convert.claude_code.files import MAIN, Call, Session, SessionThread, sessions_of
from corpus.traces.convert.claude_code.rows import (
    INTERRUPTED,
    SPAWN_TOOLS,
    Notice,
    Result,
    Turn,
    agent_of_file,
)
from corpus.traces.convert.format import (
    TOKENS,
    TOOL_CALLS,
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.recorder import USER, Recorder
from corpus.traces.convert.usage import NO_USAGE, Usage
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, count, first_text, is_plain_name, text, value


def _is_note(document: RecordedFile) -> bool:
    """Whether a file holds the notes of a sub-agent."""
    is_named = document.path.name.endswith(".meta.json") and agent_of_file(document)
    return bool(is_named) and document.has_any("agentType", "toolUseId")


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the sub-agents' files of a session.

    Its ``subagents`` folder, and files of agents that it mentions.
    """
    stem = document.path.name.removesuffix(".gz").removesuffix(".jsonl")
    folder = document.path.parent
    below = folder / stem / "subagents"
    yield from sorted(below.glob("agent-*.json*"))
    yield from sorted(below.glob("workflows/wf_*/agent-*.json*"))
    for row in document.rows:
        agent = text(row.value, "toolUseResult.agentId")
        if is_plain_name(agent):
            yield folder / f"agent-{agent}.jsonl"


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace per session."""
    for session in sessions_of(documents):
        yield SessionRecorder(session, redaction).conversion()


@dataclass(slots=True)
class _ModelStep:
    """One model call: the rows of one message id.

    Attributes
    ----------
    last : Turn
        Its last row.
    usage : Usage
        The highest usage of its rows; the recorder repeats it while it grows.
    tools : set of str
        Names of the tools that it calls.
    has_begun : bool
        Whether a row of it was walked.
    """

    last: Turn
    usage: Usage
    tools: set[str] = field(default_factory=set)
    has_begun: bool = False


class SessionRecorder(Recorder):
    """One walk through the turns of a session.

    Parameters
    ----------
    session : Session
        The turns, with sub-agents joined to their calls.
    redaction : Redaction
        What may leave the source.
    system : str
        Name of the format, for the trace.
    stop : str
        Why the run stopped, where a row tells it; else it follows from the last turn.
    """

    def __init__(
        self, session: Session, redaction: Redaction, system: str = "claude-code", stop: str = ""
    ) -> None:
        super().__init__(session.name, system, redaction)
        self.session = session
        self.stop_reason = stop
        self.steps = _model_steps(session.turns)
        self.named: dict[str, list[Call]] = {}
        self._name_agents()
        for turn in session.turns:
            if turn.kind != "assistant" and (notice := turn.notice):
                call = session.call_of(turn, notice)
                if call is not None:
                    call.is_noticed = True

    def _name_agents(self) -> None:
        """Name threads by the kind of agent and its rank in the order of calls.

        Also those whose rows are missing.
        """
        # By rank among its kind: ids of threads change from run to run, and runs are compared.
        threads = self.session.threads
        threads.setdefault(MAIN, SessionThread()).name = self.new_agent("main")
        for call in self.session.spawn_calls:
            first = call.first
            # The call that started the agent may be in a trace of its own.
            if first is not None and first.id in self.session.calls:
                if first.child is not None:
                    first.child.resumptions_left += 1
                continue
            call.first = None
            child = call.child or SessionThread()
            if call.has_started:
                child.name = self.ranked_agent(call.asked("subagent_type") or child.kind)
                call.agent = child.name
                self.named.setdefault(call.asked("name"), []).append(call)
        for thread in threads.values():
            thread.name = thread.name or self.ranked_agent(thread.kind)

    def _agent(self, turn: Turn) -> str:
        return self.session.threads[turn.thread].name

    def conversion(self) -> Conversion:
        """Walk, and return the trace."""
        for turn in self.session.turns:
            agent = self._agent(turn)
            self.at(turn.time, turn.place)
            if turn.side:
                self._side_call(turn, agent)
            elif turn.kind == "assistant":
                self._assistant(turn, agent)
            elif turn.kind == "user":
                self._user(turn)
            elif turn.queued:
                self._words(turn, turn.queued)
            elif turn.hook_event == "SubagentStop" and turn.thread != MAIN:
                self.close(agent)
                # The hook fires at each return; only the last one ends the sub-agent.
                if not self.session.threads[turn.thread].resumptions_left:
                    self.add("despawn", agent, to=agent)
        self._note_run()
        return self.finish()

    def _side_call(self, turn: Turn, agent: str) -> None:
        """Count a model call of the program: the next event of the agent takes it up."""
        step = self.steps[turn.thread, turn.step]
        if not step.has_begun and not turn.synthetic:
            step.has_begun = True
            self.step(agent, step.usage)

    def _assistant(self, turn: Turn, agent: str) -> None:
        if turn.synthetic:
            self.dropped("an answer written by the recorder, not by a model")
            return
        step = self.steps[turn.thread, turn.step]
        if not step.has_begun:
            step.has_begun = True
            self._begin_step(turn, agent, step)
        self.keep(agent, reasoning=turn.thoughts, assistant=turn.words)
        for block in turn.blocks("tool_use"):
            self._use(turn, agent, self.session.calls[text(block, "id")])
        # The rows of one message come one by one: only the last one tells that none calls a tool.
        if not step.tools and turn is step.last:
            self._end_turn(turn, agent)

    def _begin_step(self, turn: Turn, agent: str, step: _ModelStep) -> None:
        self.step(agent, step.usage)
        thread = self.session.threads[turn.thread]
        # Answers of parallel sub-agents come one by one; the step after the last one joins them.
        if thread.got_return and not thread.away:
            thread.got_return = False
            self.add("aggregate", agent)
        if step.tools & SPAWN_TOOLS:
            self.add("orchestrator_decision", agent)

    def _use(self, turn: Turn, agent: str, call: Call) -> None:
        tool = text(call.block, "name")
        asked = value(call.block, "input")
        if call.first is not None:
            # A call that lets a sub-agent go on is a message to it; it may return once more.
            self._send(turn, agent, call, call.first.agent, call.asked("prompt"))
            self.session.threads[turn.thread].away.add(call.id)
            if (child := call.first.child) is not None:
                child.starter = call
                child.resumptions_left -= 1
        elif call.agent:
            self._spawn(turn, agent, call)
            self.merged[TOOL_CALLS] += 1
            self.session.threads[turn.thread].away.add(call.id)
        elif tool == "SendMessage":
            receiver = self._receiver(turn, first_text(asked, "recipient", "to"))
            self._send(turn, agent, call, receiver, asked)
        else:
            call.event = self.tool_call(agent, tool, call.id, asked)
            for made_up in call.of_workflow:
                self._spawn(turn, agent, made_up)

    def _send(self, turn: Turn, agent: str, call: Call, receiver: str, asked: object) -> None:
        call.event = self.message(agent, receiver, asked, x_call_id=call.id)
        self.merged[TOOL_CALLS] += 1

    def _receiver(self, turn: Turn, target: str) -> str:
        """Return the agent that a message is sent to, by its id or the name that its call gave it.

        One of another session stays what the message calls it.
        """
        if target and target in self.session.threads:
            return self.session.threads[target].name
        named = self.named.get(target, [])
        if target and len(named) == 1:
            return named[0].agent
        self.ambiguous("a message to an agent that is not one of the session, or one of several")
        return self.agent(target)

    def _spawn(self, turn: Turn, agent: str, call: Call) -> None:
        call.event = self.spawn(
            agent,
            call.agent,
            call.id,
            call.asked("prompt"),
            call.asked("subagent_type"),
            marks=("to",) if call.is_guessed else (),
            guessed=call.is_guessed,
        )

    def _end_turn(self, turn: Turn, agent: str) -> None:
        """A step without a tool call ends a turn.

        A sub-agent returns, the main agent answers the user.
        """
        call = self.session.threads[turn.thread].starter
        if call is None:
            self.hand_back(agent, USER, turn.words)
            return
        call.back = self.hand_back(agent, self._agent(call.turn), turn.words, x_call_id=call.id)
        if (call.runs_on and not call.is_noticed) or call.is_made_up:
            self._give_to_parent(call, inferred=True)

    def _user(self, turn: Turn) -> None:
        results = turn.results
        for result in results:
            self._result(turn, result)
        # Some versions write the interruption into the row of the refused call.
        if turn.words and (not results or turn.words.startswith(INTERRUPTED)):
            self._words(turn, turn.words)
        elif turn.words:
            self.dropped("words beside a tool result")
        elif turn.attached and not results:
            self._words(turn, turn.attached)

    def _words(self, turn: Turn, content: str | list[JsonObject]) -> None:
        """Take what no tool wrote: of a person, or of the program in the place of one."""
        program = turn.written_by_program
        main = self.session.threads[MAIN].name
        if notice := turn.notice:
            self._notice(turn, notice)
        elif turn.thread != MAIN or program == "meta":
            # A sub-agent is asked by its parent, whose call is an event already.
            return
        elif program == "summary":
            self.dropped("the summary written when the context was compacted")
        elif program:
            self.unknown("a user row written by the program:", program, role="tag")
        elif isinstance(content, str) and content.startswith(INTERRUPTED):
            self.interrupt(main, content)
        else:
            if turn.has_unknown_tag:
                tag = self.redaction.name(turn.leading_tag, "tag")
                self.ambiguous(f"a user row with the unknown tag {tag} counts as a person's")
            self.prompt(main, content)

    def _notice(self, turn: Turn, notice: Notice) -> None:
        """Let a background sub-agent return to its parent when the program reports its end."""
        call = self.session.call_of(turn, notice)
        if call is None or not call.runs_on:
            self.dropped("a report on a background task that is not a sub-agent of the session")
        elif call.is_reported:
            # Some versions queue a report and write it once more as a row of its own.
            self.dropped("a second report on one background task")
        else:
            call.is_reported = True
            if call.back is None:
                self._return_unseen(turn, call, notice.result, notice.tokens, notice.failed)
            elif notice.failed:
                self.entry(call.back).keys["x_error"] = True
            self._give_to_parent(call)

    def _result(self, turn: Turn, result: Result) -> None:
        call = self.session.calls.get(text(result.block, "tool_use_id"))
        content = value(result.block, "content")
        if call is None or call.event is None:
            self.dropped("a tool result whose call is not in the files")
        elif self.entry(call.event).is_answered:
            self.dropped("a second result of one tool call")
        elif self.entry(call.event).kind == "tool_call":
            self.tool_result(call.event, content, failed=result.failed, refused=result.refused)
        elif call.is_spawn and text(result.report, "status") == "async_launched":
            call.runs_on = True
            if not call.is_noticed:
                self.ambiguous("when the parent reads a background sub-agent is not written down")
        elif call.is_spawn:
            # What the files do not hold of the sub-agent is filled in.
            if call.back is None:
                tokens = count(result.report, "totalTokens")
                self._return_unseen(turn, call, content, tokens, result.failed)
            self._give_to_parent(call)

    def _return_unseen(
        self, turn: Turn, call: Call, content: object, tokens: int, failed: bool
    ) -> None:
        """Add a return that the rows of the sub-agent do not hold.

        It is known from its parent's.
        """
        usage = NO_USAGE
        # Where its own rows are there, they state the tokens already.
        if (call.first or call).child is None:
            usage = Usage(unsorted=tokens)
            self.dropped("the steps of a sub-agent whose file is missing")
            # Tokens of no step that the input holds.
            self.reported[TOKENS] -= tokens
        self.inferred("a sub-agent ends when its parent reads the result")
        if call.event is not None:
            call.back = self.return_of(call.event, content, ("t",), usage, failed=failed)

    def _give_to_parent(self, call: Call, *, inferred: bool = False) -> None:
        """Let the next step of the parent depend on the return of a sub-agent."""
        parent = self.session.threads[call.turn.thread]
        if call.event is not None and call.back is not None:
            self.replace(parent.name, call.event, call.back, inferred=inferred)
            parent.away.discard(call.id)
            parent.got_return = True

    def _note_run(self) -> None:
        session = self.session
        files = {turn.place.rpartition(":")[0] for turn in session.turns}
        # A session may go on under a newer version; the first one is that of its layout.
        versions = [text(turn.row, "version") for turn in session.turns]
        self.run["layout"] = session.layout
        self.run["files"] = len(files)
        self.run["version"] = self.redaction.token(next(filter(None, versions), ""))
        spawn_calls = []
        for call in session.spawn_calls:
            if call.first is None and not call.is_made_up:
                spawn_calls.append(call)
        steps = [thread for (thread, _), step in self.steps.items() if step.has_begun]
        self.metrics = {
            "corpus.main_steps": steps.count(MAIN),
            "corpus.spawn_calls": len(spawn_calls),
            "corpus.spawn_calls_failed": sum(not call.agent for call in spawn_calls),
        }
        for loss in session.losses:
            self.lose(loss)
        for quantity, amount in session.reported.items():
            self.reported[quantity] += amount
        for turn in session.turns:
            if turn.unused:
                self.unknown("rows of type", turn.unused, "rows")
            for kind in turn.unknown_blocks:
                self.unknown("content blocks of the unknown type", kind, "rows")
        if self._has_open_call():
            self.stop_reason = "truncated"
        else:
            self.stop_reason = self.stop_reason or self._stop_reason()

    def _stop_reason(self) -> str:
        """Return why the run stopped by its last row; rows of the program do not count."""
        for turn in reversed(self.session.turns):
            is_word = turn.kind in ("assistant", "user") and not turn.side
            is_model = turn.kind != "assistant" or not turn.synthetic or turn.reports_error
            if not is_word or not is_model or (turn.written_by_program and not turn.results):
                continue
            if turn.kind == "user":
                return "external" if turn.words.startswith(INTERRUPTED) else "truncated"
            stopped = text(turn.row, "message.stop_reason") in ("max_tokens", "refusal")
            return "external" if stopped or turn.reports_error else "implicit"
        return "truncated"

    def _has_open_call(self) -> bool:
        """Whether the agent at the top waits for an answer.

        Open calls of sub-agents do not count.
        """
        threads = self.session.threads
        top = threads[MAIN]
        if not top.turns:
            top = next(iter(threads.values()))
        for call in self.session.calls.values():
            if call.event is None or call.is_made_up or self.entry(call.event).agent != top.name:
                continue
            if call.result is None and call.back is None:
                return True
        return False


def _model_steps(turns: Sequence[Turn]) -> dict[tuple[str, str], _ModelStep]:
    """Return the model calls by thread and step."""
    steps: dict[tuple[str, str], _ModelStep] = {}
    for turn in turns:
        if turn.kind != "assistant":
            continue
        step = steps.setdefault((turn.thread, turn.step), _ModelStep(turn, turn.usage))
        step.usage = step.usage.highest(turn.usage)
        step.tools.update(text(block, "name") for block in turn.blocks("tool_use"))
        step.last = turn
    return steps


FORMAT = RecordedFormat("claude-code", convert, companions, _is_note)
