// Evidence as cards; the rows of a table are read and laid out only when it is opened, one table at a time.

let evidenceLoaded = false, cardsForm = null;

const isEvidence = (table) => table.role === "evidence" || table.role === "audit";

/** Read the rows of the evidence tables, which lie in the page as text until somebody needs them. */
function loadEvidence() {
  if (evidenceLoaded) return;
  evidenceLoaded = true;
  const { rows, candidates } = JSON.parse(document.getElementById("evidence-rows").textContent);
  data.candidates = candidates;
  for (const table of data.tables) Object.assign(table, rows[table.name]);
  placeRows();
}

/** The entry that a row is about. */
function entryOfRow(table, row) {
  const place = table.columns.findIndex((column) => column.type === "ref" && column.references === pool.name);
  return place < 0 ? undefined : entryOf.get(textOf(row[place]));
}

function buildEvidence() {
  const part = document.getElementById("evidence");
  if (!part) return;
  cardsForm = searchForm("evidence", "Search all evidence");
  part.querySelector("h2").after(cardsForm.form);
}

function showEvidence(state, part, target) {
  const cards = [...part.querySelectorAll(".card")], opened = cards.includes(target) ? target : null;
  const found = state.q ? answer(state.q) : null, hits = new Map();
  if (found) for (const hit of found.evidence) hits.set(hit.table.name, [...(hits.get(hit.table.name) || []), hit.row]);
  part.classList.toggle("one-table", opened !== null);
  for (const card of cards) {
    const table = data.tables.find((one) => `table-${one.name}` === card.id);
    const rows = found ? hits.get(table && table.name) || [] : null;
    const has = !rows || rows.length > 0 || (!table && hasWords(fold(card.textContent), found.forms.slice(0, 1)));
    card.hidden = opened ? card !== opened : !has;
    card.querySelector(".place").replaceChildren();
    if (table) card.querySelector(".n").textContent = rows ? `${rows.length} of ${card.dataset.rows}` : card.dataset.rows;
    if (card === opened && table) loadEvidence();
    if (card === opened && table) card.querySelector(".place").append(evidenceTable(table, rows, found));
  }
  for (const group of part.querySelectorAll(".cards")) {
    group.hidden = !group.querySelector(".card:not([hidden])");
    if (group.tagName === "DETAILS" && (opened || found)) group.open = true;
  }
  cardsForm.status.textContent = found ? plural(found.evidence.length, "row", "rows") : "";
  if (cardsForm.field.value !== state.q) cardsForm.field.value = state.q;
  labelTables(part);
}

/** A table of evidence: its first rows, and all on request. Numbers are aligned at their end. */
function evidenceTable(table, rows, found) {
  const all = rows || table.rows, body = el("tbody"), words = found ? found.forms : [];
  const isOne = document.body.dataset.part === "entry";
  const columns = table.columns.map((column, place) => ({ column, place }))
    .filter(({ column, place }) => !(isOne && isAbout(column)) && all.some((row) => textOf(row[place])));
  const isNumber = (column) => ["integer", "number"].includes(column.type);
  const grow = (from, number) => body.append(...all.slice(from, from + number).map((row) => el("tr", null, columns.map(({ column, place }) =>
    el("td", { class: isNumber(column) ? "number" : ["key", "ref", "date"].includes(column.type) ? "tight" : null }, evidenceCell(column, row[place], words))))));
  grow(0, WINDOW);
  const made = el("div", { class: "scroll", role: "region", "aria-label": table.title, tabindex: "0" }, el("table", { class: "plain" },
    el("caption", { class: "unseen" }, table.title),
    el("thead", null, el("tr", null, columns.map(({ column }) => el("th", { scope: "col", class: isNumber(column) ? "number" : null }, column.label)))), body));
  const meanings = el("details", { class: "checked meanings" }, el("summary", null, "What the columns mean"),
    el("dl", { class: "terms" }, columns.flatMap(({ column, place }) => [el("dt", null, column.label), el("dd", null, table.meanings[place])])));
  if (all.length <= WINDOW) return el("div", null, meanings, made);
  const more = el("button", { type: "button", class: "more", click: () => { grow(WINDOW, all.length); more.remove(); labelTables(made); } },
    `Show all ${all.length} rows`);
  return el("div", null, meanings, made, more);
}

/** A cell: the title of an entry as a link to it, a link out of the page, or a text. */
function evidenceCell(column, cell, words) {
  const entry = column.type === "ref" && column.references === pool.name && entryOf.get(textOf(cell));
  if (entry) return el("a", { href: addressOf({ ...readAddress(), part: "entry", key: entry.key, q: "" }), title: entry.title }, entry.key);
  const links = (cell.links || []).flatMap(([address, label], i) => [i ? ", " : "", outside(address, label)]);
  for (const link of links) if (link.href) Object.assign(link, { title: link.textContent, textContent: new URL(link.href).host });
  if (links.length) return links;
  return named(marked(column.type === "column" ? columnLabel(shown(column, cell)) : shown(column, cell), words));
}

function columnLabel(name) {
  return (pool.columns.find((column) => column.name === name) || { label: name }).label;
}
