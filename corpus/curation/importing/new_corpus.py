"""The files of a new corpus, the report of an import, and what a living survey needs besides."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import corpus
from corpus.analysis.bibliography.same_works import pairs_csv
from corpus.curation.edit import form
from corpus.curation.importing.import_summary import ImportSummary, import_problems
from corpus.curation.importing.names import FILES, column_name, listed
from corpus.curation.importing.pool import Imported
from corpus.curation.importing.readers.records import Records
from corpus.model.codebook import TODO, Column
from corpus.model.documents.codebook_parser import parse_codebook
from corpus.model.finding import UsageProblem
from corpus.printing.templates import environment
from corpus.tables.location import CODEBOOK_FILE, shipped_data
from corpus.tables.writing.writer import csv_text

DISTRIBUTION = "mas-rl-corpus"
#: Rows of an import that are one work, or may be.
PAIRS_FILE = "import-pairs.csv"


@dataclass(frozen=True)
class Start:
    """What a new corpus is called, and what it is made from.

    Attributes
    ----------
    id, title, description : str
        As the codebook declares them.
    source : str
        Name of the file, or "the template".
    toolkit : str
        What pip installs the toolkit from, elsewhere; empty where only this machine has it.
    """

    id: str
    title: str
    description: str
    source: str
    toolkit: str = DISTRIBUTION


#: Files that are made from the template of their name in the folder `files`.
_TEXT_FILES = listed(
    "data/codebook.toml, data/claims.toml, README.md, CONTRIBUTING.md, LICENSE, .gitignore"
)
_WORKFLOWS = ("check", "comment", "pages", "rebuild")
#: Screening stages that most surveys have.
_STAGES = {
    "title_and_abstract": "Excluded on title and abstract.",
    "full_text": "Excluded after reading the full text.",
    "duplicate": "Excluded because a retained entry is the same work.",
}
#: A requirement goes into a line of the workflow; quotes and white space would end it.
_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.\[\]-]*(?:==[\w.]+| @ [\w+]+://[\w@:/.+#=~%-]+)?")


#: From this share of different terms on (0 to 1), a column names its rows instead of grouping them.
_NAMING_SHARE = 0.5
#: From this share of rows on (0 to 1), one column follows from another.
_DETERMINED = 0.95
_CROSSTABS = 3


def crosstab_pairs(imported: Imported) -> list[tuple[Column, Column]]:
    """Return the axes to be crossed at first: those whose counts may have gaps that mean something.

    A column with one term or with nearly as many terms as rows is in none, nor are two of which one
    determines the other, such as a method and its family: their gaps are there by definition.
    """
    axes = []
    for place, axis in enumerate(imported.columns):
        if axis.axis:
            cells = [axis.values(row[place]) for row in imported.rows]
            terms, rows = len(set(chain.from_iterable(cells))), sum(map(bool, cells))
            if 1 < terms <= max(_NAMING_SHARE * rows, 2):
                axes.append((axis, cells))
    pairs = []
    for (one, first), (other, second) in combinations(axes, 2):
        # Of several tags in both cells, nothing tells which belongs to which.
        both = [a + b for a, b in zip(first, second, strict=True) if len(a) == len(b) == 1]
        if not (_determines(both) or _determines([pair[::-1] for pair in both])):
            pairs.append((one, other))
    return pairs[:_CROSSTABS]


def _determines(pairs: Sequence[tuple[str, ...]]) -> bool:
    """Whether the second cell follows from the first, but for a few mistakes."""
    # In rising order, so that the most frequent second cell of each first one counts.
    most = {pair[0]: number for pair, number in reversed(Counter(pairs).most_common())}
    return len(pairs) > len(most) and sum(most.values()) >= _DETERMINED * len(pairs)


def new_corpus_files(
    start: Start,
    imported: Imported,
    records: Records | None = None,
    summaries: Sequence[ImportSummary] = (),
) -> dict[str, str]:
    """Return the files of a new corpus, path -> text; `records` add the report of the import."""
    axes = [column for column in imported.columns if column.axis]
    names = {axis.name for axis in axes}
    stage = "stage"
    if stage in names:
        stage = column_name("screening stage", names)
    values = {
        **vars(start),
        "imported": imported,
        "axes": axes,
        "plans": {plan.name: plan for plan in imported.plans},
        "crosstabs": crosstab_pairs(imported),
        "stage": stage,
        "stages": _stages(imported, start.source),
    }
    files = {}
    for path in _TEXT_FILES:
        files[path] = rendered(f"{Path(path).name.lstrip('.')}.j2", values)
    book = parse_codebook(tomllib.loads(files["data/codebook.toml"]))
    files[form.PATH] = form.form_yaml(book)
    if start.toolkit:
        files |= workflow_files(start.toolkit)
    for schema in sorted(Path(shipped_data(), "schemas").glob("*.json")):
        files[f"data/schemas/{schema.name}"] = schema.read_text("utf-8")
    # The key is the first column.
    rows = {"pool": sorted(imported.rows), "exclusions": imported.log}
    for spec in book.tables.values():
        files[f"data/{spec.file}"] = csv_text([spec.header, *rows.get(spec.name, ())])
    if records is not None:
        pairs = imported.pairs()
        found = {
            "records": records,
            "todo": files["data/codebook.toml"].count(f'"{TODO}'),
            "problems": import_problems(imported.unplaced),
            "lines": import_problems(records.findings),
            "summaries": summaries,
            "pairs": pairs,
        }
        if pairs:
            files[PAIRS_FILE] = pairs_csv(pairs)
        files["import-report.md"] = rendered("import_report.md.j2", values | found)
    return files


def workflow_files(toolkit: str) -> dict[str, str]:
    """Return the workflows of a corpus, which install the toolkit, and the action that they use."""
    files = {".github/actions/corpus/action.yml": (FILES / "action.yml").read_text("utf-8")}
    for name in _WORKFLOWS:
        files[f".github/workflows/{name}.yml"] = rendered(f"{name}.yml.j2", {"toolkit": toolkit})
    return files


def toolkit_requirement() -> str:
    """Return what pip can install this toolkit from, elsewhere: the release of this version.

    Empty where it did not come from an index (:pep:`610`): what it came from may be a folder of
    this machine.
    """
    try:
        direct = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    return "" if direct else f"{DISTRIBUTION}=={corpus.__version__}"


def with_figures(requirement: str) -> str:
    """Return a requirement with the extra that draws, unless it names extras itself.

    Examples
    --------
    >>> with_figures("mas-rl-corpus==1.0")
    'mas-rl-corpus[figures]==1.0'
    """
    if "[" in requirement:
        return requirement
    return re.sub(r"^[\w.-]+", r"\g<0>[figures]", requirement)


def is_requirement(text: str) -> bool:
    """Whether a text is a package that pip installs: a name, with a version or an address.

    Examples
    --------
    >>> is_requirement("mas-rl-corpus==1.0"), is_requirement("x; rm -rf /")
    (True, False)
    """
    return _REQUIREMENT.fullmatch(text) is not None


def rendered(template: str, values: dict[str, object]) -> str:
    """Return a file of a new corpus, made from its template."""
    sink = "md"
    if ".toml" in template:
        sink = "toml"
    loaded = environment(sink, "corpus.curation.importing").get_template(template)
    return str(loaded.render(**values))


def _stages(imported: Imported, source: str) -> list[tuple[str, str, str]]:
    """Return the screening stages: those of the source, or three that most surveys have."""
    stages = []
    for identifier, label in (imported.stages or dict.fromkeys(_STAGES, "")).items():
        definition = _STAGES.get(identifier, "")
        if definition:
            label = identifier.replace("_", " ")
        elif label:
            definition = f"Stage {label!r} of {source}."
        else:
            label, definition = "screening", "The source does not tell the stage."
        stages.append((identifier, label, definition))
    return stages


_SECTION = re.compile(r"^(?=\[(?:tables|vocabularies)\.\w+\]$)", re.MULTILINE)
_DOCUMENTS = re.compile(r"^\[documents\][ \t]*(?:#.*)?$", re.MULTILINE)
#: Documents and the templates that they begin with.
_FILES = {"searches": "searches.toml", "protocol": "protocol.toml"}


def living_files(codebook: str, existing: Collection[str] = ()) -> dict[str, str]:
    """Return the files of a living survey, and last the codebook that declares them.

    What the codebook declares already, by role or name, is left as it is.

    Parameters
    ----------
    codebook : str
        The codebook, valid TOML.
    existing : collection of str
        Names of the files in the data folder; none of them is written again.

    Returns
    -------
    dict of str to str
        Name in the data folder -> text; empty where the codebook declares all of them.

    Raises
    ------
    UsageProblem
        Where another table or file has a name that is needed.
    """
    book = tomllib.loads(codebook)
    tables = book.get("tables", {})
    roles = {table.get("role") for table in tables.values()}
    texts = []
    files = {}
    for text in _SECTION.split((FILES / "living.toml").read_text("utf-8")):
        declared = tomllib.loads(text)
        if declared.get("vocabularies", {}).keys() - book.get("vocabularies", {}).keys():
            texts.append(text)
        for name, table in declared.get("tables", {}).items():
            if table["role"] in roles:
                continue
            if name in tables:
                raise UsageProblem(
                    f"the codebook has a table {name!r} with another role; rename it first"
                )
            texts.append(text)
            files[table["file"]] = csv_text([[column["name"] for column in table["columns"]]])
    lines = ""
    for name, file in _FILES.items():
        if name not in book.get("documents", {}):
            files[file] = rendered(f"{file}.j2", {"stages": _protocol_stages(book)})
            lines += f'\n{name} = "{file}"'
    taken = sorted(set(files) & set(existing))
    if taken:
        raise UsageProblem(
            f"{', '.join(taken)} exist in the data folder and are not declared in the codebook; "
            "declare or move them first"
        )
    if not files:
        return {}
    if lines and not _DOCUMENTS.search(codebook):
        codebook = f"{codebook.rstrip()}\n\n[documents]"
    parts = [_DOCUMENTS.sub(rf"\g<0>{lines}", codebook, count=1), *texts]
    extended = "\n\n".join(part.strip("\n") for part in parts) + "\n"
    try:
        tomllib.loads(extended)
    except tomllib.TOMLDecodeError:
        raise UsageProblem(
            f"sections for {', '.join(files)} cannot be added behind inline tables; write "
            "'documents', 'tables' and 'vocabularies' of the codebook as sections first"
        ) from None
    return {**files, CODEBOOK_FILE: extended}


def _protocol_stages(book: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the stages of the exclusion log, which those of the protocol are."""
    stages = []
    for table in book.get("tables", {}).values():
        for column in table.get("columns", ()):
            if table.get("role") != "exclusions" or column.get("role") != "stage":
                continue
            vocabulary = book.get("vocabularies", {}).get(column.get("vocabulary"), {})
            stages += vocabulary.get("terms", ())
    return stages
