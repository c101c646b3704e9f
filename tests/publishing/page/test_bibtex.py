"""BibTeX in the page's data: the script gets back exactly what was exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.bibliography.works import works
from corpus.publishing.export.bibliography.bibtex import bibtex_entry
from corpus.publishing.page.bibtex import short_bibtex
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL

LINES = st.sampled_from(["@misc{a,", "  author = {{Poe, Al}},", "  title  = {{", "}},", "}\n", "x"])


def written_out(document: Mapping[str, Any], cells: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Put forms and values together as `bibtexText` of the page does."""
    found = {}
    for key, (number, *values) in document["entries"].items():
        first, *others = document["forms"][number]
        text = first
        for value, after in zip(values, others, strict=True):
            if isinstance(value, int):
                value = cells[key][value].replace("; ", " and ")
            text += value + after
        found[key] = text
    return found


@given(st.lists(st.one_of(LINES, st.text(max_size=12)), max_size=8), st.lists(st.text(max_size=9)))
def test_any_text_comes_back_as_it_was(lines, cells):
    entries, texts = {"a": "\n".join(lines)}, {"a": ["Poe, Al", *cells]}
    assert written_out(short_bibtex(entries, texts), texts) == entries


def test_the_shipped_entries_share_their_forms_and_name_cells():
    study = load_corpus(str(REAL))
    entries = {work.key: bibtex_entry(work) for work in works(study)}
    texts = {name: list(row) for name, row in study.pool.named_rows()}
    document = short_bibtex(entries, texts)
    assert written_out(document, texts) == entries
    assert len(document["forms"]) < len(entries) / 4
    assert sum(0 in values[1:] for values in document["entries"].values()) == len(entries)
