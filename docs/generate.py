"""Write the reference from the program itself: ``python docs/generate.py``.

``--guides`` also writes what guides and notebooks show. Tests compare both.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
from docstring_parser import DocstringStyle, parse

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from schemas import made_up, schemas
from walk import GUIDES, NOTEBOOKS, Stumble, execute, walk

import corpus
from corpus.cli.check.catalogue import catalogue, remedy
from corpus.cli.main import main
from corpus.model.finding import ERROR
from corpus.publishing.export.formats import FORMATS
from corpus.traces.measures.catalogue import CATALOGUE, COMPARISON, PRICING, Metric
from corpus.traces.measures.decisions import DECISIONS, RULES
from corpus.traces.training.tables import COLUMNS, REFUSED, SCHEMES

FOLDER = Path(__file__).resolve().parent
#: Width of a line on the page about the commands.
WIDTH = 100
#: Options of nearly every command, which the page names once.
EVERYWHERE = ("help", "data")


class Described(NamedTuple):
    """An option as the page shows it: its name, the values that it takes, what it means."""

    name: str
    values: str
    meaning: str


def cli_reference() -> str:
    """Return the help of every command, as Markdown; an option that several have is told once."""
    found = [(path, command, options(command)) for path, command in commands("corpus", main)]
    users: Counter[tuple[str, str]] = Counter()
    for _, _, of_command in found:
        users.update((option.name, option.meaning) for option in of_command)
    shared = [known for known, count in users.items() if count > 1]
    lines = [
        "# Command line",
        "",
        "Generated from the program by `python docs/generate.py`: each command with its options.",
        "`corpus COMMAND --help` tells what it does in detail. Every command that reads a corpus",
        "takes `--data DIR`, the folder with codebook.toml; without it, it reads the corpus above",
        "the working directory, or else the one that ships with the package.",
        "",
        "Exit codes: 0 fine, 1 findings, or a file that cannot be read or written, 2 wrong usage,",
        "130 interrupted, 141 the reader of the output ended first, 255 the program failed",
        "(`CORPUS_DEBUG=1` in the environment shows the traceback).",
        "",
        "Options of several commands, which are only named below each:",
        "",
        "```text",
        *in_columns(shared),
        "```",
    ]
    headings = {name: heading for heading, names in main.table.items() for name in names}
    for path, command, of_command in found[1:]:
        heading = f"## {headings[path.split()[1]]}"
        if heading not in lines:
            lines += ["", heading]
        summary = command.get_short_help_str(200)
        lines += ["", f"### {path} {arguments(command)}", "", summary]
        own = [option for option in of_command if (option.name, option.meaning) not in shared]
        if own:
            named = [(f"{option.name} {option.values}", option.meaning) for option in own]
            lines += ["", "```text", *in_columns(named), "```"]
        also = [option for option in of_command if option not in own]
        if also:
            names = [f"`{option.name} {option.values}".strip() + "`" for option in also]
            lines += ["", *textwrap.wrap(f"Also {', '.join(names)}.", WIDTH)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def arguments(command: click.Command) -> str:
    """Return what a command takes by place, as its usage line shows it."""
    context = click.Context(command)
    places = [item for item in command.params if isinstance(item, click.Argument)]
    return " ".join(item.make_metavar(context) for item in places)


def options(command: click.Command) -> list[Described]:
    """Return the options of a command, without those of every command."""
    context = click.Context(command)
    found = []
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is None or option.name in EVERYWHERE:
            continue
        name, _, values = record[0].partition(" ")
        if name.endswith(","):  # -o, --output FILE
            long_name, _, values = values.partition(" ")
            name = f"{name} {long_name}"
        meaning, _, extra = record[1].partition("  [")
        first_choice = f"default: {values.strip('[').partition('|')[0]}]"
        kept = re.search("default: [^;]*|required", extra.replace(first_choice, ""))
        if kept:
            meaning = f"{meaning} [{kept[0].rstrip(']')}]"
        found.append(Described(name, re.sub("(INTEGER|FLOAT)( RANGE)?", "N", values), meaning))
    return found


def in_columns(named: Sequence[tuple[str, str]]) -> list[str]:
    """Return names and what they mean, in two columns."""
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_dl([(name.strip(), meaning) for name, meaning in named])
    return formatter.getvalue().splitlines()


def commands(path: str, command: click.Command) -> list[tuple[str, click.Command]]:
    """Return a command and all below it, each with its full name."""
    found = [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                found += commands(f"{path} {name}", below)
    return found


def error_catalogue() -> str:
    """Return every rule with its meaning and remedy, as Markdown."""
    lines = [
        "# Errors and warnings",
        "",
        "Every finding has one of these codes, which are never used again for something else. What",
        "is not marked otherwise is an error. `corpus check --explain CODE` also tells why, with",
        "an example, and how to accept a warning about tables (C2 to C4). Generated by",
        "`python docs/generate.py`.",
    ]
    for rule in catalogue().values():
        kind = "" if rule.severity == ERROR else f" ({rule.severity})"
        lines += ["", f"**{rule.code}** {rule.title}{kind}."]
        # The beginning of the page tells what a hint of `corpus check` has to repeat.
        fix = remedy(rule).partition(": `corpus check --explain")[0]
        if re.match(r"[a-z]+\b(?![./])", fix) and not fix.startswith("corpus "):
            fix = fix[0].upper() + fix[1:]
        if re.search("[a-z]", fix) and rule.hint != "{advice}":
            lines[-1] += f" {fix}."
    return "\n".join(lines) + "\n"


def traces_page() -> str:
    """Return the page on traces, its tables filled from the program."""
    decisions = [(f"`{name}`", text) for name, text in RULES.items()]
    schemes = []
    for name, scheme in SCHEMES.items():
        options = [f"`{key}={value}`" for key, value in scheme["options"].items()]
        formula = f"{scheme['formula']}. {scheme['source']}."
        schemes.append((f"`{name}`", f"{formula} Options: {' '.join(options)}"))
    refused = [(f"`{name}`", reason) for name, reason in REFUSED.items()]
    tables = {
        "sources": "".join(f"{i}. {source}\n" for i, source in enumerate(SOURCES, start=1)),
        "measures": measures_table(CATALOGUE),
        "comparison": measures_table(COMPARISON),
        "prices": measures_table(PRICING),
        "decisions": listed(decisions),
        "rows": listed([(f"`{name}`", column[1]) for name, column in COLUMNS.items()]),
        "schemes": listed(schemes),
        "refused": listed(refused),
    }
    page = with_tables("traces.md", tables)
    named = ", ".join(f"{decision} {meaning}" for decision, meaning in DECISIONS.items())
    assert named in page.replace("\n", " "), "docs/traces.md must name the decisions"
    return page


def measures_table(measures: Iterable[Metric]) -> str:
    """Return measures with their units and formulas; sources other than here are numbered."""
    rows = []
    for measure in measures:
        formula = measure.formula
        if measure.source in SOURCES:
            formula += f" [{SOURCES.index(measure.source) + 1}]"
        # A name in the plural is its unit.
        unit = "" if measure.unit in ("count", *measure.name.split("_")) else f" ({measure.unit})"
        rows.append((f"`{measure.name}`{unit}", formula))
    return listed(rows)


def sources() -> list[str]:
    """Return the texts that formulas of measures are from, in the order of their first use."""
    named = [measure.source for measure in (*CATALOGUE, *COMPARISON, *PRICING)]
    return [source for source in dict.fromkeys(named) if source not in ("schema", "this project")]


#: Texts that formulas are from; their places in the list are the numbers on the page.
SOURCES = sources()


def exports_page() -> str:
    """Return the page on exports with a table of all formats."""
    rows = [(f"`{name}`", format_.title) for name, format_ in FORMATS.items()]
    return with_tables("exports.md", {"formats": table(("format", "what you get"), rows)})


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the cells are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def listed(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and what they mean as a Markdown list."""
    return "".join(f"- {name}: {meaning}\n" for name, meaning in rows)


