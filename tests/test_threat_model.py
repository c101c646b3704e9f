"""The threat model names a test for every input and sink, and none that does not exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent
TEXT = (ROOT.parent / "docs/threat-model.md").read_text("utf-8")
NAMED = re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)


def collected_from(file):
    """Names of the tests that pytest would collect from a file: at the top, or in a class or a state machine."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    bound = {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets
             if isinstance(target, ast.Name)}  # fmt: skip
    return {name for name in functions | bound if name.lower().startswith("test")}


def test_every_named_test_exists():
    assert len(NAMED) > 60
    assert [f"{file}::{test}" for file, test in NAMED if test not in collected_from(file)] == []


def test_every_row_names_a_test():
    rows = [
        line
        for line in TEXT.splitlines()
        if line.startswith("| ") and not line.startswith("| sink")
    ]
    assert len(rows) > 40
    assert [row for row in rows if "::" not in row.split(" | ")[-1]] == []
