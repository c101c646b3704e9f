"""Install a built package alone and use it: ``python tests/installed.py PACKAGE``.

The environment is new and the working folder empty: nothing of a clone is there but the texts that
tell what to type. ``--beside SITE`` takes the packages that the toolkit needs from the folder SITE,
as `make test` does, which has just installed them.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: How commands of the README begin that need more than the package.
NEEDED = {
    "corpus check": "a corpus of its own",
    "corpus add": "a network",
    "corpus diff": "a repository",
    "corpus trace": "a file of the clone",
    "corpus render-appendix": "LaTeX",
}
TABLE = """\
title,authors,year,doi,sensor
Peat by light,"Ward, Ann; Moor, Bo",2019,10.1234/a.1,optical
Salt by sound,"Moor, Bo",2020,10.1234/a.2,acoustic
"""


def main(package, beside):
    """Install, then run every command; the first that fails ends it."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "work")
        work.mkdir()
        programs = install(Path(folder, "env"), Path(package).resolve(), beside)
        for number, book in enumerate(sorted((ROOT / "docs/notebooks").glob("*.ipynb"))):
            (work / f"{number}.py").write_text(f"display = print\n{code(book)}", "utf-8")
            print("$ python", book.name, flush=True)
            path = os.pathsep.join([str(programs), os.environ["PATH"]])
            environment = {**os.environ, "PATH": path}
            program = [str(programs / "python"), f"{number}.py"]
            subprocess.run(program, cwd=work, check=True, env=environment)
        for command in (*from_readme(), *of_a_new_corpus(work)):
            name, *arguments = command
            print("$", shlex.join(command), flush=True)
            subprocess.run([str(programs / name), *arguments], cwd=work, check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        draw_nothing(Path(folder, "env"), str(programs / "corpus"), work)


def draw_nothing(place, corpus, work):
    """Run commands where the extra `figures` is not installed: what draws names it, the rest works."""
    (site_of(place) / "without.pth").write_text("import sys; sys.modules['matplotlib'] = None\n")
    for command in (
        "stats",
        "check --data soil/data",
        "render-appendix --format markdown",
        "figures",
    ):
        print("$ corpus", command, "# without matplotlib", flush=True)
        done = subprocess.run([corpus, *command.split()], cwd=work, capture_output=True, text=True)
        assert done.returncode == 2 * (command == "figures"), done.stderr
    assert "mas-rl-corpus[figures]" in done.stderr


def site_of(place):
    (site,) = place.glob("[lL]ib/**/site-packages")
    return site


def install(place, package, beside):
    """Make an environment with the package; return the folder of its programs."""
    venv.create(place)
    programs = next(place.glob("[bS]*/activate")).parent
    options = []
    if beside:
        (site_of(place) / "beside.pth").write_text(beside)
        options = ["--no-deps", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "--python", programs / "python"]
    command = [*pip, "install", "--quiet", *options, f"{package}[figures]"]
    subprocess.run(list(map(str, command)), check=True)
    return programs


def code(notebook):
    """Return the cells of a notebook as one program, without what only a notebook can show."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    programs = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    program = "\n".join(program for program in programs if "IPython" not in program)
    shell = r'subprocess.run(f"\1", shell=True, check=True)'
    return "import subprocess\n" + re.sub("^!(.*)", shell, program, flags=re.MULTILINE)


def from_readme():
    """Return the commands that the README shows, but those that need more than the package."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = [["mas-rl-corpus", "stats"]]
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("corpus ") and not line.startswith(tuple(NEEDED)):
                found.append(shlex.split(line, comments=True))
    # The answers to its questions are in a table.
    found += map(shlex.split, re.findall(r"^\|.*\| `(corpus [^`]+)` \|", text, re.MULTILINE))
    assert len(found) > 4, "the README shows commands"
    return found


def of_a_new_corpus(work):
    """Return the commands that make a corpus, and those of its own workflows."""
    (work / "list.csv").write_text(TABLE, "utf-8")
    made = [["corpus", "init", "soil", "--from", "list.csv"]]
    steps = ("fmt --check", "check", "build --check --allow-stale", "build", "site -o page.html")
    for step in steps:
        name, *options = step.split()
        made.append(["corpus", name, "--data", "soil/data", *options])
    return made


if __name__ == "__main__":
    _, built, *given = sys.argv
    main(built, given[1] if given[:1] == ["--beside"] else None)
