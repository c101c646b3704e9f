"""Claude Code sessions put together from the typed rows of their files.

Each sub-agent is joined to the call that started it. In a row anything may be missing, since many
versions wrote them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby

from corpus.tables.packing import plain_name
from corpus.traces.convert.copies import Originals
from corpus.traces.convert.events import QueuedEvent, in_time
from corpus.traces.convert.format import DROPPED, INFERRED, MISSING, Documents, LossList, unnamed
from corpus.traces.convert.names import UniqueNames
from corpus.traces.convert.people import program_behind
from corpus.traces.convert.usage import Usage, usage_beside_cache
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, first_text, iso_time, plain_text, records, text, value

#: Thread of the main agent.
MAIN = ""
#: Names of the tool that starts a sub-agent (up to 2.0, from 2.1).
SPAWN_TOOLS = frozenset({"Task", "Agent"})

_AGENT_FILE = re.compile(r"agent-([\w-]{1,200})\.(?:meta\.)?jsonl?$")
_REFUSALS = ("doesn't want to proceed", "requested permissions", "denied by", "blocked by")

#: Beginning of the row that tells of an interruption.
INTERRUPTED = "[Request interrupted by user"

# Blocks of a message whose meaning is known; thinking is part of the tokens only.
KNOWN_BLOCKS = frozenset(
    {"text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document"}
)
# Calls that the server of the model carries out, and what came back; their results have the name
# of the tool in their type.
SERVER_CALLS = ("server_tool_use", "mcp_tool_use")
RESULT_ENDING = "_tool_result"
_NOTICES = ("<task-notification>", "<agent-notification>")
_NOTICE_TAGS = ("tool-use-id", "task-id", "agent-id", "result", "summary", "status", "usage")
_NOTICE_TOKENS = re.compile(r"total_tokens\W{1,3}(\d{1,15})\b")
# Model calls that the program makes in a copy of the conversation (to compact it, to suggest a
# prompt, for a question of /btw), each in a file of its own, such as agent-acompact-1f2e.jsonl.
_SIDE_CALL = re.compile("a(compact|prompt_suggestion|side_question)-")


def agent_of_file(document: RecordedFile) -> str:
    """Return the agent id in a file name such as ``agent-a1b2.jsonl``, or the empty string."""
    found = _AGENT_FILE.search(plain_name(document.path.name))
    return found[1] if found else ""


@dataclass(frozen=True)
class Turn:
    """One row: what the model, a tool or a person wrote in one thread.

    Attributes
    ----------
    row : dict
        As it is in the file.
    place : str
        ``file:line``.
    thread : str
        The agent it belongs to; empty for the main one.
    time : float or None
        Seconds since 1970.
    side : bool
        Whether the program, not the agent, made the model call (to compact the context).
    """

    row: JsonObject
    place: str
    thread: str
    time: float | None = None
    side: bool = False

    @cached_property
    def kind(self) -> str:
        """``assistant``, ``user``, or another type that the recorder wrote."""
        return text(self.row, "type")

    @cached_property
    def step(self) -> str:
        """Id of the model step; the rows of one step share it, one row per content block."""
        message_id = text(self.row, "message.id")
        # Rows that a program wrote have no message; then each row is a step of its own.
        return message_id or first_text(self.row, "requestId", "uuid") or self.place

    @property
    def reports_error(self) -> bool:
        """Whether the row reports that a model could not be asked (a limit, for example)."""
        return value(self.row, "isApiErrorMessage") is True

    @property
    def synthetic(self) -> bool:
        """Whether the recorder wrote the answer, not a model (an error report, for example)."""
        return self.reports_error or text(self.row, "message.model") == "<synthetic>"

    @cached_property
    def told(self) -> str:
        """What the row says, in one spelling: a copy of the row has the same."""
        return json.dumps([self.kind, text(self.row, "message.id"), self.content], sort_keys=True)

    def blocks(self, kind: str) -> list[JsonObject]:
        """Return the content blocks of one kind; a bare string is one text block."""
        return [block for block in self.content if block.get("type") == kind]

    @cached_property
    def content(self) -> list[JsonObject]:
        """All content blocks."""
        if plain := text(self.row, "message.content"):
            return [{"type": "text", "text": plain}]
        return records(self.row, "message.content")

    @cached_property
    def words(self) -> str:
        """The text blocks, joined; of an attachment what was typed or reported meanwhile."""
        return self.queued or self.texts("text")

    def texts(self, kind: str) -> str:
        """Return the texts of the blocks of a kind, which have them under its name."""
        return "\n".join(text(block, kind) for block in self.blocks(kind))

    @property
    def unused(self) -> str:
        """The type of a row, or of its attachment, that tells nothing about who did what."""
        if self.kind in ("assistant", "user") or self.queued:
            return ""
        return f"{self.kind or 'type'} {text(self.row, 'attachment.type')}".strip()

    @cached_property
    def queued(self) -> str:
        """What was typed or reported while the agent worked.

        Which the recorder writes as an attachment.
        """
        if text(self.row, "attachment.type") != "queued_command":
            return ""
        return text(self.row, "attachment.prompt")

    @property
    def written_by_program(self) -> str:
        """What of the program wrote a row of the type ``user``; empty where a person did.

        Since 2.1 the row names its origin; before, only the text tells.
        """
        origin = text(self.row, "origin.kind") or text(self.row, "attachment.origin.kind")
        if origin and origin != "human":
            return origin
        if value(self.row, "isMeta") is True:
            return "meta"
        if value(self.row, "isCompactSummary") is True:
            return "summary"
        return program_behind(self.words)

    @property
    def notice(self) -> JsonObject | None:
        """The report that a background task has ended, by its tags, where the row is one.

        With ``tokens``, those of the task, where the report has them.
        """
        words = self.words.lstrip()
        if not words.startswith(_NOTICES):
            return None
        tags: JsonObject = {}
        for name in _NOTICE_TAGS:
            _, _, rest = words.partition(f"<{name}>")
            content, closed, _ = rest.partition(f"</{name}>")
            if closed:
                tags[name] = content.strip()
        if found := _NOTICE_TOKENS.search(text(tags, "usage")):
            tags["tokens"] = found[1]
        return tags

    @property
    def usage(self) -> Usage:
        """Tokens by kind; repeated, and growing, on every row of one step."""
        return usage_beside_cache(value(self.row, "message.usage"), text(self.row, "message.model"))

    @cached_property
    def agent(self) -> str:
        """Id of the sub-agent whose answer the row brings back, where it is written down."""
        return text(self.row, "toolUseResult.agentId")


def is_failure(result: JsonObject) -> bool:
    """Whether the block that a tool brought back reports an error."""
    return value(result, "is_error") is True


def is_refusal(result: JsonObject) -> bool:
    """Whether a person or a permission rule, not the tool, made the call fail."""
    words = str(plain_text(value(result, "content")))
    return is_failure(result) and any(mark in words for mark in _REFUSALS)


def turns_of(document: RecordedFile, losses: LossList) -> list[Turn]:
    """Return the rows of one file, each with the thread it belongs to.

    That of the main agent unless the file is one of a sub-agent, or the row is marked as a side
    chain.
    """
    # A file of that name may be a whole session all the same: then its rows tell.
    is_session = any(value(row.value, "isSidechain") is False for row in document.objects)
    of_file = ""
    if not is_session or _folder_of_session(document):
        of_file = agent_of_file(document)
    turns = []
    for row in document.objects:
        thread, place = MAIN, document.place(row.line)
        if of_file or value(row.value, "isSidechain") is True:
            thread = text(row.value, "agentId") or of_file
            if not thread:
                what = "a row of a sub-agent without an id, as Claude Code before 2.0 wrote it"
                losses.add(MISSING, place, what)
                continue
        time = iso_time(value(row.value, "timestamp"))
        turns.append(Turn(row.value, place, thread, time))
    return turns


@dataclass(eq=False, slots=True)
class SessionThread:
    """One agent: its rows, and what the walk through them has found so far.

    Attributes
    ----------
    turns : list of Turn
        In time order; none where the rows of a sub-agent are missing.
    kind, name : str
        Kind of sub-agent, where a file of notes tells it; name of the agent in the trace.
    starter : Call or None
        The call that started it, or let it go on.
    away : set of str
        Its calls whose sub-agents have not returned.
    got_return : bool
        Whether it got a return since its last step.
    """

    turns: list[Turn] = field(default_factory=list)
    kind: str = ""
    name: str = ""
    starter: Call | None = None
    away: set[str] = field(default_factory=set)
    got_return: bool = False


@dataclass(eq=False, slots=True)
class Call:
    """One use of a tool, and what became of it.

    Attributes
    ----------
    id : str
        Unique in the session.
    turn, block : Turn, dict
        Where it is written.
    answer : Turn or None
        The row that brought back its first result.
    has_failed : bool
        Whether that is an error.
    child : SessionThread or None
        The sub-agent that it started.
    goes_on : bool
        Whether it lets a sub-agent go on that another call has started.
    agent : str
        Name of the agent that it starts in the trace; empty where it starts none.
    event, back : QueuedEvent or None
        Its event, and the return of its sub-agent.
    runs_on, is_noticed, is_reported : bool
        Whether its sub-agent runs on after its result, whether the program reports the end of that,
        and whether it has by now.
    """

    id: str
    turn: Turn
    block: JsonObject
    answer: Turn | None = None
    has_failed: bool = False
    child: SessionThread | None = None
    goes_on: bool = False
    agent: str = ""
    event: QueuedEvent | None = None
    back: QueuedEvent | None = None
    runs_on: bool = False
    is_noticed: bool = False
    is_reported: bool = False

    def asked(self, name: str) -> str:
        """Return a text that the tool was given.

        The ``prompt`` of a sub-agent, its ``subagent_type``, or the ``name`` under which others
        write to it.
        """
        return text(self.block, f"input.{name}")

    @property
    def is_spawn(self) -> bool:
        """Whether it is there to start a sub-agent."""
        return text(self.block, "name") in SPAWN_TOOLS


@dataclass(slots=True)
class Session:
    """One session: its turns, agents and calls.

    Attributes
    ----------
    name : str
        Session id.
    turns : list of Turn
        In time order; a turn without a time stays behind the one before it.
    threads : dict of str to SessionThread
        By the name of the thread, in the order of their first turns.
    calls : dict of str to Call
        By id.
    answered : dict of str to list of Call
        The calls whose results name a sub-agent, by its id.
    notes : dict of str to dict
        What the program notes of a sub-agent, by thread.
    side_calls : list of RecordedFile
        Files of model calls of the program.
    has_folder : bool
        Whether the files of its sub-agents are in a folder of its name.
    undone : set of str
        The ids of rows that a person took back.
    losses : LossList
        What was inferred or dropped in putting the session together.
    """

    name: str
    turns: list[Turn]
    threads: dict[str, SessionThread] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    answered: dict[str, list[Call]] = field(default_factory=dict)
    notes: dict[str, JsonObject] = field(default_factory=dict)
    side_calls: list[RecordedFile] = field(default_factory=list)
    has_folder: bool = False
    undone: set[str] = field(default_factory=set)
    losses: LossList = field(default_factory=LossList)

    @property
    def spawn_calls(self) -> list[Call]:
        """The calls that start sub-agents."""
        return [call for call in self.calls.values() if call.is_spawn]

    def call_of(self, turn: Turn) -> Call | None:
        """Return the call that started the task of the report in a turn.

        The one it names, else the last one before it that the same sub-agent answers.
        """
        name = text(turn.notice, "tool-use-id")
        found = self.calls.get(name)
        if not name:
            for call in self.answered.get(first_text(turn.notice, "task-id", "agent-id"), ()):
                if call.id in self.calls and call.answer is not None:
                    if (call.answer.time or 0.0) <= (turn.time or 0.0):
                        found = call
        return found


def sessions_of(documents: Documents) -> Iterator[Session]:
    """Group files into sessions, by the folder of the sub-agents' files, else by session id."""
    sessions: list[Session] = []
    # Sorted, not in the order of the command line: the traces of a folder come in one order.
    for name, group in groupby(sorted(documents, key=_session_name), key=_session_name):
        session = Session(name, [])
        for document in group:
            agent = agent_of_file(document)
            session.has_folder |= bool(_folder_of_session(document))
            if document.path.name.endswith(".meta.json"):
                session.notes.update((agent, row.value) for row in document.rows)
            elif _SIDE_CALL.match(agent):
                session.side_calls.append(document)
            else:
                session.turns += turns_of(document, session.losses)
        sessions.append(session)
    drop_copies(sessions)
    for session in sessions:
        kinds = {turn.kind for turn in session.turns}
        if session.side_calls or kinds & {"assistant", "user"}:
            _join(session)
            if session.turns:
                yield session


