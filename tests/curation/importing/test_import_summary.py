"""The summary of an import adds up for every format, and opens where a reader loses something."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.curation.importing.foreign_file import ForeignFile
from corpus.curation.importing.import_summary import ImportSummary, count_source, import_problems
from corpus.curation.importing.readers.delimited import UNEVEN
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import SKIPPED
from corpus.model.finding import Finding
from tests.support.imported import findings_of, refused_at

WORDS = ("Peat", "moss", "salt", "bogs", "clay", "lamps", "fens")


def joined(works, start, line, end=""):
    return start + "".join(line.format(n=n, title=title, name=name) for n, (title, name) in enumerate(works)) + end  # fmt: skip


def in_json(works):
    return json.dumps([{"title": title, "doi": name, "year": 2020} for title, name in works])


def in_lines(works):
    items = [{"title": title, "doi": name} for title, name in works]
    return "\n".join(json.dumps(item) for item in items)


#: Format -> ending, and what writes works with their DOIs in it.
WRITERS = {
    "bibtex": (".bib", lambda w: joined(w, "", "@article{{k{n},\n title={{{title}}},\n doi={{{name}}}}}\n")),
    "ris": (".ris", lambda w: joined(w, "", "TY  - JOUR\nTI  - {title}\nDO  - {name}\nER  - \n\n")),
    "wos": (".ciw", lambda w: joined(w, "FN Clarivate\nVR 1.0\n", "PT J\nTI {title}\nDI {name}\nER\n\n", "EF\n")),
    "nbib": (".nbib", lambda w: joined(w, "", "PMID- {n}1\nTI  - {title}\nLID - {name} [doi]\n\n")),
    "csv": (".csv", lambda w: joined(w, "title,doi,note\n", '"{title}",{name},"two\nlines"\n')),
    "tsv": (".tsv", lambda w: joined(w, "title\tdoi\n", "{title}\t{name}\n")),
    "json": (".json", in_json),
    "jsonl": (".jsonl", in_lines),
    "endnote": (".xml", lambda w: joined(
        w, "<xml><records>", "<record><ref-type>0</ref-type><titles><title>{title}</title></titles>"
        "<electronic-resource-num>{name}</electronic-resource-num></record>", "</records></xml>")),
    "items": (".md", lambda w: joined(w, "# L\n## S\n", "- [{title}](https://doi.org/{name})\n")),
    "numbers": (".md", lambda w: joined(w, "# L\n", "{n}. **{title}.**\n\n   *Ann Ward.* [[paper]](https://doi.org/{name})\n\n")),
    "rows": (".md", lambda w: joined(w, "| title | link |\n|-|-|\n", "| {title} | [paper](https://doi.org/{name}) |\n")),
    "html": (".md", lambda w: joined(
        w, "<table>\n<tr><th>title</th><th>link</th></tr>\n",
        "<tr><td>{title}</td>\n<td><a href='https://doi.org/{name}'>paper</a></td></tr>\n", "</table>\n")),
    "paragraphs": (".md", lambda w: joined(w, "", "**{title}** [paper](https://doi.org/{name})\n\n")),
}  # fmt: skip

TITLES = st.lists(st.sampled_from(WORDS), min_size=3, max_size=6).map(" ".join)
WORKS = st.lists(TITLES, min_size=1, max_size=14).map(
    lambda titles: [(f"{each} {n}th", f"10.1234/w{n}") for n, each in enumerate(titles)]
)


def imported(tmp_path, ending, content):
    path = tmp_path / f"list{ending}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    records = read_foreign(str(path), path.name)
    file = ForeignFile(records)
    return file, file.tables(path.name)


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=12)
@given(works=WORKS)
def test_every_work_and_identifier_of_a_source_is_in_a_row(tmp_path_factory, name, works):
    ending, write = WRITERS[name]
    file, pool = imported(tmp_path_factory.mktemp("a"), ending, write(works))
    (found,) = file.summaries(pool)
    counted = 0 if ending in (".md", ".csv", ".tsv", ".json") else len(works)
    assert (found.works, found.outcomes["in rows"], found.rows) == (counted, counted, len(works))
    assert (found.identifiers, found.in_rows) == (len(works), len(works))
    assert (found.unmatched, found.unmatched_names) == (0, [])


@pytest.mark.parametrize("name", WRITERS)
def test_a_work_that_a_reader_loses_opens_the_summary(tmp_path, name):
    ending, write = WRITERS[name]
    works = [(f"Peat by number {n}", f"10.1234/w{n}") for n in range(4)]
    file, pool = imported(tmp_path, ending, write(works))
    places = [row.place for row in file.kept[1:]]
    text = "\n".join(" ".join(row) for row in pool.rows if "w0" not in " ".join(row))
    found = ImportSummary(file.records, places, [text], [])
    assert found.unmatched == (found.works > 0)
    assert [name for _, name in found.unmatched_names] == ["10.1234/w0"]
    assert not found.is_closed


def test_what_is_lost_is_refused_with_its_lines_unless_forced(tmp_path):
    content = WRITERS["items"][1]([(f"Peat number {n}", f"10.1234/w{n}") for n in range(3)])
    file, pool = imported(tmp_path, ".md", content)
    lost = replace(pool, rows=pool.rows[1:])
    del file.kept[0]
    assert refused_at(file.summaries, lost) == [("I120", 3)]
    assert [line for line, _ in file.summaries(lost, force=True)[0].unmatched_names] == [3]


def test_a_table_without_titles_is_refused_and_names_its_columns(tmp_path):
    rows = "".join(f"| M{n} | [Paper](https://doi.org/10.1234/w{n}) |\n" for n in range(4))
    file, pool = imported(tmp_path, ".md", "| Method | Link |\n|-|-|\n" + rows)
    (finding,) = findings_of(file.summaries, pool)
    assert (finding.code, finding.line, finding.column) == ("I121", 3, "title")
    assert "Method" in finding.message


def test_identifiers_of_five_kinds_are_found_with_their_lines():
    text = (
        "https://arxiv.org/pdf/2103.00001v2.pdf\nhttps://doi.org/10.1234/a\\_b.\n"
        "https://openreview.net/forum?id=AbCdEf12\nhttps://aclanthology.org/2021.naacl-main.278/\n"
        "https://dblp.org/rec/conf/mire/Ward20.html\narXiv:2103.00001\n"
    )
    found = count_source(text, "markdown")[1]
    assert found == {
        "2103.00001": 1,
        "10.1234/a_b": 2,
        "abcdef12": 3,
        "2021.naacl-main.278": 4,
        "conf/mire/ward20.html": 5,
    }


def test_a_thousand_cells_with_one_problem_are_one_line():
    cells = [
        Finding("", n, 0, "year", "", "", f"c. {n}", f"the year is '{n}' already", "in the notes")
        for n in range(1_000)
    ]
    (problem,) = import_problems(cells)
    assert (problem["number"], len(problem["examples"])) == (1_000, 3)
    assert problem["places"].endswith("988 more")


def test_findings_about_lines_are_grouped_by_what_is_wrong():
    findings = [SKIPPED.at("f", n, value=f"@{n}", problem="too deep") for n in (3, 9)]
    findings.append(UNEVEN.at("f", 4, found=1, expected=2, consequence="empty"))
    assert [(p["column"], p["number"], p["places"]) for p in import_problems(findings)] == [
        ("I106", 2, "3, 9"),
        ("I107", 1, "4"),
    ]
