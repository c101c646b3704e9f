"""Every regular expression of the package against texts that are long and almost match.

Run as a program by test_patterns.py: a few patterns share a process, and each has its own where that fails. The kernel
ends a process when one text has used 0.2 seconds of processor time. A linear pattern needs at most 0.04, a quadratic
one more than 0.3, so the limit decides nothing but which of the two it is, whatever else the machine does. A sixteenth
of each text comes first, then a quarter: a quadratic pattern needs 0.0012 seconds for the one and 0.019 for the other,
and only what needs half of that gets more.
"""

import ast
import importlib
import itertools
import os
import re
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import NamedTuple

from corpus.tables.cells import CELL_RULES

PACKAGE = Path(__file__).parent.parent / "corpus"
LENGTH = 40_000
SECONDS_PER_TEXT = 0.2
#: What a part of a text may take: one in so many characters, and seconds.
STARTS = ((16, 0.0006), (4, 0.009))
#: Patterns in one process: to make it takes as long as to apply one of them.
FEW = 16
METHODS = ("fullmatch", "match", "search", "finditer", "findall", "sub", "split")
#: What a pattern does in a loop over all places of a text, which `finditer` does as well.
LOOPS = ("findall", "sub", "split")
FLAGS = ("IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")
#: Patterns that a loop takes out of a tuple, and how it applies them.
LOOPED = {
    "corpus.curation.importing.names._FORMS": ("fullmatch",),
    "corpus.publishing.manuscript.markers._MARKED": ("sub",),
    "corpus.publishing.manuscript.running_text._TEX": ("finditer",),
    "corpus.publishing.manuscript.running_text._MD": ("finditer",),
    "corpus.publishing.manuscript.running_text._HTML": ("finditer",),
}
#: Modules that need what a test run may not have.
OPTIONAL = ("corpus.traces.store.cluster",)


class Use(NamedTuple):
    """A pattern and the ways in which the package applies it: all that there are where that cannot be told."""

    place: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    methods: tuple[str, ...]


def uses():
    """Every pattern that is in a call of re, or that a module keeps, compiled or as a text."""
    sources = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    everything = "\n".join(sources.values())
    found = []
    for path, source in sources.items():
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        found += list(written(module, source))
        if not module.endswith("__main__") and module not in OPTIONAL:
            found += list(named(module, source))
        if "re.compile" in source and not module.endswith("__main__") and module not in OPTIONAL:
            found += list(kept(module, source, everything))
    return [*found, *of_cells()]


def of_cells():
    """The patterns of the rules about cells."""
    for one in CELL_RULES:
        if one.form:
            yield Use(f"{one.rule.code}.form", re.compile(one.form), ("fullmatch",))
        if isinstance(one.lacks, str) and one.lacks:
            yield Use(f"{one.rule.code}.lacks", re.compile(one.lacks), ("search",))


def written(module, source):
    """Patterns in direct calls such as ``re.sub(r"...", ...)``."""
    for node in ast.walk(ast.parse(source)):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
        if not is_call or ast.unparse(node.func.value) != "re" or node.func.attr not in METHODS:
            continue
        if isinstance(node.args[0], ast.Constant):
            flags = re.NOFLAG
            for name in FLAGS:
                if f"re.{name}" in ast.unparse(node):
                    flags |= re.RegexFlag[name]
            yield Use(
                f"{module}:{node.lineno}", re.compile(node.args[0].value, flags), (node.func.attr,)
            )


def named(module, source):
    """Patterns that a module keeps as texts: ``re.sub(_NAME, ...)`` and ``_compiled(_NAME).sub(...)``."""
    for node in ast.walk(ast.parse(source)):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if not is_call or node.func.attr not in METHODS:
            continue
        owner = node.func.value
        arguments = node.args if ast.unparse(owner) == "re" else []
        if isinstance(owner, ast.Call) and ast.unparse(owner.func) == "_compiled":
            arguments = owner.args
        if not arguments or not isinstance(arguments[0], ast.Name):
            continue
        name = arguments[0].id
        # A name inside a function is none of the module's.
        text = getattr(importlib.import_module(module), name, None)
        if isinstance(text, str):
            yield Use(f"{module}.{name}", re.compile(text), (node.func.attr,))


def kept(module, source, everything):
    """Compiled patterns among the values of a module, also within tuples and mappings of them."""
    for name, value in vars(importlib.import_module(module)).items():
        patterns = list(compiled(value))
        where = source if name.startswith("_") else everything
        used = set(re.findall(rf"\b{name}\.(\w+)", where)) if patterns else ()
        methods = tuple(method for method in METHODS if method in used)
        for pattern in patterns:
            yield Use(
                f"{module}.{name}", pattern, methods or LOOPED.get(f"{module}.{name}", METHODS)
            )


def compiled(value):
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from compiled(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from compiled(part)


def almost(pattern):
    """Yield makers of a text of a length, of what a pattern is made of: runs of a character, of its words, of both."""
    literal = re.sub(r"\\[wWdDsSbBZAtnx]|\(\?[P<=!:a-z]*|\{[0-9,]*\}", " ", pattern)
    signs = list(dict.fromkeys(re.findall(r"[^\w\s?*+|^()]", literal)))[:14]
    letters = dict.fromkeys([*"aA0 \n-_", *signs])
    words = dict.fromkeys(re.findall(r"[\w:/@.<!$\\{\[\"#%-]{2,20}", literal.replace("\\", "")))
    starts = ["", *list(words)[:5], *signs]
    parts = [*letters, *(start + end for start in starts for end in " \n"), *starts[1:]]
    for part in parts:
        yield lambda length, part=part: part * (length // len(part))
    for start in starts[1:]:
        for letter in "a0 _":
            yield lambda length, start=start, letter=letter: start + letter * length + "\x01"


def apply(use):
    is_text = isinstance(use.pattern.pattern, str)
    source = use.pattern.pattern if is_text else use.pattern.pattern.decode("latin-1")
    for text in almost(source):
        # The timer counts processor time alone. Nobody handles its signal, so that it ends the process.
        signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_TEXT)
        for share, seconds in STARTS:
            start = text(LENGTH // share)
            before = time.process_time()
            match(use, start if is_text else start.encode("latin-1", "replace"))
            if time.process_time() - before <= seconds:
                break
        else:
            whole = text(LENGTH)
            match(use, whole if is_text else whole.encode("latin-1", "replace"))


def match(use, subject):
    for method in dict.fromkeys("finditer" if one in LOOPS else one for one in use.methods):
        if method == "finditer":
            for _ in use.pattern.finditer(subject):
                pass
        else:
            getattr(use.pattern, method)(subject)


def ends(*few):
    """Whether a process of its own goes through all the texts of some patterns within the limit."""
    with warnings.catch_warnings():
        # Python 3.12 and newer warn of the threads that numpy has started. The child needs none of their locks: it only
        # matches, and leaves.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        for use in few:
            apply(use)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


if __name__ == "__main__":
    chosen = {(use.pattern, use.methods): use for use in uses()}
    print(len(chosen), flush=True)
    every = list(chosen.values())
    doubtful = [every[start : start + FEW] for start in range(0, len(every), FEW)]
    for one in itertools.chain.from_iterable(few for few in doubtful if not ends(*few)):
        if not ends(one):
            print(f"{one.place}: {one.pattern.pattern!r} {one.methods}", file=sys.stderr)
