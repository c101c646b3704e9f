"""The files of a new corpus: codebook, claims, guides, workflows, and the report of an import."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from typing import NamedTuple, Protocol

from corpus.curation.importing.names import column_name
from corpus.curation.importing.outcome import Imported, PoolColumn
from corpus.model.finding import Finding
from corpus.printing.templates import environment
from corpus.tables.writer import csv_text


class _Records(Protocol):
    """What the report says about the source; `corpus.curation.lookup` makes it."""

    @property
    def format(self) -> str: ...
    @property
    def rows(self) -> Iterable[object]: ...
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def remarks(self) -> list[str]: ...


class Start(NamedTuple):
    """What a new corpus is called, and what it is made from."""

    id: str
    title: str
    description: str
    source: str


class _NewAxis(NamedTuple):
    """An axis of the new codebook."""

    name: str
    label: str
    plan: object
    absent: bool


_TEXT_FILES = {
    "data/codebook.toml": ("toml", "codebook.toml.j2"),
    "data/claims.toml": ("toml", "claims.toml.j2"),
    "README.md": ("md", "README.md.j2"),
    "CONTRIBUTING.md": ("md", "CONTRIBUTING.md.j2"),
    "LICENSE": ("md", "LICENSE.j2"),
    ".github/workflows/check.yml": ("md", "check.yml.j2"),
    ".github/workflows/rebuild.yml": ("md", "rebuild.yml.j2"),
    ".gitignore": ("md", "gitignore.j2"),
}
_EMPTY_TABLES = {
    "data/exclusions.csv": (
        *("record_id", "source", "title", "identifier", "url", "date_screened", "stage", "reason"),
    ),
    "data/accepted.csv": ("code", "file", "row", "column", "value", "reason"),
    "data/accepted_claims.csv": ("claim", "sign", "key", "reason"),
}
DISTRIBUTION = "mas-rl-corpus"


def new_corpus_files(
    start: Start, imported: Imported, records: _Records | None = None
) -> dict[str, str]:
    """Return the files of a new corpus, path -> text; `records` add the report of the import."""
    values = _values(start, imported)
    files = {
        path: environment(sink, "corpus.curation.importing").get_template(template).render(**values)
        for path, (sink, template) in _TEXT_FILES.items()
    }
    header = [column.name for column in imported.columns]
    key = header.index("key")
    files["data/pool.csv"] = csv_text([header, *sorted(imported.rows, key=lambda row: row[key])])
    files.update({path: csv_text([header]) for path, header in _EMPTY_TABLES.items()})
    if records is not None:
        todo = files["data/codebook.toml"].count('"TODO')
        report = environment("md", "corpus.curation.importing").get_template("import_report.md.j2")
        files["import-report.md"] = report.render(records=records, todo=todo, **values)
    return files


def _values(start: Start, imported: Imported) -> dict[str, object]:
    axes = [_axis(column) for column in imported.columns if column.axis]
    names = {axis.name for axis in axes}
    stage = "stage"
    if stage in names:
        stage = column_name("screening stage", names)
    return {
        **start._asdict(),
        "imported": imported,
        "axes": axes,
        "crosstabs": list(islice(combinations(axes, 2), 3)),
        "stage": stage,
        "stage_raw": stage,
        "distribution": DISTRIBUTION,
    }


def _axis(column: PoolColumn) -> _NewAxis:
    plan = column.plan
    return _NewAxis(
        column.name,
        column.label,
        plan,
        plan is not None and any(term.id == "NA" for term in plan.terms),
    )
