"""A witness without any format: output tokens in raw JSON, by the names of keys alone.

It knows no roles, no copies and no sums, so it differs where a file repeats itself; each such
difference is recorded with its reason. A new one is a mistake of the reader or of the witness.
"""

import json
import re

import pytest

from tests.support.recorded_versions import SAMPLES

OUTPUT = re.compile(r"(output|completion)_?tokens?$|^(output|llm\.token_count\.completion)$", re.I)
#: Samples whose files state the tokens of a call more than once, or under other names.
REASONS = {
    "sums": "spans or results above a call repeat its tokens",
    "copies": "a file repeats a conversation, or rows of one answer",
    "names": "tokens are in an archive, in JSON inside a text, or under names of their own",
    "apart": "what a scorer or an answer from a cache spent is no part of the run",
    "beside": "reasoning comes on top of the output here",
}

# fmt: off
DIFFERENCES = {
    "claude 2.1":                   ("copies", 9),
    "otlp with genai":              ("sums", 30),
    "otlp of two instrumentations": ("sums", 30),
    "agents sdk":                   ("sums", 40),
    "genai 2026":                   ("sums", 7),
    "vercel 6":                     ("sums", 20),
    "langsmith graph":              ("sums", 10),
    "inspect 0.3.180":              ("apart", 5),
    "langfuse sdk 3":               ("names", -20),
    "mlflow 2":                     ("names", -25),
    "mlflow 3":                     ("names", -25),
    "inspect eval":                 ("names", -30),
    "langfuse 3":                   ("beside", -45),
    "gemini cli 0.16":              ("beside", -4),
}
# fmt: on


def counted(node, name=""):
    """Sum the output tokens of each object, the largest number for each id."""
    largest: dict[str, int] = {}
    waiting = [(node, name)]
    while waiting:
        one, known = waiting.pop()
        if isinstance(one, list):
            waiting += [(inner, f"{known}/{place}") for place, inner in enumerate(one)]
        elif isinstance(one, dict):
            own = next(
                (one[key] for key in ("id", "uuid", "run_id") if isinstance(one.get(key), str)), ""
            )
            own = own or next((one[key] for key in ("spanId", "spanID") if key in one), "")
            known = own or known
            stated = one.get("value")
            if isinstance(stated, dict):
                stated = next(iter(stated.values()), None)
            # Attributes are lists of keys and values, their numbers often texts.
            listed = {one["key"]: int(stated)} if str(stated).isdigit() and "key" in one else one
            if listed is not one:
                known = known.rpartition("/attributes")[0].rpartition("/tags")[0] or known
            for key, inner in listed.items():
                if OUTPUT.search(key) and isinstance(inner, int | float) and inner is not True:
                    largest[known] = max(largest.get(known, 0), int(inner))
                else:
                    waiting.append((inner, known if own else f"{known}/{key}"))
    return sum(largest.values())


def raw(sample):
    total = 0
    for file, rows in sample.files.items():
        if isinstance(rows, list):
            total += counted(json.loads(json.dumps(rows)), file)
    return total


@pytest.mark.parametrize("name", SAMPLES)
def test_output_tokens_are_those_in_the_file_or_the_difference_is_known(name):
    sample = SAMPLES[name]()
    found = raw(sample) - sample.expected.kinds.get("output", 0)
    reason, difference = DIFFERENCES.get(name, ("", 0))
    assert (found, not found or reason in REASONS) == (difference, True)
