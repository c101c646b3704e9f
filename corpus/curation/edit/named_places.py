"""Every place that names a term, a row or a column: documents, tables, texts with numbers.

A document names what its readers resolved. What a renaming follows and what `corpus where` lists
are both answered from this.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import tomli

from corpus.analysis.numbers.published import Number, camel, published_numbers
from corpus.curation.check.declarations import read_declarations
from corpus.model.documents.codebook_lines import with_lines
from corpus.model.documents.codebook_parser import look_up_names
from corpus.model.documents.section import NameReference, Section, dotted
from corpus.model.finding import CorpusError, UsageProblem, unknown
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.location import CODEBOOK_FILE, RELEASES_FOLDER, shown_path

#: Endings of texts that can name a number: by a marker or, in LaTeX, by a macro.
_TEXTS = (".md", ".markdown", ".html", ".htm", ".tex", ".ltx")
#: Folders beside the data that hold generated files, and those that are as they were.
_GENERATED = ("build", "figures", "node_modules", "reports", RELEASES_FOLDER)
#: A text of more characters is not written by a person.
_LARGEST = 5_000_000
#: Types of columns whose cells name something, and roles of those that do so in what is accepted.
_NAMES = ("term", "ref", "column")
_ACCEPTED = ("key", "column", "value")


class NamedPlace(NamedTuple):
    """A line that names something: file, line from 1 on, and where in it or its text."""

    file: str
    line: int
    where: str


def named_references(study: Study) -> list[NameReference]:
    """Return the names that readers resolved in the codebook and the documents.

    Terms, columns and tables in the parts of the codebook that every command reads come first, then
    those of sections and documents.
    """
    codebook = study.sources[CODEBOOK_FILE]
    root = Section(tomli.loads(codebook.text), (), [], codebook.file, book=study.codebook)
    look_up_names(root)
    return [*root.references, *read_declarations(study).references]


def numbers_of_term(study: Study, vocabulary: str, old: str, new: str) -> dict[str, str]:
    """Return the names of published numbers that a term is in: name -> name after a renaming."""
    columns = set()
    for spec in study.codebook.tables.values():
        for _, column, own in study.codebook.term_columns(spec):
            if own.id == vocabulary:
                columns |= {column.name, column.role}
    found: dict[str, str] = {}
    for name, number in _published(study).items():
        parts = list(number.parts)
        for place in range(1, len(parts)):
            if number.parts[place] == old and number.parts[place - 1] in columns:
                parts[place] = new
        if camel(*parts) != name:
            found[name] = camel(*parts)
    return found


def _published(study: Study) -> dict[str, Number]:
    try:
        return dict(published_numbers(study))
    except CorpusError:  # rows that cannot be counted have no numbers
        return {}


def read_texts(
    folder: str, skipped: Collection[str], endings: tuple[str, ...] = ("",)
) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file in a folder and below it that a person can read.

    What is hidden and folders of the `skipped` names are left out.
    """
    for inside, folders, names in os.walk(folder):
        kept = [name for name in folders if not name.startswith(".") and name not in skipped]
        folders[:] = sorted(kept)
        for name in sorted(names):
            path = os.path.join(inside, name)
            if name.startswith(".") or not name.endswith(endings):
                continue
            try:
                if os.path.getsize(path) <= _LARGEST:
                    with open(path, encoding="utf-8", newline="") as handle:
                        yield path, handle.read()
            except (OSError, UnicodeDecodeError):
                continue


def texts_beside(data: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of what people wrote beside a data folder, in its repository."""
    return read_texts(os.path.dirname(os.path.abspath(data)), _GENERATED, _TEXTS)


def mentions(data: str, key: str, texts: Mapping[str, str] | None = None) -> list[NamedPlace]:
    """Return every line in the files of a corpus that names a key, as a whole word.

    Parameters
    ----------
    data : str
        The data folder. Releases are left out: they are as they were.
    key : str
        The key.
    texts : mapping of str to str, optional
        Path below the data folder -> text that takes the place of a file.
    """
    word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
    found = []
    for path, text in read_texts(data, (RELEASES_FOLDER,)):
        file = os.path.relpath(path, data).replace(os.sep, "/")
        text = (texts or {}).get(file, text)
        if key not in text:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if word.search(line):
                found.append(NamedPlace(shown_path(path), number, line.strip()))
    return found


def named_numbers(path: str) -> re.Pattern[str]:
    """Return what names a number in a text: markers, in LaTeX macros as well."""
    marker = r"(?<=corpus: )(?P<marked>[A-Za-z]+)\b"
    if path.endswith((".tex", ".ltx")):
        return re.compile(marker + r"|(?<=\\)(?P<macro>[A-Za-z]+)")
    return re.compile(marker)


def renamed_texts(study: Study, new_names: dict[str, str]) -> dict[str, str]:
    """Return the texts beside a corpus in which numbers have other names: path -> new text."""
    found = {}
    for path, text in texts_beside(study.root):
        renamed = named_numbers(path).sub(lambda named: new_names.get(named[0], named[0]), text)
        if renamed != text:
            found[path] = renamed
    return found


def reference_places(study: Study, references: Iterable[NameReference]) -> Iterator[NamedPlace]:
    """Yield where references are, in the order of the documents, each line of a kind once."""
    for source in study.sources.values():
        named = []
        for reference in references:
            if reference.file == source.file:
                where = f"{reference.kind} in {dotted(reference.path)}"
                named.append(reference.finding("")._replace(hint=where))
        for finding in with_lines(named, source.text):
            yield NamedPlace(finding.file, finding.line, finding.hint)


def declared_mentions(study: Study, key: str) -> list[NamedPlace]:
    """Return the lines of the codebook that name an entry by its key, such as short names."""
    codebook = study.sources[CODEBOOK_FILE]
    named = []
    for reference in named_references(study):
        if (reference.kind, reference.name, reference.file) == ("row", key, codebook.file):
            named.append(reference)
    return list(reference_places(study, named))


def places_of(study: Study, name: str) -> list[NamedPlace]:
    """Return every place that names a term, a row or a column, documents first.

    Raises
    ------
    UsageProblem
        Where nothing has the name, with the nearest ones.
    """
    references = named_references(study)
    numbers = {one for one, number in _published(study).items() if name in number.parts}
    named = []
    for reference in references:
        if reference.name == name or (reference.kind == "number" and reference.name in numbers):
            named.append(reference)
    found = list(reference_places(study, named))
    for table in study.tables.values():
        found += _places_in(table, name)
    for path, text in texts_beside(study.root):
        for match in named_numbers(path).finditer(text):
            if match[0] in numbers:
                line = text.count("\n", 0, match.start()) + 1
                found.append(NamedPlace(shown_path(path), line, f"number {match[0]}"))
    if not found:
        known = {reference.name for reference in references}
        for table in study.tables.values():
            known.update(table.names())
        raise UsageProblem(unknown("name", name, sorted(known - {""})))
    return list(dict.fromkeys(found))


def _places_in(table: Table, name: str) -> Iterator[NamedPlace]:
    """Yield the header with a column, and every cell that has a term, a key or a column's name."""
    spec = table.spec
    if name in spec.header:
        yield NamedPlace(table.file, 1, f"column {name}")
    named = []
    for column in spec.columns:
        if column.type in _NAMES or column.role in _ACCEPTED or column.name in spec.key:
            named.append(column)
    for row, line in table.located_rows():
        for column in named:
            cell = row[spec.position(column.name)]
            if cell == name or (column.separator and name in column.values(cell)):
                yield NamedPlace(
                    table.file, line, f"{column.name} of {'/'.join(table.key_of(row))}"
                )
