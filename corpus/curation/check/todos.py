"""Definitions that somebody has still to write: what a new corpus leaves to its people."""

from __future__ import annotations

import re

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Finding
from corpus.printing.grid import plural

_SECTION = re.compile(r"\[\[?([^\[\]]++)\]\]?(?: *+#.*)?")
#: An equals sign and a text that begins with TODO, outside of strings and remarks: also behind
#: other keys, in { id = "wet", definition = "TODO" }.
_OPEN = re.compile(r"""(?:[^#"'=]|"[^"]*+"|'[^']*+'|=(?!\s*+["']TODO\b))*+=\s*+["']TODO\b""")


def todo_findings(text: str, file: str) -> list[Finding]:
    """Return one finding for each part of a TOML document with texts that begin with TODO.

    A vocabulary of fifty terms is one finding, at the first of its open definitions.

    Examples
    --------
    >>> text = '[vocabularies.soil]\\ndefinition = "TODO: what the terms tell apart."'
    >>> [(finding.line, finding.value) for finding in todo_findings(text, "codebook.toml")]
    [(2, 'vocabularies.soil')]
    """
    section = ""
    first: dict[str, int] = {}
    number: dict[str, int] = {}
    for line, content in enumerate(text.split("\n"), 1):
        heading = _SECTION.fullmatch(content.strip())
        if heading:
            # The terms of a vocabulary, and the columns of a table, belong to it.
            section = ".".join(heading[1].strip().split(".")[:2])
        elif _OPEN.match(content):
            first.setdefault(section, line)
            number[section] = number.get(section, 0) + 1
    findings = []
    for name, line in first.items():
        texts = plural(number[name], "text")
        findings.append(rules.TODO.at(file, line, value=name, texts=texts))
    return findings
