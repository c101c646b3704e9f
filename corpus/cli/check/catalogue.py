"""The error catalogue: every rule of the program, collected from the modules that declare one."""

import json
import re
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import corpus
from corpus.model.finding import WARNING, Rule, UsageProblem
from corpus.tables.cells import CellRule

_DECLARES = re.compile(r"^(?:@rule\(|\w+ = (?:Cell)?Rule\()", re.MULTILINE)
#: How a warning is accepted.
ACCEPTING = """\
To accept it: `corpus accept CODE KEY [COLUMN] --reason TEXT`, where KEY is the key of the row. It
adds a row to the table of the role "accepted", with the value and the reason.
"""


def catalogue(part: str = "") -> dict[str, Rule]:
    """Return every rule by its code, sorted by code.

    Rules are declared beside what finds them, in any module. Only those modules are imported whose
    text has `part` in it: all of them take a second.
    """
    package = Path(corpus.__file__).parent
    found: dict[str, Rule] = {}
    cells: dict[str, list[CellRule]] = {}
    for file in sorted(package.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if part in text and _DECLARES.search(text):
            name = ".".join(file.relative_to(package.parent).with_suffix("").parts)
            for value in vars(import_module(name)).values():
                # A check, and a rule about cells, has its rule with it.
                rule = getattr(value, "rule", value)
                if isinstance(rule, Rule) and found.setdefault(rule.code, rule) is not rule:
                    raise AssertionError(f"two rules are called {rule.code}")
                if isinstance(value, CellRule):
                    cells.setdefault(value.rule.code, []).append(value)
    for code, declared in cells.items():
        found[code] = replace(found[code], example=cell_example(declared))
    return dict(sorted(found.items()))


def cell_example(declared: list[CellRule]) -> str:
    """Return some cells that keep and that break a rule, one or two of each type."""
    each = 4 // len(declared) or 1
    # What is not ASCII may be drawn as something else, or as nothing.
    right = [ascii(cell) for one in declared for cell in one.right[:each]]
    wrong = [ascii(cell) for one in declared for cell in one.wrong[:each]]
    shown = f"Wrong cells: {', '.join(wrong)}."
    return f"Right cells: {', '.join(dict.fromkeys(right))}.\n{shown}" if right else shown


def explain(code: str, format_: str = "text") -> str:
    """Return the catalogue entry of a code, or of `all`, as text or JSON.

    UsageProblem with the known codes where there is none.
    """
    rules = catalogue() if code == "all" else catalogue(f'"{code.upper()}"')
    if code != "all":
        rules = {name: rule for name, rule in rules.items() if name == code.upper()}
    if not rules:
        raise UsageProblem(f"unknown rule {code}; known: {', '.join(catalogue())}")
    if format_ == "json":
        entries = [json_entry(rule) for rule in rules.values()]
        return json.dumps(entries if code == "all" else entries[0], ensure_ascii=False, indent=2)
    return "\n".join(map(entry_text, rules.values()))


def json_entry(rule: Rule) -> dict[str, Any]:
    """Return a rule as JSON has it; places in braces are filled by a finding."""
    entry = asdict(rule) | {"acceptable": is_acceptable(rule), "example": example_text(rule)}
    entry["message"] = entry.pop("template")
    return entry


def entry_text(rule: Rule) -> str:
    """Return the entry of a rule as text."""
    text = f"{rule.code}: {rule.title} ({rule.severity})\n\n{rule.reason}\n\n"
    text += f"To fix it: {remedy(rule)}.\n"
    if rule.example:
        text += f"\n{example_text(rule)}\n"
    if is_acceptable(rule):
        text += f"\n{ACCEPTING}\n"
    return text


def example_text(rule: Rule) -> str:
    """Return the example of a rule: a table, the cells changed in its rows, and what is found."""
    if not rule.example.startswith(">>> "):
        return rule.example
    text = re.sub(r"^(?:>>> broken\(|\.\.\. +)|\)$", "", rule.example, flags=re.MULTILINE)
    return f"Example, a table with other cells and what is found: {text}"


def is_acceptable(rule: Rule) -> bool:
    """Return whether a corpus may accept what a rule finds: the warnings about its tables."""
    return rule.severity == WARNING and rule.code[:2] in ("C2", "C3", "C4")


def remedy(rule: Rule) -> str:
    """Return a rule's hint for the catalogue, where no finding fills its places."""
    if rule.hint == "{advice}":
        return "the finding itself tells how"
    return re.sub(r"\{\w+\}", "…", rule.hint).rstrip(".")
