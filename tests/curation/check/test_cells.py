"""The patterns that skip sound cells must never skip a cell that has trouble."""

import inspect
import re
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.curation.check import cells, check_rules
from corpus.curation.check.cells import cell_trouble, plain_pattern
from corpus.model.codebook import COLUMN_TYPES, Column
from corpus.model.identifiers import is_key, parse_arxiv

TODAY = date(2026, 5, 15)


def column(kind):
    return Column("c", kind, "C", "", "", True, "", "", "", False)


def skipped(kind, cell):
    """Whether the frame check skips the cell, by the engine that runs it (RE2)."""
    pattern = f"^(?:{plain_pattern(kind, TODAY)})$"
    return bool(pc.match_substring_regex(pa.array([cell]), pattern)[0].as_py()) and "\n" not in cell


likely = st.one_of(
    st.text(st.sampled_from("aZ0 9.-+=@$\\/'\";,:(){}[]~^\t\n\u00a0\u200bé"), max_size=24),
    st.from_regex(r"[0-9]{4}\.[0-9]{4,5}", fullmatch=True),
    st.from_regex(r"(TODO|n/a|NaN|xxx|\?\?|none)", fullmatch=True),
    st.from_regex(r"https?://[a-z.@:]{1,12}/[a-z ;]{0,8}", fullmatch=True),
    st.from_regex(r"[12][0-9]{3}(-[01][0-9](-[0-3][0-9])?)?", fullmatch=True),
    st.text(max_size=30),
)


@pytest.mark.parametrize("kind", sorted(set(COLUMN_TYPES) - {"term"}))
@given(cell=likely)
def test_a_skipped_cell_has_no_trouble(kind, cell):
    if cell and skipped(kind, cell):
        assert cell_trouble(cell, column(kind), TODAY) == []


@pytest.mark.parametrize(("kind", "sound", "broken"), [
    ("arxiv", ["2605.12345", "1412.0001", "hep-th/9901001", "math.GT/0309136"],
     ["2606.00001", "1412.00001", "2605.1234", "arXiv:2605.12345", "2605.12345v1", "0613.0001", "٢605.12345"]),
    ("doi", ["10.1234/x", "10.48550/arXiv.2605.12345"], ["10.12/x", "https://doi.org/10.1234/x", "10.1234/x y", "10.1234/"]),
    ("url", ["http://a.b", "https://a.b/c?d=e#f", "https://a.b/x ; https://c.d/y"],
     ["ftp://a.b", "Https://a.b", "https://a.b;https://c.d", "https://a b.c", "https://", "//a.b", "https://a", "data:text/html,x",
      "https://a.b/<script>", "https://a.b/é", "https://[::1", "https://a.b:99999999/"]),
    ("date", ["2026", "2026-05", "2024-02-29"], ["2026-5", "2025-02-29", "2026-06", "26-05", "2026-05-16", "May 2026"]),
    ("number", ["0", "12.5"], ["-1", "1e5", "1,000", "01", ".5", "nan", "inf"]),
    ("integer", ["0", "18"], ["1.0", "+1", "００"]),
    ("year", ["1994", "2027"], ["2028", "994", "1599", "20266"]),
    ("names", ["Loam, Ann", "Loam, Ann; Silt, Dee"], ["Loam, Ann;Silt, Dee", "Loam, Ann; ", "A; A", "; A", "A; ; B"]),
    ("key", ["c3", "dec-pomdp2002"], ["-a", "a--b", "a_b", "a b", "é", "x" * 81]),
])  # fmt: skip
def test_forms(kind, sound, broken):
    assert [cell for cell in sound if cell_trouble(cell, column(kind), TODAY)] == []
    assert [cell for cell in broken if not cell_trouble(cell, column(kind), TODAY)] == []


@given(st.text(max_size=20))
def test_keys_are_safe_everywhere(text):
    if is_key(text):
        assert re.fullmatch(r"[A-Za-z0-9-]+", text)


@given(st.text(max_size=14))
def test_an_arxiv_identifier_is_ascii_and_exact(text):
    try:
        assert parse_arxiv(text) == text
        assert text.isascii()
    except ValueError:
        pass


@pytest.mark.parametrize(("kind", "cell", "sound"), [
    ("arxiv", "2605.00001", True), ("year", "1600", True), ("url", "https://ann@a.b/", False), ("url", "https://:pw@a.b/", False),
    ("date", "2026-05-01", True), ("date", "2026-05-02", False), ("date", "1600", True), ("date", "1599", False),
    ("url", "https://a.b:0/", False), ("url", "https://a.b:1/", True), ("url", "https:///x", False),
])  # fmt: skip
def test_bounds(kind, cell, sound):
    assert (cell_trouble(cell, column(kind), date(2026, 5, 1)) == []) is sound


@pytest.mark.parametrize(("kind", "cell", "codes"), [
    ("verbatim", "TODO  \\emph{x} ", []), ("verbatim", "=A1\u200b", ["C211", "C212"]), ("text", "=A1\u200b  x", ["C211", "C212", "C214"]),
    ("key", "A\u200b", ["C211"]), ("url", "fen.example  x", ["C214"]), ("url", "LÃ©ger", ["C217", "C207"]), ("name", "", ["C201"]),
])  # fmt: skip
def test_faults_of_any_text_are_reported_before_the_form(kind, cell, codes):
    """Of a cell that is unsafe anywhere the form is not told as well."""
    assert [rule.code for rule, _ in cell_trouble(cell, column(kind), TODAY)] == codes


#: Rule about one cell -> a cell that breaks it, and the types of columns in which it can be.
BREAKS = {
    "C203": ("Not a key!", ("key", "ref")),
    "C204": ("2508.0368", ("arxiv",)),
    "C205": ("2606.00001", ("arxiv",)),
    "C206": ("doi.org/10.1/x", ("doi",)),
    "C207": ("ftp://fen.example/a", ("url",)),
    "C208": ("1_000", ("year", "integer", "number")),
    "C209": ("1599", ("year",)),
    "C210": ("2026-13", ("date",)),
    "C211": ("peat\u200b", ("text", "name")),
    "C212": ("=1+1", ("text", "name", "verbatim")),
    "C213": ("n/a", ("text", "name", "names")),
    "C214": ("peat  bog", ("text", "name")),
    "C215": ("e\u0301tang", ("text", "name")),
    "C216": ("\\emph{peat}", ("text", "name")),
    "C217": ("\u00c3\u00a9tang", ("text", "name")),
    "C218": ("Ward, Ann; ; Moor, Bo", ("names",)),
    "C221": ("p\u0435at", ("text", "name")),
}


def test_every_rule_about_a_cell_has_a_cell_that_breaks_it():
    used = set()
    for module in (cells,):
        for name in re.findall(r"\brules\.([A-Z_]+)", inspect.getsource(module)):
            used.add(getattr(check_rules, name).code)
    assert used - set(BREAKS) == set()