def with_tables(name: str, tables: Mapping[str, str]) -> str:
    """Return a page of this folder with tables between the comments that name them."""
    page = (FOLDER / name).read_text(encoding="utf-8")
    for mark, lines in tables.items():
        begin = f"<!-- begin: {mark} -->\n"
        end = f"<!-- end: {mark} -->"
        before, _, rest = page.partition(begin)
        page = before + begin + lines + end + rest.partition(end)[2]
    return page


def python_reference() -> str:
    """Return what `import corpus` offers, as Markdown, from its docstrings."""
    lines = [
        "# Python",
        "",
        "Generated from the docstrings by `python docs/generate.py`. The examples run as tests,",
        "each after `import corpus`. A name, column, term, axis or path that is not there raises",
        "`corpus.model.finding.UsageProblem`, with the nearest one that is.",
    ]
    public = [(f"corpus.{name}", getattr(corpus, name)) for name in reversed(corpus.__all__)]
    for name in reversed(corpus.traces.__all__):
        public.append((f"corpus.traces.{name}", getattr(corpus.traces, name)))
    for full_name, found in public:
        name = full_name.rpartition(".")[2]
        lines += _documented(full_name, found, "##")
        for member, value in vars(found).items() if inspect.isclass(found) else ():
            if not member.startswith("_"):
                lines += _documented(f"{name}.{member}", value, "###")
    return "\n".join(lines) + "\n"


