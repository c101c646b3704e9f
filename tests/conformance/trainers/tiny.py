"""A random model of a few thousand weights with a chat template, and recorded runs in its tokens."""

import json
import subprocess
import sys

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = """\
{%- if tools %}<|im_start|>tools
{% for tool in tools %}{{ tool.function.name }}{% endfor %}<|im_end|>{{ '\n' }}\
{% endif -%}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.role == 'assistant' %}{% generation %}{{ message.content }}\
{% for call in message.tool_calls or [] %}<call>{{ call.function.name }}{{ call.function.arguments | tojson }}</call>\
{% endfor %}<|im_end|>{% endgeneration %}{% else %}{{ message.content }}<|im_end|>{% endif %}{{ '\n' }}\
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}"""
TOOL = {"type": "function", "name": "f", "parameters": {"type": "object"}}


def corpus(*arguments):
    """Run `corpus trace` with these arguments."""
    command = [sys.executable, "-m", "corpus", "trace", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def tiny_tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    found = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    found.decoder = decoders.ByteLevel()
    special = ["<|im_start|>", "<|im_end|>", "<|pad|>"]
    found.add_special_tokens([AddedToken(one, normalized=False) for one in special])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=found, eos_token="<|im_end|>", pad_token="<|pad|>"
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def tiny_model(tokenizer):
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    ends = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **sizes, **heads, **ends))


def ids(tokenizer, messages, tools=None, **options):
    found = tokenizer.apply_chat_template(messages, tools=tools, tokenize=True, **options)
    return list(found["input_ids"])


def expected_mask(tokenizer, messages, tools=None):
    """Which tokens of a conversation the model wrote, found from the lengths of its beginnings."""
    mask = []
    for place, message in enumerate(messages):
        before = messages[:place]
        if message["role"] == "assistant":
            length = len(ids(tokenizer, before, tools, add_generation_prompt=True))
            mask += [0] * (length - len(mask))
            # A line end follows what was sampled.
            mask += [1] * (len(ids(tokenizer, messages[: place + 1], tools)) - length - 1) + [0]
    return mask + [0] * (len(ids(tokenizer, messages, tools)) - len(mask))


def rollouts(tokenizer, path):
    """Write two attempts at a task as NeMo Gym records them, with the tokens of the template."""
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    asked = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "What is f?"}]
    function = {"name": "f", "arguments": {"x": 1}}
    called = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }
    told = [called, {"role": "tool", "tool_call_id": "c1", "content": "7"}]
    lines = []
    for attempt, (words, reward) in enumerate((("It is 7.", 1.0), ("It is 8.", 0.0))):
        messages = [*asked, *told, {"role": "assistant", "content": words}]
        turns = []
        for place in (2, 4):
            prompt = ids(tokenizer, messages[:place], tools, add_generation_prompt=True)
            whole = ids(tokenizer, messages[: place + 1], tools)[:-1]
            answer = whole[len(prompt) :]
            logprobs = [-0.25] * len(answer)
            turns.append(
                {
                    "prompt_token_ids": prompt,
                    "generation_token_ids": answer,
                    "generation_log_probs": logprobs,
                }
            )
        call = {
            "type": "function_call",
            "call_id": "c1",
            "name": "f",
            "arguments": json.dumps({"x": 1}),
        }
        text = {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": words}],
        }
        output = [
            call | turns[0],
            {"type": "function_call_output", "call_id": "c1", "output": "7"},
            text | turns[1],
        ]
        request = {"input": asked, "tools": [TOOL], "temperature": 0.7}
        head = {"_ng_task_index": 3, "_ng_rollout_index": attempt, "reward": reward}
        lines.append(
            head
            | {"responses_create_params": request, "response": {"model": "m", "output": output}}
        )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