def drop_copies(sessions: list[Session]) -> None:
    """Drop the rows that resumed and forked conversations begin with, or repeat later on."""
    originals = Originals()

    def first_known(session: Session) -> tuple[bool, bool, float, float]:
        forked = any(text(turn.row, "forkedFrom.sessionId") for turn in session.turns)
        times = [turn.time for turn in session.turns if turn.time is not None] or [0.0]
        # Sub-agents lie beside the session that started them; a copy begins no earlier.
        return forked, not session.has_folder, min(times), max(times)

    for session in sorted(sessions, key=first_known):
        threads: dict[str, list[Turn]] = {}
        for turn in session.turns:
            threads.setdefault(turn.thread, []).append(turn)
        gone = set()
        for thread in sorted(threads):
            copied = _copied_turns(originals, (session.name, thread), threads[thread])
            repeated = _repeated_turns(threads[thread][len(copied) :])
            for what, rows in (
                ("rows of another conversation that a copy of it begins with", copied),
                ("rows that a resumed conversation repeats", repeated),
            ):
                gone |= {id(turn) for turn in rows}
                if rows:
                    session.losses.add(DROPPED, rows[0].place, what, len(rows))
        session.turns = [turn for turn in session.turns if id(turn) not in gone]


def _copied_turns(originals: Originals, here: tuple[str, str], turns: list[Turn]) -> list[Turn]:
    """Return the turns of a thread that are those of another one, by their model calls."""
    said = []
    for turn in turns:
        name = text(turn.row, "message.id") if turn.kind == "assistant" else ""
        said.append((name, turn.content))
    border = originals.copied(said, here)
    copied = turns[:border]
    # What came back to the last copied calls.
    blocks = chain.from_iterable(turn.blocks("tool_use") for turn in copied)
    calls = {text(block, "id") for block in blocks}
    for turn in turns[border:]:
        if not any(text(one, "tool_use_id") in calls for one in turn.blocks("tool_result")):
            break
        copied.append(turn)
    return copied


