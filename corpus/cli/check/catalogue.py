"""The error catalogue: every rule of the program, collected from the modules named `..._rules`."""

import re
from importlib import import_module
from pathlib import Path

import corpus
from corpus.model.finding import WARNING, Rule, UsageProblem
from corpus.tables.cells import BY_CODE

#: How a warning is accepted.
ACCEPTING = """\
To accept it: `corpus accept CODE KEY [COLUMN] --reason TEXT`, which adds a row to the table of the
role "accepted": the code, the file as the codebook names it, the key of the row, column and value
as `corpus check --format json` has them, and the reason.
"""


def catalogue() -> dict[str, Rule]:
    """Return every rule by its code, sorted by code.

    Rules are declared in the modules that are called ``..._rules``, in any package.
    """
    package = Path(corpus.__file__).parent
    found = dict(BY_CODE)
    for file in package.rglob("*_rules.py"):
        name = ".".join(file.relative_to(package.parent).with_suffix("").parts)
        for value in vars(import_module(name)).values():
            if isinstance(value, Rule):
                if found.setdefault(value.code, value) is not value:
                    raise AssertionError(f"two rules are called {value.code}")
    return dict(sorted(found.items()))


def explain(code: str) -> str:
    """Return the catalogue entry of a code as text.

    UsageProblem with the known codes where there is none.
    """
    rules = catalogue()
    rule = rules.get(code.upper())
    if rule is None:
        raise UsageProblem(f"unknown rule {code}; known: {', '.join(rules)}")
    text = f"{rule.code}: {rule.title} ({rule.severity})\n\n{rule.reason}\n\n"
    text += f"To fix it: {remedy(rule)}.\n"
    if is_acceptable(rule):
        text += f"\n{ACCEPTING}\n"
    return text


def is_acceptable(rule: Rule) -> bool:
    """Return whether a corpus may accept what a rule finds: the warnings about its tables."""
    return rule.severity == WARNING and rule.code[:2] in ("C2", "C3", "C4")


def remedy(rule: Rule) -> str:
    """Return a rule's hint for the catalogue, where no finding fills its places."""
    if rule.hint == "{advice}":
        return "the finding itself tells how"
    return re.sub(r"\{\w+\}", "…", rule.hint).rstrip(".")
