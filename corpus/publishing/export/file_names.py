"""Keys as names of files: one file per entry, on any system."""

from __future__ import annotations

import re

from corpus.model.finding import CorpusError
from corpus.model.study import Study
from corpus.publishing.export.export_rules import BAD_FILE_NAME

#: What the file names of every system allow.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?<!\.)")
#: Windows takes these for devices, whatever the ending.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def refuse_file_names(study: Study) -> None:
    """Refuse keys that cannot be file names, or the same as another's where case is ignored.

    Raises
    ------
    CorpusError
        X107 for each of them.
    """
    pool = study.pool
    column = pool.spec.key[0]
    taken: set[str] = set()
    findings = []
    for key, line in zip(pool.column(column), pool.lines, strict=True):
        is_name = _NAME.fullmatch(key) and not _DEVICE.fullmatch(key)
        if not is_name or key.casefold() in taken:
            findings.append(BAD_FILE_NAME.at(pool.file, line, column, key))
        taken.add(key.casefold())
    if findings:
        raise CorpusError(findings)
