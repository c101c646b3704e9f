"""Files of other programs that are small and grow, or are wide or deep beyond use, are refused or read at once."""

import pytest

from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.lookup.services import bibtex_works
from tests.support.imported import refused

DOUBLING = '@string{a0 = "xxxxx"}\n' + "".join(
    f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(30)
)
GROWING = DOUBLING + "@misc{k, title = a30}\n"


def read(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return read_foreign(str(file), name)


REFUSED = {
    "a row of 20,000 columns": (
        "a.csv",
        ",".join(f"c{n}" for n in range(20_000)) + "\n1\n",
        "I108",
    ),
    "an object of 3,000 keys": (
        "a.json",
        "[{" + ",".join(f'"k{n}": 1' for n in range(3_000)) + "}]",
        "I108",
    ),
    "JSON lists in lists": ("a.json", "[" * 100_000, "I104"),
    "JSON objects in objects": (
        "a.json",
        '[{"a": ' + '{"a": ' * 900 + "1" + "}" * 900 + "}]",
        "I104",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_grows_beyond_use_is_refused(tmp_path, name):
    file, text, code = REFUSED[name]
    assert refused(read, tmp_path, file, text) == [code]


def test_string_macros_that_double_are_not_read(tmp_path):
    assert set(refused(read, tmp_path, "a.bib", GROWING)) == {"I105", "I106"}


def test_string_macros_that_double_are_refused_by_add():
    assert refused(bibtex_works, GROWING.encode(), "a.bib") == ["C710"]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_a_number_of_5000_digits_stays_as_it_is_written(tmp_path, name):
    item = '{"title": "A", "number": ' + "9" * 5_000 + "}"
    records = read(tmp_path, name, f"[{item}]" if name == "a.json" else item + "\n")
    assert records.rows[0].cells["number"] == "9" * 5_000


def test_of_60_000_authors_as_many_stay_as_a_table_takes(tmp_path):
    people = "; ".join(f"Moor, B{number}" for number in range(60_000))
    (row,) = read(tmp_path, "a.csv", f'title,authors\nPeat,"{people}"\n').rows
    assert row.cells["authors"][0] == "Moor, B0"
    assert row.cells["authors"][-1] == "et al."
