import pytest
from inspect_ai import Task, eval
from inspect_ai.agent import as_solver, as_tool, handoff, react
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.tool import tool
from team import TEAM


@tool
def lookup():
    async def execute(key: str) -> str:
        """Look up.

        Args:
            key: What to look up.
        """
        return f"what {key} is"

    return execute


def agent(name, *tools):
    return react(
        name=name,
        description=name,
        prompt=f"You are {name}.",
        tools=[lookup(), *tools],
        submit=False,
    )


@pytest.mark.parametrize("form", ["eval", "json"])
def test_two_samples(play, compare, tmp_path, form):
    model = play(TEAM * 2, {"ask": "{}", "pass": "transfer_to_{}"})
    gpt = get_model("openai-api/fake/gpt", base_url=model.url, api_key="none", memoize=False)
    lead = agent("lead", as_tool(agent("scout")), handoff(agent("closer")))
    task = Task([Sample("Find two facts."), Sample("Find others.")], solver=as_solver(lead))
    log = eval(task, gpt, log_dir=str(tmp_path), log_format=form, max_samples=1, display="none")[0]
    assert log.status == "success", log.error
    compare(f"inspect-ai (.{form})", model, log.location)
