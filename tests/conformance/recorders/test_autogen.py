import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.base import Handoff
from autogen_agentchat.conditions import TextMessageTermination
from autogen_agentchat.teams import Swarm
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "family": "unknown",
}
#: Nobody is asked in a swarm: the scout hands back.
SWARM = [
    "lead lookup",
    "lead pass scout",
    "scout lookup",
    "scout pass lead",
    "lead pass closer",
    "closer",
]


async def lookup(key: str) -> str:
    return f"what {key} is"


async def swarm(model):
    gpt = OpenAIChatCompletionClient(
        model="gpt", base_url=model.url, api_key="none", model_info=INFO
    )

    def agent(name, *handoffs):
        passing = [Handoff(target=one) for one in handoffs]
        told = f"You are {name}."
        return AssistantAgent(
            name, gpt, tools=[lookup], handoffs=passing, system_message=told, max_tool_iterations=1
        )

    team = [agent("lead", "scout", "closer"), agent("scout", "lead"), agent("closer")]
    return Swarm(team, termination_condition=TextMessageTermination("closer"))


LACKS = {"tokens": "cached and reasoning tokens are not in the usage"}


def test_task_result(play, compare, tmp_path):
    model = play(SWARM, {"pass": "transfer_to_{}"})

    async def talk():
        return await (await swarm(model)).run(task="Find two facts.")

    recording = tmp_path / "result.json"
    recording.write_text(asyncio.run(talk()).model_dump_json())
    compare("autogen-agentchat", model, recording, lacks=LACKS)
