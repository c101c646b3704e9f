"""A run as Mermaid text."""

import json
import re

from corpus.traces.draw import draw
from corpus.traces.draw.mermaid import escaped
from tests.support.made_traces import pair, run_of


def test_characters_that_mermaid_reads_become_codes():
    assert escaped('a"b]|`{}') == "a#34;b#93;#124;#96;#123;#125;"


def test_a_name_with_its_role_is_cut_where_a_diagram_gets_too_wide():
    trace = pair()
    wide = json.dumps(trace).replace('"ann"', f'"{"n" * 45}"').replace('"buyer"', f'"{"r" * 30}"')
    text = draw(run_of(json.loads(wide)), "mermaid", "swimlane").decode()
    (line,) = re.findall(r"participant L1 as (.*)", text)
    name, role = "n" * 39 + "#8230;", "r" * 17
    assert line == f"{name} #40;{role}#8230;"
