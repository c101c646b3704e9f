// The list as a table: a line for each entry, sorted by a click on a heading.

function buildTable() {
  const heads = tableColumns.map((column) => el("th", { scope: "col", "data-sort": column.name },
    el("button", { type: "button", click: () => go(changed(readAddress(), { sort: nextOrder(column) })) }, column.label)));
  return el("div", { class: "scroll", role: "region", "aria-label": "Table of all that is selected", tabindex: "0", hidden: true },
    el("table", { class: "sortable" }, el("caption", { class: "unseen" }, `${pool.title}, sorted by the buttons in its head`),
      el("thead", null, el("tr", null, heads)), el("tbody")));
}

/** A first click sorts upwards, dates downwards; another one the other way round. */
function nextOrder(column) {
  const now = orderOf(orderIn(readAddress()));
  return orderName(column, now.column === column ? !now.down : column.first === "-");
}

function showTable(state) {
  const now = orderOf(orderIn(state));
  for (const head of tablePlace.querySelectorAll("th[data-sort]")) {
    if (now.column && head.dataset.sort === now.column.name) head.setAttribute("aria-sort", now.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
  tablePlace.querySelector("tbody").replaceChildren();
}

function tableRow(entry, state, words) {
  const address = addressOf(changed(state, { part: "entry", key: entry.key }));
  return el("tr", null, tableColumns.map((column, place) => {
    const text = named(marked(column.text(entry), words));
    return place ? el("td", { class: column.long ? "long" : null }, text) : el("th", { scope: "row" }, el("a", { href: address }, text));
  }));
}
