// The state of the page is its address: #part?axis=term&q=words&month=2025-08&key=entry. Nothing else is remembered.

const FIRST = "entries", VIEWS = ["table", "added"], MAP_AXES = ["rows", "columns", "colour"];

/** Read the state from the address; `ignored` has the names and values that this page does not have. */
function readAddress() {
  const [part, query] = split(location.hash.slice(1));
  const given = new URLSearchParams(query);
  const state = { part: part || FIRST, q: given.get("q") || "", key: given.get("key") || "", filters: new Map(),
    bars: new Set(given.getAll("month").filter((bar) => data.bars.includes(bar))),
    sort: orderOf(given.get("sort")) ? given.get("sort") : "",
    view: VIEWS.includes(given.get("view")) ? given.get("view") : "", ignored: [], cell: given.getAll("cell") };
  for (const name of MAP_AXES) state[name] = facetOf.has(given.get(name)) ? given.get(name) : "";
  for (const [name, value] of given) if (!isKnown(name, value)) state.ignored.push(`${name}=${value}`);
  for (const facet of facets) {
    const terms = given.getAll(facet.id).filter((term) => isKnown(facet.id, term));
    if (terms.length) state.filters.set(facet.id, new Set(terms));
  }
  if (part && !document.getElementById(part)) state.ignored.unshift(`#${part}`);
  return state;
}

function isKnown(name, value) {
  const facet = facetOf.get(name);
  if (facet) return facet.terms.some(([id]) => id === value);
  if (name === "month") return data.bars.includes(value);
  if (name === "sort") return Boolean(orderOf(value));
  if (name === "view") return VIEWS.includes(value);
  if (MAP_AXES.includes(name)) return facetOf.has(value);
  return name === "q" || name === "key" || name === "cell";
}

function split(hash) {
  const mark = hash.indexOf("?");
  return mark < 0 ? [decoded(hash), ""] : [decoded(hash.slice(0, mark)), hash.slice(mark + 1)];
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** Write a state as an address. */
function addressOf(state) {
  const given = new URLSearchParams();
  if (state.key && state.part === "entry") given.append("key", state.key);
  for (const [facet, terms] of state.filters) for (const term of terms) given.append(facet, term);
  for (const bar of state.bars) given.append("month", bar);
  if (state.q) given.append("q", state.q);
  if (state.sort && (state.sort !== "newest" || state.q)) given.append("sort", state.sort);
  if (state.view) given.append("view", state.view);
  if (state.part === "map") {
    for (const name of MAP_AXES) if (state[name]) given.append(name, state[name]);
    for (const term of state.cell) given.append("cell", term);
  }
  const query = given.toString();
  return `#${state.part}${query ? "?" + query : ""}`;
}

/** The order that a state has: unless it names one, the best match of a search, else the newest first. */
function orderIn(state) {
  return (state.sort !== "best" && state.sort) || (state.q ? "best" : "newest");
}

/** The same state with some of it changed. */
function changed(state, change) {
  return { ...state, filters: new Map([...state.filters].map(([f, t]) => [f, new Set(t)])),
    bars: new Set(state.bars), ...change };
}

/** The state with some terms of a facet switched on, or off where all of them are on. */
function toggled(state, facet, some) {
  const next = changed(state), terms = next.filters.get(facet) || new Set(), on = some.every((term) => terms.has(term));
  for (const term of some) if (on) terms.delete(term); else terms.add(term);
  if (terms.size) next.filters.set(facet, terms); else next.filters.delete(facet);
  return next;
}

/** Go to a state; typing replaces the address, everything else is a step in the history. */
function go(state, replace) {
  const address = addressOf(state);
  if (address === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
}

function narrowed(state) {
  return state.filters.size > 0 || state.bars.size > 0 || state.q !== "";
}
