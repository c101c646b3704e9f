"""A release in the files beside the tables: its version, and its section of CHANGELOG.md."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import tomli
import tomlkit
import yaml

from corpus.analysis.claims.moved import Movements
from corpus.analysis.claims.releases import Release
from corpus.curation.changes.changes import RENAMED, Changes
from corpus.curation.changes.declared import ADDED, CHANGED, REMOVED
from corpus.curation.changes.sentence import code, markdown_text
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import markdown
from corpus.printing.grid import plural
from corpus.tables.documents import read_document
from corpus.tables.location import shown_path
from corpus.tables.writing.journal import METADATA, package_files

#: How a file is written by the end of its name: the language, and what reads it.
_LANGUAGES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    ".cff": ("YAML", yaml.safe_load),
    ".json": ("JSON", json.loads),
    ".toml": ("TOML", tomli.loads),
}
CHANGELOG = "CHANGELOG.md"
_HEADING = re.compile(r"^##\s+\[?(?P<version>[^\]\s]*).*$", re.MULTILINE)
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
    document: Any = tomlkit.parse(text)
    document["corpus"].update(about)
    after = tomlkit.dumps(document)
    if tomli.loads(after) != expected:
        raise UsageProblem("the codebook is written in a way in which its version cannot change")
    return after


def versioned_text(name: str, text: str, old: str, new: str, date: str = "") -> str:
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


def section_of(
    release: Release, after: Study, changes: Changes | None, moved: Movements | None
) -> str:
    """Return the list of what is new in a release, as Markdown without a heading.

    Parameters
    ----------
    release : Release
        The new one.
    after : Study
        The corpus that it holds.
    changes : Changes or None
        What differs from the release before; None for the first one.
    moved : Movements or None
        The claims that have another value than in the release before.
    """
    about = f"Release {markdown(release.id)} of the corpus ({markdown(release.text)})"
    sizes = ["1 entry", plural(release.excluded, "excluded record")]
    if release.entries != 1:
        sizes[0] = f"{release.entries} entries"
    sizes.append(plural(release.claims, "claim"))
    lines = [f"- {about}: {', '.join(sizes)}."]
    if changes is not None:
        lines += _changed_entries(changes, after.codebook.pool.name)
    if moved is not None:
        for item in moved.moved:
            # A guard that still holds is not news.
            if item.claim.tracked:
                values = item.values_text(f"in {moved.release.id}")
                lines.append(f"- Moved: {_code(item.claim.id)}, {markdown(values)}.")
    return "\n".join(lines) + "\n"


def _changed_entries(changes: Changes, pool: str) -> Iterator[str]:
    headings = {ADDED: "Added", REMOVED: "Removed", RENAMED: "New key", CHANGED: "Changed"}
    for kind, heading in headings.items():
        for row in changes.rows:
            if row.table != pool or row.kind != kind:
                continue
            text = f"- {heading}: {_code(row.key)}"
            if kind == RENAMED:
                text += f", before {_code(row.old_key)}"
            if row.title:
                text += f", {markdown(row.title)}"
            if kind == CHANGED:
                columns = ", ".join(markdown(cell.column) for cell in row.cells)
                text += f" ({columns})"
            yield text + "."


def _code(name: str) -> str:
    return markdown_text([code(name)])


def with_section(text: str, version: str, date: str, section: str, released: set[str]) -> str:
    """Return a changelog with a section for a release.

    A section at the top that is headed "unreleased" becomes the one of the release, with what it
    has already; else a new one is put above the others.

    Parameters
    ----------
    text : str
        The changelog.
    version, date, section : str
        Of the release.
    released : set of str
        Versions of older releases: a section with one of them is theirs, whatever else is in it.
    """
    heading = f"## {version} — {date}"
    first = _HEADING.search(text)
    if first is None:
        return f"{text.rstrip()}\n\n{heading}\n\n{section}".lstrip()
    start, end = first.span()
    is_open = "unreleased" in first.group().lower() and first["version"] not in released
    if not is_open:
        return f"{text[:start]}{heading}\n\n{section}\n{text[start:]}"
    rest = text[end:].lstrip("\n")
    return f"{text[:start]}{heading}\n\n{section}{rest}"


def root_above(data: str) -> str:
    """Return the folder above a data folder, where citation file and changelog are."""
    return os.path.dirname(os.path.realpath(data))


def files_beside(
    data: str, old_version: str, release: Release, section: str, releases: tuple[Release, ...]
) -> dict[str, bytes]:
    """Return the files above the data folder that change: those with the version, the changelog.

    A data folder of another name is in a folder with files of something else. So is a file whose
    version is not that of the corpus: it is left alone.

    Raises
    ------
    UsageProblem
        Where a file cannot be understood.
    """
    root = root_above(data)
    found: dict[str, bytes] = {}
    if os.path.basename(os.path.realpath(data)) != "data":
        return found
    dated = date.today().isoformat()
    for name in (*METADATA, *package_files(root)):
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", newline="") as handle:
            try:
                before = handle.read()
            except UnicodeDecodeError:
                raise UsageProblem(f"{os.path.basename(path)} is not UTF-8") from None
        after = versioned_text(name, before, old_version, release.version, dated)
        if after != before:
            found[f"../{name}"] = after.encode()
    path = os.path.join(root, CHANGELOG)
    if os.path.isfile(path):
        old = read_document(path, shown_path(path))
        released = {known.version for known in releases}
        new = with_section(old, release.version, dated, section, released)
        found[f"../{CHANGELOG}"] = new.encode()
    return found
