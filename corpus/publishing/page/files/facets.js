// The filters beside the list, and the line that shows what is selected.

const facetBoxes = new Map();

/** Build the filters once; counts and ticks are set by showFacets. */
function buildFacets(place) {
  const wide = matchMedia("(min-width: 62rem)");
  const drawer = el("details", { class: "drawer" }, el("summary", null, "Filters", el("span", { class: "n", id: "filter-count" })));
  const further = facets.filter((facet) => !mainAxes.includes(facet));
  drawer.append(...mainAxes.map((facet) => facetBox(facet, true)));
  if (further.length) drawer.append(el("details", { class: "further", toggle: countFurther }, el("summary", null, "More filters ", el("span", { class: "n" }, String(further.length))),
    ...further.map((f) => facetBox(f, false))));
  const fit = () => { drawer.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
  place.append(drawer);
}

/** Filters on evidence are counted when a reader looks at them. */
function countFurther() {
  if (!evidenceLoaded) loadEvidence();
  const state = readAddress();
  showFacets(state, select(state));
}

function facetBox(facet, open) {
  const boxes = [], table = facet.table ? data.tables[facet.table].title : "";
  facetBoxes.set(facet.id, boxes);
  const legend = table ? `${table}: ${facet.label.toLowerCase()}` : facet.label;
  const summary = el("summary", null, legend);
  const fields = el("fieldset", { "data-facet": facet.id }, el("legend", { class: "unseen" }, legend), termList(facet, facet.tree, boxes));
  const group = el("details", { class: "facet", open }, summary, fields);
  // One stop per group: its head where it is closed, else a box of it; arrows lead to the others.
  const stops = () => { summary.tabIndex = group.open ? -1 : 0; };
  group.addEventListener("toggle", stops);
  stops();
  roving(group, "summary, input", "input");
  return group;
}

/** The boxes of some nodes, those below them in lists of their own. */
function termList(facet, nodes, boxes) {
  return el("ul", { class: "terms" }, nodes.map((node) => {
    const box = el("input", { type: "checkbox", change: () => go(toggled(readFiltered(), facet.id, node.terms)) });
    const count = el("span", { class: "n" }), bar = el("span", { class: "bar", "aria-hidden": "true" });
    const item = el("li", null, el("label", { title: node.definition }, box, el("span", { class: "term" }, node.label, bar), count));
    if (node.name === facet.notApplicable) item.classList.add("absent");
    boxes.push({ node, box, count, bar, item });
    if (node.children.length) item.append(termList(facet, node.children, boxes));
    return item;
  }));
}

/** The state in which a filter is changed: from anywhere else than list and map, the list comes next. */
function readFiltered() {
  const state = readAddress();
  return changed(state, { part: state.part === "map" ? "map" : FIRST });
}

function showFacets(state, found) {
  const further = document.querySelector("#filters .further");
  if (further && [...state.filters.keys()].some((id) => !mainAxes.includes(facetOf.get(id)))) further.open = true;
  for (const facet of facets) {
    if (facet.table && !evidenceLoaded) continue;
    const counts = found.facets.get(facet.id), chosen = state.filters.get(facet.id) || new Set();
    const most = Math.max(1, ...counts.values());
    for (const { node, box, count, bar, item } of facetBoxes.get(facet.id)) {
      const number = counts.get(node.name) || 0;
      box.checked = node.terms.every((term) => chosen.has(term));
      box.indeterminate = !box.checked && node.terms.some((term) => chosen.has(term));
      count.textContent = number.toLocaleString("en");
      bar.style.inlineSize = `${(100 * number) / most}%`;
      item.classList.toggle("zero", number === 0);
    }
  }
  const number = [...state.filters.values()].reduce((sum, terms) => sum + terms.size, 0);
  document.getElementById("filter-count").textContent = number ? String(number) : "";
}

/** Build search field, order and the place for what is selected. */
function buildToolbar(place) {
  const field = el("input", { type: "search", id: "q", autocomplete: "off", spellcheck: "false",
    placeholder: `Search ${plural(entries.length, data.entry, data.entries)}`,
    input: () => go(changed(readFiltered(), { q: field.value }), true), keydown: fromSearch });
  const order = el("select", { id: "sort", change: () => go(changed(readAddress(), { sort: order.value })) },
    [...namedOrders].map(([name, [label]]) => el("option", { value: name }, label)));
  const table = el("button", { type: "button", id: "as-table", class: "quiet-button",
    click: () => go(changed(readFiltered(), { part: FIRST, view: readAddress().view === "table" ? "" : "table" })) }, "Table");
  place.append(
    el("form", { submit: (event) => { event.preventDefault(); openFirst(); } },
      el("label", { class: "unseen", for: "q" }, `Search the ${data.entries}`), field,
      el("label", { class: "unseen", for: "sort" }, "Order"), order, table),
    el("div", { class: "selected" },
      el("p", { id: "count" }), el("ul", { id: "chips", "aria-label": "Active filters" }), copyAll(), downloads()),
    el("p", { id: "announced", class: "unseen", role: "status", "aria-live": "polite" }));
}

/** The order in the menu; best match, and one by a column of the table view, are added to it as long as they apply. */
function showOrder(state) {
  const menu = document.getElementById("sort"), order = orderIn(state), { column, down } = orderOf(order);
  for (const option of menu.querySelectorAll(".for-now")) option.remove();
  if (state.q) menu.prepend(el("option", { value: "best", class: "for-now" }, "Best match"));
  if (column && !namedOrders.has(order)) menu.append(el("option", { value: order, class: "for-now" }, `${column.label} ${down ? "↓" : "↑"}`));
  menu.value = order;
  document.getElementById("as-table").setAttribute("aria-pressed", state.view === "table");
}

let selectedEntries = [];

/** The BibTeX of all that is selected. */
function copyAll() {
  const button = copyButton("Copy BibTeX", () => bibtexOf(selectedEntries));
  button.id = "copy-all";
  return button;
}

function showToolbar(state, found) {
  const field = document.getElementById("q");
  if (field.value !== state.q) field.value = state.q;
  showOrder(state);
  const all = plural(entries.length, data.entry, data.entries);
  const text = narrowed(state) ? `${found.entries.length.toLocaleString("en")} of ${all}` : all;
  document.getElementById("count").textContent = text;
  announce(text);
  const chips = [];
  const chip = (label, next) => chips.push(el("li", null,
    el("button", { type: "button", class: "chip", click: () => { go(next); document.getElementById("q").focus(); } },
      label, el("span", { "aria-hidden": "true" }, " ×"), el("span", { class: "unseen" }, ", remove"))));
  for (const [id, terms] of state.filters) {
    const facet = facetOf.get(id);
    for (const node of covering(facet.tree, terms)) chip(`${facet.label}: ${node.path}`, toggled(state, id, node.terms));
  }
  for (const bar of state.bars) chip(barLabel(bar), toggledBar(state, bar));
  if (state.q) chip(`“${state.q}”`, changed(state, { q: "" }));
  if (chips.length > 1) chips.push(el("li", null, el("button", { type: "button", class: "quiet-button",
    click: () => go(changed(state, { filters: new Map(), bars: new Set(), q: "" })) }, "Clear all")));
  document.getElementById("chips").replaceChildren(...chips);
  document.getElementById("copy-all").hidden = !found.entries.some((entry) => data.bibtex[entry.key]);
  document.querySelector(".downloads").hidden = !found.entries.length;
  selectedEntries = found.entries;
}
