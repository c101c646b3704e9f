// One entry in full: its terms with their definitions, what evidence there is, corrections, BibTeX.

function showEntry(place, state, found) {
  const entry = entryOf.get(state.key);
  if (!entry) {
    place.replaceChildren(el("h2", { tabindex: "-1" }, `No ${data.entry} of this name`), back(state));
    return;
  }
  loadEvidence();
  const cell = (role) => (at[role] < 0 ? "" : textOf(entry.cells[at[role]]));
  const people = authorsOf(entry) || cell("first_author");
  const meta = [cell("affiliation"), cell("venue"), entry.date || cell("year")].filter(Boolean);
  place.replaceChildren(
    el("nav", { class: "neighbours", "aria-label": `Other ${data.entries}` }, back(state), neighbours(entry, state, found)),
    el("h2", { tabindex: "-1", dir: "auto" }, unbroken(entry.title)),
    el("p", { class: "people" }, separated(people.split("; "))),
    el("p", { class: "by" }, separated(meta)),
    el("p", { class: "links" }, linksOf(entry), bibtexText(entry) ? copyButton("Copy BibTeX", () => bibtexText(entry)) : "",
      copyButton("Copy link to this page", () => location.href)),
    cell("summary") ? el("p", { class: "lead", dir: "auto" }, cell("summary")) : "",
    el("div", { class: "about-entry" }, termTable(entry),
      cell("notes") ? el("p", { class: "notes" }, el("small", null, "Notes"), " ", cell("notes")) : "", otherCells(entry)),
    el("div", { class: "related-to-entry" }, evidenceAbout(entry)),
    similar(entry), bibtex(entry));
  labelTables(place);
}

/** Names with a dot between them. */
function separated(names) {
  return names.flatMap((name, i) => [i ? " · " : "", named(unbroken(name))]);
}

function back(state) {
  return el("a", { class: "back", href: addressOf(changed(state, { part: FIRST, key: "" })) }, "← Back to the list");
}

function neighbours(entry, state, found) {
  const place = found.entries.indexOf(entry);
  const link = (other, text) => other ? el("a", { href: addressOf(changed(state, { key: other.key })), title: other.title }, text) : "";
  if (place < 0) return "";
  return el("span", null, link(found.entries[place - 1], "Previous"),
    el("span", { class: "n" }, `${place + 1} of ${found.entries.length}`), link(found.entries[place + 1], "Next"));
}

/** All addresses of an entry, from the pool and its bibliography, each once. */
function linksOf(entry) {
  const found = new Map();
  const rows = [[pool, entry.cells], ...(bibliography > 0 ? entry.rows[bibliography].map((row) => [data.tables[bibliography], row]) : [])];
  for (const [table, row] of rows)
    table.columns.forEach((column, i) => { for (const [address, text] of row[i].links || []) if (!found.has(address)) found.set(address, text); });
  return [...found].flatMap(([address, text]) => {
    const [name] = /^arxiv|^doi/i.exec(text) || [text];
    const link = outside(address, { arxiv: "arXiv", doi: "DOI" }[name.toLowerCase()] || text.split("/")[0]);
    link.title = text;
    return /^https:\/\/arxiv\.org\/abs\//.test(address) ? [link, outside(address.replace("/abs/", "/pdf/"), "PDF")] : [link];
  });
}

