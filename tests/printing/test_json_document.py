import json
from datetime import UTC, date, datetime, time

import pytest

from corpus.printing.json_document import json_text


def test_dates_of_a_toml_document_are_text():
    content = {
        "day": date(2026, 5, 4),
        "at": time(12, 30),
        "both": datetime(2026, 5, 4, tzinfo=UTC),
    }
    found = json.loads(json_text(content))
    assert found == {"day": "2026-05-04", "at": "12:30:00", "both": "2026-05-04 00:00:00+00:00"}


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_number_without_json_form_is_refused(number):
    with pytest.raises(ValueError):
        json_text([number])


def test_a_value_without_json_form_is_refused():
    with pytest.raises(TypeError):
        json_text({"set": {1}})
