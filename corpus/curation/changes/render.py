"""The notes of a change as text, Markdown, GitHub annotations and JSON."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpus.curation.changes.note import FOLDED, LISTED, SHOWN, SUBJECTS, Note, fair
from corpus.curation.changes.sentence import (
    Sentence,
    cut_counting,
    markdown_text,
    plain_text,
    shortened,
)
from corpus.printing.escape import html, terminal
from corpus.printing.grid import Grid, grid_text, plural
from corpus.printing.json_document import as_plain, json_text
from corpus.printing.sinks import grid_in

#: A comment or job summary is cut at so many bytes; GitHub refuses a comment above 65,536
#: characters.
COMMENT_BYTES = 60_000
_OPEN_CLAIMS = (
    "A claim that breaks fails `corpus check` until it and the text that makes it are fixed; "
    "`corpus claims --acknowledge REASON` writes down that this is known."
)
_NUMERIC = ("before", "after", "change")

#: The notes by subject, in the order of the subjects.
BySubject = Mapping[str, list[Note]]


def by_subject(notes: Iterable[Note]) -> BySubject:
    """Return the notes by what they are about, the most urgent first."""
    found: dict[str, list[Note]] = {name: [] for name in SUBJECTS}
    for note in notes:
        found[note.subject].append(note)
    return found


def tables_of(notes: Iterable[Note]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows of the table of each subject, with whole values."""
    about = by_subject(notes)
    return {name: [row for note in about[name] for row in note.table] for name in about}


def sentences(notes: Sequence[Note]) -> Iterator[Sentence]:
    """Yield the sentences about a change: of each subject some, and of each table at least one."""
    for name, about in by_subject(notes).items():
        subject = SUBJECTS[name]
        told = [note for note in about if note.text and note.table]
        # What is wrong is counted wherever it is told.
        number = sum(note.is_error for note in notes) if name == "findings" else len(told)
        if subject.lead and number:
            before, noun, after = re.split(r"[{}]", subject.lead)
            yield (f"{before}{plural(number, noun)}{after}",)
        shown, left = told, Counter[str]()
        if subject.more:
            shown, left = fair(told, SHOWN, lambda note: note.group)
        for note in about:
            if note.text and (note in shown or not note.table):
                yield note.text
        if left:
            groups = ", ".join(f"{group} {more:,}" for group, more in left.items() if group)
            where = f" ({groups})" if groups else ""
            yield (f"{left.total():,} more {subject.more}{where}.",)


def grid(name: str, about: Sequence[Note], length: int, most: int) -> Grid:
    """Return the table of a subject, with at most so many rows; small groups come first."""
    subject = SUBJECTS[name]
    sizes = Counter(note.group for note in about for _ in note.table)
    rows = [(note.group, row) for note in about for row in note.table]
    if not subject.follows:
        rows.sort(key=lambda row: sizes[row[0]])
    shown, left = fair(rows, most, lambda row: row[0])
    columns = [column.partition(" ") for column in subject.columns.split("|")]
    cells = []
    for _, row in shown:
        values = [row.get(field) for field, _, _ in columns]
        texts = [cut_counting("" if value is None else str(value), 2 * length) for value in values]
        if "before" in row and not subject.follows:
            missing = "none" if row.get("kind") in ("added", "removed") else "empty"
            both = (row["before"], row["after"], length, row.get("separator", ""))
            texts[-2:] = [value or missing for value in shortened(*both)]
        cells.append(tuple(texts))
    header = tuple(head.strip() if space else field for field, space, head in columns)
    numeric = [place for place, (field, *_) in enumerate(columns) if field in _NUMERIC]
    notes = []
    if any(row.get("change") == "breaks" for _, row in shown):
        notes.append(_OPEN_CLAIMS)
    if left:
        how = "; `corpus diff --all` prints them" if subject.follows else ""
        notes.append(f"{left.total():,} more are not listed{how}.")
    right = numeric if subject.follows and name != "claims" else ()
    return Grid(subject.title, header, tuple(cells), right, "\n\n".join(notes))


