"""Logs of the evaluation framework Inspect: one run for each sample."""

from collections import Counter
from dataclasses import replace
from typing import Any

from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
    unnamed,
)
from corpus.traces.convert.messages import words_of_task
from corpus.traces.convert.spans.dialects import TYPES, WORDS, recorded_span, usage_of_details
from corpus.traces.convert.spans.tree import Span, Tree
from corpus.traces.convert.spans.walk import SpanRecorder
from corpus.traces.convert.usage import Usage
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    iso_time,
    items,
    number,
    record,
    records,
    text,
    value,
)

_ATTACHMENT = "attachment://"
# A call is written right after its span: only the last ones are looked at.
_OPEN_TOOLS = 16
# Correct, incorrect, partial and no answer, as Inspect itself counts them.
_GRADES = {"C": 1, "I": 0, "P": 0.5, "N": 0, True: 1, False: 0}


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each sample and epoch."""
    # The log of a retry begins with the samples that were done before.
    samples: dict[str, JsonObject] = {}
    runs: list[tuple[JsonObject, str, str]] = []
    repeats: Counter[str] = Counter()
    for document in documents:
        task = ""
        for row in document.rows:
            task = task or text(row.value, "eval.task")
        for row in document.rows:
            place = document.place(row.line)
            written = records(row.value, "samples")
            if row.member.startswith("samples/"):
                written.insert(0, record(row.value))
            for sample in written:
                name = text(sample, "uuid")
                first = samples.setdefault(name, sample)
                if name and first is not sample and first == sample:
                    repeats[name] += 1
                else:
                    runs.append((sample, task, place))
    unread = []
    for sample, _, place in runs:
        if record(sample, "transcript") and not records(sample, "events"):
            unread.append(place)
    for sample, task, place in runs:
        run = _SampleRecorder(sample, task, place, redaction)
        if unread and records(sample, "events"):
            what = "a sample whose events are in a transcript, as before November 2024"
            run.missing(what, unread[0], len(unread))
            unread = []
        if times := repeats.pop(text(sample, "uuid"), 0):
            run.dropped("a sample that the log of a retry repeats", place, times)
        yield run.sample_conversion()


class _SampleRecorder(SpanRecorder):
    """One sample: its transcript as spans."""

    def __init__(self, sample: JsonObject, task: str, place: str, redaction: Redaction) -> None:
        self.sample = sample
        self.task_name = task
        self.attachments = record(sample, "attachments")
        self.trace = sample_id(sample, task, place)
        super().__init__(self.trace, "inspect", redaction, place)
        # What is known so far, by id.
        self.spans: dict[str, Span] = {}
        # Spans of tools and handoffs that no call is joined to yet.
        self.tool_spans: list[str] = []
        self.limit = text(sample, "limit.type")
        self.serial = 0

    def sample_conversion(self) -> Conversion:
        for event in records(self.sample, "events"):
            if text(event, "event") == "step" or items(event, "events"):
                self.missing("agents, or events inside of others, before Inspect 0.3.94")
            self._event(event)
        for call in list(self.spans.values()):
            agent = self.spans.get(call.target)
            if call.kind == "tool" and agent is not None and agent.kind == "agent":
                self.spans[agent.id] = replace(agent, parent=call.id)
        spans = self._settled()
        if self.limit or value(self.sample, "error"):
            # A person may end a sample as well as a limit.
            is_cut = self.limit and self.limit not in ("operator", "user_cancel")
            self.stop_reason = "truncated" if is_cut else "external"
        if self.limit:
            self.run["limit"] = self.redaction.token(self.limit)
        self.task_id = task_id(self.sample, self.task_name)
        rewards = {}
        for name, reward in sorted(scores_of(self.sample).items()):
            if reward is None:
                self.dropped("a score whose value is not a number")
                continue
            rewards[self.redaction.name(name, "score").replace(" ", "_")] = reward
        if len(rewards) == 1 and set(rewards.values()) <= {0, 1}:
            (self.metrics["task_success"],) = rewards.values()
        asked = value(self.sample, "input")
        task = str(self._resolved(asked)) if isinstance(asked, str) else ""
        for message in records(asked):
            if text(message, "role") == "user":
                task = words_of_task(self._resolved(value(message, "content")))
                break
        found = self.conversion(spans, task=task)
        found.trace["rewards"] = rewards
        return found

    def _resolved(self, content: object) -> Any:
        """Return a content; long ones are kept once, beside the transcript."""
        if isinstance(content, str) and content.startswith(_ATTACHMENT):
            return self.attachments.get(content.removeprefix(_ATTACHMENT), content)
        if isinstance(content, list):
            return list(map(self._resolved, content))
        if isinstance(content, dict):
            return {key: self._resolved(one) for key, one in content.items()}
        return content

    def _event(self, event: JsonObject) -> None:
        kind = text(event, "event")
        self.serial += 1
        here = {"id": f"{kind}-{self.serial}", "parent": text(event, "span_id")}
        time = iso_time(value(event, "timestamp"))
        match kind:
            case "span_begin":
                self._begin(text(event, "id"), text(event, "parent_id"), event)
            case "span_end" if span := self.spans.get(text(event, "id")):
                self.spans[span.id] = replace(span, end=time)
            # One that is pending has no answer yet.
            case "model" if value(event, "pending") is not True:
                model = text(event, "output.model") or text(event, "model")
                # The total tells whether a provider counts what was cached as part of the input.
                usage = usage_of_details(record(event, "output.usage"), model)
                if text(event, "cache") == "read":
                    what = "tokens of an answer that Inspect had cached: nobody spent them again"
                    self.dropped(what, count=usage.total)
                    usage = Usage(model=usage.model)
                self._keep(
                    event,
                    kind="model",
                    usage=usage,
                    asked=self._resolved(value(event, "input")),
                    answered=self._resolved(value(event, "output.choices.0.message")),
                    failed=value(event, "error") is not None,
                    contents={
                        "tool_definitions": self._resolved(value(event, "tools")),
                        "tokens": _sampling(event),
                    },
                    **here,
                )
            case "tool":
                self._tool(event, **here)
            case "approval":
                decision = text(event, "decision")
                if decision not in (*WORDS["passes"], *WORDS["refusals"]):
                    self.ambiguous(
                        "a decision of an approver that is not known, which counts as passed"
                    )
                approver, failed = text(event, "approver"), decision in WORDS["refusals"]
                self._keep(event, kind="guard", end=time, name=approver, failed=failed, **here)
            case "input":
                asked = self._resolved(value(event, "input"))
                self._keep(event, kind="human", end=time, asked=asked, **here)
            case "interrupt" if text(event, "source") == "user_cancel":
                self._keep(event, kind="interrupt", end=time, **here)
            case "sample_limit" | "interrupt":
                self.limit = self.limit or first_text(event, "type", "source")
            case _ if kind not in WORDS["silent"]:
                self.unknown("events of the unknown kind", kind, "events", role="event")

    def _keep(self, event: JsonObject, **fields: Any) -> None:
        span = recorded_span(event, "inspect", trace=self.trace, scope="inspect", **fields)
        self.spans.setdefault(span.id, span)

    def _begin(self, name: str, parent: str, event: JsonObject) -> None:
        if name and name not in self.spans:
            kind = text(event, "type")
            title = text(event, "name")
            self._keep(
                event,
                id=name,
                parent=parent,
                kind=TYPES["inspect"].get(kind, "other"),
                name=title,
                title=title,
                given={"type": kind, "inside": parent},
            )
            if kind in ("tool", "handoff"):
                self.tool_spans.append(name)

    def _tool(self, event: JsonObject, id: str, parent: str) -> None:
        # The call of a handoff names the agent that goes on in its place.
        receiver = text(event, "agent")
        target = text(event, "agent_span_id")
        # The call is written after the span in which it ran has begun; it names the span around
        # that one, in some versions the span itself.
        for name in reversed(self.tool_spans[-_OPEN_TOOLS:]):
            span = self.spans[name]
            above = text(span.given, "inside")
            around = (span.id, above, text(self.spans.get(above, span).given, "inside"))
            if span.title == text(event, "function") and parent in around:
                # The call takes the place of the span, and that goes inside.
                self.spans[span.id] = replace(span, parent=id)
                parent, target = span.parent, ""
                self.tool_spans.remove(name)
                break
        self._keep(
            event,
            id=id,
            parent=parent,
            kind="handoff" if receiver else "tool",
            target=receiver or target,
            failed=bool(value(event, "error")) or value(event, "failed") is True,
            # In the place of a result, the model gets what went wrong.
            answered=text(event, "error.message") or self._resolved(value(event, "result")),
        )

    def _settled(self) -> list[Span]:
        """Return the spans without what the scorers did: they grade the run, and are not in it.

        Each solver is an agent where the transcript has none.
        """
        tree = Tree.of(self.spans.values())
        kept = []
        graded = 0
        for span in self.spans.values():
            above = tree.nearest_above(span, "handoff", "agent", "tool")
            if span.kind == "grader":
                span = replace(span, kind="other")
            elif span.kind == "agent" and above is not None and above.kind == "handoff":
                # Who takes over is beside who handed over, and not below.
                sender = tree.agent_above(above)
                span = replace(span, parent=sender.parent if sender else "")
            elif span.kind != "other" and tree.nearest_above(span, "grader"):
                graded += 1
                span = replace(span, kind="other", usage=Usage())
            kept.append(span)
        if graded:
            self.dropped("what scorers did: model calls and tools of the grading", count=graded)
        acting = set()
        for span in kept:
            if span.kind == "agent":
                return kept
            if span.kind in ("model", "tool"):
                acting.add(span.parent)
        for place, span in enumerate(kept):
            if span.id in acting and text(span.given, "type") == "solver":
                self.inferred("a solver counts as an agent, where no agent is recorded")
                kept[place] = replace(span, kind="agent")
        return kept


def sample_id(sample: JsonObject, task: str, place: str) -> str:
    """Return the id of the run of a sample."""
    # Before the uuid, only task, sample and epoch together told samples apart.
    name = text(sample, "uuid") or f"{value(sample, 'id')}-{value(sample, 'epoch')}"
    if not name.strip("None-"):
        name = unnamed("sample", place)
    return f"{task}.{name}" if task and not text(sample, "uuid") else name


def task_id(sample: JsonObject, task: str) -> str:
    """Return what all epochs of a sample have in common: its id in its task."""
    name = value(sample, "id")
    return "" if name is None else f"{task}.{name}".strip(".")


def scores_of(sample: JsonObject) -> dict[str, float | None]:
    """Return the scores of a sample, and their parts, as numbers; None of what is none."""
    found = {}
    for scorer, score in record(sample, "scores").items():
        written = value(score, "value")
        parts = {scorer: written}
        if isinstance(written, dict):
            parts = {f"{scorer}.{part}": one for part, one in written.items()}
        for channel, one in parts.items():
            found[channel] = _GRADES.get(one) if isinstance(one, str | bool) else number(one)
    return found


def _sampling(event: JsonObject) -> JsonObject:
    """Return how an answer was sampled and why it ended, as far as that is stated."""
    config = record(event, "config")
    stated = {name: config.get(name) for name in ("temperature", "top_p", "max_tokens", "seed")}
    stated["finish_reason"] = text(event, "output.choices.0.stop_reason") or None
    return {name: one for name, one in stated.items() if one is not None}


FORMAT = RecordedFormat("inspect", convert)
