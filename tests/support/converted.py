"""Runs of one format, converted in memory, and what a reader asks about the events that come out."""

from pathlib import Path

from corpus.traces.contents import Content, encodable
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.readers.otlp import FORMAT as OTLP
from corpus.traces.document import RecordedFile, Row
from tests.support.recorded_traces import well_formed


class Readable(Redaction):
    """Leaves contents and names as they are, for tests that ask where each of them goes."""

    def content(self, written, role, *, may_be_empty=False):
        known = super().content(written, role, may_be_empty=may_be_empty)
        return Content.of(role, written).text if known else None

    def name(self, name, kind):
        return encodable(name or kind)

    def model(self, name):
        return encodable(name)

    def token(self, token):
        return encodable(token)

    def redacted(self, conversion, files):
        return conversion


def recorded(*values, name="run.json"):
    """A file of these rows, as the reader of documents gives it."""
    rows = [Row(line, value) for line, value in enumerate(values, start=1)]
    return RecordedFile(Path(name), tuple(rows))


def converted(recorder, *values, redact=True, name="run.json"):
    """The runs in a file of these rows, each of which has to be well formed."""
    return converted_files(recorder, recorded(*values, name=name), redact=redact)


def one_run(recorder, *values, redact=True, name="run.json"):
    """The only run in a file of these rows."""
    (found,) = converted(recorder, *values, redact=redact, name=name)
    return found


def otlp_traces(*documents):
    """The traces of a file of OTLP."""
    return [one.trace for one in converted(OTLP, *documents)]


def converted_files(recorder, *files, redact=True):
    """The runs in these files together; those without events are left out after conversion."""
    found = list(recorder.convert(files, Redaction() if redact else Readable()))
    for one in found:
        if one.trace["events"]:
            well_formed(one.trace)
    return found


def shown(trace, *keys):
    """Type, agent and further keys of every event, in order; None where an event has no such key."""
    return [tuple(event.get(key) for key in ("type", "agent", *keys)) for event in trace["events"]]


def each(trace, kind, key):
    """What the events of a type have under a key, in order; None where one has no such key."""
    return [event.get(key) for event in trace["events"] if event["type"] == kind]


def stop_of(trace):
    """Why the run stopped."""
    (stop,) = [event["x_stop_reason"] for event in trace["events"] if "x_stop_reason" in event]
    return str(stop)


def lost(conversion, part):
    """Kind and count of the losses that a part of their text names."""
    return [(loss.kind, loss.count) for loss in conversion.losses if part in loss.what]


def chain(trace):
    """Every edge by the types of its two events, with its own type between them."""
    kinds = {event["id"]: event["type"] for event in trace["events"]}
    return [(kinds[edge["src"]], edge["type"], kinds[edge["dst"]]) for edge in trace["edges"]]
