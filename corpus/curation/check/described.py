"""The files above the data folder that describe the corpus: they state what the codebook states.

``CITATION.cff`` and ``.zenodo.json`` are read by other people's programs, so a wrong license,
version or paper in them is published. They are looked through line by line and not parsed: they
may be anything.
"""

import os
import re
from collections.abc import Iterator

from corpus.model.codebook import Codebook
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import find_arxiv
from corpus.tables.location import CODEBOOK_FILE, shown_path

OTHER_DESCRIPTION = Rule(
    "C447",
    "{column} is {value}, codebook.toml has {other}",
    "make both the same; a file that describes something else has no `dataset` as its type",
    WARNING,
    title="Description that differs from the codebook",
    reason="Archives and reference managers read `CITATION.cff` and `.zenodo.json`. They are "
    "compared where their type is `dataset`: license, version, and the arXiv paper of "
    "`preferred-citation`.",
)

_FILES = ("CITATION.cff", ".zenodo.json")
#: Such a file is a page long; a larger one is something else.
_MOST_BYTES = 200_000
_IS_DATASET = re.compile(r'^type:\s*["\']?dataset\b|"upload_type"\s*:\s*"dataset"', re.M)
#: A key of the whole file: at the margin in YAML, the least indented in JSON.
_VERSION = re.compile(r'^(?:version|\s{0,4}"version")\s*:\s*["\']?([^\s"\',#]{1,80})')
_LICENSE = re.compile(r'^(?:license|\s{0,4}"license")\s*:')
_SPDX = re.compile(r"[\w.+-]+")
_PREFERRED = "preferred-citation:"
#: Older names of licenses at Zenodo.
_OLDER_NAMES = {"cc-zero": "cc0-1.0", "cc-by": "cc-by-4.0", "cc-by-sa": "cc-by-sa-4.0"}


def description_findings(data: str, book: Codebook) -> Iterator[Finding]:
    """Yield what the files above a data folder state otherwise than the codebook (C447)."""
    cited = find_arxiv(book.corpus["cite"])
    page = find_arxiv(book.corpus["homepage"])
    if cited and page and page != cited:
        file = os.path.join(shown_path(data), CODEBOOK_FILE)
        yield OTHER_DESCRIPTION.at(file, 0, "homepage", page, other=f"cite = {cited}")
    above = os.path.dirname(os.path.abspath(data))
    for name in _FILES:
        path = os.path.join(above, name)
        if os.path.isfile(path) and os.path.getsize(path) <= _MOST_BYTES:
            with open(path, encoding="utf-8", errors="replace") as handle:
                text = handle.read()
            if _IS_DATASET.search(text):
                yield from _differences(name, text, book, cited)


def _differences(file: str, text: str, book: Codebook, cited: str | None) -> Iterator[Finding]:
    """Yield the lines of one file that differ from the codebook."""
    is_preferred = False
    licensed, is_license = 0, False
    named: list[str] = []
    for line, words in enumerate(text.splitlines(), 1):
        version = _VERSION.match(words)
        if version and book.corpus["version"] and version[1] != book.corpus["version"]:
            place = (file, line, "version", version[1])
            yield OTHER_DESCRIPTION.at(*place, other=book.corpus["version"])
        if _LICENSE.match(words):
            licensed, is_license = line, True
        elif words[:1] not in (" ", "-") or '"' in words:
            is_license = False
        if is_license:
            named += _SPDX.findall(words.partition("#")[0].partition(":")[2] or words)
        if words[:1].strip(" #{}"):  # a key of YAML, not what belongs to it
            is_preferred = words.startswith(_PREFERRED)
        arxiv = find_arxiv(words) if is_preferred else None
        if arxiv and cited and arxiv != cited:
            yield OTHER_DESCRIPTION.at(file, line, "arXiv", arxiv, other=cited)
    wanted = book.corpus["license"]
    stated = [name for name in named if name not in ("-", "license")]
    known = {_OLDER_NAMES.get(name.casefold(), name.casefold()) for name in stated}
    if stated and wanted and wanted.casefold() not in known:
        value = ", ".join(stated)
        yield OTHER_DESCRIPTION.at(file, licensed, "license", value, other=wanted)
