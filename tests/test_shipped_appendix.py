"""The appendix table of the shipped corpus beside the pool, row by row, as the survey prints it."""

import csv
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.printing.typeset import typeset
from corpus.publishing.appendix.appendix import appendix_text, make_appendix
from corpus.publishing.appendix.pool_table import pool_part
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data
from tests.conftest import REAL
from tests.support.conformance import needed
from tests.support.latex_machine import need_latex, widest_overfull

DATA = Path(shipped_data())

#: The abbreviations that the survey prints, by column of the pool.
PRINTED = {
    "is_rl": {"yes": "Y", "partial": "P", "no": "N"},
    "reward_type": {
        "shared": "shr", "individual": "ind", "role": "role", "process": "proc", "tool": "tool",
        "debate": "dbt", "verifier": "verif", "orchestration": "orch", "hybrid": "hyb", "NA": "–",
    },
    "credit_granularity": {
        "team": "tm", "orchestrator": "or", "role": "ro", "agent": "ag", "turn": "tn",
        "message": "msg", "tool": "tool", "token": "tok", "NA": "–",
    },
    "orchestration_form": {
        "centralized": "cntr", "planner_executor_critic": "pec", "debate": "dbt", "swarm": "swm",
        "hierarchical": "hier", "harness": "hrn", "NA": "–",
    },
    "scenario": {
        "coding": "cod", "web": "web", "research": "rsh", "math": "mth", "tool_use": "tl",
        "general": "gen", "debate": "deb", "NA": "–",
    },
    "is_core": {"core": "core", "case": "case", "supporting": "supp"},
}  # fmt: skip


def rows_of(path):
    return {row["key"]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}


def test_every_row_has_its_bucket_and_the_tags_of_the_pool():
    (sheet,) = pool_part(load_corpus(str(DATA))).sheets
    assert len(sheet.fields) == 9
    pool = rows_of(DATA / "pool.csv")
    buckets = rows_of(DATA / "evidence" / "buckets.csv")
    published = rows_of(REAL / "pool.csv")
    seen = []
    order = []
    counts = Counter()
    for block in sheet.blocks:
        for row in block.rows:
            key, dated, *tags, one_liner = [cell.text for cell in row]
            seen.append(key)
            order.append((block.heading, dated[:4], key))
            assert tags == [terms[pool[key][column]] for column, terms in PRINTED.items()], key
            assert dated.startswith(pool[key]["year"])
            assert one_liner == pool[key]["one_liner"]
            if key in published:
                assert block.heading.startswith(f"{buckets[key]['bucket']}. ")
                counts[block.heading[0]] += 1
    assert sorted(seen) == sorted(pool)
    assert order == sorted(order)
    assert counts == {"A": 40, "B": 5, "C": 6, "D": 10, "E": 8, "F": 5, "G": 6, "H": 4}


def test_print_names_no_file_and_no_command():
    appendix = make_appendix(load_corpus(str(DATA)), ["all"])
    text = "".join(appendix_text(replace(appendix, origin=()), "latex"))
    assert [name for name in (".csv", ".toml", ".md", "`corpus") if name in text] == []


#: Packages and fonts that the header of a fragment asks for, and the class as it is.
ARTICLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern,longtable,booktabs,array}
\usepackage[hidelinks]{hyperref}
\begin{document}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("part", "pages"), [("table", 5), ("all", 15)])
def test_the_pages_in_a_plain_article(part, pages):
    need_latex()
    study = load_corpus(str(DATA))
    appendix = make_appendix(study, [part])
    made = typeset([ARTICLE, *appendix_text(appendix, "latex"), r"\end{document}"], 0)
    assert widest_overfull(made.log) <= 2
    printed = needed("pypdf").PdfReader(io.BytesIO(made.pdf)).pages
    # The bound is that of the release; what joins the pool later may take more.
    grown = len(study.pool.rows) - 84
    assert len(printed) <= pages + -(-grown // 20)
    text = "".join(page.extract_text() for page in printed)
    assert "continued" in text
    assert [word for word in ("1fil", "relax", "textendash", "corpus/") if word in text] == []
