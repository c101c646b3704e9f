"""The tree of the spans of a run: parents, times, and what counts once."""

from dataclasses import replace

import pytest

from corpus.traces.convert.spans.tree import Span, Tree, runs, without_repeats
from corpus.traces.convert.usage import Usage
from tests.support.converted import otlp_traces
from tests.support.made_up_spans import span
from tests.support.recorded_samples import otel_span


def ids(spans):
    return [one.id for one in spans]  # type: ignore[attr-defined]


def test_the_first_of_two_spans_with_one_id_is_kept_and_none_without():
    spans = [
        span("a", "tool", 1),
        span("a", "tool", 2),
        span("", "tool"),
        span("b", "tool", 0, 9, ""),
    ]
    tree = Tree.of(spans)
    assert {name: one.start for name, one in tree.spans.items()} == {"a": 1, "b": 0}


@pytest.mark.parametrize(
    "parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a", "d": "b"}]
)
def test_a_circle_of_parents_is_cut_once_and_loses_no_span(parents):
    tree = Tree.of([span(name, "tool", 0, 9, parent) for name, parent in parents.items()])
    assert tree.depth.keys() == parents.keys()
    kept = {one.id: one.parent for one in tree.spans.values()}
    assert sum(kept[name] != parents[name] for name in parents) == 1


def test_links_join_runs_and_the_first_start_comes_first():
    traces = {"a": 5, "b": 3, "c": 1, "d": 4}
    spans = [span(name, "tool", start, trace=name) for name, start in traces.items()]
    assert [ids(one) for one in runs(spans)] == [["c"], ["b"], ["d"], ["a"]]
    links = {"a": ("d",), "d": ("elsewhere", ""), "": ("c",)}
    linked = [replace(one, linked=links.get(one.trace, ())) for one in spans]
    third = span("e", "tool", 6, trace="b", linked=("elsewhere",))
    joined = runs([*linked, third, span("f", "tool", 7, trace="", linked=("c",))])
    assert [ids(one) for one in joined] == [["c"], ["a", "b", "d", "e"], ["f"]]


def test_questions_to_the_tree_are_answered_for_every_depth():
    """Deeper than any recursion; and each answer is looked up, or this would take minutes."""
    depth = 3000
    chain = [span(f"o{n}", "other", 0, 9, f"o{n - 1}" if n else "") for n in range(depth)]
    chain[0] = span("o0", "agent")
    leaves = [span(f"t{n}", "tool", 1, 2, f"o{depth - 1}") for n in range(depth)]
    tree = Tree.of([*chain, *leaves])
    assert {tree.roots[leaf.id].id for leaf in leaves} == {"o0"}
    agents = [tree.agent_above(leaf) for leaf in leaves]
    assert agents == [chain[0]] * depth
    assert sum(tree.count_below(one, "tool") > 0 for one in chain) == depth
    counts = (tree.count_below(chain[0]), tree.count_below(chain[0], "tool"))
    assert counts == (2 * depth - 1, depth)
    assert tree.nearest_above(leaves[0], "tool", "other") == chain[-1]


def left(*spans):
    """Kind of every span after repetitions were removed."""
    return {one.id: one.kind for one in without_repeats(Tree.of(spans)).spans.values()}


def call(identity, start, end, scope, /, **more):
    return span(identity, "tool", start, end, "lead", **{"name": "web", "scope": scope, **more})


LEAD = span("lead", "agent", 0, 20)


def test_calls_that_differ_stay_two():
    one = call("one", 1, 5, "a", call="c1")
    pairs = [
        call("two", 2, 4, "a"),
        call("two", 2, 4, "b", call="c2"),
        call("two", 2, 4, "b", name="fetch"),
        # Not inside the other one, so it is another call.
        call("two", 2, 5.1, "b"),
        call("two", 6, 7, "b"),
    ]
    for two in pairs:
        assert left(LEAD, one, two) == {"lead": "agent", "one": "tool", "two": "tool"}, two


def test_ids_of_calls_decide_before_their_names():
    found = left(
        LEAD, call("one", 1, 5, "a", call="c1"), call("two", 2, 4, "b", call="c1", name="w")
    )
    assert found["two"] == "other"


