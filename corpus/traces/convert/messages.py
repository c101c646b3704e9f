"""Messages of models as providers and frameworks spell them."""

import json
from collections.abc import Iterator
from typing import Any

from corpus.traces.lookup import JsonObject, first_text, items, parsed, record, records, text, value

# Keys that only an envelope of messages has, not the JSON that a model may answer with.
_ENVELOPE = frozenset(
    {"role", "choices", "generations", "candidates", "messages", "message", "parts"}
)
# Where the text of a message is, from the outermost envelope inwards; and that of a thought.
_INSIDE = (
    *("choices", "generations", "candidates", "messages", "output", "message", "kwargs"),
    *("parts", "content", "text"),
)
_INSIDE_THOUGHT = ("reasoning", "thinking", "summary", "content", "text")
_THOUGHTS = frozenset({"reasoning", "thinking", "thought"})
# What is an event of its own, or closed to everybody but the provider.
_LEFT_OUT = frozenset(
    {"tool_call", "tool_use", "toolCall", "function_call", "tool_call_response"}
    | {"redacted_thinking"}
)
# Parts of a message that are no texts.
_OBJECTS = frozenset(
    {"image", "image_url", "image_file", "input_image", "audio", "audio_url", "input_audio"}
    | {"video", "video_url", "file", "input_file", "document", "media", "blob", "uri"}
)
_OBJECT_KEYS = frozenset({"inlineData", "inline_data", "fileData", "file_data"})
OBJECT = "\ufffc"
"""What Unicode has in a text in the place of an object, such as a picture."""


def words_of(written: object, for_object: str = "") -> tuple[Any, str]:
    """Return what a model wrote and what it thought before, of one or several messages.

    What has other parts than texts, such as a picture, stays as it is; pictures, sounds and files
    become `for_object` where there is one.

    Examples
    --------
    >>> words_of([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "tea"}])
    ('tea', 'hm')
    >>> words_of('{"tea": 2}'), words_of([{"type": "image"}])
    (('{"tea": 2}', ''), ([{'type': 'image'}], ''))
    >>> words_of([{"type": "text", "text": ""}])
    ('', '')
    >>> words_of([{"type": "text", "text": "see"}, {"type": "image"}], for_object="(picture)")
    ('see\\n(picture)', '')
    """
    message = written
    if isinstance(written, str):
        message = parsed(written)
        first = message[0] if isinstance(message, list) and message else message
        is_parts = isinstance(message, list) and text(first, "type") == "text"
        if not is_parts and not record(first).keys() & _ENVELOPE:
            return written, ""
    texts: list[str] = []
    thoughts: list[str] = []
    waiting: list[tuple[Any, list[str]]] = [(message, texts)]
    while waiting:
        node, into = waiting.pop()
        if isinstance(node, str):
            into.append(node)
        elif isinstance(node, list):
            waiting += [(one, into) for one in reversed(node)]
        elif isinstance(node, dict) and (
            text(node, "type") in _OBJECTS or node.keys() & _OBJECT_KEYS
        ):
            if not for_object:
                return written, "\n".join(thoughts)
            into.append(for_object)
        elif isinstance(node, dict) and text(node, "type") not in _LEFT_OUT:
            is_thought = text(node, "type") in _THOUGHTS or node.get("thought") is True
            if is_thought:
                into = thoughts
            elif beside := first_text(node, "reasoning_content", "reasoning"):
                thoughts.append(beside)
            keys = _INSIDE_THOUGHT if is_thought else _INSIDE
            inner: Any = next((node[key] for key in keys if node.get(key)), [])
            if not inner and not node.keys() & {"tool_calls", "role", "text"} and not is_thought:
                return written, "\n".join(thoughts)
            waiting.append((inner, into))
    return "\n".join(texts), "\n".join(thoughts)


def given(request: object) -> JsonObject:
    """Return what a model was given, by role: the messages, and what is beside them.

    Examples
    --------
    >>> given({"messages": [{"role": "system", "content": "be kind"}], "tools": [{"name": "shop"}]})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'messages': [{'role': 'system', 'content': 'be kind'}],
     'system': 'be kind', 'tool_definitions': [{'name': 'shop'}]}
    """
    request = parsed(request)
    messages = request
    if isinstance(request, dict):
        keys = ("messages", "prompts", "prompt", "input")
        messages = next((request[key] for key in keys if request.get(key)), request)
    # LangChain wraps the messages of each of several requests in a list.
    if isinstance(value(messages, 0), list):
        messages = value(messages, 0)
    system = value(request, "system")
    for message in items(messages):
        kwargs = record(message, "kwargs")
        role = first_text(message, "role", "type") or first_text(kwargs, "role", "type")
        if role in ("system", "developer") and not system:
            system, _ = words_of(message)
    return {"messages": messages, "system": system, "tool_definitions": value(request, "tools")}


