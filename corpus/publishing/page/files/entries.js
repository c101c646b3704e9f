// The list of entries: only a window of it is in the page, and grows as the reader comes to its end.

const WINDOW = 40, OTHERS = " et al.";
let listed = { address: null, entries: [], shown: 0, state: null };
let listPlace, tablePlace, besideList, afterList, moreButton, moreWatcher;

function buildList(place) {
  listPlace = el("ol", { class: "entries" });
  moreButton = el("button", { type: "button", class: "more", click: () => grow(WINDOW) });
  besideList = el("div", { class: "answers" });
  afterList = el("div");
  tablePlace = buildTable();
  place.append(besideList, listPlace, tablePlace, moreButton, afterList);
  moreWatcher = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) grow(WINDOW); },
    { rootMargin: "600px" });
  addEventListener("beforeprint", () => grow(2000));
}

/** Show the list; where it is the one shown before, it stays as the reader left it. */
function showList(state, found) {
  const address = addressOf(changed(state, { part: FIRST, key: "" }));
  if (address === listed.address) return;
  listed = { address, entries: found.entries, shown: 0, state };
  besideList.replaceChildren(...answers(state).flat());
  afterList.replaceChildren(...beyond(state));
  const asTable = state.view === "table" && found.entries.length > 0;
  listPlace.replaceChildren();
  listPlace.hidden = asTable;
  tablePlace.hidden = !asTable;
  if (asTable) showTable(state);
  if (!found.entries.length) listPlace.append(nothing(state));
  grow(WINDOW);
}

function grow(number) {
  const { entries: all, shown: from, state } = listed;
  if (!state) return;
  const next = all.slice(from, from + number), words = state.q ? answer(state.q).forms : [];
  if (tablePlace.hidden) listPlace.append(...next.map((entry) => listItem(entry, state, words)));
  else tablePlace.querySelector("tbody").append(...next.map((entry) => tableRow(entry, state, words)));
  listed.shown = from + next.length;
  const left = all.length - listed.shown;
  moreButton.hidden = left === 0;
  moreButton.textContent = `Show more (${left.toLocaleString("en")} left)`;
  moreWatcher.disconnect();
  if (left) moreWatcher.observe(moreButton);
}

function nothing(state) {
  return el("li", { class: "nothing" },
    el("p", null, state.q ? `No ${data.entry} has this.` : `No ${data.entry} carries all of this: an empty cell.`),
    nearPlace(state), nearest(state),
    el("p", null, el("a", { href: addressOf(changed(state, { filters: new Map(), bars: new Set(), q: "" })) },
      `Show all ${data.entries}`)));
}

/** The entries that fail fewest of the conditions, with what they fail. */
function nearest(state) {
  const tests = conditions(state);
  if (tests.length < 2) return partly(state);
  const failed = new Map(entries.map((entry) => [entry, tests.filter((test) => !test.passes(entry))]));
  const least = Math.min(...[...failed.values()].map((missed) => missed.length));
  const near = ordered(state).filter((entry) => least < tests.length && failed.get(entry).length === least).slice(0, 5);
  const label = ({ name }) => (facetOf.get(name) || { label: data.tables[name] ? data.tables[name].title : name === "q" ? "words" : "month" }).label;
  return near.length ? [el("p", null, "Nearest:"), el("ul", { class: "nearest-entries" }, near.map((entry) =>
    linkItem(entry, `differs in ${failed.get(entry).map(label).join(", ")}`)))] : "";
}

/** The entries with one word of several, where none has more. */
function partly(state) {
  const hits = state.q ? answer(state.q).partial.map(([number]) => findable[number].entry).filter(Boolean).slice(0, 5) : [];
  return hits.length ? [el("p", null, "Nearest:"), el("ul", { class: "nearest-entries" }, hits.map((entry) => linkItem(entry, "has one of the words")))] : "";
}

/** A link to an entry outside the list, with a remark. */
function linkItem(entry, remark) {
  return el("li", null, el("a", { href: addressOf({ ...readAddress(), part: "entry", key: entry.key }) }, named(entry.title)),
    " ", el("span", { class: "quiet" }, remark));
}

function listItem(entry, state, words) {
  const cell = (role) => (at[role] < 0 ? "" : textOf(entry.cells[at[role]]));
  const address = addressOf(changed(state, { part: "entry", key: entry.key }));
  const by = [firstAuthor(entry), cell("venue"), entry.date || cell("year")].filter(Boolean);
  const parts = by.flatMap((part, i) => [i ? el("span", { class: "dot", "aria-hidden": "true" }, " · ") : "",
    ...(i ? [el("span", { class: i === 2 ? "word" : null }, named(marked(part, words)))] : authorName(part, words))]);
  return el("li", { class: "entry" },
    el("h3", null, el("a", { class: "hit", href: address }, named(marked(entry.title, words)))),
    el("p", { class: "by" }, parts, linksOf(entry).flatMap((link) => [" · ", link]), bibtexText(entry) ? [" · ", el("button", { type: "button", class: "as-link",
      click: (event) => copied(event.target, "BibTeX", bibtexText(entry)) }, "BibTeX")] : ""),
    at.summary < 0 ? "" : el("p", { class: "summary", dir: "auto" }, marked(cell("summary"), words)),
    el("ul", { class: "tags", "aria-label": "Tags" }, tags(entry)));
}

/** The first author of an entry: with others, by the last name. */
function firstAuthor(entry) {
  const [first, ...others] = authorsOf(entry).split("; "), own = (at.first_author < 0 ? "" : textOf(entry.cells[at.first_author])) || first;
  return others.length ? own.split(",")[0] + OTHERS : own;
}

/** The first author; "et al." has a direction of its own. */
function authorName(text, words) {
  const [name, others] = text.endsWith(OTHERS) ? [text.slice(0, -OTHERS.length), OTHERS] : [text, ""];
  return [named(marked(name, words)), others];
}

/** The terms of an entry, the group first with its colour; terms that mean "not applicable" are left out. */
function tags(entry) {
  const first = groupFacet ? [groupFacet] : [];
  return [...first, ...mainAxes.filter((facet) => facet !== groupFacet)].flatMap((facet) => {
    const terms = entry.cells[facet.column].filter((term) => term !== facet.notApplicable);
    const text = terms.map((term) => labels[facet.vocabulary].get(term)).join(", ");
    if (!text) return [];
    if (facet === groupFacet) return [el("li", { class: "group" }, swatch(terms[0]), text)];
    return [el("li", null, el("span", { class: "axis" }, facet.label), " ", text)];
  });
}

/** The colour of a term of the grouping column; grey where there is no term. */
function swatch(term) {
  const place = groupFacet ? groupFacet.terms.findIndex(([id]) => id === term) : 0;
  return el("span", { class: `swatch colour-${place < 0 ? "none" : place % 8}`, "aria-hidden": "true" });
}
