// The selection as a file: CSV with the columns of the pool, RIS for reference managers, BibTeX.

const RIS_TYPES = { article: "JOUR", inproceedings: "CPAPER", techreport: "RPRT" };
const downloadable = { csv: ["CSV", csvOf], ris: ["RIS", risOf], bib: ["BibTeX", bibtexOf] };

function downloads() {
  return el("span", { class: "downloads" }, Object.entries(downloadable).map(([ending, [label, write]]) =>
    el("button", { type: "button", class: "quiet-button", "data-ending": ending,
      "aria-label": `Download as ${label}`, click: () => save(`selection.${ending}`, write(selectedEntries)) }, label)));
}

function save(name, text) {
  const link = el("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function bibtexOf(chosen) {
  return chosen.map((entry) => bibtexText(entry)).join("\n");
}

/** A cell that a spreadsheet would run gets an apostrophe. */
function csvOf(chosen) {
  const quoted = (text) => `"${/^\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/.test(text) ? "'" : ""}${text.replace(/"/g, '""')}"`;
  const plain = (cell) => quoted(Array.isArray(cell) ? cell.join("; ") : textOf(cell));
  const rows = [pool.columns.map((column) => quoted(column.name)), ...chosen.map((entry) => entry.cells.map(plain))];
  return "\ufeff" + rows.map((row) => row.join(",") + "\r\n").join("");
}

function risOf(chosen) {
  return chosen.map((entry) => {
    const kind = /^@(\w+)/.exec(bibtexText(entry)), own = (role) => textOf(entry.cells[columnOf(role)]);
    const links = linksOf(entry).map((link) => link.getAttribute("href"));
    const tags = facets.filter((facet) => !facet.table).flatMap((facet) =>
      entry.cells[facet.column].filter((term) => term !== facet.notApplicable).map((term) => `${pool.columns[facet.column].name}: ${term}`));
    const lines = [["ID", entry.key], ["TI", entry.title], ...(authorsOf(entry) || own("first_author")).split("; ").map((name) => ["AU", name]),
      ["PY", own("year")], ["T2", own("venue")], ["DO", bibliographic(entry, "doi") || own("doi")],
      ...links.map((address) => ["UR", address]), ["AB", own("summary")], ...tags.map((tag) => ["KW", tag])];
    const written = lines.map(([tag, text]) => [tag, text.replace(/\s+/g, " ").trim()]).filter(([, text]) => text);
    return [["TY", kind && RIS_TYPES[kind[1]] || "ELEC"], ...written, ["ER", ""]].map(([tag, text]) => `${tag}  - ${text}\r\n`).join("");
  }).join("\r\n");
}
