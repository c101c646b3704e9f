"""Versions of a corpus, and the files that state one."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tomli
import tomlkit
import yaml

from corpus.model.finding import UsageProblem

#: How a file is written by the end of its name: the language, and what reads it.
_LANGUAGES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    ".cff": ("YAML", yaml.safe_load),
    ".json": ("JSON", json.loads),
    ".toml": ("TOML", tomli.loads),
}
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
    while current in known:
        minor += 1
        current = f"{major}.{minor}.0"
    return current


def codebook_text(text: str, about: Mapping[str, str]) -> str:
    """Return the text of a codebook in which ``[corpus]`` has these values.

    Raises
    ------
    UsageProblem
        Where it is written in a way that cannot be edited without touching anything else.
    """
    expected = tomli.loads(text)
    if expected["corpus"].items() >= about.items():
        return text
    expected["corpus"].update(about)
    # Comments and order are kept by editing the text, so the result is compared with the data.
    document = tomlkit.parse(text)
    document["corpus"].update(about)
    after = tomlkit.dumps(document)
    if tomli.loads(after) != expected:
        raise UsageProblem("the codebook is written in a way in which its version cannot change")
    return after


def versioned_text(name: str, text: str, old: str, new: str, date: str) -> str:
    """Return a file with another version, a citation file with its day as well; the rest stays."""
    if name.endswith(".py"):
        pattern = rf'^(__version__(?:: str)? = )(["\']){re.escape(old)}\2$'
        return re.sub(pattern, rf"\g<1>\g<2>{new}\g<2>", text, count=1, flags=re.MULTILINE)
    language, parse = _LANGUAGES[os.path.splitext(name)[1]]
    try:
        expected = about = parse(text)
    except (ValueError, yaml.YAMLError, RecursionError):
        raise UsageProblem(f"{name} is not valid {language}") from None
    if language == "TOML":
        about = expected.get("project")
    if language == "YAML" and not isinstance(about, dict):
        raise UsageProblem(f"{name} is not a citation file")
    if not isinstance(about, dict) or not old or about.get("version") != old:
        return text
    about["version"] = new
    if language == "YAML":
        about["date-released"] = date
        text = _with_line(text, "date-released", f'"{date}"')
    # Libraries would drop comments and change the layout. So the version is replaced in one place:
    # the first where nothing else than what was meant becomes another.
    for found in re.finditer(re.escape(old), text):
        after = f"{text[: found.start()]}{new}{text[found.end() :]}"
        if parse(after) == expected:
            return after
    raise UsageProblem(f"{name}: the version cannot be changed by line")


def _with_line(text: str, key: str, value: str) -> str:
    """Replace a line at the top level of a YAML file; without one, add it at the end."""
    line = f"{key}: {value}"
    # As a function: in a text, backslashes of the value would be groups.
    after, found = re.subn(rf"^{key}:[^\n]*$", lambda _: line, text, count=1, flags=re.MULTILINE)
    if found:
        return after
    return f"{text.rstrip()}\n{line}\n"
