"""Fixtures of the converters: recorded runs, and the way to convert them."""

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from tests.support.converted import Readable
from tests.support.recorded_traces import Recorder, well_formed


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def run():
    """Convert files, and hold every trace against what the schema says about ids, times and edges."""

    def convert(*paths, name="auto", redact=True):
        documents, _ = read_inputs(paths, name)
        conversions = list(convert_all(documents, Redaction() if redact else Readable()))
        for one in conversions:
            well_formed(one.trace)
        return conversions

    return convert
