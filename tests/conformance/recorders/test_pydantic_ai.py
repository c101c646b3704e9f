import pytest
from collector import collected, tracer_provider
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from team import ASKING


def lookup(key: str) -> str:
    return f"what {key} is"


@pytest.mark.parametrize("convention", [2, 3, 4, 5])
def test_pydantic_ai(play, compare, tmp_path, convention):
    model = play([*ASKING, "lead lookup", "lead"], {"ask": "ask_{}"})
    spans = tracer_provider(model)
    recorded = InstrumentationSettings(tracer_provider=spans, version=convention)
    Agent.instrument_all(recorded)
    gpt = OpenAIChatModel("gpt", provider=OpenAIProvider(base_url=model.url, api_key="none"))

    def agent(name, *tools):
        return Agent(gpt, name=name, instructions=f"You are {name}.", tools=tools)

    scout, closer = agent("scout", lookup), agent("closer")

    async def ask_scout(prompt: str) -> str:
        return (await scout.run(prompt)).output

    async def ask_closer(prompt: str) -> str:
        return (await closer.run(prompt)).output

    lead = agent("lead", lookup, ask_scout, ask_closer)
    first = lead.run_sync("Find two facts.")
    lead.run_sync("And a third one.", message_history=first.all_messages())
    compare("pydantic-ai-slim", model, collected(model, tmp_path / "otlp.jsonl"))