def _sizes(notes: Sequence[Note]) -> dict[str, int]:
    """Return how many rows the table of each subject has."""
    sizes = {}
    for name, about in by_subject(notes).items():
        rows = sum(len(note.table) for note in about)
        if rows and SUBJECTS[name].columns:
            sizes[name] = rows
    return sizes


def to_text(notes: Sequence[Note], columns: int | None = None, all_: bool = False) -> str:
    """Write the sentences for a terminal, and with `all_` every table as well."""
    # The widest line that a person reads with ease; a terminal may be wider, a log has no width.
    lead = "".join(_wrapped(plain_text(line), columns or 100) for line in sentences(notes))
    sizes = _sizes(notes)
    if not all_:
        titles = [f"{SUBJECTS[name].title} ({size})" for name, size in sizes.items()]
        if titles:
            lead += _wrapped(f"Details with `corpus diff --all`: {', '.join(titles)}.", 100)
        return lead
    about = by_subject(notes)
    whole = {name: size if SUBJECTS[name].follows else LISTED for name, size in sizes.items()}
    grids = [grid(name, about[name], 48, most) for name, most in whole.items()]
    return "\n".join([lead, *(grid_text(one, columns) for one in grids)])


def _wrapped(line: str, columns: int) -> str:
    lines = textwrap.wrap(terminal(line), columns, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def to_markdown(notes: Sequence[Note], limit: int = COMMENT_BYTES) -> str:
    """Write the report for a job summary or a comment: all escaped, within `limit` bytes.

    The tables are folded, each under its title. Where they take too much, the longest is shortened.
    """
    lead = "## What this change does\n\n"
    lead += "".join(f"- {markdown_text(line)}\n" for line in sentences(notes))
    about, sizes = by_subject(notes), _sizes(notes)
    most = {name: FOLDED if SUBJECTS[name].follows else LISTED for name in sizes}
    folds = {name: _fold(name, about[name], sizes[name], most[name]) for name in sizes}
    while folds and len((lead + "".join(folds.values())).encode()) > limit:
        longest = max(folds, key=lambda name: len(folds[name]))
        if most[longest] < 2:
            break
        most[longest] //= 2
        folds[longest] = _fold(longest, about[longest], sizes[longest], most[longest])
    return _cut_lines(lead + "".join(folds.values()), limit)


def _fold(name: str, about: Sequence[Note], size: int, most: int) -> str:
    table = grid(name, about, 160, most)
    note = f"\n{table.note}\n" if table.note else ""
    # The heading would repeat the summary; the empty line makes the table Markdown again.
    written = grid_in("md", [table._replace(title="", note="")]).strip("\n")
    summary = html(f"{table.title} ({size})")
    return f"\n<details><summary>{summary}</summary>\n\n{written}\n{note}\n</details>\n"


def _cut_lines(text: str, limit: int) -> str:
    """Cut a text at a line end so that it stays within `limit` bytes, a note about it included."""
    if len(text.encode()) <= limit:
        return text
    closing = "\n</details>\n"
    note = f"\n*The report was cut at {limit // 1000} kB; `corpus diff --all` prints all of it.*\n"
    kept = text.encode()[: limit - len((closing + note).encode())]
    kept_text = kept[: kept.rfind(b"\n") + 1].decode()
    # An open fold would swallow the note, and whatever comes after the report.
    is_open = kept_text.rfind("<details>") > kept_text.rfind("</details>")
    return kept_text + closing * is_open + note


def to_json(notes: Sequence[Note], states: Mapping[str, Any]) -> str:
    """Write everything as one JSON document: the states, then the tables, values whole."""
    tables = tables_of(notes)
    tables["findings"] = [note.finding._asdict() for note in notes if note.finding]
    summary = list(map(plain_text, sentences(notes)))
    return json_text(as_plain({**states, "summary": summary, **tables}))
