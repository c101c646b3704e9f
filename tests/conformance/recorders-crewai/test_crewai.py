from collector import collected, tracer_provider
from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor


@tool("lookup")
def lookup(key: str) -> str:
    """Look up."""
    return f"what {key} is"


def test_crewai(play, compare, tmp_path):
    lines = ["lead lookup", "lead ask scout", "scout lookup", "scout", "lead", "closer"]
    coworker = {"task": "Find one.", "context": "none", "coworker": "{}"}
    model = play(lines, {"ask": "delegate_work_to_coworker"}, {"ask": coworker})
    for recorder in (CrewAIInstrumentor(), OpenAIInstrumentor()):
        recorder.instrument(tracer_provider=tracer_provider(model))
    gpt = LLM(model="openai/gpt-4.1", base_url=model.url, api_key="none")

    def agent(name, **options):
        return Agent(role=name, goal="facts", backstory="", llm=gpt, tools=[lookup], **options)

    lead, scout, closer = agent("lead", allow_delegation=True), agent("scout"), agent("closer")
    tasks = [
        Task(description="Find facts.", expected_output="facts", agent=one)
        for one in (lead, closer)
    ]
    Crew(agents=[lead, scout, closer], tasks=tasks).kickoff()
    compare("crewai", model, collected(model, tmp_path / "otlp.jsonl"))
