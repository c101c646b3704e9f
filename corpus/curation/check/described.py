"""The files above the data folder that describe the corpus: they state what the codebook states.

``CITATION.cff``, ``.zenodo.json`` and ``codemeta.json`` are read by other people's programs, so a
wrong license, version or paper in them is published. They are looked through line by line and not
parsed: they may be anything.
"""

import posixpath
import re
from collections.abc import Iterator

from corpus.model.codebook import Codebook
from corpus.model.finding import Finding, Rule
from corpus.model.identifiers import find_arxiv
from corpus.tables.git.snapshot import Opener
from corpus.tables.location import CODEBOOK_FILE

OTHER_DESCRIPTION = Rule(
    "C447",
    "{column} is {value}, {other}",
    "make both the same, or give the file another type than `dataset`",
    title="Description that differs from the codebook",
    reason="Archives and reference managers read `CITATION.cff`, `.zenodo.json` and "
    "`codemeta.json`. What describes a data set is compared with the codebook, `codemeta.json` of "
    "a program with `pyproject.toml`: license, version, and the arXiv paper that is to be cited. A "
    "folder LICENSES has the text of the license as well.",
)

_PROJECT = "pyproject.toml"
_FILES = ("CITATION.cff", ".zenodo.json", "codemeta.json")
#: Such a file is a page long; a larger one is something else.
_MOST_BYTES = 200_000
_IS_DATASET = re.compile(
    r'^type:\s*["\']?dataset\b|"upload_type"\s*:\s*"dataset"|"@type"\s*:\s*"Dataset"', re.M
)
_IS_SOFTWARE = re.compile(r'"@type"\s*:\s*"SoftwareSourceCode"')
#: A key of the whole file: at the margin in YAML and TOML, the least indented in JSON.
_VERSION = re.compile(r'^(?:version|\s{0,4}"version")\s*[:=]\s*["\']?([^\s"\',#]{1,80})', re.M)
_LICENSE = re.compile(r'^(?:license|\s{0,4}"license")\s*[:=]')
_EXPRESSION = re.compile(r'^license\s*=\s*"([^"]*)"', re.M)
_SPDX = re.compile(r"(?:https?://spdx\.org/licenses/)?([\w.+-]+)")
_PREFERRED = ("preferred-citation:", '"referencePublication"')
#: Older names of licenses at Zenodo.
_OLDER_NAMES = {"cc-zero": "cc0-1.0", "cc-by": "cc-by-4.0", "cc-by-sa": "cc-by-sa-4.0"}
#: What is between the licenses of an expression.
_BETWEEN = {"AND", "OR", "WITH", "-", "license"}


def description_findings(root: str, book: Codebook, beside: Opener) -> Iterator[Finding]:
    """Yield what the files above a data folder state otherwise than the codebook (C447).

    Parameters
    ----------
    root : str
        The data folder as it is shown.
    book : Codebook
        The codebook.
    beside : callable
        Opens the files above the folder.
    """
    about = book.corpus
    cited = find_arxiv(about["cite"])
    page = find_arxiv(about["homepage"])
    if cited and page and page != cited:
        file = posixpath.join(root, CODEBOOK_FILE)
        yield OTHER_DESCRIPTION.at(file, 0, "homepage", page, other=f"cite is {cited}")
    texts = {}
    for name in (*_FILES, _PROJECT):
        content = beside(name) or b""
        texts[name] = content.decode("utf-8", "replace") if len(content) <= _MOST_BYTES else ""
    version, license_ = (pattern.search(texts[_PROJECT]) for pattern in (_VERSION, _EXPRESSION))
    for name in _FILES:
        if _IS_DATASET.search(texts[name]):
            stated = (CODEBOOK_FILE, about["version"], about["license"])
        elif version and _IS_SOFTWARE.search(texts[name]):
            stated = (_PROJECT, version[1], license_[1] if license_ else "")
        else:
            continue
        yield from _differences(name, texts[name], *stated, cited)
    own = _licenses(about["license"])
    named = own | _licenses(license_[1] if license_ else "")
    printed = {name for name in named if beside(f"LICENSES/{name}.txt") is not None}
    for name in sorted(own - printed) if printed else ():
        file = posixpath.join(root, CODEBOOK_FILE)
        yield OTHER_DESCRIPTION.at(file, 0, "license", name, other="LICENSES has no text of it")


def _licenses(expression: str) -> set[str]:
    """Return the licenses of an expression such as ``MIT AND CC0-1.0``."""
    return set(_SPDX.findall(expression)) - _BETWEEN


def _differences(
    file: str, text: str, source: str, version: str, license_: str, cited: str | None
) -> Iterator[Finding]:
    """Yield the lines of one file that differ from the codebook, or what else describes it."""
    is_preferred = is_license = False
    licensed, named, ends_at = 0, "", len(text)
    for line, words in enumerate(text.splitlines(), 1):
        found = _VERSION.match(words)
        if found and version and found[1] != version:
            yield OTHER_DESCRIPTION.at(
                file, line, "version", found[1], other=f"{source} has {version}"
            )
        if _LICENSE.match(words):
            licensed, is_license = line, True
        elif words[:1] not in (" ", "-") or ":" in words.replace("://", ""):
            is_license = False
        if is_license:
            named += f" {words.partition('#')[0]}"
        depth = len(words) - len(words.lstrip())
        if words.strip() and depth <= ends_at:
            is_preferred = words.lstrip().startswith(_PREFERRED)
            ends_at = depth if is_preferred else len(text)
        arxiv = find_arxiv(words) if is_preferred else None
        if arxiv and cited and arxiv != cited:
            yield OTHER_DESCRIPTION.at(
                file, line, "arXiv", arxiv, other=f"{CODEBOOK_FILE} has {cited}"
            )
    stated = {_OLDER_NAMES.get(name.lower(), name.lower()) for name in _licenses(named)}
    if stated and not {name.lower() for name in _licenses(license_)} <= stated:
        value = ", ".join(sorted(_licenses(named)))
        other = f"{source} has {license_}"
        yield OTHER_DESCRIPTION.at(file, licensed, "license", value, other=other)
