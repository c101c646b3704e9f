// Entries by month of their first public date, stacked by group; a bar is a filter.

const MONTH_NAMES = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
/** What lies outside the months is drawn up to so many times the highest of them. */
const LONGEST = 6;
let barPlaces = new Map(), barScale = 1;

function barLabel(bar) {
  if (bar === "undated") return "Month unknown";
  const before = bar.startsWith("before-"), [year, month] = bar.slice(before ? 7 : 0).split("-");
  return `${before ? "Before " : ""}${MONTH_NAMES[month - 1]} ${year}`;
}

function toggledBar(state, bar) {
  const next = changed(state);
  if (!next.bars.delete(bar)) next.bars.add(bar);
  return next;
}

function buildTimeline(place) {
  if (data.bars.length < 2) return;
  const totals = new Map();
  for (const entry of entries) add(totals, entry.bar);
  const most = (bars) => Math.max(1, ...bars.map((bar) => totals.get(bar) || 0));
  barScale = Math.min(most(data.bars), LONGEST * most(data.bars.filter(isMonth)));
  const items = data.bars.map((bar, number) => {
    const stack = el("span", { class: "stack", "aria-hidden": "true" }), total = totals.get(bar) || 0;
    const ghost = el("span", { class: "ghost", "aria-hidden": "true" }), count = el("span", { class: "n", "aria-hidden": "true" });
    ghost.style.blockSize = height(total);
    const button = el("button", { type: "button", disabled: total === 0, title: barLabel(bar),
      click: () => go(toggledBar(readFiltered(), bar)) }, el("span", { class: "column" }, count, ghost, stack));
    barPlaces.set(bar, { button, stack, count });
    return el("li", { class: `${isMonth(bar) ? "month" : "rest"}${total > barScale ? " cut" : ""}` }, button, el("span", { class: "tick", "aria-hidden": "true" }, tick(bar, number)));
  });
  const legend = groupFacet ? el("ul", { class: "legend" }, groupFacet.terms.map(([id, label]) => el("li", null, swatch(id), label))) : "";
  const months = el("ol", { class: "months", "aria-labelledby": "timeline-title" }, items);
  roving(months, "button");
  place.append(el("h3", { id: "timeline-title" }, "First public, by month"),
    months, legend);
}

function isMonth(bar) {
  return /^\d/.test(bar);
}

function tick(bar, number) {
  if (bar === "undated") return "?";
  if (!isMonth(bar)) return "earlier";
  const [year, month] = bar.split("-");
  const first = data.bars.findIndex(isMonth) === number && Number(month) < 11;  // else January is too near
  return month === "01" || first ? [el("b", null, MONTH_NAMES[month - 1].slice(0, 1)), el("span", null, year)] : MONTH_NAMES[month - 1].slice(0, 1);
}

/** Bars are as high as their number; only what lies outside the months may be cut, with a break to tell. */
function height(number) {
  return `${(Math.min(number, barScale) / barScale) * 100}%`;
}

function showTimeline(state, found) {
  document.getElementById("timeline").hidden = found.bars.size === 0 || state.q !== "" || state.view === "table";
  for (const [bar, { button, stack, count }] of barPlaces) {
    const counts = found.bars.get(bar) || new Map();
    const total = [...counts.values()].reduce((sum, number) => sum + number, 0);
    const terms = [...(groupFacet ? groupFacet.terms : []), ["", groupFacet ? "not given" : ""]];
    const groups = terms.map(([id, label]) => [id, label, counts.get(id) || 0]).filter(([, , number]) => number);
    stack.style.blockSize = height(total);
    stack.replaceChildren(...groups.map(([id, , number]) => {
      const part = swatch(id);
      part.style.flexGrow = number;
      return part;
    }));
    count.textContent = total || "";
    const parts = groups.filter(([, label]) => label).map(([, label, number]) => `${number} ${label}`).join(", ");
    button.setAttribute("aria-label", `${barLabel(bar)}: ${plural(total, data.entry, data.entries)}${parts ? ` (${parts})` : ""}`);
    button.setAttribute("aria-pressed", state.bars.has(bar));
  }
}
