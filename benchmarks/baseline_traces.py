"""What people read traces with today: ``python baseline_traces.py TOOL FILE SCHEMA``.

`json` and `msgspec` only decode a file that is one document, `json-lines` one that has a document
per line; `jsonschema` and `jsonschema-rs` check every line against the JSON Schema and nothing
beyond it.
"""

import json
import sys
from pathlib import Path


def lines(path):
    with open(path, "rb") as handle:
        yield from handle


def main(tool, path, schema):
    if tool == "json":
        json.loads(Path(path).read_bytes())
    elif tool == "json-lines":
        for line in lines(path):
            json.loads(line)
    elif tool == "msgspec":
        import msgspec

        msgspec.json.decode(Path(path).read_bytes())
    elif tool == "jsonschema":
        import jsonschema

        validator = jsonschema.Draft202012Validator(json.loads(Path(schema).read_text()))
        assert all(not list(validator.iter_errors(json.loads(line))) for line in lines(path))
    elif tool == "jsonschema-rs":
        import jsonschema_rs

        validator = jsonschema_rs.validator_for(json.loads(Path(schema).read_text()))
        assert all(validator.is_valid(json.loads(line)) for line in lines(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