def _documented(name: str, thing: Any, level: str) -> list[str]:
    """Return one public object: signature, text, sections, examples."""
    described = parse(inspect.getdoc(thing) or "", DocstringStyle.NUMPYDOC)
    text = re.sub(":(?:func|meth|attr):", "", inspect.cleandoc(described.description or ""))
    text = text.replace("``", "`")
    signature = f"{name}{_signature(thing)}" if inspect.isfunction(thing) else ""
    lines = ["", f"{level} `{name}`", "", *([f"`{signature}`", ""] if signature else []), text]
    # A frozen record is its attributes; any other class documents them one by one.
    listed = ("param", "attribute") if is_dataclass(thing) else ("param",)
    given = [item for item in described.params if item.args[0] in listed]
    items = [(f"`{item.arg_name}`", item.type_name, item.description) for item in given]
    if described.returns:
        items.append(("Returns", described.returns.type_name, described.returns.description))
    for item in described.raises:
        if item.type_name not in ("UsageProblem", "UnknownTable"):
            items.append((f"Raises `{item.type_name}`", None, item.description))
    if items:
        lines += [""]
    for label, kind, meaning in items:
        of_kind = f" ({kind})" if kind and not signature else ""
        words = (meaning or "").replace("``", "`").split()
        lines.append(f"- {label}{of_kind}: {' '.join(words)}")
    for example in described.examples:
        shown = f"{example.snippet or ''}\n{example.description or ''}".strip()
        shown = shown.removeprefix(">>> import corpus\n")
        lines += ["", "```pycon", *shown.splitlines(), "```"]
    return lines


def _signature(function: Any) -> str:
    """Return the signature of a function or method without its first `self`."""
    signature = inspect.signature(function)
    kept = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    return str(signature.replace(parameters=kept)).replace("'", "")


def assistants_page() -> str:
    """Return what an assistant has to know to quote the right command: llmstxt.org's format."""
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    about = re.sub(r"<!--.*?-->|\*\*|\[([^]]*)\]\([^)]*\)", r"\1", readme.split("\n\n")[1])
    lines = ["# mas-rl-corpus", "", f"> {' '.join(about.split())}", "", "## Commands", ""]
    lines.append("Every command has `--help`; `corpus --help` lists them.")
    lines.append("")
    for path, command in commands("corpus", main)[1:]:
        lines.append(f"- `{path}`: {command.get_short_help_str(200)}")
    for row in index.splitlines():
        if row.startswith("| you are"):
            lines += ["", "## Guides", ""]
        elif row.startswith("## "):
            lines += ["", row, ""]
        elif row.startswith("|") and "](" in row:
            cells = row.strip("| ").split(" | ")
            links = [cell.replace("](", "](docs/") for cell in cells if "](" in cell]
            told = [cell for cell in cells if "](" not in cell]
            line = f"- {', '.join(links)}: {'; '.join(told)}"
            lines.append(line.replace("docs/../", ""))
    return "\n".join(lines) + "\n"


PAGES = {
    "../llms.txt": assistants_page,
    "api.md": python_reference,
    "cli.md": cli_reference,
    "errors.md": error_catalogue,
    "exports.md": exports_page,
    "traces.md": traces_page,
}


def write_pages() -> None:
    """Write every page and schema that is generated as a whole."""
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8", newline="")
    data = FOLDER.parent / "data"
    with tempfile.TemporaryDirectory() as folder:
        for name, text in schemas([data, *made_up(Path(folder))]).items():
            (data / "schemas" / name).write_text(text, encoding="utf-8", newline="")


def follow_guides() -> list[str]:
    """Put into every guide and notebook what it prints now; return where one stumbles."""
    stumbles = []
    for guide in (*GUIDES, *NOTEBOOKS):
        with tempfile.TemporaryDirectory() as folder:
            try:
                if guide in NOTEBOOKS:
                    followed = execute(guide, Path(folder))
                else:
                    followed = walk(guide.read_text(encoding="utf-8"), Path(folder))
            except Stumble as stumble:
                stumbles.append(f"{guide.name}: {stumble}")
                continue
        guide.write_text(followed, encoding="utf-8", newline="")
    return stumbles


if __name__ == "__main__":
    write_pages()
    sys.exit("\n".join(follow_guides() if "--guides" in sys.argv else ()) or 0)
