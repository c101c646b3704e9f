"""What the report groups, and when titles repeat too often to be titles."""

from corpus.curation.importing.outcome import Unplaced
from corpus.curation.importing.plan import plan_columns
from corpus.curation.importing.pool.pool import make_pool
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import ImportedRecord, gather
from corpus.curation.importing.report import cell_problems, line_problems, repeated_titles


def imported(*titles):
    records = gather(
        "CSV",
        [ImportedRecord(n, {"title": title, "n": f"{n}"}) for n, title in enumerate(titles, 2)],
    )
    plans = plan_columns(records.columns, [record.cells for record in records.rows])
    return make_pool(records, plans), records, plans


def test_a_thousand_cells_with_one_problem_are_one_line():
    cells = [
        Unplaced(n, "year", f"c. {n}", f"the year is '{n}' already", "kept in the notes")
        for n in range(1_000)
    ]
    (problem,) = cell_problems(cells)
    assert (problem.number, len(problem.examples)) == (1_000, 3)
    assert problem.places.endswith("988 more")


def test_findings_about_lines_are_grouped_by_what_is_wrong():
    findings = [rules.SKIPPED.at("f", n, value=f"@{n}", problem="too deep") for n in (3, 9)]
    findings.append(rules.UNEVEN.at("f", 4, found=1, expected=2, consequence="empty"))
    assert [(p.column, p.number, p.places) for p in line_problems(findings)] == [
        ("I106", 2, "3, 9"),
        ("I107", 1, "4"),
    ]


def test_titles_that_repeat_are_suspicious_from_a_fifth_on():
    assert repeated_titles(imported("paper", "paper", "paper", "A a", "B b")[0]).is_suspicious
    assert not repeated_titles(imported("A a", "B b", "C c", "D d", "E e")[0]).is_suspicious
    pair = repeated_titles(imported(*(f"Title {n}" for n in range(20)), "Title 1")[0])
    assert (pair.repeated, pair.records, pair.is_suspicious) == (2, 21, False)