function termTable(entry) {
  const rows = facets.filter((facet) => facet.table === 0).flatMap((facet) =>
    entry.cells[facet.column].map((term) => {
      const [, label, definition] = facet.terms.find(([id]) => id === term) || [term, term, ""];
      const only = new Map([[facet.id, new Set([term])]]);
      const address = addressOf({ part: FIRST, key: "", q: "", bars: new Set(), sort: "", filters: only });
      return el("tr", null, el("th", { scope: "row" }, facet.label),
        el("td", null, facet === groupFacet ? swatch(term) : "", el("a", { href: address }, label)),
        el("td", { class: "quiet" }, definition));
    }));
  return el("table", { class: "plain tagged" }, el("caption", { class: "unseen" }, "Tags"),
    el("thead", null, el("tr", null, ["Axis", "Term", "Meaning"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", null, rows));
}

/** The columns of the pool that have no role on the page, where they are not empty. */
function otherCells(entry) {
  const items = pool.columns.flatMap((column, i) => {
    const text = shown(column, entry.cells[i]);
    return !text || column.role || column.axis || entry.cells[i].links ? []
      : [el("div", null, el("dt", null, column.label), el("dd", { dir: "auto" }, text))];
  });
  return items.length ? el("section", { class: "related" }, el("h3", null, "More"), el("ul", null, el("li", null, el("dl", null, items)))) : "";
}

/** The entries that share most terms with one; a rare term counts more than a frequent one. */
function similar(entry) {
  const uses = new Map();
  for (const other of entries)
    for (const facet of axes) for (const term of other.cells[facet.column]) add(uses, facet.id + "\n" + term);
  const common = (other) => axes.flatMap((facet) => entry.cells[facet.column]
    .filter((term) => term !== facet.notApplicable && other.cells[facet.column].includes(term)).map((term) => [facet, term]));
  const scored = entries.filter((other) => other !== entry).map((other) => {
    const terms = common(other).map(([facet, term]) => [Math.log(entries.length / uses.get(facet.id + "\n" + term)), facet, term]);
    return { other, terms: terms.sort((a, b) => b[0] - a[0]), score: terms.reduce((sum, [weight]) => sum + weight, 0) };
  }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.other.number - b.other.number);
  const items = scored.slice(0, 5).map(({ other, terms }) => linkItem(other, terms.slice(0, 3).map(([, facet, term]) => `${facet.label}: ${termLabel(facet.id, term)}`).join(", ")));
  return items.length ? el("section", { class: "related similar" }, el("h3", null, `Similar ${data.entries}`), el("ul", null, items)) : "";
}

/** What other tables have about an entry: that with most rows as a table, the rest folded below it. */
function evidenceAbout(entry) {
  const about = data.tables.map((table, number) => ({ table, rows: number ? entry.rows[number] : [] })).filter(({ rows }) => rows.length);
  about.sort((a, b) => (isEvidence(b.table) ? b.rows.length : 0) - (isEvidence(a.table) ? a.rows.length : 0));
  return about.map(({ table, rows }, place) => {
    const isFirst = place === 0 && rows.length > 1, number = el("span", { class: "n" }, String(rows.length));
    const shownRows = rows.length > 1 && isEvidence(table) ? evidenceTable(table, rows, null) : el("ul", null, rows.map((row) => rowList(table, row)));
    return isFirst ? el("section", { class: "related" }, el("h3", null, table.title), shownRows)
      : el("details", { class: "related" }, el("summary", null, el("h3", null, table.title, " ", number)), shownRows);
  });
}

/** A row as a list of what it has, without the entry that it is about. */
function rowList(table, row) {
  return el("li", null, el("dl", null, table.columns.flatMap((column, i) => {
    const text = shown(column, row[i]);
    if (!text || isAbout(column) || (table.role === "bibliography" && ["authors", "doi"].includes(column.role))) return [];
    const links = (row[i].links || []).flatMap(([address, label], at) => [at ? ", " : "", outside(address, label)]);
    return [el("div", null, el("dt", null, column.label), el("dd", { dir: "auto" }, links.length ? links : column.type === "column" ? columnLabel(text) : text))];
  })));
}

/** Whether a column names the entry that a row is about. */
function isAbout(column) {
  return column.type === "ref" && column.references === pool.name;
}

function bibtex(entry) {
  const text = bibtexText(entry);
  if (!text) return "";
  return el("details", { class: "related" }, el("summary", null, el("h3", null, "BibTeX")), el("pre", { tabindex: "0", "aria-label": "BibTeX" }, text));
}
