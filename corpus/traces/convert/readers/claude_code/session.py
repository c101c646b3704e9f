"""Claude Code session files (JSON lines), with the sub-agents inline or in files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from corpus.tables.packing import plain_name
from corpus.traces.convert.events import USER
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.readers.claude_code.files import (
    INTERRUPTED,
    KNOWN_BLOCKS,
    MAIN,
    RESULT_ENDING,
    SERVER_CALLS,
    SPAWN_TOOLS,
    Call,
    Session,
    SessionThread,
    Turn,
    is_failure,
    is_refusal,
    sessions_of,
)
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import NO_USAGE, Usage, usage_beside_cache
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, count, first_text, is_plain_name, records, text, value


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the sub-agents' files of a session.

    Its ``subagents`` folder, and files of agents that it mentions.
    """
    stem = plain_name(document.path.name).removesuffix(".jsonl")
    folder = document.path.parent
    below = folder / stem / "subagents"
    yield from sorted(below.glob("**/agent-*.json*"))
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
    others : list of dict
        Further model calls that it took, which are not in its usage: of an adviser, or those that
        compacted the context.
    has_begun : bool
        Whether a row of it was walked.
    """

    last: Turn
    usage: Usage
    tools: set[str] = field(default_factory=set)
    others: list[JsonObject] = field(default_factory=list)
    has_begun: bool = False


class SessionRecorder(Recorder):
    """One walk through the turns of a session.

    Parameters
    ----------
    session : Session
        The turns, with sub-agents joined to their calls.
    redaction : Redaction
        What may leave the source.
    """

    def __init__(self, session: Session, redaction: Redaction) -> None:
        super().__init__(session.name, "claude-code", redaction)
        self.session = session
        self.losses = session.losses
        # The model calls by thread and step.
        self.steps: dict[tuple[str, str], _ModelStep] = {}
        self.named: dict[str, list[Call]] = {}
        self._name_agents()
        for turn in session.turns:
            if turn.kind == "assistant":
                step = self.steps.get((turn.thread, turn.step))
                if step is None:
                    step = self.steps[turn.thread, turn.step] = _ModelStep(turn, turn.usage)
                else:
                    step.usage = step.usage.highest(turn.usage)
                step.tools.update(text(block, "name") for block in turn.blocks("tool_use"))
                calls = records(turn.row, "message.usage.iterations")
                others = [one for one in calls if text(one, "type") not in ("", "message")]
                step.others = max(step.others, others, key=len)
                step.last = turn
            elif turn.notice is not None and (call := session.call_of(turn)) is not None:
                call.is_noticed = True

    def _name_agents(self) -> None:
        """Name threads by the kind of agent and its rank in the order of calls.

        Also those whose rows are missing.
        """
        # By rank among its kind: ids of threads change from run to run, and runs are compared.
        threads = self.session.threads
        # Of files of sub-agents alone, the first one takes the place of the main agent.
        self.top = threads.get(MAIN) or next(iter(threads.values()))
        threads.setdefault(MAIN, SessionThread()).name = self.new_agent("main")
        for call in self.session.spawn_calls:
            child = call.child or SessionThread()
            if call.goes_on:
                self.ambiguous("a call that lets a sub-agent go on is a call of a tool")
                continue
            # One that failed before it started a sub-agent is an ordinary failed call.
            if call.child is not None or not call.has_failed:
                child.name = self.ranked_agent(call.asked("subagent_type") or child.kind)
                call.agent = child.name
                self.named.setdefault(call.asked("name"), []).append(call)
        for thread in threads.values():
            thread.name = thread.name or self.ranked_agent(thread.kind)

    def _thread(self, turn: Turn) -> SessionThread:
        return self.session.threads[turn.thread]

    def conversion(self) -> Conversion:
        """Walk, and return the trace."""
        begun = {self.top.name, self.session.threads[MAIN].name}
        for turn in self.session.turns:
            thread = self._thread(turn)
            agent = thread.name
            self.at(turn.time, turn.place)
            # A session may go on under a newer version; the first one wrote most.
            version = self.redaction.token(text(turn.row, "version"))
            self.run["version"] = self.run.get("version") or version
            if turn.unused:
                self.unknown("rows of type", turn.unused, "rows")
            for block in turn.content if turn.kind in ("assistant", "user") else ():
                kind = text(block, "type")
                if kind not in (*KNOWN_BLOCKS, *SERVER_CALLS) and not kind.endswith(RESULT_ENDING):
                    self.unknown("content blocks of the unknown type", kind, "rows")
            if thread.starter is None and agent not in begun:
                begun.add(agent)
                self.inferred("a sub-agent that no call fits counts as one of the agent at the top")
                self.spawn(self.top.name, agent, "", marks=("event",), guessed=True)
            if turn.thread == MAIN and turn.kind in ("assistant", "user") and not turn.side:
                self.undo(agent, text(turn.row, "uuid") in self.session.undone)
            if turn.kind == "assistant":
                self._assistant(turn, agent)
            elif turn.kind == "user":
                results = turn.blocks("tool_result")
                for result in results:
                    self._result(turn, result)
                # Some versions write the interruption into the row of the refused call.
                attached = turn.blocks("image") or turn.blocks("document")
                if not results or turn.words.startswith(INTERRUPTED):
                    if attached or turn.words:
                        self._words(turn, turn.content if attached else turn.words)
                elif turn.words:
                    self.dropped("words beside a tool result")
            elif turn.queued:
                self._words(turn, turn.words)
        spawns = [call for call in self.session.spawn_calls if not call.goes_on]
        main = [step.has_begun for (thread, _), step in self.steps.items() if thread == MAIN]
        self.metrics = {
            "corpus.main_steps": sum(main),
            "corpus.spawn_calls": len(spawns),
            "corpus.spawn_calls_failed": sum(not call.agent for call in spawns),
        }
        self.stop_reason = self._stop_reason()
        # An agent at the top that waits for an answer; open calls of sub-agents do not count.
        for call in self.session.calls.values():
            is_own = call.event is not None and call.event.agent == self.top.name
            if is_own and call.answer is None and call.back is None:
                self.stop_reason = "truncated"
        return self.finish()

    def _assistant(self, turn: Turn, agent: str) -> None:
        if turn.synthetic:
            self.dropped("an answer written by the recorder, not by a model")
            return
        step = self.steps[turn.thread, turn.step]
        begins, step.has_begun = not step.has_begun, True
        if begins:
            for other in step.others:
                model = text(other, "model") or step.usage.model
                self.next_step(agent, usage_beside_cache(other, model))
            self.step(agent, step.usage)
        # The next event of the agent takes up a model call of the program.
        if turn.side:
            return
        thread = self._thread(turn)
        # Answers of parallel sub-agents come one by one; the step after the last one joins them.
        if begins and thread.got_return and not thread.away:
            thread.got_return = False
            self.add("aggregate", agent)
        if begins and step.tools & SPAWN_TOOLS:
            self.add("orchestrator_decision", agent)
        finish = text(turn.row, "message.stop_reason")
        tokens = {"finish_reason": finish} if finish else None
        self.keep(agent, reasoning=turn.texts("thinking"), assistant=turn.words, tokens=tokens)
        for block in turn.blocks("tool_use"):
            self._use(turn, agent, self.session.calls[text(block, "id")])
        for block in turn.content:
            kind, answered = text(block, "type"), text(block, "tool_use_id")
            if kind in SERVER_CALLS:
                self.tool_call(agent, text(block, "name"), text(block, "id"), value(block, "input"))
            elif kind.endswith(RESULT_ENDING) and answered:
                self.result(agent, answered, value(block, "content"), failed=is_failure(block))
        # The rows of one message come one by one: only the last one tells that none calls a tool.
        if step.tools or turn is not step.last:
            return
        # A step without one ends a turn: a sub-agent returns, the main agent answers the user.
        call = thread.starter
        if call is None and thread is self.top:
            self.hand_back(agent, USER, turn.words)
        if call is None:
            self.settle(agent)
            return
        parent = self._thread(call.turn).name
        call.back = self.hand_back(agent, parent, turn.words, x_call_id=call.id)
        if call.runs_on and not call.is_noticed:
            self._give_to_parent(call, inferred=True)

    def _use(self, turn: Turn, agent: str, call: Call) -> None:
        tool = text(call.block, "name")
        asked = value(call.block, "input")
        if call.agent:
            role = call.asked("subagent_type")
            call.event = self.spawn(agent, call.agent, call.id, asked, role, tool=tool)
            self._thread(turn).away.add(call.id)
        elif tool == "SendMessage":
            # By its id, or by the name that its call gave it; one of another session stays what
            # the message calls it.
            target = first_text(asked, "recipient", "to")
            receiver = self.agent(target)
            named = self.named.get(target, [])
            if target and target in self.session.threads:
                receiver = self.session.threads[target].name
            elif target and len(named) == 1:
                receiver = named[0].agent
            else:
                what = "a message to an agent that is not one of the session, or one of several"
                self.ambiguous(what)
            call.event = self.message(agent, receiver, asked, x_call_id=call.id)
        else:
            call.event = self.tool_call(agent, tool, call.id, asked)

    def _words(self, turn: Turn, content: str | list[JsonObject]) -> None:
        """Take what no tool wrote: of a person, or of the program in the place of one."""
        program = turn.written_by_program
        main = self.session.threads[MAIN].name
        if turn.notice is not None:
            self._notice(turn, turn.notice)
        elif turn.thread != MAIN:
            # A sub-agent is asked by its parent, whose call is an event already.
            return
        elif program == "meta":
            # Nobody said it, but the model has it.
            self.keep(main, user=content)
        elif program == "summary":
            self.compact(main, content)
        elif program:
            self.keep(main, user=content)
            self.unknown("a user row written by the program:", program, role="tag")
        elif isinstance(content, str) and content.startswith(INTERRUPTED):
            self.interrupt(main, content)
        else:
            self.prompt(main, content)

    def _notice(self, turn: Turn, notice: JsonObject) -> None:
        """Let a background sub-agent return to its parent when the program reports its end."""
        call = self.session.call_of(turn)
        failed = text(notice, "status") in ("failed", "killed", "stopped", "error")
        if call is None or not call.runs_on:
            self.keep(self._thread(turn).name, user=turn.words)
            self.dropped("a report on a background task that is not a sub-agent of the session")
        elif call.is_reported:
            # Some versions queue a report and write it once more as a row of its own.
            self.dropped("a second report on one background task")
        else:
            call.is_reported = True
            if call.back is None:
                result = first_text(notice, "result", "summary") or None
                self._return_unseen(call, result, count(notice, "tokens"), failed)
            elif failed:
                call.back.keys["x_error"] = True
            self._give_to_parent(call)

    def _result(self, turn: Turn, result: JsonObject) -> None:
        name = text(result, "tool_use_id")
        call = self.session.calls.get(name)
        content, failed = value(result, "content"), is_failure(result)
        if call is None or call.event is None or call.event.kind == "tool_call":
            agent = self._thread(turn if call is None else call.turn).name
            # A result without content is an empty one.
            content = "" if content is None else content
            self.result(agent, name, content, failed=failed, refused=is_refusal(result))
        elif call.is_spawn and text(turn.row, "toolUseResult.status") == "async_launched":
            call.runs_on = True
            if not call.is_noticed:
                self.ambiguous("when the parent reads a background sub-agent is not written down")
        elif call.is_spawn:
            # What the files do not hold of the sub-agent is filled in.
            if call.back is None:
                tokens = count(turn.row, "toolUseResult.totalTokens")
                self._return_unseen(call, content, tokens, failed)
            self._give_to_parent(call)

    def _return_unseen(self, call: Call, content: object, tokens: int, failed: bool) -> None:
        """Add a return that the rows of the sub-agent do not hold.

        It is known from its parent's.
        """
        usage = NO_USAGE
        # Where its own rows are there, they state the tokens already.
        if call.child is None:
            usage = Usage(unsorted=tokens)
            self.missing("the steps of a sub-agent whose file is missing")
        self.inferred("a sub-agent ends when its parent reads the result")
        if call.event is not None:
            call.back = self.return_of(call.event, content, ("t",), usage, failed=failed)

    def _give_to_parent(self, call: Call, *, inferred: bool = False) -> None:
        """Let the next step of the parent depend on the return of a sub-agent."""
        parent = self._thread(call.turn)
        if call.event is not None and call.back is not None:
            self.replace(parent.name, call.event, call.back, inferred=inferred)
            parent.away.discard(call.id)
            parent.got_return = True

    def _stop_reason(self) -> str:
        """Return why the run stopped by its last row; rows of the program do not count."""
        for turn in reversed(self.session.turns):
            is_word = turn.kind in ("assistant", "user") and not turn.side
            is_model = turn.kind != "assistant" or not turn.synthetic or turn.reports_error
            is_program = turn.written_by_program and not turn.blocks("tool_result")
            if is_program or not is_word or not is_model:
                continue
            if turn.kind == "user":
                return "external" if turn.words.startswith(INTERRUPTED) else "truncated"
            stopped = text(turn.row, "message.stop_reason")
            if stopped == "max_tokens":
                return "truncated"
            return "external" if stopped == "refusal" or turn.reports_error else "implicit"
        return "truncated"


FORMAT = RecordedFormat("claude-code", convert, companions)
