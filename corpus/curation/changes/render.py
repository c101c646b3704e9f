"""The notes of a change as text, Markdown and JSON."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from corpus.curation.changes.note import SHOWN, SUBJECTS, Note, fair
from corpus.printing.escape import markdown, terminal
from corpus.printing.grid import plural
from corpus.printing.json_document import as_plain, json_text

#: A comment or job summary is cut at so many bytes; GitHub refuses a comment above 65,536
#: characters.
COMMENT_BYTES = 60_000
#: So many notes of a subject are in the folded part of a comment.
_LISTED = 100


def lines(notes: Sequence[Note], most: int = SHOWN, details: bool = False) -> Iterator[str]:
    """Yield the sentences about a change: of each subject some, and of each group at least one."""
    errors = sum(note.is_error for note in notes)
    if errors:
        yield f"{plural(errors, 'error')} to fix before this can be merged."
    hidden: Counter[str] = Counter()
    for name, more in SUBJECTS.items():
        about = [note for note in notes if note.subject == name]
        told = [note for note in about if details or not note.is_detail]
        hidden[name] = len(about) - len(told)
        shown, left = fair(told, most if more else len(told))
        for note in shown:
            yield note.text
        if left:
            groups = ", ".join(f"{group} {number:,}" for group, number in left.items() if group)
            yield f"{left.total():,} more {more}{f' ({groups})' if groups else ''}."
    named = ", ".join(f"{name} {number:,}" for name, number in hidden.items() if number)
    if named:
        yield f"Details with corpus diff --all: {named}."


def to_text(notes: Sequence[Note], columns: int | None = None, all_: bool = False) -> str:
    """Write the sentences for a terminal; with `all_` every one."""
    # The widest line that a person reads with ease; a terminal may be wider, a log has no width.
    wrap = partial(
        textwrap.wrap, width=columns or 100, subsequent_indent="  ", break_on_hyphens=False
    )
    written = []
    for line in lines(notes, len(notes) if all_ else SHOWN, all_):
        written += wrap(terminal(line))
    return "\n".join([*written, ""])


def to_markdown(notes: Sequence[Note], limit: int = COMMENT_BYTES) -> str:
    """Write the report for a job summary or a comment: all escaped, within `limit` bytes."""
    lead = _items(lines(notes))
    whole = _items(lines(notes, _LISTED, details=True))
    text = f"## What this change does\n\n{lead}"
    if whole != lead:
        text += f"\n<details><summary>In full</summary>\n\n{whole}\n</details>\n"
    if len(text.encode()) <= limit:
        return text
    closing = "\n</details>\n"
    note = f"\n*The report was cut at {limit // 1000} kB; `corpus diff --all` prints all of it.*\n"
    kept = text.encode()[: limit - len((closing + note).encode())]
    kept_text = kept[: kept.rfind(b"\n") + 1].decode()
    # An open fold would swallow the note, and whatever comes after the report.
    return kept_text + closing * ("<details>" in kept_text) + note


def _items(sentences: Iterable[str]) -> str:
    return "".join(f"- {markdown(line)}\n" for line in sentences)


def to_json(notes: Sequence[Note], states: Mapping[str, Any]) -> str:
    """Write everything as one JSON document: the states, then the records, values whole."""
    records: dict[str, list[Any]] = {name: [] for name in SUBJECTS}
    for note in notes:
        if note.record is not None:
            records[note.subject].append(note.record)
    records["findings"] = [note.finding for note in notes if note.finding]
    return json_text(as_plain({**states, "summary": list(lines(notes)), **records}))
