"""The version of a corpus, in every file that states it: codebook, citation file, package."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

import tomlkit
import yaml

from corpus.model.finding import UsageProblem
from corpus.tables.writing.journal import package_files

_VERSION = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})")


def parse_version(text: str) -> tuple[int, int, int]:
    """Return the parts of a version such as 1.2.0.

    Raises
    ------
    UsageProblem
        Where it is anything else.
    """
    match = _VERSION.fullmatch(text)
    if match is None:
        raise UsageProblem(f"{text!r} is not a version such as 1.2.0")
    major, minor, patch = match.groups()
    return int(major), int(minor), int(patch)


def next_version(current: str, released: Iterable[str]) -> str:
    """Return the version of the next release: the current one, or the next minor one.

    Parameters
    ----------
    current : str
        The version of the corpus, in its codebook; may be empty.
    released : iterable of str
        The versions of its releases.

    Raises
    ------
    UsageProblem
        Where the current version cannot be counted on.

    Examples
    --------
    >>> next_version("1.2.3", ["1.2.3"])
    '1.3.0'
    """
    known = set(released)
    if not current:
        current = "0.1.0"
    try:
        major, minor, _ = parse_version(current)
    except UsageProblem:
        raise UsageProblem(
            f"the codebook has the version {current!r}; name the next one with --version X.Y.Z"
        ) from None
    if current not in known:
        return current
    minor += 1
    while f"{major}.{minor}.0" in known:
        minor += 1
    return f"{major}.{minor}.0"


def codebook_text(text: str, about: Mapping[str, str]) -> str:
    """Return the text of a codebook in which ``[corpus]`` has these values."""
    document: Any = tomlkit.parse(text)
    if all(document["corpus"].get(name) == value for name, value in about.items()):
        return text
    document["corpus"].update(about)
    return tomlkit.dumps(document)


def files_with_version(root: str, old: str, new: str, date: str) -> Iterator[tuple[str, str]]:
    """Yield each file beside the data folder that states the version, and its new text.

    A file whose version is not that of the corpus belongs to something else and is left alone.

    Parameters
    ----------
    root : str
        The folder above the data folder.
    old, new : str
        The version of the corpus, now and in the release.
    date : str
        Day of the release, for the citation file.

    Raises
    ------
    UsageProblem
        Where a file cannot be understood.
    """
    metadata = (".zenodo.json", "codemeta.json")
    names = ("CITATION.cff", *metadata, "pyproject.toml", *package_files(root))
    for name in names:
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue
        before = _read(path)
        if name == "CITATION.cff":
            after = citation_text(before, old, new, date)
        elif name in metadata:
            after = metadata_text(before, old, new, name)
        elif name == "pyproject.toml":
            after = project_text(before, old, new)
        else:
            after = package_text(before, old, new)
        if after != before:
            yield name, after


def citation_text(text: str, old: str, new: str, date: str) -> str:
    """Return CITATION.cff with another version and date; only these two lines change."""
    expected = _yaml(text)
    if not isinstance(expected, dict):
        raise UsageProblem("CITATION.cff is not a citation file")
    if not old or expected.get("version") != old:
        return text
    # A YAML library would drop comments and quote what is not quoted.
    after = _with_line(text, "version", new)
    after = _with_line(after, "date-released", f'"{date}"')
    if _yaml(after) != {**expected, "version": new, "date-released": date}:
        raise UsageProblem("CITATION.cff: version and date-released cannot be changed by line")
    return after


def _yaml(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        raise UsageProblem("CITATION.cff is not valid YAML") from None


def _with_line(text: str, key: str, value: str) -> str:
    """Replace a line at the top level of a YAML file; without one, add it at the end."""
    line = f"{key}: {value}"
    # As a function: in a text, backslashes of the value would be groups.
    after, found = re.subn(rf"^{key}:[^\n]*$", lambda _: line, text, count=1, flags=re.MULTILINE)
    if found:
        return after
    return f"{text.rstrip()}\n{line}\n"


def metadata_text(text: str, old: str, new: str, name: str = ".zenodo.json") -> str:
    """Return a file of metadata in JSON with another version."""
    try:
        expected = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageProblem(f"{name} is not valid JSON") from None
    if not isinstance(expected, dict) or not old or expected.get("version") != old:
        return text
    expected["version"] = new
    # The first version in the text may be that of something else; then the comparison fails.
    pattern = rf'("version"\s*:\s*"){re.escape(old)}"'
    after = re.sub(pattern, lambda match: f'{match[1]}{new}"', text, count=1)
    if json.loads(after) != expected:
        raise UsageProblem(f"{name}: the version cannot be changed by line")
    return after


def project_text(text: str, old: str, new: str) -> str:
    """Return pyproject.toml with another version, where the project has that of the corpus."""
    try:
        document: Any = tomlkit.parse(text)
    except (ValueError, RecursionError):
        raise UsageProblem("pyproject.toml is not valid TOML") from None
    project = document.get("project")
    if not isinstance(project, MutableMapping) or not old or project.get("version") != old:
        return text
    project["version"] = new
    return tomlkit.dumps(document)


def package_text(text: str, old: str, new: str) -> str:
    """Return the first module of a package with another ``__version__``."""
    if not old:
        return text
    pattern = rf'^(__version__(?:: str)? = )(["\']){re.escape(old)}\2$'
    return re.sub(pattern, rf"\g<1>\g<2>{new}\g<2>", text, count=1, flags=re.MULTILINE)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", newline="") as handle:
        try:
            return handle.read()
        except UnicodeDecodeError:
            raise UsageProblem(f"{os.path.basename(path)} is not UTF-8") from None
