// What was found since the cutoff: works that nobody has decided about, by month of publication or by day of adding.

const monthOf = (name) => { const [year, month] = name.split("-"); return month ? `${MONTH_NAMES[month - 1]} ${year}` : name; };

function showSince(state, part) {
  const place = part.querySelector("#since-list");
  if (!place) return;
  loadEvidence();
  const byDay = state.view === "added", groups = new Map();
  const nameOf = (item) => (byDay ? item.added : item.month) || "";
  for (const item of data.candidates) groups.set(nameOf(item), [...(groups.get(nameOf(item)) || []), item]);
  const names = [...groups.keys()].sort(byPlace).reverse();
  for (const link of part.querySelectorAll(".ways a")) {
    const here = split(link.getAttribute("href").slice(1))[1] === (byDay ? "view=added" : "");
    if (here) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
  }
  place.replaceChildren(...names.map((name, number) => el("details", { class: "stage", open: byDay ? number === 0 : name >= part.dataset.cutoff },
    el("summary", null, el("h3", null, byDay ? `Added ${name}` : monthOf(name) || "Month unknown", " ", el("span", { class: "n" }, String(groups.get(name).length)))),
    el("ul", { class: "cell-papers" }, groups.get(name).map(candidate)))));
}

function candidate(item) {
  const links = item.links.flatMap(([address, text]) => [" · ", outside(address, text)]);
  const about = [item.terms, byAdded(item)].filter(Boolean).join(" · ");
  return el("li", null, named(item.title), el("p", { class: "quiet" }, named(item.by), links, about ? ` · ${about}` : ""));
}

function byAdded(item) {
  return item.added ? `added ${item.added}` : "";
}