def _repeated_turns(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns that say again, in a row, what was said in the thread before.

    Until 1.0 a resumed conversation was written once more into its file, with new ids of rows.
    """
    repeated: list[Turn] = []
    known: set[str] = set()
    asked: list[Turn] = []
    goes_on = False
    for turn in turns:
        if turn.kind == "user":
            asked.append(turn)
        if turn.kind != "assistant":
            continue
        # Asked for again, it is repeated; without that it is a further row of the call.
        goes_on = all(one.told in known for one in asked) if asked else goes_on
        goes_on &= turn.told in known and bool(text(turn.row, "message.id"))
        if goes_on:
            repeated += [*asked, turn]
        known |= {one.told for one in (*asked, turn)}
        asked = []
    return repeated


def undone_turns(turns: Sequence[Turn]) -> set[str]:
    """Return the ids of the rows that a person took back.

    A rewound conversation goes on in the same file: its next prompt follows the row that an earlier
    prompt follows, too, and all that is below that one is taken back.
    """
    rows = {name: turn for turn in turns if (name := text(turn.row, "uuid"))}
    # The row that each prompt follows.
    follows: dict[str, str] = {}
    for name, turn in rows.items():
        is_asked = turn.kind == "user" and turn.words and not turn.blocks("tool_result")
        if not is_asked or turn.thread != MAIN or turn.written_by_program:
            continue
        above = text(turn.row, "parentUuid")
        seen = set()
        # Notes of the program may lie between an answer and the next prompt.
        while above in rows and rows[above].unused and above not in seen:
            seen.add(above)
            above = text(rows[above].row, "parentUuid")
        if above in rows:
            follows[name] = above
    last = {above: name for name, above in follows.items()}
    undone: set[str] = set()
    for name, turn in rows.items():
        is_replaced = name in follows and last[follows[name]] != name
        if is_replaced or text(turn.row, "parentUuid") in undone:
            undone.add(name)
    return undone


def _join(session: Session) -> None:
    """Join the sub-agents of a session to their calls."""
    seen = set()
    kept = []
    for turn in session.turns:
        name = text(turn.row, "uuid")
        # A resumed session repeats rows.
        if name and name in seen:
            session.losses.add(DROPPED, turn.place, "a row with the uuid of an earlier one")
        else:
            seen.add(name)
            kept.append(turn)
    session.turns = kept
    session.undone = undone_turns(kept)
    for document in session.side_calls:
        _add_side_call(session, document)
    session.turns = in_time([session.turns])
    _index_calls(session)
    _join_threads(session)


def _session_name(document: RecordedFile) -> str:
    if folder := _folder_of_session(document):
        return folder
    for row in document.rows:
        if found := text(row.value, "sessionId"):
            return found
    return unnamed("session", document.path.name)


def _folder_of_session(document: RecordedFile) -> str:
    """Return the name of the session in whose folder the file of a sub-agent lies, else nothing."""
    above = document.path.parent
    return above.parent.name if above.name == "subagents" else ""


def _add_side_call(session: Session, document: RecordedFile) -> None:
    """Add the model call of the program as a step of the agent whose conversation it copies.

    The file repeats the conversation in front of the one new answer: reading it as an agent of its
    own would count every token twice.
    """
    owners = {turn.step: turn.thread for turn in session.turns if turn.kind == "assistant"}
    turns = turns_of(document, session.losses)
    copied = [turn for turn in turns if turn.kind == "assistant"]
    owner = MAIN
    for turn in copied:
        owner = owners.get(turn.step, owner)
    new = []
    for turn in copied:
        # What it copies of a conversation that is not in the input is in no trace.
        if turn.step not in owners and turn.step == copied[-1].step:
            new.append(turn)
            session.turns.append(replace(turn, thread=owner, side=True))
    if new:
        what = "a model call of the program counts as a step of the agent"
        session.losses.add(INFERRED, new[0].place, what)
    if repeated := len(document.objects) - len(new):
        what = "rows of a conversation that a model call of the program repeats"
        session.losses.add(DROPPED, document.place(document.objects[0].line), what, repeated)


def _index_calls(session: Session) -> None:
    """Note threads, and calls with their results."""
    found: dict[tuple[str, str], Call] = {}
    unique = UniqueNames()
    for turn in session.turns:
        session.threads.setdefault(turn.thread, SessionThread()).turns.append(turn)
        for block in turn.blocks("tool_use"):
            name = text(block, "id") or f"call-{len(found) + 1}"
            call = found.get((turn.thread, name))
            if call is None:
                call = Call(unique.free(name, "."), turn, block)
                session.calls[call.id] = found[turn.thread, name] = call
            call.turn, call.block = turn, block
            block["id"] = call.id
        for block in turn.blocks("tool_result"):
            name = text(block, "tool_use_id")
            call = found.get((turn.thread, name)) or session.calls.get(name)
            if call is None:
                continue
            block["tool_use_id"] = call.id
            # A resumed session repeats results; the first one is what the model read.
            if call.answer is None:
                call.answer, call.has_failed = turn, is_failure(block)
            if turn.agent:
                session.answered.setdefault(turn.agent, []).append(call)


def _join_threads(session: Session) -> None:
    """Find the call behind each sub-agent: a note names it, or its result names the agent."""
    starters: dict[str, Call] = {}
    for name, note in session.notes.items():
        call = session.calls.get(text(note, "toolUseId"))
        if call is not None and call.is_spawn:
            starters[name] = call
    for call in session.spawn_calls:
        call.goes_on = bool(call.asked("resume"))
        if call.answer is not None and call.answer.agent and not call.has_failed:
            call.goes_on |= starters.setdefault(call.answer.agent, call) is not call
    left = []
    for name, thread in session.threads.items():
        thread.kind = text(session.notes.get(name), "agentType")
        starter = starters.get(name)
        if name != MAIN and starter is not None and starter.child is None:
            starter.child, thread.starter = thread, starter
        elif name != MAIN and starter is None and not text(session.notes.get(name), "toolUseId"):
            left.append((name, thread))
    free = []
    for call in session.spawn_calls:
        is_answered = call.answer is not None and bool(call.answer.agent)
        if not (call.child or call.goes_on or call.has_failed or is_answered):
            free.append(call)
    # Two numbers of agents would be told for one.
    if len(left) == len(free) == 1 and free[0].turn.thread != left[0][0]:
        (_, thread), call = left[0], free[0]
        call.child, thread.starter = thread, call
        what = "the only sub-agent that no call names is that of the only call that names none"
        session.losses.add(INFERRED, thread.turns[0].place, what)
