"""Templates: every value is escaped for its output, and an unknown name is an error."""

import jinja2
import pytest

from corpus.printing.templates import environment

ESCAPED = [
    ("md", "*a*", r"\*a\*"),
    ("tex", "50%", r"50\%"),
    ("html", "<a>", "&lt;a&gt;"),
    ("toml", 'a "b"', r'"a \"b\""'),
]


def _template(sink):
    return "<< value >>" if sink == "tex" else "{{ value }}"


@pytest.mark.parametrize(("sink", "value", "printed"), ESCAPED)
def test_a_value_is_escaped_for_its_output(sink, value, printed):
    assert environment(sink).from_string(_template(sink)).render(value=value) == printed


def test_an_unknown_name_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        environment("md").from_string("{{ depht }}").render(depth=1)
