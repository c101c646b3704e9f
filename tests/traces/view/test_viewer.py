"""The viewer as a file: what its policy allows, what it embeds, what it refuses."""

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import pytest

from corpus.model.finding import UsageProblem
from corpus.traces.contents import Content, Contents
from corpus.traces.view.run_data import BEGINNING, FLAGS, RunText, run_data
from corpus.traces.view.viewer import MOST_RUNS, viewer_page
from tests.support.made_traces import act, document, event, pair, run_of

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- <script>",
    "]]> {{ 7*7 }} {% raw %}",
    "'\"><iframe src=javascript:alert(1)>",
    "\u202egnp.exe \u2028 \u200b",
    "&lt;b&gt; &amp;",
    "שלום עליכם",
    "x" * 100_000,
]


def hostile_trace():
    """A run in which every text that a recorder takes from elsewhere tries to be code."""
    trace = pair()
    trace["trace_id"] = HOSTILE[1]
    trace["system"] = HOSTILE[2]
    trace["rewards"] = {HOSTILE[0]: 1}
    for number, text in enumerate(HOSTILE):
        member = {
            "id": f"h{number} {text}",
            "t": 6 + number,
            "type": "spawn",
            "agent": "lead",
            "to": text,
            "role": text,
            "tool": text,
            "content_ref": text,
            "x_error": {text[:50]: text},
            text[:60]: text,
        }
        trace["events"].append(member)
        trace["edges"].append({"src": "plan", "dst": member["id"], "type": "causal"})
    return trace


def source(trace, name="a.json"):
    return RunText(document(trace, name), run_of(trace))


def embedded(page):
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    return json.loads(text[1])


class Elements(HTMLParser):
    """The elements and attributes that a browser would see."""

    def __init__(self, html):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_no_text_of_a_trace_becomes_an_element():
    page = viewer_page([source(hostile_trace(), "<b>.json")])
    plain = viewer_page([source(pair())])
    tags = [tag for tag, _ in Elements(page).found]
    assert tags == [tag for tag, _ in Elements(plain).found]
    for tag, attributes in Elements(page).found:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        assert "src" not in attributes


def test_texts_arrive_as_they_are_but_visible_and_of_bounded_length():
    data = embedded(viewer_page([source(hostile_trace())]))
    names = {lane["name"] for lane in data["runs"][0]["lanes"]}
    assert HOSTILE[0] in names
    assert HOSTILE[8] in names
    assert max(len(name) for name in names) <= 40
    contents = [dict(keys).get("content_ref", "") for keys in data["runs"][0]["keys"]]
    assert "\\u202egnp.exe \\u2028 \\u200b" in contents
    assert max(len(value) for value in contents) < 5_000


def test_contents_are_shown_with_their_event_as_text_and_of_bounded_length():
    contents = Contents(io.BytesIO())
    written = [Content.of("assistant", text) for text in HOSTILE]
    for one in written:
        contents.add(one)
    trace = pair()
    event(trace, "plan")["x_contents"] = {"assistant": [one.hash for one in written[1:]]}
    event(trace, "plan")["content_ref"] = written[0].hash
    page = viewer_page([source(trace)._replace(contents=contents)])
    tags = [tag for tag, _ in Elements(page).found]
    assert tags == [tag for tag, _ in Elements(viewer_page([source(pair())])).found]
    place = [one["id"] for one in trace["events"]].index("plan")
    keys = embedded(page)["runs"][0]["keys"]
    shown = [value for key, value in keys[place] if key == "content assistant"]
    assert shown[0] == HOSTILE[0]
    assert len(shown) == len(HOSTILE)
    assert max(map(len, shown)) < 5_000
    assert "content assistant" not in str(keys[:place] + keys[place + 1 :])


def test_the_policy_allows_these_texts_and_nothing_else():
    page = viewer_page([source(pair())])
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    allowed = policy[1].replace("&#x27;", "'")
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed
    assert "require-trusted-types-for 'script'" in allowed
    for element, directive in (("script", "script-src"), ("style", "style-src")):
        wanted = set()
        for text in re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL):
            wanted.add(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())
        rule = re.search(rf"{directive} ([^;]+)", allowed)
        assert rule is not None
        assert set(re.findall(r"'sha256-([^']+)'", rule[1])) == wanted


def test_the_page_names_no_other_file_and_makes_no_markup():
    page = viewer_page([source(pair())])
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]
    assert "innerHTML" not in page
    for tag, attributes in Elements(page).found:
        assert tag != "link" or str(attributes["href"]).startswith("data:")


def test_equal_runs_give_equal_bytes():
    assert viewer_page([source(pair())]) == viewer_page([source(pair())])


def test_each_further_run_is_compared_with_the_first_but_for_ids_and_times():
    same, other, longer = pair(), pair(), pair()
    for one in same["events"]:
        one["t"] *= 2
    same["events"][3]["id"] = "asked"
    same["edges"][2]["dst"] = same["edges"][3]["src"] = "asked"
    event(other, "ask")["tool"] = "market"
    event(other, "told").update(tool="market", trusted=True)
    longer["events"].append(act("more", 9, "aggregate", "lead"))
    data = embedded(viewer_page(list(map(source, (pair(), same, other, longer)))))
    assert data["comparisons"] == [
        {"common": 8, "divergence": None},
        {"common": 3, "divergence": {"step": 4, "keys": [["tool", "shop", "market"]]}},
        {"common": 8, "divergence": {"step": 9, "keys": []}},
    ]


def test_more_runs_than_a_page_can_show_are_refused():
    with pytest.raises(UsageProblem):
        viewer_page([source(pair())] * (MOST_RUNS + 1))


def test_the_list_shows_texts_rewards_advantages_and_what_was_marked():
    trace = pair()
    contents = Contents(io.BytesIO())
    said = Content.of("assistant", "first line\nsecond " + "long " * 100)
    contents.add(said)
    event(trace, "ask").update(content_ref=said.hash, x_rewards={"team": 0.5}, x_mistake=True)
    event(trace, "plan")["x_compacted"] = True
    place = [one["id"] for one in trace["events"]].index("ask")
    found = run_data(source(trace)._replace(contents=contents, advantages={place: -1.5}))
    assert found["texts"][place].startswith("first line second long")
    assert len(found["texts"][place]) <= BEGINNING
    assert found["scores"] == {place: ["team 0.5", "advantage -1.5"]}
    assert found["flags"][place] & FLAGS["mistake"]
    assert [flag & FLAGS["compacted"] > 0 for flag in found["flags"]].count(True) == 1


def test_critical_is_a_word_only_where_it_tells_events_apart():
    chain = pair()
    assert not run_data(source({**chain, "events": chain["events"][:1], "edges": []}))[
        "tellsCritical"
    ]
