"""The three-way merge of rows and cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.table import Table
from corpus.tables.documents import read_codebook
from corpus.tables.git.merge import leave_unmerged, merge_lines, merge_tables, set_up_git
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text
from tests.corpora.full import ROWS, write_full
from tests.support.repository import git

HEADER = ("probe", "depth", "note")
SPEC = TableSpec(
    "soil", "soil.csv", "Soil", "", "pool", ("probe",),
    tuple(Column(name, "text", name, "", "", False, "", "", "", False) for name in HEADER),
)  # fmt: skip
BASE = [("a", "1", "wet"), ("m", "2", "dry"), ("z", "3", "sour")]


def table(rows):
    return Table(SPEC, "soil.csv", list(rows), [0] * len(rows))


def merge(ours, theirs, base=BASE):
    return merge_tables(table(base), table(ours), table(theirs))


def changed(key, **cells):
    return [
        tuple(cells.get(n, c) for n, c in zip(HEADER, row, strict=True)) if row[0] == key else row
        for row in BASE
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (BASE, BASE, BASE),
        ([*BASE, ("b", "4", "")], [*BASE, ("c", "5", "")], [*BASE, ("b", "4", ""), ("c", "5", "")]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "4", "")], [*BASE, ("b", "4", "")]),
        (
            changed("m", depth="9"),
            changed("m", note="damp"),
            [BASE[0], ("m", "9", "damp"), BASE[2]],
        ),
        (changed("m", depth="9"), changed("m", depth="9"), changed("m", depth="9")),
        (
            changed("a", note="x"),
            changed("z", note="y"),
            [("a", "1", "x"), BASE[1], ("z", "3", "y")],
        ),
        (BASE[1:], BASE, BASE[1:]),
        (BASE, BASE[1:], BASE[1:]),
        (BASE[1:], BASE[:2], BASE[1:2]),
        ([], [], []),
    ],
)
def test_what_does_not_contradict_is_joined(ours, theirs, expected):
    merged = merge(ours, theirs)
    assert merged[1] == []
    assert merged[0] == canonical_text(expected, SPEC)


def test_both_sides_change_the_same_cell():
    merged = merge(changed("m", depth="9", note="damp"), changed("m", depth="8"))
    assert merged[1] == ["m [depth]: ours '9', theirs '8'"]
    assert merged[0].splitlines() == [
        "probe,depth,note",
        "a,1,wet",
        "<<<<<<< ours",
        "m,9,damp",
        "=======",
        "m,8,damp",  # what does not contradict is merged on both sides
        ">>>>>>> theirs",
        "z,3,sour",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "lines"),
    [
        (BASE[:2], changed("z", note="x"), ["=======", "z,3,x"]),
        (changed("z", note="x"), BASE[:2], ["z,3,x", "======="]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "5", "")], ["b,4,", "=======", "b,5,"]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "", "x")], ["b,4,", "=======", "b,,x"]),
    ],
)
def test_other_contradictions(ours, theirs, lines):
    merged = merge(ours, theirs)
    assert len(merged[1]) == 1
    shown = merged[0].splitlines()
    assert shown[shown.index("<<<<<<< ours") + 1 : shown.index(">>>>>>> theirs")] == lines


@pytest.mark.parametrize("side", [0, 1, 2])
def test_no_row_of_a_duplicate_key_is_lost(side):
    versions = [table(BASE), table(BASE), table(BASE)]
    versions[side] = table([*BASE, ("a", "9", "another record")])
    with pytest.raises(CorpusError) as raised:
        merge_tables(*versions)
    assert [(found.code, found.value) for found in raised.value.findings] == [("C301", "a")]


cells = st.sampled_from(["", "1", "2"])
tables = st.dictionaries(st.sampled_from("abcde"), st.tuples(cells, cells)).map(
    lambda rows: [(key, *row) for key, row in sorted(rows.items())]
)


@given(tables, tables, tables)
def test_merging_is_even_handed(base, ours, theirs):
    """The same cells come out whichever side is called ours, and a clean merge is a canonical file."""
    one, two = merge(ours, theirs, base), merge(theirs, ours, base)
    places = [text.partition(": ")[0] for text in one[1]]
    assert places == [text.partition(": ")[0] for text in two[1]]
    if not one[1]:
        assert one[0] == two[0]
        rows = parse_table(one[0].encode(), SPEC, "soil.csv").rows
        assert canonical_text(rows, SPEC) == one[0]


@given(tables, tables)
def test_one_side_alone_is_taken_as_it_is(base, ours):
    assert merge(ours, base, base)[0] == merge(base, ours, base)[0] == canonical_text(ours, SPEC)


LINES = [
    *(f"data/{name}.csv text eol=lf merge=corpus" for name in ROWS),
    *(f"data/{name}.toml text eol=lf" for name in ("codebook", "claims")),
    "data/releases/** -text",
    "reports/** linguist-generated merge=corpus-generated",
]


@pytest.mark.parametrize(
    "before", ["", "*.png binary\n", "*.png binary", "data/judged.csv text eol=lf merge=corpus\n"]
)
def test_each_table_has_a_driver_and_nothing_that_was_there_is_lost(tmp_path, before):
    git(tmp_path, "init", "-q", ".")
    data = write_full(tmp_path)
    attributes = tmp_path / ".gitattributes"
    if before:
        attributes.write_text(before, "utf-8")
    book = read_codebook(str(data))
    done = set_up_git(str(data), book, ["reports/**"])
    assert done[-1] == ".gitattributes"
    kept = before.splitlines()
    assert attributes.read_text("utf-8").splitlines() == kept + [
        line for line in LINES if line not in kept
    ]
    driver = git(tmp_path, "config", "--local", "--get", "merge.corpus.driver")
    assert driver.endswith("-m corpus merge-driver %O %A %B %P")
    assert git(tmp_path, "config", "--local", "--get", "merge.corpus-generated.driver") == "true"
    content = attributes.read_bytes()
    assert set_up_git(str(data), book, ["reports/**"]) == []
    assert attributes.read_bytes() == content


def test_git_finds_the_driver_in_a_folder_with_a_space(tmp_path):
    git(tmp_path, "init", "-q", ".")
    root = tmp_path / "my survey"
    data = write_full(root)
    set_up_git(str(data), read_codebook(str(data)), ["reports/**"])
    asked = ("my survey/data/sensors.csv", "my survey/reports/a b.md", "data/sensors.csv")
    found = git(tmp_path, "check-attr", "-z", "merge", "--", *asked).split("\0")
    assert found[2::3] == ["corpus", "corpus-generated", "unspecified"]


def test_a_corpus_at_the_root_has_nothing_generated_above_it(tmp_path):
    data = write_full(tmp_path)
    git(data, "init", "-q", ".")
    set_up_git(str(data), read_codebook(str(data)), ["reports/**"])
    lines = (data / ".gitattributes").read_text("utf-8").splitlines()
    assert lines == [line.removeprefix("data/") for line in LINES[:-1]]


def test_without_a_repository_nothing_is_written(tmp_path):
    data = write_full(tmp_path)
    with pytest.raises(UsageProblem):
        set_up_git(str(data), read_codebook(str(data)), [])
    assert not (tmp_path / ".gitattributes").exists()


@pytest.mark.parametrize(
    ("theirs", "code", "marks"), [("a\nb\nC\n", 0, False), ("X\nb\nc\n", 1, True)]
)
def test_lines_are_merged_as_git_does(tmp_path, theirs, code, marks):
    base, ours, other = (str(tmp_path / name) for name in ("base", "ours", "theirs"))
    for path, text in ((base, "a\nb\nc\n"), (ours, "A\nb\nc\n"), (other, theirs)):
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
    assert merge_lines(base, ours, other) == code
    with open(ours, encoding="utf-8") as handle:
        text = handle.read()
    assert ("<<<<<<< ours" in text and ">>>>>>> theirs" in text) is marks
    assert marks or text == "A\nb\nC\n"


def test_files_that_git_cannot_merge_are_a_failure(tmp_path):
    missing = str(tmp_path / "missing")
    assert merge_lines(missing, missing, missing) == 2


def test_a_file_that_is_not_merged_tells_how_to_go_on(tmp_path):
    path = tmp_path / "ours"
    path.write_text("x" * 500, "utf-8")
    assert leave_unmerged(str(path), "data/a.csv") == 255
    assert path.read_text("utf-8").endswith("git checkout --merge -- data/a.csv\n")
    assert "x" not in path.read_text("utf-8").replace("can be", "").replace("checkout", "")
