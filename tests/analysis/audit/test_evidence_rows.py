"""Rows of evidence are drawn by seed and name, and the bound follows from what was found."""

import csv
import io
from hashlib import sha256

import pytest

from corpus.analysis.audit.audit import (
    evidence_audit_grids,
    evidence_audits,
    evidence_sheet,
    most_wrong,
)
from corpus.model.finding import UsageProblem
from tests.corpora.full import codebook_data, full

ROLES = ("table", "row", "digest", "seed", "population", "reader", "verdict", "quotation", "place")


def study(audited=(), facts=10):
    data = codebook_data()
    text = {"type": "verbatim", "required": False, "definition": "X."}
    columns = [{"name": role, "role": role, **text} for role in ROLES]
    key = [{"name": "a", **text}, {"name": "b", **text}, {"name": "fact", **text}]
    data["tables"]["facts"] = {
        "file": "facts.csv", "role": "evidence", "key": ["a", "b"], "columns": key,
    }  # fmt: skip
    data["tables"]["checked"] = {
        "file": "checked.csv", "role": "evidence_audit", "key": ["table", "row"],
        "columns": columns,
    }  # fmt: skip
    rows = [(str(number % 2), str(number), f"fact {number}") for number in range(facts)]
    return full({"facts": rows, "checked": list(audited)}, **data)


def population(corpus):
    return sum(len(table.rows) for table in corpus.by_role("evidence"))


def sheet(corpus, size, seed="s"):
    return list(csv.DictReader(io.StringIO(evidence_sheet(corpus, size, seed))))


def filled(rows, *verdicts):
    return [
        tuple({**row, "verdict": verdict}.values())
        for row, verdict in zip(rows, verdicts, strict=True)
    ]


def test_the_draw_depends_on_seed_and_names_alone():
    corpus = study()
    drawn = sheet(corpus, 5)
    assert sheet(corpus, 5) == drawn != sheet(corpus, 5, "other")
    assert len({(row["table"], row["row"]) for row in drawn}) == 5
    assert {row["population"] for row in drawn} == {str(population(corpus))}
    smaller = {row["row"] for row in sheet(corpus, 3)}
    assert smaller <= {row["row"] for row in drawn}


def test_every_row_can_be_drawn_once():
    """Keys of several columns name a row together."""
    corpus = study()
    everything = sheet(corpus, population(corpus))
    assert {f"{n % 2}/{n}" for n in range(10)} <= {row["row"] for row in everything}
    for size in (0, population(corpus) + 1):
        with pytest.raises(UsageProblem):
            evidence_sheet(corpus, size, "s")


def test_what_could_not_be_reached_counts_as_wrong_in_the_first_bound():
    rows = sheet(study(), 4)
    corpus = study(filled(rows, "right", "right", "wrong", "not_reachable"))
    (audit,) = evidence_audits(corpus)
    size = population(study())
    assert (audit.drawn, audit.population, audit.changed) == (4, size, 0)
    assert audit.most_wrong == most_wrong(size, 4, 2)
    (grid,) = evidence_audit_grids([audit])
    assert grid.rows[0][2:7] == ("4", "2", "1", "1", "0")


def test_a_row_that_changed_since_is_told():
    rows = sheet(study(), 4)
    rows[0]["digest"] = "of other cells"
    (audit,) = evidence_audits(study(filled(rows, "right", "right", "right", "right")))
    assert audit.changed == 1


def test_a_row_of_another_table_is_compared_with_what_it_is_today():
    """A draw by table has rows of the pool and the bibliography as well."""
    pool = study().pool
    digest = sha256("\x1f".join(pool.rows[0]).encode()).hexdigest()[:12]
    drawn = {
        "table": pool.spec.name, "row": "/".join(pool.key_of(pool.rows[0])), "digest": digest,
        "seed": "by hand", "population": "9", "reader": "r", "verdict": "right",
    }  # fmt: skip
    row = tuple(drawn.get(role, "") for role in ROLES)
    (audit,) = evidence_audits(study([row]))
    assert audit.changed == 0


@pytest.mark.parametrize("cell", ["many", "", "1", "-5", "9" * 40])
def test_a_population_that_cannot_be_is_refused(cell):
    rows = [{**row, "population": cell} for row in sheet(study(), 3)]
    with pytest.raises(UsageProblem):
        evidence_audits(study(filled(rows, "right", "right", "wrong")))
