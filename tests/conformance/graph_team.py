"""The team as agents of LangChain in a graph, for all that record LangGraph."""

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolRuntime
from langgraph.types import Command
from team import TEAM

LINES = [*TEAM, "lead lookup", "lead"]
NAMES = {"ask": "ask_{}", "pass": "transfer_to_{}"}


@tool
def lookup(key: str) -> str:
    """Look up."""
    return f"what {key} is"


def run(model, callbacks=()):
    """Let the team work on two prompts in one thread."""
    gpt = ChatOpenAI(model="gpt", base_url=model.url, api_key="none")

    def agent(name, *tools):
        return create_agent(gpt, [lookup, *tools], system_prompt=f"You are {name}.", name=name)

    scout = agent("scout")

    @tool
    def ask_scout(task: str) -> str:
        """Ask the scout."""
        return scout.invoke({"messages": [("user", task)]})["messages"][-1].content

    @tool
    def transfer_to_closer(reason: str, runtime: ToolRuntime) -> Command:
        """Hand over to the closer."""
        answer = {"role": "tool", "content": "handed over", "tool_call_id": runtime.tool_call_id}
        update = {"messages": [runtime.state["messages"][-1], answer]}
        return Command(goto="closer", graph=Command.PARENT, update=update)

    graph = StateGraph(MessagesState)
    graph.add_node("lead", agent("lead", ask_scout, transfer_to_closer))
    graph.add_node("closer", agent("closer"))
    graph.add_edge(START, "lead")
    team = graph.compile(checkpointer=InMemorySaver(), name="team")
    config = {"configurable": {"thread_id": "1"}, "callbacks": list(callbacks)}
    for prompt in ("Find two facts.", "And a third one."):
        team.invoke({"messages": [("user", prompt)]}, config)
