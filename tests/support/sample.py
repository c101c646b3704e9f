"""What a made-up run is: its files, the recorder that they imitate, and what a reader counts."""

import json
from typing import Any, NamedTuple

from tests.support.recorded_traces import write_rows


class Expected(NamedTuple):
    """What the trace of a run must hold.

    `agents` are those who act, the user left out; `kinds` are the tokens by kind, those of which the
    source states the kind. The golden files have the rest.
    """

    agents: set[str]
    spawns: int
    steps: int
    tokens: int
    kinds: dict[str, int]


class Sample(NamedTuple):
    """The files of one run, the recorder version that they imitate, and what is expected.

    A file is given as rows, as its text, or as its bytes.
    """

    recorder: str
    files: dict[str, list[dict[str, Any]] | str | bytes]
    expected: Expected

    def write(self, folder):
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            elif isinstance(content, str):
                path.write_text(content, encoding="utf-8")
            elif name.endswith(".json"):
                path.write_text(json.dumps(content[0]), encoding="utf-8")
            else:
                write_rows(path, content)
        return folder
