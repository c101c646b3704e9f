"""Whatever stands in a table, the import makes a corpus of it that can be read, and loses nothing."""

import re
import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.curation.check.check import check_corpus
from corpus.curation.importing.column_plan import plan_columns
from corpus.curation.importing.kinds import TERM, split_cell
from corpus.curation.importing.new_corpus import Start, new_corpus_files
from corpus.curation.importing.pool import make_pool
from corpus.curation.importing.readers.markdown import read_markdown
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.tables.reader import parse_table, unique_key_findings
from corpus.tables.terms import term_findings
from tests.support.imported import recorded

NAMES = [
    "Title",
    "Author(s)",
    "Year",
    "Date",
    "DOI",
    "URL",
    "arXiv",
    "Venue",
    "Notes",
    "key",
    "Tags",
    "Type",
    "x y",
    "ß",
    "x_y",
]
CELLS = st.one_of(
    st.sampled_from(["a; b", "b", "A", "n/a", "2019", "2019-05", "12 May 2020", "10.1234/x.1", "arXiv:2103.00001", "-", "x"]),
    st.sampled_from(["https://a.example/1", "Ward, Ann and Moor, Bo", "et al.", "=1+1", "2508.0368", "; ;", '"', "3.50"]),
    st.text(max_size=40),
    st.lists(st.text(max_size=10), max_size=4).map(tuple),
)  # fmt: skip
TABLES = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True).flatmap(
    lambda names: st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(names, CELLS)), min_size=1, max_size=8
    )
)


@pytest.mark.slow
@given(TABLES)
def test_any_table_becomes_a_corpus_without_loss(rows):
    records = recorded(*rows)
    if not records.rows:
        return
    plans = plan_columns(records.columns, records.rows)
    imported = make_pool(records.rows, plans)
    files = new_corpus_files(Start("a", "A", "About a.", "a.csv"), imported, records)
    book = parse_codebook(tomllib.loads(files["data/codebook.toml"]))
    table = parse_table(files["data/pool.csv"].encode(), book.pool, "pool.csv")
    assert len(table.rows) == len(records.rows)
    assert unique_key_findings(table) == []
    assert term_findings(table, book) == []

    spelled = {
        (plan.source, spelling)
        for plan in plans
        for term in plan.terms
        for spelling in term.spellings
    }
    said = {(cell.line, cell.column) for cell in imported.unplaced}
    by_source = {plan.source: plan for plan in plans}
    for record, row in zip(records.rows, imported.rows, strict=True):
        kept = _words(" ".join(row))
        for column, cell in record.cells.items():
            plan = by_source[column]
            texts = (cell,) if isinstance(cell, str) else cell
            if plan.is_axis:
                whole = " ".join(texts) if plan.kind.name == TERM else cell
                parts = split_cell(whole, plan.kind.separator)
                assert all((column, part) in spelled for part in parts)
            elif not said & {(record.place, column), (record.place, plan.name)} and not {
                plan.role,
                plan.kind.name,
            } & {"date", "year"}:
                others = {"et", "al", "and", "others", "arxiv"}
                assert set(_words(" ".join(texts))) <= set(kept) | others, (column, cell)


NASTY = st.sampled_from([
    "=1+1", "+1 more", "@home", "-5", "- item", "10.1145/...", "arXiv:9912.00001", "2912.00001", "2508.0368",
    "https://a.example/ü b", "http://u:p@a.example", "https://localhost/x", "ftp://a.example", "1e5", "1500", "2099",
    "2031-05", "0042", "\\alpha and $x^2$", '{\\"u}ber', "Ã¼ber", "todo", "TBD", "???", "...", "N/A", "#REF!", "none",
    "a\u00adb", "e\u0301", "A  B", "Ward, Ann; Ward, Ann", "; Ward", "0.12345678901234567890", "\u202eabc", "漢字",
    "key-1", "Key_1", "https://arxiv.org/abs/2103.00001v2", "10.1234/x y", "GPT-4", "gpt 4o", "Bog", "fen; bog",
])  # fmt: skip
NASTY_TABLES = st.lists(st.sampled_from([*NAMES, "First author", "Score", "Summary"]), min_size=1, max_size=6, unique=True).flatmap(
    lambda names: st.lists(
        st.fixed_dictionaries({}, optional=dict.fromkeys(names, st.one_of(NASTY, CELLS))), min_size=1, max_size=6
    )
)  # fmt: skip
#: What only a person can decide: open texts, duplicates, and faults of the source itself.
LEFT = {
    "C002", "C220", "C221", "C224", "C303", "C304", "C305", "C306", "C307", "C313", "C314", "C315",
    "C316", "C317",
}  # fmt: skip


@settings(max_examples=20)
@given(NASTY_TABLES)
def test_what_an_import_writes_its_own_check_accepts(rows):
    records = recorded(*rows)
    if not records.rows:
        return
    imported = make_pool(records.rows, plan_columns(records.columns, records.rows))
    with tempfile.TemporaryDirectory() as folder:
        for path, text in new_corpus_files(
            Start("a", "A", "About a.", "a.csv"), imported, records
        ).items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        findings = check_corpus(str(Path(folder, "data")))
    assert [finding for finding in findings if finding.code not in LEFT] == []


def _words(text):
    # Marks of footnotes behind a name are no part of it.
    return re.findall(r"\w+", re.sub("[¹²³⁴-⁹]", "", text.casefold()))


WORDS = st.builds(
    lambda parts: "".join(parts).capitalize(),
    st.lists(st.sampled_from(["ba", "ce", "di", "fo", "gu"]), min_size=4, max_size=7),
)
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
ADDRESSES = WORDS.map(lambda word: f"https://{word.lower()}.example/x")
TITLES = st.lists(WORDS, min_size=3, max_size=6).map(" ".join)
HEADS = st.one_of(
    st.builds("[{}]({})".format, TITLES, ADDRESSES),
    st.builds("**[{}]({})**".format, TITLES, ADDRESSES),
    st.builds("[[Paper]({1})] {0}".format, TITLES, ADDRESSES),
    TITLES.map("**{}**".format),
    TITLES.map('"{}"'.format),
    TITLES.map("{}.".format),
)
PIECES = st.one_of(
    *(TEXTS.map(form.format) for form in ("*{}*", "({})", "`{}`", "- {}.", "<b>{}</b>", "Key: {}", "[{}]", "*{} 2020*", "({}, 2021)")),
    *(st.builds(form.format, TEXTS, ADDRESSES) for form in ("[Code]({1})", "[[{0}]({1})]", "<a href='{1}'>{0}</a>", "{1}")),
)  # fmt: skip


@given(
    HEADS,
    st.lists(PIECES, max_size=5),
    st.sampled_from((" ", ". ", "<br>\n  ", ", ", "\n  ", " - ")),
    st.lists(PIECES, max_size=3),
)
def test_no_word_of_a_list_item_is_lost_in_silence(head, pieces, between, nested):
    text = f"## Soil\n- {between.join([head, *pieces])}\n"
    for piece in nested:
        text += f"  - {piece}\n"
    records = read_markdown(text, "f")
    if records.remarks:
        return  # what is not read is named by its line
    found = " ".join(f"{name} {cell}" for row in records.rows for name, cell in row.cells.items())
    assert [word for word in re.findall(r"[A-Za-z]{8,}", text) if word not in found] == []
