// An evidence-and-gap map: any two axes crossed, a third one as colour; a cell opens its papers, an empty one tells why it is empty.

const LEVELS = 5, NEAR_RECORDS = 5;
const mapPlace = document.getElementById("gap-map");
let mapMenus = {};

/** The axes that a state crosses: as it names them, else those of the first declared table. */
function crossing(state) {
  const first = data.crosstabs[0] || { rows: axes[0].id, columns: (axes[1] || axes[0]).id };
  return { rows: facetOf.get(state.rows || first.rows), columns: facetOf.get(state.columns || first.columns), colour: facetOf.get(state.colour) };
}

function buildMap() {
  if (!mapPlace) return;
  const choices = (empty) => [empty ? el("option", { value: "" }, empty) : "",
    ...facets.map((facet) => el("option", { value: facet.id }, facet.table ? `${data.tables[facet.table].title}: ${facet.label.toLowerCase()}` : facet.label))];
  const menu = (name, label, empty) => {
    mapMenus[name] = el("select", { id: `map-${name}`, change: () => go(changed(readAddress(), { [name]: mapMenus[name].value, cell: [] })) }, choices(empty));
    return el("label", { for: `map-${name}` }, label, " ", mapMenus[name]);
  };
  const turn = el("button", { type: "button", class: "quiet-button", click: () => {
    const state = readAddress(), { rows, columns } = crossing(state);
    go(changed(state, { rows: columns.id, columns: rows.id, cell: cellOf(state).reverse() }));
  } }, "Swap");
  mapPlace.append(el("form", { class: "map-menus", submit: (event) => event.preventDefault() },
    menu("rows", "Rows"), menu("columns", "Columns"), menu("colour", "Colour", "number of papers"), turn),
  el("div", { id: "map-table" }), el("div", { id: "map-cell", tabindex: "-1", role: "region", "aria-label": "Papers of the chosen cell" }));
}

/** The two terms of the opened cell; none where the axes do not have them. */
function cellOf(state) {
  const { rows, columns } = crossing(state), [row, column] = state.cell;
  return rows.terms.some(([id]) => id === row) && columns.terms.some(([id]) => id === column) ? [row, column] : [];
}

/** The terms of an entry on an axis; of a table of evidence, row by row. */
function termsByRow(entry, facet) {
  return entry.rows[facet.table].map((row) => row[facet.column]);
}

/** The name of a cell, of which the names of terms may have any character but this one. */
const pairOf = (row, column) => `${row}\n${column}`;

/** Each cell with its entries. An entry is in a cell once; two columns of one evidence table must have their terms in the same row. */
function countCells(cells, { rows, columns }, entry) {
  const same = rows.table === columns.table, pairs = new Set();
  const down = termsByRow(entry, rows), across = termsByRow(entry, columns);
  for (const [i, some] of down.entries()) for (const row of some)
    for (const column of same ? across[i] : across.flat()) pairs.add(pairOf(row, column));
  for (const pair of pairs) {
    if (!cells.has(pair)) cells.set(pair, []);
    cells.get(pair).push(entry);
  }
}

const isApart = (facet, term) => term === facet.notApplicable;

/** Why a cell cannot occur; nothing where it can. */
function impossible(cross, row, column) {
  const terms = { [cross.rows.id]: row, [cross.columns.id]: column };
  const rule = data.impossible.find(({ cells }) => Object.entries(cells).every(([axis, some]) => some.includes(terms[axis])));
  return rule ? rule.reason : "";
}

function showMap(state, found) {
  const cross = crossing(state), { rows, columns, colour } = cross, chosen = cellOf(state);
  Object.assign(mapMenus.rows, { value: rows.id });
  Object.assign(mapMenus.columns, { value: columns.id });
  Object.assign(mapMenus.colour, { value: colour ? colour.id : "" });
  const counted = [...found.cells].filter(([pair]) => { const [r, c] = pair.split("\n"); return !isApart(rows, r) && !isApart(columns, c); });
  const most = Math.max(1, ...counted.map(([, some]) => some.length));
  const cell = (row, column) => {
    const some = found.cells.get(pairOf(row, column)) || [], reason = some.length ? "" : impossible(cross, row, column);
    const isOpen = chosen[0] === row && chosen[1] === column, level = Math.min(LEVELS, Math.ceil((some.length * LEVELS) / most));
    const name = `${termLabel(rows.id, row)} and ${termLabel(columns.id, column)}`;
    const apart = isApart(rows, row) || isApart(columns, column);
    const kind = reason ? "impossible" : some.length ? "" : apart ? "none" : "empty";
    return el("td", { "data-row": row, "data-column": column, class: `${kind} ${apart ? "apart" : ""} ${isOpen ? "chosen" : ""} ${colour ? "coloured" : ""} level-${colour ? 0 : level}` },
      el("a", { href: addressOf(changed(state, { cell: isOpen ? [] : [row, column] })), title: reason || some.slice(0, 8).map((entry) => entry.title).join("\n"),
        "aria-label": `${name}: ${reason ? "cannot occur" : plural(some.length, data.entry, data.entries)}`, "aria-expanded": isOpen, click: openCell },
      reason ? "×" : String(some.length), colour && some.length ? colourBar(colour, some) : ""));
  };
  const focused = document.activeElement && document.activeElement.closest("#map-table td");
  document.getElementById("map-table").replaceChildren(el("div", { class: "scroll", role: "region", "aria-label": "Map", tabindex: "0" },
    el("table", { class: "heat", "data-crosstab": declaredName(rows, columns) }, el("caption", { class: "unseen" }, `${rows.label} by ${columns.label}: number of ${data.entries}`),
      el("thead", null, el("tr", null, el("td"), columns.terms.map(([id, label]) => el("th", { scope: "col", class: isApart(columns, id) ? "apart" : null }, el("span", null, label))))),
      el("tbody", null, rows.terms.map(([row, label]) => el("tr", { class: isApart(rows, row) ? "apart" : null }, el("th", { scope: "row" }, label), columns.terms.map(([column]) => cell(row, column))))))),
  colour ? el("ul", { class: "legend" }, colour.terms.map(([id, label], place) => el("li", null, colourMark(place), label))) : "");
  showCell(state, found, cross, chosen);
  if (focused) document.querySelector(`#map-table td[data-row="${CSS.escape(focused.dataset.row)}"][data-column="${CSS.escape(focused.dataset.column)}"] a`)?.focus();
}

