import asyncio

from collector import collected, tracer_provider
from google.adk.agents import Agent
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.genai.types import Content, Part
from team import TEAM


def lookup(key: str) -> str:
    """Look up."""
    return f"what {key} is"


def test_google_adk(play, compare, tmp_path, monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    lines = [
        *TEAM,
        "closer lookup",
        "closer",
    ]  # whom it was handed over to has the second prompt, too
    names, told = {"ask": "{}", "pass": "transfer_to_agent"}, {"pass": {"agent_name": "{}"}}
    model = play(lines, names, told)
    tracer_provider(model)

    def agent(name, *tools, **options):
        gemini = Gemini(model="gemini-2.5-flash", base_url=model.url)
        said = f"You are {name}."
        return Agent(
            name=name,
            model=gemini,
            instruction=said,
            tools=[lookup, *tools],
            description=name,
            **options,
        )

    lead = agent("lead", AgentTool(agent("scout")), sub_agents=[agent("closer")])
    runner = InMemoryRunner(lead, app_name="team")

    async def talk():
        session = await runner.session_service.create_session(app_name="team", user_id="1")
        for prompt in ("Find two facts.", "And a third one."):
            message = Content(role="user", parts=[Part(text=prompt)])
            async for event in runner.run_async(
                user_id="1", session_id=session.id, new_message=message
            ):
                assert not event.error_message, event

    asyncio.run(talk())
    compare("google-adk", model, collected(model, tmp_path / "otlp.jsonl"))
