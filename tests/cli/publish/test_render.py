import re

from corpus.printing.latex import latex_text
from corpus.printing.typeset import typeset
from corpus.tables.documents import read_codebook
from tests.conftest import REAL
from tests.support.golden import golden
from tests.support.latex_machine import need_latex


def test_the_macros_of_the_small_corpus(run, minimal):
    done = run("render", cwd=minimal)
    assert done.exit_code == 0
    golden("soil_numbers.tex", done.stdout)


def test_all_macros_compile_and_print_their_values(run):
    need_latex()
    macros = run("render", "--all", "--data", REAL).stdout
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


def test_files_are_renewed_in_place_and_checked(run, minimal):
    note = minimal / "note.md"
    note.write_bytes(b"Of <!-- corpus: PoolSize -->9<!-- /corpus --> sensors\r\nnone is new.\r\n")
    check = run("render", "--check", "note.md", cwd=minimal)
    assert check.exit_code == 1
    assert "note.md:1: error R123" in check.stderr
    assert run("render", "note.md", cwd=minimal).exit_code == 0
    found = note.read_bytes()
    assert found == b"Of <!-- corpus: PoolSize -->3<!-- /corpus --> sensors\r\nnone is new.\r\n"
    assert run("render", "--check", "note.md", cwd=minimal).exit_code == 0
    assert run("render", "note.md", cwd=minimal).stdout == "nothing changed\n"


def test_one_faulty_file_leaves_all_as_they_were(run, minimal):
    good, bad = minimal / "good.html", minimal / "bad.tex"
    good.write_text("<!-- corpus: PoolSize --><!-- /corpus -->")
    bad.write_text("% corpus: Nothing\n% /corpus\n")
    done = run("render", good, bad, cwd=minimal)
    assert done.exit_code == 1
    assert "R121" in done.stderr
    assert good.read_text() == "<!-- corpus: PoolSize --><!-- /corpus -->"


def test_tables_between_markers(run, minimal):
    (minimal / "a.md").write_text("<!-- corpus: table-probe_by_measure -->\n<!-- /corpus -->\n")
    (minimal / "a.tex").write_text("% corpus: table-probe\n% /corpus\n")
    (minimal / "a.html").write_text("<!-- corpus: table-probe --><!-- /corpus -->\n")
    assert run("render", "a.md", "a.tex", "a.html", cwd=minimal).exit_code == 0
    assert "| optical | 1 | 0 | 0 | 1 |" in (minimal / "a.md").read_text()
    assert "acoustic & 0" in (minimal / "a.tex").read_text()
    assert "<tr><td>optical</td><td>1</td><td>50%</td></tr>" in (minimal / "a.html").read_text()


def test_wrong_usage(run, minimal):
    assert run("render", "a.docx", cwd=minimal).exit_code == 2
    assert run("render", "a.md", "-o", "x", cwd=minimal).exit_code == 2
    missing = run("render", "nope.md", cwd=minimal)
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


def test_a_current_text_with_mixed_line_ends_is_left_alone(run, minimal):
    note = minimal / "note.md"
    text = b"Of <!-- corpus: PoolSize -->3<!-- /corpus --> sensors\nnone is new.\r\n"
    note.write_bytes(text)
    assert run("render", "note.md", cwd=minimal).stdout == "nothing changed\n"
    assert note.read_bytes() == text
