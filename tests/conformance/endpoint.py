"""A model on the loopback interface: plays a script in the words of each provider, and collects what is sent to it."""

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Who asks is told by the first of these in a request; a request without it is none of the script's (a title, a summary).
AGENT = re.compile(rb"You are (lead|scout|closer)\b")
#: A request for a summary of the context (of Claude Code, Codex, Gemini CLI) is none of the script's either.
SUMMARY = re.compile(
    rb"followed by a <summary> block|CONTEXT CHECKPOINT COMPACTION|<state_snapshot>"
)


class Endpoint(ThreadingHTTPServer):
    """Answer as a script says, one turn for each request; whatever no provider answers is kept in `collected`."""

    daemon_threads = True

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), Answer)
        self.script = script
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.collected = []
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Answer(BaseHTTPRequestHandler):
    """One request to the model, or to the collector."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send({"data": [], "models": []})

    def do_POST(self):
        body = self.body()
        speak = next((speak for path, speak in PROVIDERS if re.search(path, self.path)), None)
        if speak is None:
            self.server.collected.append((self.command, self.path, dict(self.headers), body))
            self.send({})
            return
        self.server.requests.append((self.path, body))
        request = json.loads(body)
        agent = None if SUMMARY.search(body) else AGENT.search(body)
        try:
            said = self.server.script.play(agent[1].decode(), request) if agent else Said()
        except LookupError as error:
            self.send({"error": {"type": "invalid_request_error", "message": str(error)}}, 400)
            return
        whole, events = speak(request, said)
        if request.get("stream") or "stream" in self.path:
            self.send_events(events)
        else:
            self.send(whole)

    do_PATCH = do_PUT = do_POST

    def body(self):
        """Return the body of a request; one of unknown length comes in chunks."""
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def send(self, value, status=200):
        self.reply("application/json", json.dumps(value), status)

    def send_events(self, events):
        lines = []
        for event in events:
            kind = event.get("type") if isinstance(event, dict) else None
            lines += [f"event: {kind}"] if kind else []
            lines += [f"data: {event if isinstance(event, str) else json.dumps(event)}", ""]
        self.reply("text/event-stream", "\n".join([*lines, ""]))

    def reply(self, kind, text, status=200):
        content = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Write nothing."""


class Said:
    """What a model says in one turn: a text, or the call of a tool; and its tokens."""

    def __init__(self, number=0, text="<summary>ok</summary>", tool="", arguments=None, usage=None):
        self.id = f"{number:03d}"
        self.text = "" if tool else text
        self.tool = tool
        self.arguments = arguments or {}
        self.written = json.dumps(self.arguments)
        self.input, self.cached, self.output, self.reasoning = usage or (0, 0, 0, 0)


def chat(request, said):
    """Chat completions of OpenAI."""
    message = {"role": "assistant", "content": said.text or None}
    if said.tool:
        function = {"name": said.tool, "arguments": said.written}
        message["tool_calls"] = [
            {"index": 0, "id": f"call_{said.id}", "type": "function", "function": function}
        ]
    usage = {
        "prompt_tokens": said.input + said.cached,
        "completion_tokens": said.output,
        "total_tokens": said.input + said.cached + said.output,
        "prompt_tokens_details": {"cached_tokens": said.cached},
        "completion_tokens_details": {"reasoning_tokens": said.reasoning},
    }
    end = "tool_calls" if said.tool else "stop"
    base = {"id": f"chatcmpl-{said.id}", "created": int(time.time()), "model": request["model"]}
    choice = {"index": 0, "finish_reason": end, "logprobs": None}
    whole = base | {
        "object": "chat.completion",
        "choices": [choice | {"message": message}],
        "usage": usage,
    }
    part = base | {"object": "chat.completion.chunk"}
    events = [
        part | {"choices": [choice | {"delta": message}]},
        part | {"choices": [], "usage": usage},
        "[DONE]",
    ]
    return whole, events


def responses(request, said):
    """Responses of OpenAI."""
    content = [{"type": "output_text", "text": said.text, "annotations": []}]
    item = {
        "type": "message",
        "id": f"msg_{said.id}",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }
    if said.tool:
        item = {
            "type": "function_call",
            "id": f"fc_{said.id}",
            "call_id": f"call_{said.id}",
            "status": "completed",
        }
        item |= {"name": said.tool, "arguments": said.written}
        for group in request["tools"]:  # Codex has tools in groups
            if said.tool in [tool["name"] for tool in group.get("tools", [])]:
                item["namespace"] = group["name"]
    whole = {
        "id": f"resp_{said.id}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": request["model"],
        "output": [item],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": said.input + said.cached,
            "input_tokens_details": {"cached_tokens": said.cached},
            "output_tokens": said.output,
            "output_tokens_details": {"reasoning_tokens": said.reasoning},
            "total_tokens": said.input + said.cached + said.output,
        },
    }
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    events = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return whole, [event | {"sequence_number": place} for place, event in enumerate(events)]


def messages(request, said):
    """Messages of Anthropic, which count what was thought as output."""
    block, delta = {"type": "text", "text": said.text}, {"type": "text_delta", "text": said.text}
    empty = {"type": "text", "text": ""}
    if said.tool:
        empty = {"type": "tool_use", "id": f"toolu_{said.id}", "name": said.tool, "input": {}}
        block, delta = (
            empty | {"input": said.arguments},
            {"type": "input_json_delta", "partial_json": said.written},
        )
    went_in = {
        "input_tokens": said.input,
        "cache_read_input_tokens": said.cached,
        "cache_creation_input_tokens": 0,
    }
    usage = went_in | {"output_tokens": said.output}
    end = {"stop_reason": "tool_use" if said.tool else "end_turn", "stop_sequence": None}
    whole = {
        "id": f"msg_{said.id}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
    }
    begun = whole | {
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": went_in | {"output_tokens": 1},
    }
    events = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": usage},
        {"type": "message_stop"},
    ]
    return whole | {"content": [block], "usage": usage} | end, events


def generate(_, said):
    """Contents of Gemini, which count what was thought beside what was answered."""
    part = (
        {"functionCall": {"name": said.tool, "args": said.arguments}}
        if said.tool
        else {"text": said.text}
    )
    usage = {
        "promptTokenCount": said.input + said.cached,
        "cachedContentTokenCount": said.cached,
        "candidatesTokenCount": said.output - said.reasoning,
        "thoughtsTokenCount": said.reasoning,
        "totalTokenCount": said.input + said.cached + said.output,
    }
    candidate = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}
    whole = {"candidates": [candidate], "usageMetadata": usage, "responseId": said.id}
    return whole, [whole]


#: What the path of a request ends with, and who answers it.
PROVIDERS = [
    (r"/chat/completions$", chat),
    (r"/responses$", responses),
    (r"/messages(\?|$)", messages),
    (r":(g|streamG)enerateContent", generate),
]