function declaredName(rows, columns) {
  const declared = data.crosstabs.find((one) => one.rows === rows.id && one.columns === columns.id);
  return declared ? declared.id : `${rows.id} by ${columns.id}`;
}

/** A click opens a cell without leaving the place. */
function openCell(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", event.currentTarget.getAttribute("href"));
  show();
  document.getElementById("map-cell").scrollIntoView({ block: "nearest" });
}

function colourMark(place) {
  return el("span", { class: `swatch colour-${place < 0 ? "none" : place % 8}`, "aria-hidden": "true" });
}

/** The entries of a cell by their terms on the third axis, as parts of a bar. */
function colourBar(colour, some) {
  const counts = new Map();
  for (const entry of some) for (const term of new Set(termsByRow(entry, colour).flat())) add(counts, term);
  return el("span", { class: "colour-bar", "aria-hidden": "true" }, colour.terms.flatMap(([id], place) => {
    if (!counts.get(id)) return [];
    const part = colourMark(place);
    part.style.flexGrow = counts.get(id);
    return [part];
  }));
}

/** The papers of the opened cell, or what is known about why there are none. */
function showCell(state, found, cross, [row, column]) {
  const place = document.getElementById("map-cell");
  place.hidden = row === undefined;
  if (place.hidden) return place.replaceChildren();
  const some = found.cells.get(pairOf(row, column)) || [];
  const next = changed(state, { part: FIRST, cell: [] });
  next.filters.set(cross.rows.id, new Set([row]));
  next.filters.set(cross.columns.id, new Set([column]));
  const heading = el("h3", null, `${termLabel(cross.rows.id, row)} × ${termLabel(cross.columns.id, column)} `, el("span", { class: "n" }, plural(some.length, data.entry, data.entries)));
  place.replaceChildren(heading, ...(some.length ? [
    el("ul", { class: "cell-papers" }, some.map((entry) => el("li", null,
      el("a", { href: addressOf(changed(state, { part: "entry", key: entry.key })) }, named(entry.title)), " ",
      el("span", { class: "quiet" }, authorName(firstAuthor(entry), []), entry.date ? ` · ${entry.date}` : "", linksOf(entry).flatMap((link) => [" · ", link]))))),
    el("p", null, el("a", { class: "to-list", href: addressOf(next) }, "Show them in the list"))] : explained(state, cross, row, column, next)));
}

function explained(state, cross, row, column, next) {
  const reason = impossible(cross, row, column);
  if (reason) return [el("p", { class: "reason" }, "Cannot occur: ", reason, ".")];
  const terms = [[cross.rows, row], [cross.columns, column]];
  const has = (where) => Object.entries(where).every(([vocabulary, term]) => terms.some(([facet, own]) => facet.vocabulary === vocabulary && own === term));
  const asked = data.questions.filter(({ where }) => Object.keys(where).length && has(where));
  const questions = [...new Map(asked.map((one) => [`${one.table}/${one.question}`, one])).values()];
  const records = data.nearMisses.map((miss) => ({ ...miss, shared: terms.filter(([facet, term]) => (miss.terms[facet.id] || []).includes(term)).length }))
    .filter(({ shared }) => shared).sort((a, b) => b.shared - a.shared).slice(0, NEAR_RECORDS);
  loadEvidence();
  return [el("p", null, narrowed(state) ? `No ${data.entry} of this selection carries both.` : `No ${data.entry} carries both: a gap of the pool.`),
    questions.length ? [el("h4", null, "Open directions"), el("ul", { class: "cell-papers" }, questions.map(({ table, question }) =>
      el("li", null, el("a", { href: addressOf(changed(state, { part: `table-${table}`, q: "" })) }, questionText(table, question)))))] : "",
    records.length ? [el("h4", null, "Near misses: excluded records that a broader rule would keep"), el("ul", { class: "cell-papers" }, records.map((miss) =>
      el("li", null, el("a", { href: addressOf(changed(state, { part: miss.table, q: miss.title })) }, named(miss.title)), " ",
        el("span", { class: "quiet" }, miss.shared === 2 ? "would carry both" : "would carry one of the two"))))] : "",
    nearest(next)].flat().filter(Boolean);
}

function questionText(name, key) {
  const table = data.tables.find((one) => one.name === name), row = table && table.rows.find((cells) => textOf(cells[0]) === key);
  const place = row ? table.columns.findIndex((column) => column.type === "text" && !column.role) : -1;
  return place < 0 ? key : textOf(row[place]);
}

function termLabel(facet, term) {
  return labels[facetOf.get(facet).vocabulary].get(term) || term;
}
