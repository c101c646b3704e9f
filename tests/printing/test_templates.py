"""Templates: every value is escaped for its output, and an unknown name is an error."""

import jinja2
import pytest

from corpus.printing.templates import environment, sandbox

ESCAPED = [
    ("md", "*a*", r"\*a\*"),
    ("tex", "50%", r"50\%"),
    ("html", "<a>", "&lt;a&gt;"),
    ("toml", 'a "b"', r'"a \"b\""'),
]


def _template(sink):
    return "<< value >>" if sink == "tex" else "{{ value }}"


@pytest.mark.parametrize("make", [environment, sandbox])
@pytest.mark.parametrize(("sink", "value", "printed"), ESCAPED)
def test_a_value_is_escaped_for_its_output(make, sink, value, printed):
    assert make(sink).from_string(_template(sink)).render(value=value) == printed


@pytest.mark.parametrize("make", [environment, sandbox])
def test_an_unknown_name_is_an_error(make):
    with pytest.raises(jinja2.UndefinedError):
        make("md").from_string("{{ depht }}").render(depth=1)


@pytest.mark.parametrize("marked", ["{{ value|safe }}", "{{ value|escape }}", "{{ value|e|safe }}"])
def test_no_filter_lets_a_value_of_an_author_pass_unescaped(marked):
    assert "*a*" not in sandbox("md").from_string(marked).render(value="*a*")
