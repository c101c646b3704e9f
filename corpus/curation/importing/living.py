"""What searching, screening and coverage need beside the pool, for a new corpus or an old one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus.curation.importing.new_corpus import rendered
from corpus.model.finding import UsageProblem
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
    """

    codebook: str
    files: dict[str, str]


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
    for text in _SECTION.split(_DECLARED.read_text("utf-8")):
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
            files[file] = rendered("toml", f"{file}.j2", {"stages": _stages(book)})
            lines += f'\n{name} = "{file}"'
    taken = sorted(set(files) & set(existing))
    if taken:
        raise UsageProblem(
            f"{', '.join(taken)} exist in the data folder and are not declared in the codebook; "
            "declare or move them first"
        )
    header = _DOCUMENTS.search(codebook)
    if lines and header is None:
        lines = f"\n\n[documents]{lines}"
        codebook = codebook.rstrip()
    end = header.end() if header else len(codebook)
    parts = [codebook[:end] + lines + codebook[end:], *texts]
    extended = "\n\n".join(part.strip("\n") for part in parts) + "\n"
    try:
        tomllib.loads(extended)
    except tomllib.TOMLDecodeError:
        raise UsageProblem(
            f"sections for {', '.join(files)} cannot be added behind inline tables; write "
            "'documents', 'tables' and 'vocabularies' of the codebook as sections first"
        ) from None
    return LivingFiles(extended, files)


def _stages(book: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the stages of the exclusion log, which those of the protocol are."""
    stages = []
    for table in book.get("tables", {}).values():
        for column in table.get("columns", ()):
            if table.get("role") != "exclusions" or column.get("role") != "stage":
                continue
            vocabulary = book.get("vocabularies", {}).get(column.get("vocabulary"), {})
            for term in vocabulary.get("terms", ()):
                meaning = term.get("definition") or term.get("label") or "TODO: explain."
                stages.append({"id": term["id"], "definition": meaning})
    return stages
