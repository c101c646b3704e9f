"""`corpus fmt` mends what is safe to mend, and nothing else."""

import csv
import io
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import CorpusError
from corpus.tables.content import MARKS
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text, fix_table, form_findings


def column(name):
    return Column(name, "text", name, "", "", False, "", "", "", False)


SPEC = TableSpec(
    "soil",
    "soil.csv",
    "Soil",
    "",
    "pool",
    ("probe",),
    tuple(map(column, ("probe", "depth", "note"))),
)
CANONICAL = 'probe,depth,note\na1,10,"wet, cold"\nb2,20,café\n'


def codes(findings):
    return [(finding.code, finding.line) for finding in findings]


def fixed(data):
    text, wrong = fix_table(data if isinstance(data, bytes) else data.encode(), SPEC, "soil.csv")
    return text, codes(wrong)


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"\xef\xbb\xbf" + CANONICAL.encode(), [("C105", 1)]),
        (CANONICAL.replace("\n", "\r\n"), [("C108", 1)]),
        (CANONICAL.replace("\n", "\r"), [("C108", 1)]),
        (CANONICAL[:-1], [("C109", 3)]),
        (CANONICAL.replace("\nb2", "\n\nb2"), [("C110", 3)]),
        (CANONICAL + "\n\n", [("C110", 4), ("C110", 5)]),
        ('note,probe,depth\n"wet, cold",a1,10\ncafé,b2,20\n', [("C118", 1)]),
        ('probe,depth,note\nb2,20,café\na1,10,"wet, cold"\n', [("C308", 3)]),
        ('probe,depth,note\n"a1",10,"wet, cold"\nb2,20,café\n', [("C309", 2)]),
        (unicodedata.normalize("NFD", CANONICAL), [("C309", 3)]),
    ],
    ids=["mark", "crlf", "cr", "end", "blank", "blank end", "columns", "rows", "quotes", "nfd"],
)
def test_mends_and_names_what_was_wrong(data, wrong):
    assert fixed(data) == (CANONICAL, wrong)


def test_all_at_once():
    text = '\r\n"note","probe","depth"\r\ncafe\u0301,b2,20\r\n\r\n"wet, cold",a1,10'
    assert fixed(b"\xef\xbb\xbf" + text.encode())[0] == CANONICAL


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"", [("C104", 0)]),
        (b"\n", [("C104", 0)]),
        (CANONICAL.encode("utf-16"), [("C106", 1)]),
        (CANONICAL.encode("latin-1"), [("C106", 3)]),
        (CANONICAL.replace("20", "2\0").encode(), [("C107", 3)]),
        (CANONICAL.replace("café", "ca\rfé").encode(), [("C108", 3)]),
        (CANONICAL.replace("café", '"café').encode(), [("C112", 3)]),
        (CANONICAL.replace("café", 'ca"fé').encode(), [("C111", 3)]),
        (CANONICAL.replace("café", "café,x").encode(), [("C114", 3)]),
        (b"<<<<<<< ours\n" + CANONICAL.encode(), [("C113", 1)]),
        (CANONICAL.replace("probe,", "sonde,").encode(), [("C115", 1), ("C116", 1)]),
        (CANONICAL.replace("probe,", "note,").encode(), [("C115", 1), ("C117", 1)]),
    ],
)
def test_what_needs_a_person_is_left_alone(data, wrong):
    with pytest.raises(CorpusError) as error:
        fix_table(data, SPEC, "soil.csv")
    assert sorted(place for place in codes(error.value.findings) if place[0] != "C118") == wrong


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=8)
rows = st.lists(
    st.tuples(cells.filter(bool), cells, cells), max_size=6, unique_by=lambda row: row[0]
)


@given(rows, st.permutations(range(3)), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_any_writing_of_the_same_rows_becomes_the_same_file(found, order, quoted, end):
    if end == "\r\n":
        found = [tuple(cell.replace("\n", " ") for cell in row) for row in found]
        found = list({row[0]: row for row in found}.values())
    buffer = io.StringIO()
    writer = csv.writer(
        buffer, lineterminator=end, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    )
    writer.writerows([row[i] for i in order] for row in [SPEC.header, *found])
    assume(
        not any(mark in buffer.getvalue() for mark in MARKS)
    )  # what may be a conflict is for a person
    text, _ = fix_table(buffer.getvalue().encode(), SPEC, "soil.csv")
    assert text == canonical_text(found, SPEC)
    assert fixed(text) == (text, [])
    assert form_findings(parse_table(text.encode(), SPEC, "soil.csv")) == []


def test_only_the_composition_of_letters_is_normalized():
    text = CANONICAL.replace("café", "café m² ½ ﬁne Ⅳ ａ")
    assert fixed(text) == (text, [])
    assert fixed(unicodedata.normalize("NFD", text))[0] == text