_ROLES = {"toolResult": "tool", "human": "user", "ai": "assistant", "model": "assistant"}
CALLS = frozenset(
    {"tool_use", "toolCall", "tool_call", "tool-call", "function_call", "custom_tool_call"}
)
# Around a call that has no type: of Gemini, of the first interface of OpenAI, of Bedrock.
_AROUND_CALL = ("functionCall", "function_call", "toolUse")
_ARGUMENTS = ("arguments", "args", "input")
_NAMES_OF_CALL = ("call_id", "toolCallId", "toolUseId", "id")
_NAMES_OF_ANSWER = ("tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "call_id")
OUTPUTS = ("content", "output", "result", "response")


def call_of(written: JsonObject) -> JsonObject:
    """Return a call in one spelling.

    Examples
    --------
    >>> call_of({"function": {"name": "search", "arguments": "{}"}, "id": "c"})
    {'id': 'c', 'name': 'search', 'arguments': '{}'}
    """
    asked = record(written, "function") or written
    arguments = [asked[key] for key in _ARGUMENTS if key in asked]
    return {
        "id": first_text(written, *_NAMES_OF_CALL),
        "name": first_text(asked, "name", "toolName", "function"),
        "arguments": arguments[0] if arguments else None,
    }


def _objects(written: object) -> Iterator[tuple[JsonObject, list[Any]]]:
    """Yield each object of an answer or a request, and a list to clear where it is read whole."""
    waiting = [parsed(written)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += reversed(node)
        elif isinstance(node, dict):
            inside = list(node.values())
            yield node, inside
            waiting += reversed(inside)


def calls_in(answer: object) -> list[JsonObject]:
    """Return the tools that a model asks for, whatever is around them in its answer.

    Examples
    --------
    >>> calls_in([{"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]}])
    [{'id': '', 'name': 'search', 'arguments': {}}]
    """
    found: list[JsonObject] = []
    for node, inside in _objects(answer):
        calls = records(node, "tool_calls")
        # The Vercel AI SDK lists calls without a type.
        kind = text(node, "type") or ("tool-call" if "toolCallId" in node else "")
        if kind in CALLS:
            calls = [node]
        # What is beside a list of calls tells them once more.
        calls = calls or [record(node, key) for key in _AROUND_CALL if record(node, key)]
        if calls:
            inside.clear()
        found += map(call_of, calls)
    return found


def results_in(request: object) -> dict[str, Any]:
    """Return what tools answered, by the id of the call, as far as a request repeats it.

    Examples
    --------
    >>> results_in([{"role": "tool", "tool_call_id": "c", "content": "1894"}])
    {'c': '1894'}
    """
    found: dict[str, Any] = {}
    for node, _ in _objects(request):
        name = first_text(node, *_NAMES_OF_ANSWER)
        if text(node, "type") == "tool_call_response":
            name = text(node, "id")
        outputs = [node[key] for key in OUTPUTS if key in node]
        if name and outputs:
            found[name] = outputs[0]
    return found


def chat_messages(written: object) -> list[JsonObject]:
    """Return messages in one spelling: calls in ``tool_calls``, each result as one of its own.

    Examples
    --------
    >>> call = {"type": "toolCall", "id": "c", "name": "search", "arguments": {}}
    >>> result = {"type": "tool_result", "tool_use_id": "c", "content": "1894"}
    >>> for one in chat_messages([{"role": "assistant", "content": [call]},
    ...                           {"role": "user", "content": [result]}]):
    ...     print(one["role"], one.get("tool_calls"), one.get("tool_call_id"))
    assistant [{'id': 'c', 'name': 'search', 'arguments': {}}] None
    tool None c
    """
    found: list[JsonObject] = []
    for message in records(written):
        calls = items(message, "tool_calls")
        if any(isinstance(call, str) for call in calls):
            # verifiers writes each call as JSON in a text.
            message = {**message, "tool_calls": list(map(parsed, calls))}
        role = text(message, "role")
        one = {**message, "role": _ROLES.get(role, role)} if role else message
        calls, others = [], []
        for block in records(message, "content"):
            kind = text(block, "type")
            if kind in CALLS:
                calls.append(call_of(block))
            elif kind == "tool_result":
                answer = {"role": "tool", "tool_call_id": text(block, "tool_use_id")}
                failed = value(block, "is_error") is True
                found.append({**answer, "content": block.get("content"), "isError": failed})
            else:
                others.append(block)
        if calls:
            one = {**one, "tool_calls": [*records(message, "tool_calls"), *calls]}
        if others or not isinstance(message.get("content"), list) or calls:
            found.append(one)
    return found


def words_of_task(content: object) -> str:
    """Return what a run was asked to do as one text, the same for the same words.

    Parts that are no texts count as they are, whatever the order of their keys.

    Examples
    --------
    >>> words_of_task([{"type": "text", "text": "tea"}]), words_of_task([{"b": 1, "a": 2}])
    ('tea', '[{"a": 2, "b": 1}]')
    """
    if isinstance(content, str):
        return content
    words, _ = words_of(content)
    return words if isinstance(words, str) else json.dumps(words, sort_keys=True)
