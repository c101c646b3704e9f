// The corpus in the page: entries with their terms, and the rows of other tables about each.

const data = JSON.parse(document.getElementById("data").textContent);
const pool = data.tables[0];
const columnOf = (role) => pool.columns.findIndex((column) => column.role === role);
const at = Object.fromEntries(
  ["title", "first_author", "authors", "year", "venue", "summary", "group", "affiliation", "notes"].map((r) => [r, columnOf(r)]));
at.key = Math.max(0, columnOf("key"));

const textOf = (cell) => (cell === undefined ? "" : Array.isArray(cell) ? cell.join(", ") : cell.text || String(cell));
const labels = {};
for (const [name, vocabulary] of Object.entries(data.vocabularies))
  labels[name] = new Map(vocabulary.terms.map(([id, label]) => [id, label]));

/** What is shown where nothing is, since a column does not apply or has no value. */
const NOTHING = "–";

/** The printed form of a cell: terms by their labels, the one for "not applicable" as nothing. */
function shown(column, cell) {
  if (column.type !== "term") return textOf(cell);
  const { notApplicable } = data.vocabularies[column.vocabulary];
  return cell.map((id) => (id === notApplicable ? NOTHING : labels[column.vocabulary].get(id) || id)).join(", ");
}

const facets = data.facets.map((facet) => {
  const { terms, notApplicable } = data.vocabularies[facet.vocabulary], tree = treeOf(terms);
  return { ...facet, terms, notApplicable, tree, above: aboveOf(tree) };
});
/** The axes that readers filter by; the others are about how the corpus was made, and folded. */
const axes = facets.filter((facet) => !facet.table), mainAxes = axes.slice(0, 6);
const facetOf = new Map(facets.map((facet) => [facet.id, facet]));
const groupFacet = facets.find((facet) => facet.table === 0 && facet.column === at.group);

const entries = pool.rows.map((cells, number) => ({
  number, cells, key: textOf(cells[at.key]), title: textOf(cells[at.title]) || textOf(cells[at.key]),
  bar: data.barOf[number], date: data.dates[number] || (at.year < 0 ? "" : textOf(cells[at.year])), rows: [], text: null,
}));
const entryOf = new Map(entries.map((entry) => [entry.key, entry]));

/** Give each entry the rows about it, of the tables that have been read. */
function placeRows() {
  for (const [number, table] of data.tables.entries()) {
    for (const entry of entries) entry.rows[number] = number ? [] : [entry.cells];
    if (number) for (const row of table.rows || []) {
      const entry = entryOfRow(table, row);
      if (entry) entry.rows[number].push(row);
    }
  }
}
placeRows();
const bibliography = data.tables.findIndex((table) => table.role === "bibliography");

/** The cell of an entry in the bibliography, by role. */
function bibliographic(entry, role) {
  if (bibliography < 0 || !entry.rows[bibliography].length) return "";
  const column = data.tables[bibliography].columns.findIndex((c) => c.role === role);
  return column < 0 ? "" : textOf(entry.rows[bibliography][0][column]);
}

const bibtexText = (entry) => data.bibtex[entry.key] || "";

/** All authors of an entry, from the bibliography or the pool, separated by semicolons. */
function authorsOf(entry) {
  return bibliographic(entry, "authors") || (at.authors < 0 ? "" : textOf(entry.cells[at.authors]));
}

/** Everything written about an entry, folded, to look for what must be there as it is typed. */
function searchable(entry) {
  if (entry.text === null) {
    loadEvidence();
    entry.text = fold(data.tables.flatMap((table, number) => entry.rows[number].flatMap((row) =>
      table.columns.map((column, i) => shown(column, row[i])))).join("\n"));
  }
  return entry.text;
}
