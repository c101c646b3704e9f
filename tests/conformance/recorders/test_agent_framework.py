import asyncio

from agent_framework import Agent
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from agent_framework.orchestrations import HandoffBuilder
from collector import collected, tracer_provider
from team import ASKING, TEAM

NAMES = {"ask": "ask_{}", "pass": "handoff_to_{}"}


def lookup(key: str) -> str:
    return f"what {key} is"


def agents(model):
    enable_instrumentation(enable_sensitive_data=True)
    tracer_provider(model)
    gpt = OpenAIChatCompletionClient(model="gpt", base_url=model.url, api_key="none")

    def agent(name, *tools):
        return Agent(
            gpt,
            f"You are {name}.",
            name=name,
            id=name,
            tools=tools,
            require_per_service_call_history_persistence=True,
        )

    scout, closer = agent("scout", lookup), agent("closer")
    asks = [one.as_tool(name=f"ask_{one.name}") for one in (scout, closer)]
    return agent("lead", lookup, *asks), closer


def test_agents_as_tools(play, compare, tmp_path):
    model = play([*ASKING, "lead lookup", "lead"], NAMES)
    lead, _ = agents(model)

    async def talk():
        session = lead.create_session()
        await lead.run("Find two facts.", session=session)
        await lead.run("And a third one.", session=session)

    asyncio.run(talk())
    compare("agent-framework-core", model, collected(model, tmp_path / "otlp.jsonl"))


def test_a_workflow_with_handoffs(play, compare, tmp_path):
    model = play(TEAM, NAMES)
    lead, closer = agents(model)
    workflow = (
        HandoffBuilder(name="team", participants=[lead, closer])
        .with_start_agent(lead)
        .add_handoff(lead, [closer])
        .build()
    )
    asyncio.run(workflow.run("Find two facts."))
    lacks = {"messages": "a hand-over has no span"}
    compare(
        "agent-framework-core (handoffs)",
        model,
        collected(model, tmp_path / "otlp.jsonl"),
        lacks=lacks,
    )
