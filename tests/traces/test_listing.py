"""The list of formats for a terminal and as the page of docs: complete, and tables that hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from corpus.traces import listing
from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import OTHER_EVENTS, RecordedFormat, RecorderVersion
from corpus.traces.emit import TARGETS
from corpus.traces.emit.target import Target
from corpus.traces.listing import formats_markdown, formats_text

FORMAT = RecordedFormat(
    name="diary",
    title="What a diary writes",
    versions=(RecorderVersion("Diary 1.0", "diary_one"), RecorderVersion("Diary 2", "diary_two")),
    tokens=("input", "cache_write"),
    maps=(("message, return", "a line"), (OTHER_EVENTS, "like a letter")),
    loses=("who read it",),
    recognise=lambda _file: False,
    convert=lambda _files, _redaction: iter(()),
)
TARGET = Target("letter", "A letter", (("events", "lines"),), ("edges",), lambda _runs: [])


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """One format to read and one to write."""
    monkeypatch.setattr(listing, "FORMATS", (FORMAT,))
    monkeypatch.setattr(listing, "TARGETS", (TARGET,))


@pytest.mark.usefixtures("made_up")
def test_a_terminal_shows_where_events_come_from_and_what_is_lost() -> None:
    assert formats_text().splitlines() == [
        "diary  What a diary writes",
        "  versions: Diary 1.0, Diary 2",
        "  message, return: a line",
        "  all other events: like a letter",
        "  loses who read it",
        "",
        "--to letter  A letter",
        "  events: lines",
        "  loses edges",
    ]


@pytest.mark.usefixtures("made_up")
def test_the_page_has_a_row_for_each_version_and_types_of_events_as_code() -> None:
    page = formats_markdown()
    rows = [line for line in page.splitlines() if line.startswith("| [diary](#diary)")]
    assert rows == [
        "| [diary](#diary) | Diary 1.0 | diary_one | input, cache write |",
        "| [diary](#diary) | Diary 2 | diary_two | input, cache write |",
    ]
    _, _, section = page.partition("\n## diary\n")
    assert section.splitlines()[1:9] == [
        "What a diary writes.",
        "",
        "| event | found in |",
        "|---|---|",
        "| `message`, `return` | a line |",
        "| all other events | like a letter |",
        "",
        "It cannot tell:",
    ]
    assert "\n- who read it\n" in section
    assert "\n## --to letter\n\nA letter.\n" in section
    assert "\n| events | lines |\n\nIt has no place for:\n\n- edges\n" in section


@pytest.mark.usefixtures("made_up")
def test_a_format_without_usage_has_no_kinds_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = RecordedFormat("bare", "B", (RecorderVersion("B 1", "b"),), (), (), (), *_functions())
    monkeypatch.setattr(listing, "FORMATS", (bare,))
    assert "| [bare](#bare) | B 1 | b | none |\n" in formats_markdown()


def _functions() -> tuple[object, object]:
    return FORMAT.recognise, FORMAT.convert


def test_no_line_for_a_terminal_is_wider_than_100_columns() -> None:
    text = formats_text()
    assert max(map(len, text.splitlines())) <= 100
    for one in FORMATS:
        assert f"{one.name}  " in text
    for target in TARGETS:
        assert f"--to {target.name}  " in text


def tables(page: str) -> Iterator[list[str]]:
    """The lines of each Markdown table."""
    for block in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        yield block.splitlines()


def test_every_table_of_the_page_has_as_many_cells_in_each_row() -> None:
    page = formats_markdown()
    for lines in tables(page):
        cells = {len(re.split(r"(?<!\\)\|", line)) for line in lines}
        assert len(cells) == 1, lines[0]
    sections = re.findall(r"^## (.+)$", page, re.MULTILINE)
    names = [one.name for one in FORMATS]
    assert [name for name in sections if name in names] == names
    targets = [f"--to {target.name}" for target in TARGETS]
    assert sections[-len(targets) :] == targets
