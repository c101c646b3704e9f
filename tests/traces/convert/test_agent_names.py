"""Names of agents: each its own, whatever the source calls them."""

from __future__ import annotations

from corpus.traces.convert.agent_names import USER, AgentNames, numbered
from corpus.traces.convert.redaction import Redaction


def test_no_two_agents_have_one_name() -> None:
    names = AgentNames(Redaction())
    wanted = ["critic", "critic#2", "critic", "critic#2", "", "agent"]
    given = [names.unique(one) for one in wanted]
    assert given == ["critic", "critic#2", "critic#3", "critic#2#2", "agent", "agent#2"]


def test_a_rank_passes_over_a_name_that_is_taken() -> None:
    names = AgentNames(Redaction())
    assert names.unique("worker-2") == "worker-2"
    assert [names.ranked("worker") for _ in range(3)] == ["worker-1", "worker-3", "worker-4"]


def test_an_agent_that_is_called_user_does_not_act_as_the_people_of_the_run() -> None:
    assert AgentNames(Redaction()).unique(USER) == "user#2"


def test_what_may_be_something_else_than_a_name_is_hashed() -> None:
    names = AgentNames(Redaction())
    hidden = names.unique("/home/ada")
    assert hidden == Redaction().name("/home/ada", "agent") != "/home/ada"
    assert names.unique("/home/ada") == f"{hidden}#2"
    assert AgentNames(Redaction(active=False)).ranked("/home/ada") == "/home/ada-1"


def test_the_first_of_a_name_has_no_number() -> None:
    assert (numbered("a", 1), numbered("a", 2)) == ("a", "a#2")
