"""The section of CHANGELOG.md about a release: which entries came and went, what moved."""

import re
from collections.abc import Iterator

from corpus.analysis.claims.moved import Movements
from corpus.analysis.claims.releases import Release
from corpus.curation.changes.changes import RENAMED, Changes
from corpus.curation.changes.declared import ADDED, CHANGED, REMOVED
from corpus.curation.changes.sentence import code, markdown_text
from corpus.model.study import Study
from corpus.printing.escape import markdown
from corpus.printing.grid import plural

_HEADING = re.compile(r"^##\s+\[?(?P<version>[^\]\s]*).*$", re.MULTILINE)


def section(
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
