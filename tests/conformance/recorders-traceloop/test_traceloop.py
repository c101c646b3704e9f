import json

import pytest
from collector import SENDER, collected, tracer_provider
from openai import OpenAI
from team import ASKING
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool, workflow


def schema(name):
    key = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
    return {"type": "function", "function": {"name": name, "parameters": key}}


@pytest.mark.parametrize("decorated", [True, False], ids=["tools are spans", "tools are not"])
def test_traceloop(play, compare, tmp_path, decorated):
    model = play(ASKING, {"ask": "ask_{}"})
    tracer_provider(model)
    Traceloop.init("team", processor=SENDER, telemetry_enabled=False)
    client = OpenAI(base_url=model.url, api_key="none")

    def lookup(key):
        return f"what {key} is"

    def person(name, *others):
        tools = {"lookup": tool("lookup")(lookup) if decorated else lookup}
        tools |= {f"ask_{other}": person(other) for other in others}

        @agent(name)
        def work(task):
            messages = [
                {"role": "system", "content": f"You are {name}."},
                {"role": "user", "content": task},
            ]
            while True:
                asked = client.chat.completions.create(
                    model="gpt", messages=messages, tools=[schema(one) for one in tools]
                )
                answer = asked.choices[0].message
                messages.append(answer.model_dump(exclude_none=True))
                if not answer.tool_calls:
                    return answer.content
                for call in answer.tool_calls:
                    found = tools[call.function.name](json.loads(call.function.arguments)["key"])
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": found})

        return work

    workflow("team")(person("lead", "scout", "closer"))("Find two facts.")
    recorder = "traceloop-sdk" if decorated else "traceloop-sdk (tools without spans)"
    compare(recorder, model, collected(model, tmp_path / "otlp.jsonl"))
