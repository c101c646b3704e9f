"""A study in memory: codebook, tables, entries; read once by a command and passed on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.codebook import Source as Source
from corpus.model.filters import Filter, row_test
from corpus.model.finding import UsageProblem, closest
from corpus.model.table import LocatedRow, Row, Table, picked

#: Roles of the tables for searching, screening and coverage.
LIVING = ("candidates", "search_log", "screening", "coverage")


@dataclass(frozen=True)
class Study:
    """A corpus as one command sees it; a change makes a new study.

    Attributes
    ----------
    codebook : Codebook
        Tables, columns, vocabularies and rules.
    tables : mapping of str to Table
        The tables that could be read, by name.
    root : str
        The data folder.
    documents : mapping of str to mapping
        The other declared files (claims, protocol) as decoded TOML, by name.
    sources : mapping of str to Source
        The file of each document under the same name, and that of the codebook under its file name;
        empty in a study that was made in memory.
    """

    codebook: Codebook
    tables: Mapping[str, Table]
    root: str
    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)

    @cached_property
    def derived(self) -> dict[str, Any]:
        """What was worked out from this study and is asked for again, by a name of its own.

        A change makes a new study, which derives nothing from the old one.
        """
        return {}

    @property
    def pool(self) -> Table:
        """The table that the study is about."""
        return self.tables[self.codebook.pool.name]

    def by_role(self, role: str) -> list[Table]:
        """Return the tables with a role, in declared order."""
        # A table with findings is not among those that could be read.
        names = self.tables.keys()
        return [self.tables[one.name] for one in self.codebook.by_role(role) if one.name in names]

    def table_of(self, role: str) -> Table:
        """Return the table with a role.

        Raises
        ------
        UsageProblem
            Where the codebook declares none, or its file could not be read.
        """
        for table in self.by_role(role):
            return table
        advice = ""
        if role in LIVING:
            advice = "; `corpus init --living .` in the folder of the corpus adds it"
        raise UsageProblem(f"the codebook declares no table with the role {role!r}{advice}")

    def declared_items(self, document: str, section: str) -> dict[str, Mapping[str, Any]]:
        """Return the items of a list in a document, such as the stages of the protocol, by id."""
        found: dict[str, Mapping[str, Any]] = {}
        items = self.documents.get(document, {}).get(section, [])
        if not isinstance(items, list):
            return found
        for item in items:
            if isinstance(item, Mapping) and "id" in item:
                found[str(item["id"])] = item
        return found

    @property
    def source_files(self) -> dict[str, Source]:
        """The sources by their file below the data folder, the codebook first."""
        files = self.codebook.documents
        return {files.get(name, name): source for name, source in self.sources.items()}

    def number_of_rows(self, role: str) -> int:
        """Return how many rows the tables with a role have together."""
        return sum(len(table.rows) for table in self.by_role(role))

    @cached_property
    def entries(self) -> Mapping[str, LocatedRow]:
        """The rows of the pool by their key, in the order of the file."""
        return dict(zip(self.pool.names(), self.pool.placed(), strict=True))

    def entry(self, key: str) -> LocatedRow:
        """Return one entry.

        Raises
        ------
        UsageProblem
            With the nearest keys, where the pool has no such entry.
        """
        found = self.entries.get(key)
        if found is not None:
            return found
        nearest = closest(key, self.entries, most=3, cutoff=0.5)
        if nearest:
            advice = f"did you mean {' or '.join(nearest)}?"
        else:
            advice = "`corpus search TEXT` finds entries by any text"
        raise UsageProblem(f"the pool has no entry {key!r}; {advice}")

    def keys_by_term(self, axis: str) -> dict[str, list[str]]:
        """Return the entries that carry each declared term of an axis, in the pool's order."""
        found: dict[str, list[str]] = {}
        for term in self.codebook.terms_of(self.pool.spec.column(axis)):
            found[term] = []
        for key, entry in self.entries.items():
            for term in entry.terms(axis):
                found[term].append(key)
        return found

    def keys_about(self, table: Table) -> list[str]:
        """Return the entry that each row of a table refers to; the table must refer to the pool."""
        link = table.spec.reference_to(self.pool.spec)
        assert link is not None, "whoever declared it was told that it needs a reference"
        return table.column(link.name)

    def second_tags(self, table: Table) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the key and the tags of each row of an audit, in the columns that the pool has."""
        shared = [column.name for column in self.codebook.shared_with_pool(table.spec)]
        for key, record in zip(self.keys_about(table), table.records(), strict=True):
            yield key, {name: record[name] for name in shared}

    def references(self, target: TableSpec, key: str) -> Iterator[LocatedRow]:
        """Yield every row of any table that refers to a row of `target`, in declared order."""
        for table in self.tables.values():
            for position in table.spec.references_to(target):
                for placed in table.placed():
                    if placed.row[position] == key:
                        yield placed

    def bibliography(self) -> Iterator[tuple[str, Table, Row]]:
        """Yield every row of the role `bibliography` about an entry: its key, the table, the row.

        The key may be of an entry that the pool has no longer.
        """
        for table in self.by_role("bibliography"):
            link = table.spec.reference_to(self.pool.spec)
            if link is None:
                continue
            for key, row in zip(table.column(link.name), table.rows, strict=True):
                yield key, table, row

    def without_files(self, files: Collection[str]) -> Study:
        """Return the study without the tables and documents of some files of the data folder."""
        tables, documents = self.tables.items(), dict(self.documents)
        for name, file in self.codebook.documents.items():
            if file in files:
                documents.pop(name, None)
        kept = {name: table for name, table in tables if table.spec.file not in files}
        return replace(self, tables=kept, documents=documents)

    def where(self, filters: Sequence[Filter]) -> Study:
        """Return the study with the entries that pass all filters, and the rows about them.

        Rows of other tables that refer to nothing in the pool stay, as do the exclusions.
        """
        if not filters:
            return self
        passes = row_test(filters, self.pool.spec.header)
        return self.without_entries({key for key, row in self.pool.named_rows() if not passes(row)})

    def without_entries(self, dropped: Collection[str]) -> Study:
        """Return the study without some entries of the pool and the rows that refer to them."""
        return self.without_rows(self.pool.spec, dropped)

    def without_rows(self, spec: TableSpec, dropped: Collection[str]) -> Study:
        """Return the study without rows of a table, by their keys, and what refers to them."""
        tables = dict(self.tables)
        for name, table in self.tables.items():
            positions = list(table.spec.references_to(spec))
            if name == spec.name:
                positions.append(spec.position(spec.key[0]))
            if positions:
                named = (picked(row, positions) for row in table.rows)
                tables[name] = table.kept(list(map(set(dropped).isdisjoint, named)))
        return self.with_tables(tables)

    def with_tables(self, tables: Mapping[str, Table]) -> Study:
        """Return the study with other tables."""
        return replace(self, tables=tables)

    def with_rows(self, rows: Mapping[str, list[Row]]) -> Study:
        """Return the study with other rows of some tables."""
        tables = dict(self.tables)
        for name, changed in rows.items():
            tables[name] = tables[name].with_rows(changed)
        return self.with_tables(tables)

    def with_more(self, name: str, *rows: Row) -> Study:
        """Return the study with more rows of a table, below those that it has."""
        return self.with_rows({name: [*self.tables[name].rows, *rows]})

    def changed_tables(self, before: Study) -> list[Table]:
        """Return the tables whose header or rows are not those of an older state of the corpus."""
        changed = []
        for name, table in self.tables.items():
            old = before.tables[name]
            if (table.spec.header, table.rows) != (old.spec.header, old.rows):
                changed.append(table)
        return changed

    def changed_texts(self, before: Study) -> dict[str, str]:
        """Return the texts of codebook and documents that an older state does not have, by file."""
        old = before.source_files
        changed = {}
        for file, source in self.source_files.items():
            if source != old[file]:
                changed[file] = source.text
        return changed
