"""What searching, screening and coverage need beside the pool, for a new corpus or an old one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus.model.finding import UsageProblem
from corpus.printing.templates import environment
from corpus.tables.writing.writer import csv_text

_DECLARED = Path(__file__).parent / "files" / "living.toml"
_SECTION = re.compile(r"^(?=\[(?:tables|vocabularies)\.\w+\]$)", re.MULTILINE)
_DOCUMENTS = re.compile(r"^\[documents\][ \t]*(?:#.*)?$", re.MULTILINE)
#: Documents and the templates that they begin with.
_FILES = {"searches": "searches.toml", "protocol": "protocol.toml"}


class LivingFiles(NamedTuple):
    """What is added to a corpus.

    Attributes
    ----------
    codebook : str
        The codebook with the new declarations.
    files : dict of str to str
        New files in the data folder, name -> text.
    added : tuple of str
        Names of the tables and documents that are new.
    """

    codebook: str
    files: dict[str, str]
    added: tuple[str, ...]


class _Declared(NamedTuple):
    """A section of the codebook: its kind (`tables`, `vocabularies`), name, text and content."""

    kind: str
    name: str
    text: str
    content: Mapping[str, Any]


def living_files(codebook: str, existing: Collection[str] = ()) -> LivingFiles:
    """Return a codebook with the tables of a living survey, and their files.

    What the codebook declares already, by role or name, is left as it is.

    Parameters
    ----------
    codebook : str
        The codebook, valid TOML.
    existing : collection of str
        Names of the files in the data folder; none of them is written again.

    Raises
    ------
    UsageProblem
        Where another table or file has a name that is needed.
    """
    book = tomllib.loads(codebook)
    tables = book.get("tables", {})
    roles = {table.get("role") for table in tables.values()}
    texts: list[str] = []
    files: dict[str, str] = {}
    added: list[str] = []
    for section in _declared():
        if section.kind == "vocabularies":
            if section.name not in book.get("vocabularies", {}):
                texts.append(section.text)
            continue
        if section.content["role"] in roles:
            continue
        if section.name in tables:
            raise UsageProblem(
                f"the codebook has a table {section.name!r} with another role; rename it first"
            )
        file = section.content["file"]
        texts.append(section.text)
        files[file] = csv_text([[column["name"] for column in section.content["columns"]]])
        added.append(file)
    documents = book.get("documents", {})
    names = [name for name in _FILES if name not in documents]
    for name in names:
        files[_FILES[name]] = _document(name, book)
        added.append(_FILES[name])
    taken = sorted(set(files) & set(existing))
    if taken:
        raise UsageProblem(
            f"{', '.join(taken)} exist in the data folder and are not declared in the codebook; "
            "declare or move them first"
        )
    declared = _with_documents(codebook, {name: _FILES[name] for name in names})
    parts = [declared.rstrip("\n"), *(text.strip("\n") for text in texts)]
    extended = "\n\n".join(parts) + "\n"
    _check_declared(extended, added)
    return LivingFiles(extended, files, tuple(added))


def _check_declared(codebook: str, added: Collection[str]) -> None:
    """Refuse a codebook that cannot be extended by sections, for it has its tables inline."""
    try:
        tomllib.loads(codebook)
    except tomllib.TOMLDecodeError:
        raise UsageProblem(
            f"sections for {', '.join(added)} cannot be added behind inline tables; write "
            "'documents', 'tables' and 'vocabularies' of the codebook as sections first"
        ) from None


def _declared() -> Iterator[_Declared]:
    """Yield the sections that a living survey has."""
    for text in _SECTION.split(_DECLARED.read_text("utf-8")):
        for kind, sections in tomllib.loads(text).items():
            for name, content in sections.items():
                yield _Declared(kind, name, text, content)


def _document(name: str, book: Mapping[str, Any]) -> str:
    """Return the first text of a document; the stages of the protocol are those of the log."""
    template = environment("toml", "corpus.curation.importing").get_template(f"{name}.toml.j2")
    return str(template.render(stages=list(_stages(book))))


def _stages(book: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for table in book.get("tables", {}).values():
        if table.get("role") != "exclusions":
            continue
        for column in table.get("columns", ()):
            if column.get("role") == "stage":
                vocabulary = book.get("vocabularies", {}).get(column.get("vocabulary"), {})
                for term in vocabulary.get("terms", ()):
                    meaning = str(term.get("definition") or term.get("label") or "TODO: explain.")
                    yield {"id": str(term["id"]), "definition": meaning}


def _with_documents(codebook: str, names: Mapping[str, str]) -> str:
    """Return a codebook that declares documents; the section is made where it is missing."""
    lines = "".join(f'\n{name} = "{file}"' for name, file in names.items())
    if not lines:
        return codebook
    header = _DOCUMENTS.search(codebook)
    if header is None:
        return f"{codebook.rstrip()}\n\n[documents]{lines}\n"
    return codebook[: header.end()] + lines + codebook[header.end() :]
