"""Cells as the checks want them, and rows that contradict themselves."""

from datetime import date

import pytest

from corpus.curation.importing.placing import NO_CONTENT, PLACEHOLDER, settled_cell

TODAY = date(2026, 1, 15)


@pytest.mark.parametrize(
    ("cell", "type_"),
    [
        ("Peat", "text"),
        ("2101.00001", "arxiv"),
        ("2026", "year"),
        ("2026-01-15", "date"),
        ("", "url"),
    ],
)
def test_a_cell_that_passes_stays_as_it_is(cell, type_):
    assert settled_cell(cell, type_, TODAY) == (cell, "")


@pytest.mark.parametrize(
    ("cell", "type_", "settled"),
    [
        ("=1+1", "text", "“=1+1”"),
        ("-1 peat", "text", "– 1 peat"),
        ("@ann", "text", "“@ann”"),
        ("GrÃ¼n", "text", "Grün"),
        (r"\emph{Peat} and $x_0$", "text", "Peat and x_0"),
        ("Ward, Ann; ; Ward, Ann", "names", "Ward, Ann"),
        ("a\u202eb", "text", "ab"),
    ],
)
def test_what_can_be_fixed_is_fixed_and_named(cell, type_, settled):
    found, problem = settled_cell(cell, type_, TODAY)
    assert found == settled
    assert problem


@pytest.mark.parametrize(
    ("cell", "type_"),
    [
        ("2030", "year"),
        ("2026-01-16", "date"),
        ("a.example", "url"),
        ("twelve", "integer"),
        ("10.1234", "doi"),
        ("2612.00001", "arxiv"),
    ],
)
def test_a_value_without_the_form_of_its_type_goes_to_the_notes(cell, type_):
    found, problem = settled_cell(cell, type_, TODAY)
    assert found == ""
    assert problem not in ("", PLACEHOLDER, NO_CONTENT)


@pytest.mark.parametrize("cell", ["TODO", "tbd", "\u200b"])
def test_a_cell_without_content_is_empty_and_nothing_is_lost(cell):
    found, problem = settled_cell(cell, "text", TODAY)
    assert found == ""
    assert problem in (PLACEHOLDER, NO_CONTENT)
