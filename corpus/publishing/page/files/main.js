// Show the part of the page that the address names, in the state that it gives.

const parts = [...document.querySelectorAll(".view")];
const filtered = new Set(["entries", "map", "entry"]);
const intro = document.getElementById("intro"), INTRO = `intro of ${document.title}`;
let seen = null, left = { address: null, scroll: 0 };

function show() {
  const state = readAddress();
  if (document.body.dataset.part === FIRST) left = { address: listed.address, scroll: scrollY };
  const target = document.getElementById(state.part) || document.getElementById(FIRST);
  const part = target.closest(".view") || document.getElementById(FIRST);
  for (const other of parts) other.hidden = other !== part;
  const beside = filtered.has(part.id);
  document.getElementById("filters").hidden = !beside || part.id === "entry";
  document.getElementById("toolbar").hidden = !beside || part.id === "entry";
  document.body.dataset.part = part.id;
  showIntro(part);
  showIgnored(state);
  const found = beside ? select(state) : null;
  if (found) {
    showFacets(state, found);
    showToolbar(state, found);
  }
  if (part.id === "entries") { showTimeline(state, found); showList(state, found); }
  if (part.id === "map") showMap(state, found);
  if (part.classList.contains("records-part")) showRecords(state, part);
  if (part.id === "evidence") showEvidence(state, part, target);
  if (part.id === "since") showSince(state, part);
  if (part.id === "entry") showEntry(part, state, found);
  document.getElementById("ask").hidden = narrowed(state) || state.view === "table";
  showParts(state, part);
  arrive(state, part, target);
}

/** What an address has that the page does not: left out in silence, the reader would take all entries for an answer. */
function showIgnored(state) {
  const note = document.getElementById("ignored");
  note.hidden = state.ignored.length === 0;
  note.textContent = note.hidden ? "" : `This page does not have, and ignores: ${state.ignored.join(", ")}. `
    + `Filters of entries are ${facets.filter((facet) => !facet.table).map((facet) => facet.id).join(", ")}.`;
}

/** The introduction is open above the list and closed above the rest, until the reader opens or closes it. */
function showIntro(part) {
  if (intro) intro.open = (introChosen() || (part.id === FIRST && !narrowed(readAddress()) ? "open" : "")) === "open";
}

/** What the reader chose is kept for this window, which some browsers forbid for pages from disk. */
function introChosen(choice) {
  try {
    if (choice) sessionStorage.setItem(INTRO, choice);
    return sessionStorage.getItem(INTRO);
  } catch { return introChosen.last = choice || introChosen.last; }
}

/** Links to the parts carry the filters along; the part in view is marked. */
function showParts(state, part) {
  for (const link of document.querySelectorAll(".parts a")) {
    const name = split(link.getAttribute("href").slice(1))[0];
    link.setAttribute("href", addressOf(changed(state, { part: name, key: "" })));
    const here = name === part.id || (name === FIRST && part.id === "entry");
    if (here) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const heading = part.querySelector("h2");
  document.title = part.id === FIRST ? documentTitle : `${heading ? heading.textContent : ""} · ${documentTitle}`;
}

/**
 * Where the part or the entry is another than before, go to its head, for the eye and for the keyboard. Back in the list,
 * scroll to the place that was left; after a change of filters, show the list from its beginning.
 */
function arrive(state, part, target) {
  const before = seen;
  seen = `${state.part}?${state.part === "entry" ? state.key : ""}`;
  for (const old of document.querySelectorAll(".arrived")) old.classList.remove("arrived");
  if (target !== part) target.classList.add("arrived");
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (before === seen) {
    const top = document.getElementById("toolbar").offsetTop - 8;
    const sorting = document.activeElement.closest(".sortable thead");  // the heading stays below the pointer
    if (part.id === FIRST && left.address !== listed.address && scrollY > top && !sorting) scrollTo({ top });
    return;
  }
  if (target !== part) target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
  if (before === null) return;
  const entry = part.id === FIRST && before.startsWith("entry?") && left.address === listed.address
    && entryLink(before.slice("entry?".length));
  if (entry) {
    entry.focus({ preventScroll: true });
    scrollTo({ top: left.scroll });
    return;
  }
  const heading = target === part ? part.querySelector("h2") : target;
  if (!heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
  if (target === part) scrollTo({ top: Math.min(scrollY, document.querySelector(".parts").offsetTop) });
}

function entryLink(key) {
  return [...document.querySelectorAll("#list .entry h3 a, #list tbody th a")].find((link) =>
    new URLSearchParams(split(link.getAttribute("href"))[1]).get("key") === key);
}

function keys(event) {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    go(readFiltered());
    document.getElementById("q").focus();
  }
  const hits = [...document.querySelectorAll(".hit")].filter((hit) => hit.checkVisibility()), place = hits.indexOf(event.target);
  if (place >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    (hits[place + (event.key === "ArrowDown" ? 1 : -1)] || (place ? hits[place] : document.getElementById("q"))).focus();
  }
  if (event.key === "Escape" && event.target.id === "q" && event.target.value) go(changed(readAddress(), { q: "" }), true);
}

/** From the search field, the arrow down goes to the first hit, Enter opens it. */
function fromSearch(event) {
  const hit = firstHit();
  if (event.key !== "ArrowDown" || !hit) return;
  event.preventDefault();
  hit.focus();
}

function firstHit() {
  return [...document.querySelectorAll(".hit")].find((hit) => hit.checkVisibility());
}

/** The work whose title the reader typed, else the first hit. */
function openFirst() {
  const state = readAddress(), item = state.q && knownItem(answer(state.q));
  if (item && listed.entries.includes(item)) go(changed(state, { part: "entry", key: item.key }));
  else if (firstHit()) firstHit().click();
}

const documentTitle = document.title;
for (const hidden of document.querySelectorAll(".scripted")) hidden.hidden = false;
buildFacets(document.getElementById("filters"));
buildToolbar(document.getElementById("toolbar"));
buildTimeline(document.getElementById("timeline"));
buildList(document.getElementById("list"));
buildMap();
buildRecords();
buildEvidence();
labelTables(document);
history.scrollRestoration = "manual";
addEventListener("hashchange", show);
addEventListener("keydown", keys);
addEventListener("beforeprint", () => { for (const part of document.querySelectorAll(".view:not([hidden]) details:not(.meanings)")) part.open = true; });
if (intro) intro.querySelector("summary").addEventListener("click", () => introChosen(intro.open ? "closed" : "open"));
document.querySelector(".parts").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(changed(readAddress(), { part: split(link.getAttribute("href").slice(1))[0], key: "" }));
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
show();
