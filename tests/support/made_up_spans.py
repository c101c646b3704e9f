"""Spans made up for tests, as converters hand them to what all formats of spans share."""

from corpus.traces.convert.spans.tree import Span


def span(identity, kind, start=0.0, end=9.0, parent="", /, **more):
    """A span whose id is also the name of its agent or tool, unless `more` tells otherwise."""
    given = {"trace": "t", "name": identity, "title": identity, **more}
    return Span(id=identity, parent=parent, start=start, end=end, kind=kind, **given)
