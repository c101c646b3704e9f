import pytest


def test_filter_and_order(run, minimal):
    done = run(
        *("render-appendix", "--format", "markdown"), *("--where", "probe!=none"), cwd=minimal
    )
    assert done.exit_code == 0
    rows = [line for line in done.stdout.splitlines() if " | 20" in line]
    # Groups come in the order of the vocabulary.
    assert [row.split("|")[2].strip() for row in rows] == ["2020", "2021"]
    assert "2 of 3 sensors" in done.stdout.lower()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--where", "probe=sonic"), "unknown term 'sonic'"), (("--part", "nope"), "nope")],
)
def test_wrong_usage_is_exit_2(arguments, said, run, minimal):
    done = run("render-appendix", *arguments, cwd=minimal)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("format_", ["latex", "html"])
def test_missing_glyphs_of_latex_are_codes(run, minimal, format_):
    pool = minimal / "sensors.csv"
    pool.write_text(
        pool.read_text("utf-8").replace("Light in the fen", "Light in the fen 王 é"), "utf-8"
    )
    done = run("render-appendix", "--format", format_, cwd=minimal)
    assert done.exit_code == 0
    assert ("[U+738B]" in done.stdout, "王" in done.stdout) == (
        format_ == "latex",
        format_ == "html",
    )


def test_a_file_is_written_whole(run, minimal):
    arguments = ("--part", "all", "--standalone", "-o", "a.tex")
    done = run("render-appendix", *arguments, cwd=minimal)
    assert (done.exit_code, done.stdout) == (0, "")
    text = (minimal / "a.tex").read_text(encoding="utf-8")
    assert text.startswith("\\documentclass")
    assert text.endswith("\\end{document}\n")


def test_columns_without_room_are_named_on_stderr(run, tmp_path):
    axes = [f"Property number {number}" for number in range(15)]
    lines = [",".join(["Title", *axes])]
    lines += [
        ",".join([f"Probe {row}", *["capacitive" if row % 2 else "optical"] * 15])
        for row in range(6)
    ]
    (tmp_path / "wide.csv").write_text("\n".join(lines), "utf-8")
    assert run("init", "wide", "--from", "wide.csv", cwd=tmp_path).exit_code == 0
    done = run("render-appendix", "--format", "markdown", cwd=tmp_path / "wide")
    assert done.exit_code == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("| probe-1 ")]
    # Each property is on the line of its work, beside the others or named in the last cell; the first one groups.
    assert line.count("capacitive") == 14
    assert "Property number 14" in done.stderr
