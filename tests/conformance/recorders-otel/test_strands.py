from collector import collected, tracer_provider
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.multiagent import Swarm
from strands.session import FileSessionManager
from team import ASKING, KINDS


@tool
def lookup(key: str) -> str:
    """Look up."""
    return f"what {key} is"


def agent(model, name, *tools, **options):
    gpt = OpenAIModel(client_args={"base_url": model.url, "api_key": "none"}, model_id="gpt")
    said = f"You are {name}."
    return Agent(
        gpt,
        tools=[lookup, *tools],
        system_prompt=said,
        name=name,
        agent_id=name,
        callback_handler=None,
        **options,
    )


def test_agents_as_tools_with_a_session(play, compare, tmp_path):
    model = play([*ASKING, "lead lookup", "lead"], {"ask": "ask_{}"})
    tracer_provider(model)
    scout, closer = agent(model, "scout"), agent(model, "closer")

    def asking(helper):
        @tool(name=f"ask_{helper.name}")
        def ask(task: str) -> str:
            """Ask a helper."""
            return str(helper(task))

        return ask

    for prompt in (
        "Find two facts.",
        "And a third one.",
    ):  # the second one goes on with the stored session
        session = FileSessionManager(session_id="1", storage_dir=str(tmp_path))
        agent(model, "lead", asking(scout), asking(closer), session_manager=session)(prompt)
    compare("strands-agents", model, collected(model, tmp_path / "otlp.jsonl"), kinds=KINDS[:3])


def test_swarm(play, compare, tmp_path):
    lines = ["lead lookup", "lead pass scout", "lead"]
    lines += ["scout lookup", "scout pass closer", "scout", "closer"]
    model = play(
        lines, {"pass": "handoff_to_agent"}, {"pass": {"agent_name": "{}", "message": "go on"}}
    )
    tracer_provider(model)
    swarm = Swarm([agent(model, name) for name in ("lead", "scout", "closer")])
    swarm("Find two facts.")
    recording = collected(model, tmp_path / "otlp.jsonl")
    compare("strands-agents (swarm)", model, recording, kinds=KINDS[:3])
