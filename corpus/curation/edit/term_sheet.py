"""The codebook as a sheet: one row per column and term, which a co-author fills in a spreadsheet.

The same sheet changes names. In the column `new term` two equal names make one term of two, several
names with semicolons divide a term, and a hyphen drops the term or the column. In the row of a
column of the pool the new name is that of the column.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import tomlkit

from corpus.curation.changes.row_changes import with_new_cells
from corpus.curation.edit.renaming import (
    add_terms,
    changed_acceptances,
    refuse_named,
    renamed_numbers,
    renamed_texts,
    with_texts,
)
from corpus.curation.edit.row_edits import with_terms
from corpus.curation.importing.names import column_name, filled, term_id
from corpus.curation.importing.readers.records import Records, texts_of
from corpus.model.codebook import TODO, Column, TableSpec, Term, Vocabulary
from corpus.model.finding import Finding, Rule, unknown
from corpus.model.study import Study
from corpus.model.table import Row, picked
from corpus.printing.grid import plural
from corpus.tables.location import CODEBOOK_FILE

ROW = Rule(
    "I130",
    "{problem}",
    "correct the cell, or export the sheet anew",
    title="Row of a codebook sheet that cannot be followed",
    reason="Nothing is written from a sheet of which a part is not understood.",
)
HEADER = ("column", "term", "new term", "label", "definition", "count", "examples")
#: In place of a new name: the term or column is dropped.
DROP = "-"
_EXAMPLES = 2
#: What a spreadsheet would run, at the start of a cell.
_FORMULAS = ("=", "+", "@", "-")


def sheet_rows(study: Study) -> list[Row]:
    """Return the sheet: each column of the pool and each vocabulary, its terms below it."""
    rows: list[Row] = []
    for name, (spec, column, vocabulary) in _declared(study).items():
        table = study.tables[spec.name]
        uses: defaultdict[str, list[str]] = defaultdict(list)
        for key, cell in zip(table.names(), table.column(column.name), strict=True):
            for value in {"", *column.values(cell)} if cell else ():
                uses[value].append(key)
        described = [("", column.label, column.definition)]
        if vocabulary:
            described += [(term.id, term.label, term.definition) for term in vocabulary.terms]
        for term, label, definition in described:
            keys = uses[term]
            examples = ", ".join(keys[:_EXAMPLES])
            rows.append((name, term, "", label, definition, str(len(keys)), examples))
    return rows


def _declared(study: Study) -> dict[str, tuple[TableSpec, Column, Vocabulary | None]]:
    """Return the columns of the pool, then one column of each vocabulary that only others have."""
    book = study.codebook
    found: dict[str, tuple[TableSpec, Column, Vocabulary | None]] = {}
    seen = set()
    for spec in (book.pool, *book.tables.values()):
        for column in spec.columns:
            name = column.name if spec is book.pool else f"{spec.name}.{column.name}"
            vocabulary = None
            if column.type == "term" and column.vocabulary not in seen:
                seen.add(column.vocabulary)
                vocabulary = book.vocabulary_of(column)
            if vocabulary or spec is book.pool:
                found.setdefault(name, (spec, column, vocabulary))
    return found


class CodebookChange:
    """What a sheet changes.

    Attributes
    ----------
    names : dict of str to dict
        Vocabulary -> old term -> what takes its place: one name, several, or none.
    columns : dict of str to str
        Column of the pool -> its new name.
    dropped : list of str
        Columns of the pool.
    undecided : list of str
        Which rows of a divided term a person has to decide, as commands.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._declared = _declared(study)
        self._seen: set[tuple[str, str]] = set()
        #: Column or vocabulary, and term -> its new label and definition.
        self._texts: dict[tuple[str, str], dict[str, str]] = {}
        self._added: dict[str, dict[str, list[str]]] = {}
        self.names: dict[str, dict[str, list[str]]] = {}
        self.columns: dict[str, str] = {}
        self.dropped: list[str] = []
        self.undecided: list[str] = []

    def add_sheet(self, records: Records) -> list[Finding]:
        """Add all rows of a sheet; return what is wrong with them."""
        findings = []
        for name in sorted(records.columns.keys() - {*HEADER}):
            problem = unknown("column of a codebook sheet", name, HEADER)
            findings.append(records.at(ROW, 1, name, name, problem=problem))
        for place, name in chain.from_iterable(records.invisible.values()):
            problem = "the cell has a character that nobody sees"
            findings.append(records.at(ROW, place, name, problem=problem))
        for cell in records.formulas:
            formula = f"{records.shown}:{records.sheet}!{cell}"
            findings.append(ROW.at(formula, problem="the cell is a formula"))
        for row in records.rows:
            cells = {name: " ".join(texts_of(cell)) for name, cell in row.cells.items()}
            for name, problem in self.add(cells):
                value = cells.get(name, "")
                findings.append(records.at(ROW, row.place, name, value, problem=problem))
        return findings

    def add(self, cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Add a row; yield its wrong columns, each with what is wrong."""
        name, term, new = (cells.get(part, "") for part in HEADER[:3])
        if name not in self._declared:
            yield "column", unknown("column", name, self._declared)
            return
        spec, column, vocabulary = self._declared[name]
        terms = {each.id: each for each in vocabulary.terms} if vocabulary else {}
        if term and term not in terms:
            yield "term", unknown(f"term of {name}", term, terms)
            return
        if (name, term) in self._seen:
            yield "term", "the sheet has this row twice"
        self._seen.add((name, term))
        for part in HEADER[2:5]:
            text = cells.get(part, "")
            if text.startswith(_FORMULAS) and (part, text) != ("new term", DROP):
                yield part, "the cell starts like a formula"
        place = (name, "")
        declared: Column | Term = column
        if term and vocabulary:
            place, declared = (vocabulary.id, term), terms[term]
            if new not in ("", term):
                place = self._rename(vocabulary, column, terms[term], new)
        elif new and spec is not self._study.codebook.pool:
            yield "new term", f"only columns of the pool change here; edit {spec.file} and codebook"
        elif new == DROP and column.role in ("key", "title"):
            yield "new term", "no work is recognised without it"
        elif new == DROP:
            self.dropped.append(name)
        elif new not in ("", name):
            called = column_name(new)
            if called in (*spec.header, *self.columns.values()):
                yield "new term", f"there is a column {called!r}"
            self.columns[name] = called
            if column_name(column.label) == name:
                words = new.replace("_", " ")
                self._texts[place] = {"label": words[:1].upper() + words[1:]}
        if new and term and vocabulary and term == vocabulary.not_applicable:
            yield "new term", "the checks need it under this name"
        for part in ("label", "definition"):
            text = cells.get(part, "")
            if text not in ("", getattr(declared, part)) and new != DROP:
                self._texts.setdefault(place, {})[part] = text

    def _rename(
        self, vocabulary: Vocabulary, column: Column, old: Term, new: str
    ) -> tuple[str, str]:
        """Note what takes the place of a term; return where its label and definition belong."""
        written = [] if new == DROP else filled(new.split(";"))
        ids = {text if text in vocabulary.ids else term_id(text): text for text in written}
        for id_, text in ids.items():
            # A label that is the name in words follows it.
            if id_ not in vocabulary.ids and (
                len(ids) > 1 or term_id(old.label) == term_id(old.id)
            ):
                self._texts[vocabulary.id, id_] = {"label": text.replace("_", " ")}
        names = self.names
        if len(ids) > 1 and not column.separator:
            names = self._added
            pool = self._study.pool
            for key, cell in zip(pool.names(), pool.column(column.name), strict=True):
                if cell == old.id:
                    self.undecided.append(f"corpus edit {key} --set {column.name}={'|'.join(ids)}")
        names.setdefault(vocabulary.id, {})[old.id] = [*ids]
        return vocabulary.id, next(iter(ids), "")

    def lines(self) -> Iterator[str]:
        """Yield what changes, a line for each name."""
        for vocabulary, names in self.names.items():
            olds: defaultdict[str, list[str]] = defaultdict(list)
            for old, new in names.items():
                olds["; ".join(new)].append(old)
            for becomes, merged in olds.items():
                yield f"{vocabulary}: {', '.join(merged)} -> {becomes or 'dropped'}"
        for vocabulary, names in self._added.items():
            for old, several in names.items():
                yield f"{vocabulary}: {', '.join(several)} added; rows of {old} are to be decided"
        for name, new_name in self.columns.items():
            yield f"column {name} -> {new_name}"
        for name in self.dropped:
            filled_cells = sum(map(bool, self._study.pool.column(name)))
            yield f"column {name} -> dropped, with {plural(filled_cells, 'cell')}"
        for part in ("label", "definition"):
            number = sum(part in texts for texts in self._texts.values())
            if number:
                yield f"{plural(number, f'new {part}')}"
        renamed: dict[str, str] = {}
        for vocabulary, names in self.names.items():
            for old, new in names.items():
                if len(new) == 1:
                    renamed |= renamed_numbers(self._study, "term", vocabulary, old, new[0])
        for old, name in self.columns.items():
            renamed |= renamed_numbers(self._study, "column", self._study.pool.spec.name, old, name)
        if renamed:
            example = " is ".join(next(iter(renamed.items())))
            yield f"{plural(len(renamed), 'number')} called otherwise in texts: {example}, ..."

    def apply(self, study: Study) -> Study:
        """Return the corpus with everything that the sheet changes.

        Raises
        ------
        UsageProblem
            Where a document names what is dropped or divided, with its lines.
        """
        for vocabulary, names in self.names.items():
            study = with_terms(study, vocabulary, names)
        book: Any = tomlkit.parse(study.sources[CODEBOOK_FILE].text)
        for vocabulary, names in self._added.items():
            add_terms(book["vocabularies"][vocabulary], names)
        for (of, term), texts in self._texts.items():
            if term:
                items, key, called = book["vocabularies"][of]["terms"], "id", term
            else:
                spec, column, _ = self._declared[of]
                items, key, called = book["tables"][spec.name]["columns"], "name", column.name
                declared = book["vocabularies"].get(column.vocabulary, {})
                if "definition" in texts and declared.get("definition", "").startswith(TODO):
                    declared["definition"] = texts["definition"]
            for item in items:
                if item[key] == called:
                    item.update(texts)
        for name in self.dropped:
            refuse_named(study, "column", study.codebook.pool.name, name)
            _drop_column(book, study.codebook.pool.name, self._declared[name][1])
        return self.with_columns(_with_codebook(study, tomlkit.dumps(book)))

    def with_columns(self, study: Study) -> Study:
        """Return the corpus with the new names of columns alone."""
        for old, new in self.columns.items():
            study = _with_column(study, old, new)
        return study


def _with_column(study: Study, old: str, new: str) -> Study:
    """Return the corpus with another name of a column of the pool, wherever it is named."""
    pool = study.codebook.pool
    book: Any = tomlkit.parse(study.sources[CODEBOOK_FILE].text)
    for item in book["tables"][pool.name]["columns"]:
        if item["name"] == old and item["type"] == "term":
            item.setdefault("vocabulary", old)  # by default the name of the column
    study = with_texts(study, {CODEBOOK_FILE: tomlkit.dumps(book)})
    names = renamed_numbers(study, "column", pool.name, old, new)
    after = with_texts(study, renamed_texts(study, "column", pool.name, old, new, names))

    def new_column(cells: Mapping[str, str]) -> dict[str, str]:
        is_meant = (cells.get("file"), cells.get("column")) == (pool.file, old)
        return {"column": new} if is_meant else {}

    tables = {}
    for name, table in study.with_rows(changed_acceptances(study, new_column)).tables.items():
        spec = after.codebook.tables[name]
        places = {}
        for place, column in enumerate(spec.columns):
            if (column.type, column.references) == ("column", pool.name):
                places[place] = {old: new}
        rows = [with_new_cells(row, places) for row in table.rows] if places else table.rows
        tables[name] = table._replace(spec=spec, rows=rows)
    return after.with_tables(tables)


def _drop_column(book: Any, table: str, column: Column) -> None:
    """Take a column out of a codebook, with its cross-tabulations and a vocabulary of its own."""
    columns = book["tables"][table]["columns"]
    del columns[[item["name"] for item in columns].index(column.name)]
    crossed = book.get("crosstabs", [])
    for place in reversed(range(len(crossed))):
        if column.name in (crossed[place]["rows"], crossed[place]["columns"]):
            del crossed[place]
    used = chain.from_iterable(spec["columns"] for spec in book["tables"].values())
    if column.vocabulary and column.vocabulary not in [item.get("vocabulary") for item in used]:
        del book["vocabularies"][column.vocabulary]


def _with_codebook(study: Study, text: str) -> Study:
    """Return the corpus with another codebook, and the columns that it declares."""
    study = with_texts(study, {CODEBOOK_FILE: text})
    tables = {}
    for name, table in study.tables.items():
        spec = study.codebook.tables[name]
        places = list(map(table.spec.position, spec.header))
        tables[name] = table._replace(spec=spec, rows=[picked(row, places) for row in table.rows])
    return study.with_tables(tables)
