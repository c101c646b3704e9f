import asyncio
import json

import pytest
from agents import Agent, Runner, SQLiteSession, function_tool, set_trace_processors
from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel
from agents.models.openai_responses import OpenAIResponsesModel
from agents.tracing.processors import BackendSpanExporter, BatchTraceProcessor
from openai import AsyncOpenAI
from team import TEAM


@function_tool
def lookup(key: str) -> str:
    return f"what {key} is"


@pytest.mark.parametrize("interface", [OpenAIChatCompletionsModel, OpenAIResponsesModel])
def test_openai_agents(play, compare, tmp_path, interface):
    lines = [
        *TEAM,
        "closer lookup",
        "closer",
    ]  # the second prompt goes to whom the first was handed over
    model = play(lines, {"ask": "ask_{}", "pass": "transfer_to_{}"})
    exporter = BackendSpanExporter(api_key="none", endpoint=f"{model.url}/traces/ingest")
    spans = BatchTraceProcessor(exporter)
    set_trace_processors([spans])
    client = AsyncOpenAI(base_url=model.url, api_key="none")

    def agent(name, **options):
        return Agent(
            name=name, instructions=f"You are {name}.", model=interface("gpt", client), **options
        )

    scout, closer = agent("scout", tools=[lookup]), agent("closer", tools=[lookup])
    lead = agent(
        "lead", tools=[lookup, scout.as_tool("ask_scout", "Ask the scout.")], handoffs=[closer]
    )
    session = SQLiteSession("session")

    async def talk():
        first = await Runner.run(lead, "Find two facts.", session=session)
        await Runner.run(first.last_agent, "And a third one.", session=session)

    asyncio.run(talk())
    spans.force_flush()
    spans.shutdown()
    recording = tmp_path / "spans.jsonl"
    items = [item for *_, body in model.collected for item in json.loads(body)["data"]]
    recording.write_text("".join(json.dumps(item) + "\n" for item in items))
    compare("openai-agents", model, recording)
