"""The error catalogue: every rule of the program, collected from the modules that declare one."""

import json
import re
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import corpus
from corpus.model.finding import WARNING, Rule, UsageProblem

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
    for file in sorted(package.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if part in text and _DECLARES.search(text):
            name = ".".join(file.relative_to(package.parent).with_suffix("").parts)
            for value in vars(import_module(name)).values():
                # A check, and a rule about cells, has its rule with it.
                rule = getattr(value, "rule", value)
                if isinstance(rule, Rule) and found.setdefault(rule.code, rule) is not rule:
                    raise AssertionError(f"two rules are called {rule.code}")
    return dict(sorted(found.items()))


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
        entries = []
        for rule in rules.values():
            words = {"acceptable": is_acceptable(rule), "example": example_text(rule)}
            entries.append({**asdict(rule), "message": rule.template, **words})
            del entries[-1]["template"]
        return json.dumps(entries if code == "all" else entries[0], ensure_ascii=False, indent=2)
    return "\n".join(map(entry_text, rules.values()))


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
    """Return the example of a rule, if it has one: a table, changed cells, what is found."""
    text = re.sub(r"^(?:>>> broken\(|\.\.\. +)|\)$", "", rule.example, flags=re.MULTILINE)
    return text and f"Example, a table with other cells and what is found: {text}"


def is_acceptable(rule: Rule) -> bool:
    """Return whether a corpus may accept what a rule finds: the warnings about its tables."""
    return rule.severity == WARNING and rule.code[:2] in ("C2", "C3", "C4")


def remedy(rule: Rule) -> str:
    """Return a rule's hint for the catalogue, where no finding fills its places."""
    if rule.hint == "{advice}":
        return "the finding itself tells how"
    return re.sub(r"\{\w+\}", "…", rule.hint).rstrip(".")
