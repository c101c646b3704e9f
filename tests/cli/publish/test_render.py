from __future__ import annotations

import re

from corpus.printing.latex import latex_text
from corpus.printing.typeset import typeset
from corpus.tables.documents import read_codebook
from tests.conftest import REAL
from tests.support.golden import golden
from tests.support.latex_machine import need_latex


def test_the_macros_of_the_small_corpus(run, soil):
    done = run("render", cwd=soil)
    assert done.exit_code == 0
    golden("soil_numbers.tex", done.stdout)


def test_all_macros_compile_and_print_their_values(run):
    need_latex()
    macros = run("render", "--data", REAL).stdout
    names = re.findall(r"\\newcommand\{\\(\w+)\}", macros)
    used = " ".join(f"\\{name}{{}}" for name in names)
    made = typeset(
        [
            "\\documentclass{article}\n",
            macros,
            "\\begin{document}\\raggedright\n",
            used,
            "\\end{document}",
        ],
        0,
    )
    assert "undefined" not in made.log
    assert len(names) > 400


def test_files_are_renewed_in_place_and_checked(run, soil):
    note = soil / "note.md"
    note.write_bytes(b"Of <!-- corpus: PoolSize -->9<!-- /corpus --> sensors\r\nnone is new.\r\n")
    check = run("render", "--check", "note.md", cwd=soil)
    assert check.exit_code == 1
    assert "note.md:1: error R123" in check.stderr
    assert run("render", "note.md", cwd=soil).exit_code == 0
    found = note.read_bytes()
    assert found == b"Of <!-- corpus: PoolSize -->3<!-- /corpus --> sensors\r\nnone is new.\r\n"
    assert run("render", "--check", "note.md", cwd=soil).exit_code == 0
    assert run("render", "note.md", cwd=soil).stdout == "nothing changed\n"


def test_one_faulty_file_leaves_all_as_they_were(run, soil):
    good, bad = soil / "good.html", soil / "bad.tex"
    good.write_text("<!-- corpus: PoolSize --><!-- /corpus -->")
    bad.write_text("% corpus: Nothing\n% /corpus\n")
    done = run("render", good, bad, cwd=soil)
    assert done.exit_code == 1
    assert "R121" in done.stderr
    assert good.read_text() == "<!-- corpus: PoolSize --><!-- /corpus -->"


def test_tables_between_markers(run, soil):
    (soil / "a.md").write_text("<!-- corpus: table-probe_by_measure -->\n<!-- /corpus -->\n")
    (soil / "a.tex").write_text("% corpus: table-probe\n% /corpus\n")
    (soil / "a.html").write_text("<!-- corpus: table-probe --><!-- /corpus -->\n")
    assert run("render", "a.md", "a.tex", "a.html", cwd=soil).exit_code == 0
    assert "| optical | 1 | 0 | 0 | 1 |" in (soil / "a.md").read_text()
    assert "acoustic & 0" in (soil / "a.tex").read_text()
    assert "<tr><td>optical</td><td>1</td><td>50%</td></tr>" in (soil / "a.html").read_text()


def test_a_template_has_the_same_names(run, soil):
    (soil / "t.md").write_text("{{ PoolSize }} of {{ AuditedCount }}\n{{ tables.probe }}")
    done = run("render", "--template", "t.md", cwd=soil)
    assert done.exit_code == 0
    assert done.stdout.startswith("3 of 5\n| Probe |")
    (soil / "t.md").write_text("x\n{{ PoolSise }}")
    wrong = run("render", "--template", "t.md", "-o", "out.md", cwd=soil)
    assert wrong.exit_code == 1
    assert "t.md:2: error R112" in wrong.stderr
    assert not (soil / "out.md").exists()


def test_wrong_usage(run, soil):
    assert run("render", "a.docx", cwd=soil).exit_code == 2
    assert run("render", "a.md", "-o", "x", cwd=soil).exit_code == 2
    missing = run("render", "nope.md", cwd=soil)
    assert (missing.exit_code, "C101" in missing.stderr) == (1, True)


def test_tables_in_print_call_terms_by_their_labels(run, real, tmp_path):
    page = tmp_path / "page.tex"
    page.write_text("% corpus: table-orchestration_form\n% /corpus\n")
    assert run("render", page, "--data", real).exit_code == 0
    text = page.read_text()
    labels = [
        term.label for term in read_codebook(str(real)).vocabularies["orchestration_form"].terms
    ]
    assert all(latex_text(label) in text for label in labels)
    assert "planner_executor" not in text.replace("\\", "").replace("allowbreak{}", "")
