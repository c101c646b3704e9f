// The toolbar: runs, search and filter, highlights, steps, zoom, agents.

const HIGHLIGHTS = [
  ["critical", "Critical path"],
  ["decisions", "Decisions"],
  ["untrusted", "Untrusted content"],
  ["wasted", "Waste"],
];
/** Milliseconds after the last letter of a search before it begins. */
const PAUSE = 120;

function buildControls(app) {
  buildChoice(app);
  buildFilter();
  for (const [name, label] of HIGHLIGHTS) {
    const box = el("input", {
      type: "checkbox",
      name,
      checked: true,
      change: () => {
        app.shows[name] = box.checked;
        app.redraw();
      },
    });
    const swatch = el("span", {
      class: `swatch ${name === "decisions" ? "decision" : name}`,
      "aria-hidden": "true",
    });
    byId("highlights").append(el("label", null, box, swatch, label));
  }
  let waiting = 0;
  byId("q").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => app.search(), PAUSE);
  });
  byId("filter").addEventListener("change", () => app.search());
  byId("previous").addEventListener("click", () => app.step(-1));
  byId("next").addEventListener("click", () => app.step(1));
  byId("in").addEventListener("click", () => app.zoom(0.6));
  byId("out").addEventListener("click", () => app.zoom(1 / 0.6));
  byId("fit").addEventListener("click", () => app.fit());
  byId("collapse").addEventListener("click", () => app.collapseAll(true));
  byId("expand").addEventListener("click", () => app.collapseAll(false));
}

/** With several runs: each alone, or the first beside another one. */
function buildChoice(app) {
  if (DATA.runs.length < 2) return;
  const label = (number) => `${number + 1} ${DATA.runs[number].name}`;
  const alone = DATA.runs.map((_, number) =>
    el("option", { value: String(number) }, label(number)),
  );
  const both = DATA.comparisons.map((_, number) =>
    el("option", { value: `0|${number + 1}` }, `${label(0)} | ${label(number + 1)}`),
  );
  byId("shown").append(
    el("optgroup", { label: "One run" }, alone),
    el("optgroup", { label: "Side by side" }, both),
  );
  byId("shown").value = DATA.runs.length === 2 ? "0|1" : "0";
  byId("shown").addEventListener("change", () => app.show(byId("shown").value));
  byId("choice").hidden = false;
}

function buildFilter() {
  const used = new Set(DATA.runs.flatMap((run) => [...new Set(run.types)]));
  const option = ([value, text]) => el("option", { value }, text);
  const labels = Object.entries(DATA.decisions).map(([id, text]) => [
    `label:${id}`,
    `${id} ${text}`,
  ]);
  const types = DATA.types
    .filter((_, number) => used.has(number))
    .map((type) => [`type:${type.id}`, type.name]);
  byId("filter").append(
    ...FILTERS.map(option),
    el("optgroup", { label: "Decision" }, labels.map(option)),
    el("optgroup", { label: "Type" }, types.map(option)),
  );
}

function showLegend() {
  const used = new Set(DATA.runs.flatMap((run) => [...new Set(run.types)]));
  const types = DATA.types.filter((_, number) => used.has(number));
  byId("legend").replaceChildren(...types.map((type) => el("li", null, symbol(type), type.name)));
}