def test_the_closest_of_several_calls_is_the_same():
    wide, close = call("wide", 1, 9, "a"), call("close", 2, 6, "a")
    found = left(LEAD, wide, close, call("in", 2.1, 5.9, "b"))
    assert found == {"lead": "agent", "wide": "tool", "close": "tool", "in": "other"}
    tree = without_repeats(Tree.of([LEAD, wide, close, call("in", 2.1, 5.9, "b")]))
    assert tree.spans["in"].parent == "close"


def test_a_tool_inside_another_agent_is_no_repetition():
    inner = span("in", "tool", 3, 4, "helper", name="web", scope="b")
    found = left(LEAD, call("out", 1, 9, "a"), span("helper", "agent", 2, 8, "out"), inner)
    assert found["in"] == "tool"


def model(
    name: str, start: float, end: float, scope: str, tokens: int, parent: str = "lead"
) -> Span:
    usage = Usage(input=tokens, model="m" if tokens else "")
    return span(name, "model", start, end, parent, scope=scope, usage=usage)


def spent(*spans):
    tree = without_repeats(Tree.of(spans))
    return {one.id: (one.kind, one.tokens) for one in tree.spans.values() if one.id != "lead"}


def test_a_model_call_keeps_the_tokens_of_whichever_span_has_them():
    inside = spent(LEAD, model("out", 1, 5, "a", 7), model("in", 2, 4, "b", 0))
    assert inside == {"out": ("other", 7), "in": ("model", 7)}
    both = spent(LEAD, model("out", 1, 5, "a", 7), model("in", 2, 4, "b", 7))
    assert both == {"out": ("other", 7), "in": ("model", 7)}
    neither = spent(LEAD, model("out", 1, 5, "a", 0), model("in", 2, 4, "b", 0))
    assert neither == {"out": ("other", 0), "in": ("model", 0)}


def test_model_calls_of_other_counts_are_two_unless_one_is_inside_the_other():
    beside = spent(LEAD, model("one", 1, 5, "a", 7), model("two", 2, 4, "b", 8))
    assert beside == {"one": ("model", 7), "two": ("model", 8)}
    nested = spent(LEAD, model("one", 1, 5, "a", 7), model("two", 2, 4, "b", 8, "one"))
    assert nested == {"one": ("other", 7), "two": ("model", 8)}


def test_of_several_model_calls_inside_one_the_first_gets_its_tokens_and_model():
    spans = [
        LEAD,
        model("out", 1, 9, "a", 7),
        model("late", 4, 5, "a", 0, "out"),
        model("x", 2, 3, "a", 0, "out"),
    ]
    assert spent(*spans) == {"out": ("other", 7), "late": ("model", 0), "x": ("model", 7)}
    assert without_repeats(Tree.of(spans)).spans["x"].usage.model == "m"


def client_beside(**usage):
    """An agent with its model calls, and the same calls by the client, beside the agent."""
    agent = {"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": "lead"}
    chat = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}
    llm = {"openinference__span__kind": "LLM", "llm__model_name": "m-2026"}
    framework = [otel_span("app", 0, 30), otel_span("lead", 1, 29, "app", **agent)]
    client = []
    for number in (1, 2, 3):
        start = 8 * number - 5
        counts = {"gen_ai__usage__input_tokens": number}
        framework.append(otel_span(f"c{number}", start, start + 5, "lead", **chat, **counts))
        known = {"llm__token_count__prompt": usage.get(f"c{number}", number)}
        client.append(otel_span(f"l{number}", start + 1, start + 6, "app", **llm, **known))
    scopes = [
        {"scope": {"name": "a"}, "spans": framework},
        {"scope": {"name": "b"}, "spans": client},
    ]
    return {"resourceSpans": [{"scopeSpans": scopes}]}


def test_calls_that_a_client_records_beside_the_agent_are_those_of_the_agent():
    (trace,) = otlp_traces(client_beside())
    assert (trace["metrics"]["corpus.steps"], trace["costs"]["tokens"]) == (3, 6)
    assert {event["agent"] for event in trace["events"]} == {"lead"}


def test_a_call_of_a_client_with_another_usage_is_another_call():
    (trace,) = otlp_traces(client_beside(c2=50))
    assert (trace["metrics"]["corpus.steps"], trace["costs"]["tokens"]) == (4, 56)
