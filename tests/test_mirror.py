"""A module with a decision in it has a test file of its own, in the same place below `tests/`."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Syntax that makes one call differ from another.
DECISIONS = (
    ast.If,
    ast.IfExp,
    ast.BoolOp,
    ast.For,
    ast.While,
    ast.Try,
    ast.Match,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def decides(source: str) -> bool:
    """Whether a function of a module has a branch or a loop; what only declares or passes on has none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            if any(isinstance(inner, DECISIONS) for inner in ast.walk(node)):
                return True
    return False


def mirror(module: Path) -> Path:
    """Where the tests of a module are: `corpus/model/dates.py` -> `tests/model/test_dates.py`."""
    below = module.relative_to(ROOT / "corpus")
    return ROOT / "tests" / below.with_name(f"test_{below.name}")


def test_each_module_with_logic_has_its_test_file():
    missing = []
    for module in sorted((ROOT / "corpus").rglob("*.py")):
        if module.name in ("__init__.py", "__main__.py"):
            continue
        if decides(module.read_text(encoding="utf-8")) and not mirror(module).exists():
            missing.append(mirror(module).relative_to(ROOT).as_posix())
    assert missing == []


def test_what_counts_as_logic():
    assert decides("def f(x):\n    return [y for y in x]\n")
    assert decides("class C:\n    def f(self):\n        if self: pass\n")
    assert not decides("NAMES = [name for name in 'ab']\ndef f(x):\n    return g(x, 1)\n")
