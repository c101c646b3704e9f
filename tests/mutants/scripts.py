"""Faults in the scripts of the pages, found by patterns: the scripts are plain, and one formatter writes them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mutants.fault import Fault

#: Not code: comments, strings and patterns. Strings without a space have faults of their own.
SILENT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:!&|?;\s])/(?![*/\s])(?:\\.|\[[^\]\n]*\]|[^/\\\n\[])+/[a-z]*""",
    re.DOTALL,
)
NAME = r"[A-Za-z_$][\w$.]*"
#: A pattern, and what stands in the place of its first group.
FAULTS: list[tuple[str, str]] = [
    (r"(===)", "!=="),
    (r"(!==)", "==="),
    (r"(<=)", "<"),
    (r"(>=)", ">"),
    (r"(?<= )(<)(?= )", "<="),
    (r"(?<= )(>)(?= )", ">="),
    (r"(&&)", "||"),
    (r"(\|\|)", "&&"),
    (r"(\?\?)", "&&"),
    (r"(?<=[\w)\]] )(\+)(?= )", "-"),
    (r"(?<=[\w)\]] )(-)(?= )", "+"),
    (r"(?<=[\w)\]] )(\*)(?= )", "/"),
    (r"(?<=[\w)\]] )(/)(?= )", "*"),
    (r"(\+=)", "-="),
    (r"(!)(?=[\w(])", ""),
    (r"\b(true)\b", "false"),
    (r"\b(false)\b", "true"),
    (r"(?<![\w.$])(\d+)(?![\w.])", "{plus one}"),
    (r"\b(Math\.min)\b", "Math.max"),
    (r"\b(Math\.max)\b", "Math.min"),
    (r"\.(some)\(", "every"),
    (r"\.(every)\(", "some"),
    (r"\.(add)\(", "delete"),
    (r"\b(continue)\b", "break"),
    (r"\breturn ([^;{}\n]+);", "undefined"),
    (r"(?m)^ *((?!return|throw|const|let|for|if|while|else)" + NAME + r"\([^{}\n]*\);)$", ";"),
    (r"\((" + NAME + r", " + NAME + r")\)(?! *(?:=>|\{))", "{swapped}"),
    (r"\?( [^?:\n]+ : [^?:,;)\n]+)", "{swapped branches}"),
]


def script_faults(file: Path) -> list[Fault]:
    """Return the faults in a script, in the order of its lines."""
    source = file.read_text("utf-8")
    code = SILENT.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), source)
    found = []
    for pattern, replacement in FAULTS:
        for match in re.finditer(pattern, code):
            start, end = match.span(1)
            new = _replacement(replacement, source[start:end])
            found.append(Fault(file, source.count("\n", 0, start) + 1, start, end, new))
    for match in SILENT.finditer(source):
        text = match[0]
        if text[0] in "\"'" and " " not in text:
            line = source.count("\n", 0, match.start()) + 1
            new = text[0] + "XX" + text[1:]
            found.append(Fault(file, line, match.start(), match.end(), new))
    return sorted(found, key=lambda fault: (fault.start, fault.end, fault.replacement))


def _replacement(kind: str, old: str) -> str:
    match kind:
        case "{plus one}":
            return str(int(old) + 1)
        case "{swapped}":
            return ", ".join(reversed(old.split(", ")))
        case "{swapped branches}":
            return " " + " : ".join(part.strip() for part in reversed(old.split(" : ")))
    return kind
