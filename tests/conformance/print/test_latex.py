"""What every command prints for LaTeX fits the column of the classes that papers are written in."""

import csv
import json
import re
import subprocess
import sys
from itertools import pairwise

import pytest

CLASSES = {
    "article": r"\documentclass{article}",
    "two columns": r"\documentclass[twocolumn]{article}",
    "IEEEtran": r"\documentclass{IEEEtran}",
    "acmart": r"\documentclass[sigconf,nonacm]{acmart}",
}
PACKAGES = r"\usepackage[T1]{fontenc}\usepackage{lmodern,booktabs,graphicx,longtable,array}"
#: What is set without looking wrong: half a point more than LaTeX calls overfull.
TOLERATED = 2.0

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
SPECIAL = r"A & B: 100 % of $x_1^2$ \alpha {braces} #5 ~tilde <html> |pipe| _under_ ^up^ \\ \input{x} \end{document}"
TITLES = [
    SPECIAL,
    LONG,
    "البحث عن الوكلاء المتعددين שלום עולם",
    "多智能体强化学习综述：从合作到竞争的方法与应用研究进展 日本語 한국어 🎉 ไทย हिन्दी",
    r"$\epsilon$-greedy, $\mathbb{R}^n$ and $\partial f/\partial x \in \mathcal{O}(n^2)$",
]
NAMES = ["Anne O'Neil; Émile Söns", LONG, "محمد بن سلمان", "王 小明; 李 华", ""]
ADDRESS = "https://a-very-long-name-of-a-host.example.org/" + "with/a/long/path/" * 8


def table(name, columns):
    """A list of five works that has these columns, each of a kind of text that breaks tables."""
    return name, [
        dict(zip(columns, [TITLES[n], NAMES[n], 2020 + n, *[TITLES[(n + k) % 5] for k in range(20)]], strict=False))
        for n in range(5)
    ]  # fmt: skip


CORPORA = dict(
    [
        table("twenty", ["title", "authors", "year", "venue", *[f"column_{n}" for n in range(16)]]),
        table("one", ["title"]),
        ("no year", [{"title": title, "venue": SPECIAL, "url": ADDRESS} for title in TITLES]),
        ("none", []),
    ]
)


def corpus(*arguments, cwd=None):
    """Run a command as a user does; return what it prints, nothing where it has nothing to show."""
    command = [sys.executable, "-m", "corpus", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=cwd)
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if done.returncode == 0 else ""


@pytest.fixture(scope="module", params=["shipped", *CORPORA])
def printed(request, tmp_path_factory):
    """What each command prints of a corpus, by the command."""
    data = ()
    if request.param != "shipped":
        folder = tmp_path_factory.mktemp("corpus")
        rows = CORPORA[request.param]
        with (folder / "list.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else ["title", "year"])
            writer.writeheader()
            writer.writerows(rows)
        corpus("init", "made", *(("--from", "list.csv") if rows else ()), cwd=folder)
        data = ("--data", str(folder / "made"))
    commands = [
        ("stats",), ("sparsity",), ("sparsity", "--all"), ("evidence",),
        ("list",), ("list", "--columns", "all"), ("list", "--table", "exclusions"),
        ("render-appendix", "--part", "all"), ("render-appendix", "--part", "cards"),
    ]  # fmt: skip
    axes = json.loads(corpus("stats", "--format", "json", *data))["axes"]
    names = list(axes) if isinstance(axes, dict) else [axis["axis"] for axis in axes]
    commands += [("stats", "--by", *pair) for pair in pairwise(names)]
    found = {}
    for command in commands:
        found[command] = corpus(*command, "--format", "latex", *data)
    assert any(found.values()), found
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_no_table_is_wider_than_its_column(printed, name, tmp_path):
    faults = {}
    for number, (command, text) in enumerate(printed.items()):
        source = tmp_path / f"t{number}.tex"
        head = [CLASSES[name], PACKAGES, r"\begin{document}\title{T}\author{A}\maketitle Text."]
        source.write_text("\n".join([*head, text, r"\end{document}"]), encoding="utf-8")
        engine = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", source.name]
        # A long table finds its widths in the second run.
        for _ in range(2):
            done = subprocess.run(engine, cwd=tmp_path, capture_output=True)
        log = source.with_suffix(".log").read_text("latin-1")
        found = re.findall(r"(?m)^!.*\n.*\n.*|Float too large.*", log) if done.returncode else []
        for box, width in re.findall(r"(Overfull \\hbox \(([0-9.]+)pt too.*)", log):
            found += [box] * (float(width) > TOLERATED)
        if found:
            faults[" ".join(command)] = found[:3]
    assert not faults
