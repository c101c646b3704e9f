"""A run as text for a terminal, and as Mermaid."""

import json
import re

from corpus.printing.grid import width
from corpus.traces.draw import draw
from corpus.traces.draw.mermaid import escaped
from tests.support.made_traces import pair, run_of


def lines_of(trace, kind="text"):
    return draw(run_of(trace), kind).decode().splitlines()


def test_text_cuts_no_fact_for_a_long_name():
    lines = lines_of({**pair(), "trace_id": "w" * 48})
    assert lines[1] == "w" * 48 + ":"
    assert lines[2].endswith("stop: implicit")


def test_no_line_takes_more_than_100_columns_where_characters_are_wide():
    wide = json.dumps(pair()).replace('"ann"', json.dumps("機" * 60))
    wide = wide.replace('"shop"', json.dumps("店" * 60)).replace('"ask"', json.dumps("問" * 15))
    assert max(map(width, lines_of(json.loads(wide)))) <= 100


def test_characters_that_mermaid_reads_become_codes():
    assert escaped('a"b]|`{}') == "a#34;b#93;#124;#96;#123;#125;"


def test_a_name_with_its_role_is_cut_where_a_diagram_gets_too_wide():
    wide = json.dumps(pair()).replace('"ann"', f'"{"n" * 45}"').replace('"buyer"', f'"{"r" * 30}"')
    (line,) = re.findall(
        r"participant L1 as (.*)", "\n".join(lines_of(json.loads(wide), "mermaid"))
    )
    name, role = "n" * 39 + "#8230;", "r" * 17
    assert line == f"{name} #40;{role}#8230;"
