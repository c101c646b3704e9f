"""What the report groups, and which examples it shows."""

from corpus.curation.importing.account import Unplaced, cell_problems, line_problems
from corpus.curation.importing.readers import import_rules as rules


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
