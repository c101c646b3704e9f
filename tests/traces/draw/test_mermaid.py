"""A run as Mermaid text."""

import json
import re

import pytest

from corpus.traces.draw import VIEWS, draw
from corpus.traces.draw.mermaid import escaped
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import pair, run_of


def test_the_sequence_diagram_names_every_agent_and_arrow():
    lines = draw(run_of(pair()), "mermaid", "swimlane").decode().splitlines()
    assert "    participant L0 as lead" in lines
    assert "    L0->>L1: spawn buyer - O1 O2" in lines
    assert "    L2-->>L0: return" in lines


def test_the_flow_chart_has_every_event_and_edge_once():
    chart = draw(run_of(pair()), "mermaid", "graph").decode()
    assert len(re.findall(r"^ +E\d+\[", chart, re.M)) == len(pair()["events"])
    assert len(re.findall(r"^ +E\d+ -->\|", chart, re.M)) == len(pair()["edges"])


def test_characters_that_mermaid_reads_become_codes():
    assert escaped('a"b]|`{}') == "a#34;b#93;#124;#96;#123;#125;"


@pytest.mark.parametrize("view", VIEWS)
def test_a_run_with_one_of_everything_is_written_as_it_was(view):
    golden(f"traces/{view}.mmd", draw(run_of(varied()), "mermaid", view).decode())


def test_a_name_with_its_role_is_cut_where_a_diagram_gets_too_wide():
    trace = pair()
    wide = json.dumps(trace).replace('"ann"', f'"{"n" * 45}"').replace('"buyer"', f'"{"r" * 30}"')
    text = draw(run_of(json.loads(wide)), "mermaid", "swimlane").decode()
    (line,) = re.findall(r"participant L1 as (.*)", text)
    name, role = "n" * 39 + "#8230;", "r" * 17
    assert line == f"{name} #40;{role}#8230;"
