// The orders of the list: by date, by title, as in the pool, and by every column of the table view.

const byText = new Intl.Collator("en", { sensitivity: "base", numeric: true }).compare;
const byPlace = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The columns of the table view: name in the address, heading, text of a cell, what it is sorted by and how. */
const tableColumns = [
  { name: "title", label: at.title < 0 ? "Title" : pool.columns[at.title].label, text: (entry) => entry.title },
  ...longColumns("first_author"),
  { name: "date", label: "Date", text: (entry) => entry.date, compare: byPlace, first: "-" },
  ...mainAxes.map(axisColumn), ...longColumns("venue", "affiliation"), ...axes.filter((facet) => !mainAxes.includes(facet)).map(axisColumn),
].map((column) => ({ compare: byText, sortedBy: column.text, first: "", ...column }));

function longColumns(...roles) {
  return roles.filter((role) => at[role] >= 0).map((role) => ({ ...poolColumn(at[role], byText), long: true }));
}

function axisColumn(facet) {
  return poolColumn(facet.column, byPlace, places(facet));
}

function poolColumn(number, compare, sortedBy) {
  const column = pool.columns[number], text = (entry) => shown(column, entry.cells[number]);
  const name = ["title", "date", "newest", "oldest", "key"].includes(column.name) ? `column.${column.name}` : column.name;
  return { name, label: column.label, text, compare, sortedBy: sortedBy || text };
}

/** Terms are in the order of their vocabulary, which is often one of degree; "not applicable" is as good as empty. */
function places(facet) {
  const place = new Map(facet.terms.map(([id], number) => [id, String(number).padStart(5, "0")]));
  return (entry) => entry.cells[facet.column].filter((term) => term !== facet.notApplicable).map((term) => place.get(term)).join(" ");
}

/** The orders that have a name of their own; by column it is `sort=NAME`, downwards `sort=-NAME`. */
const namedOrders = new Map([["newest", ["Newest first", "-date"]], ["oldest", ["Oldest first", "date"]], ["title", ["Title", "title"]],
  ["key", ["Key", ""]]]);

/** The column of an order and its direction, or null where there is no such order. */
function orderOf(name) {
  if (name === "best") return { column: null, down: false };
  if (!name) return null;
  const known = namedOrders.get(name), order = known ? known[1] : name;
  const down = order.startsWith("-"), column = tableColumns.find((c) => c.name === order.slice(down ? 1 : 0));
  return column || known ? { column, down } : null;
}

/** The name of an order in the address. */
function orderName(column, down) {
  const order = (down ? "-" : "") + column.name, known = [...namedOrders].find(([, [, same]]) => same === order);
  return known ? known[0] : order;
}

/** All entries in the order of a state. */
function ordered(state) {
  const scores = orderIn(state) === "best" && answer(state.q).entries;
  if (!scores) return inOrder(orderIn(state));
  return [...inOrder("newest")].sort((a, b) => (scores.get(b) || 0) - (scores.get(a) || 0));
}

const sorted = new Map();
/** All entries in an order. What is empty comes last; what is equal stays in the order of the pool. */
function inOrder(name) {
  if (!sorted.has(name)) sorted.set(name, inColumnOrder(orderOf(name)));
  return sorted.get(name);
}

function inColumnOrder({ column, down }) {
  if (!column) return entries;
  const keys = entries.map(column.sortedBy);
  return [...entries].sort((a, b) => {
    const x = keys[a.number], y = keys[b.number];
    if (!x || !y) return (x ? 0 : 1) - (y ? 0 : 1);
    return down ? column.compare(y, x) : column.compare(x, y);
  });
}
