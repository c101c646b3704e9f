// The heatmaps are tables in the page; here their cells become links, and their counts follow the filters.

const LEVELS = 5;
const heatCells = [];

function buildHeatmaps() {
  for (const crossing of data.crosstabs) {
    const table = document.querySelector(`[data-crosstab="${CSS.escape(crossing.id)}"]`);
    if (!table) continue;
    for (const cell of table.querySelectorAll("tbody td")) {
      const { row } = cell.parentElement.dataset, { column } = headOf(cell).dataset;
      Object.assign(cell.dataset, { row, column });
      const link = el("a");
      if (cell.textContent.trim() !== "×") { link.textContent = cell.textContent; cell.replaceChildren(link); }
      heatCells.push({ crossing, cell, link, row, column, apart: cell.classList.contains("apart") });
    }
  }
}

function showHeatmaps(state, found) {
  const most = new Map();
  for (const { crossing, row, column, apart } of heatCells)
    if (!apart) most.set(crossing.id, Math.max(most.get(crossing.id) || 0, found.cells.get(crossing.id).get(row + "\n" + column) || 0));
  for (const { crossing, cell, link, row, column } of heatCells) {
    if (!link.isConnected) continue;
    const number = found.cells.get(crossing.id).get(row + "\n" + column) || 0, top = most.get(crossing.id) || 1;
    const level = Math.min(LEVELS, Math.ceil((number * LEVELS) / top));
    for (let i = 0; i <= LEVELS; i++) cell.classList.toggle(`level-${i}`, i === level);
    link.textContent = String(number);
    const next = changed(state, { part: FIRST });
    next.filters.set(crossing.rows, new Set([row]));
    next.filters.set(crossing.columns, new Set([column]));
    link.setAttribute("href", addressOf(next));
    link.setAttribute("aria-label", `${termLabel(crossing.rows, row)} and ${termLabel(crossing.columns, column)}: ${plural(number, data.entry, data.entries)}`);
    const chosen = (id, term) => state.filters.get(id) && state.filters.get(id).has(term);
    cell.classList.toggle("chosen", Boolean(chosen(crossing.rows, row) && chosen(crossing.columns, column)));
  }
}

function termLabel(facet, term) {
  return labels[facetOf.get(facet).vocabulary].get(term) || term;
}
