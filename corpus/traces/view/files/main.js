// The page as a whole: which runs are shown, and who must be told when something changes.

const app = {
  runs: [],
  panes: [],
  active: null,
  comparison: null,
  shows: { critical: true, decisions: true, untrusted: true, wasted: true },
  waiting: false,

  /** Show one run ("2"), or two side by side ("0|1"). */
  show(choice) {
    const numbers = choice.split("|").map(Number);
    const isTwo = numbers.length === 2;
    this.comparison = isTwo ? DATA.comparisons[numbers[1] - 1] : null;
    this.panes = numbers.map((number) => this.makePane(number, isTwo));
    this.active = this.panes[0];
    byId("panes").replaceChildren(...this.panes.map((pane) => pane.root));
    for (const place of [byId("panes"), document.querySelector(".below")])
      place.classList.toggle("two", isTwo);
    const { data } = this.active.run;
    byId("title").textContent = isTwo ? "Two runs side by side" : data.title;
    byId("facts").textContent = isTwo ? "" : data.facts;
    this.search();
    showAbout(this.panes);
    showComparison(this.panes, this.comparison, this);
    this.showSelection();
    this.resize();
    // What people found to be the mistake is why a run with one is opened.
    this.select(this.active, this.active.run.flagged("mistake")[0], false);
  },

  makePane(number, isTwo) {
    if (!this.runs[number]) this.runs[number] = new Run(DATA.runs[number], number);
    const run = this.runs[number];
    const pane = new Pane(run, isTwo ? `${number + 1} ${run.name}` : "");
    if (isTwo) pane.divergence = divergingEvent(run, this.comparison);
    listenToTree(pane, this);
    listenToPointer(pane, this);
    pane.canvas.addEventListener("focus", () => this.activate(pane));
    pane.swim.addEventListener("scroll", () => this.redraw(), { passive: true });
    return pane;
  },

  activate(pane) {
    if (this.active === pane) return;
    this.active = pane;
    showList(pane);
    this.redraw();
  },

  // What the parts of the page report.
  view() {
    this.redraw();
  },
  rows() {
    this.resize();
  },
  selection(pane, event) {
    this.select(pane, event, false);
  },

  /** Select an event; beside it, the same step of the other run. */
  select(pane, event, isSpoken) {
    if (event === undefined || event === null) return true;
    this.active = pane;
    pane.selected = event;
    const rank = pane.run.rank[event];
    for (const other of this.panes) {
      if (other === pane) continue;
      other.selected = other.run.order[rank] ?? null;
      other.reveal();
    }
    pane.reveal();
    markInList(pane);
    this.showSelection();
    this.redraw();
    if (isSpoken) announce(pane.run.sentence(event));
    return true;
  },

  showSelection() {
    showDetails(this.panes, differingKeys(this.panes, this.comparison), this);
  },

  step(direction) {
    return this.stepIn(this.active, direction);
  },

  stepIn(pane, direction) {
    return this.select(
      pane,
      neighbour(pane.run, pane.matches.events, pane.selected, direction),
      true,
    );
  },

  /** Go to the next event of the same agent that matches. */
  stepInLane(pane, direction) {
    if (pane.selected === null) return this.stepIn(pane, direction);
    const lane = pane.run.byLane[pane.run.data.lane[pane.selected]];
    const events = lane.filter((event) => pane.matches.is[event]);
    return this.select(pane, neighbour(pane.run, events, pane.selected, direction), true);
  },

  /** Go to the nearest event of the next row above or below that has a match. */
  changeLane(pane, direction) {
    if (pane.selected === null) return this.stepIn(pane, 1);
    const { x } = pane.run.data;
    const from = pane.row(pane.selected);
    let best = null;
    let key = [Infinity, Infinity];
    for (const event of pane.matches.events) {
      const rows = (pane.row(event) - from) * direction;
      if (rows <= 0) continue;
      const distance = Math.abs(x[event] - x[pane.selected]);
      if (rows < key[0] || (rows === key[0] && distance < key[1])) {
        best = event;
        key = [rows, distance];
      }
    }
    return this.select(pane, best, true);
  },

  /** Go to the next mistake that people marked, or that failed; after the last one to the first. */
  nextMistake() {
    const pane = this.active;
    const marked = pane.run.flagged("mistake");
    const events = marked.length > 0 ? marked : pane.run.flagged("failed");
    const rank = pane.selected === null ? -1 : pane.run.rank[pane.selected];
    const next = events.find((event) => pane.run.rank[event] > rank);
    return this.select(pane, next ?? events[0], true);
  },

  toggleSelected(pane) {
    if (pane.selected === null) return true;
    const { lane } = pane.rows[pane.row(pane.selected)];
    if (pane.toggle(lane)) {
      this.resize();
      announce(
        `${pane.run.data.lanes[lane].name} ${pane.collapsed.has(lane) ? "collapsed" : "expanded"}`,
      );
    }
    return true;
  },

  zoom(factor) {
    for (const pane of this.panes) pane.zoom(factor, pane.centre());
    this.redraw();
    return true;
  },

  fit() {
    for (const pane of this.panes) pane.fit();
    this.redraw();
    return true;
  },

  collapseAll(collapse) {
    for (const pane of this.panes) pane.collapseAll(collapse);
    this.resize();
    for (const pane of this.panes) pane.reveal();
  },

  search() {
    const query = byId("q").value;
    const filter = byId("filter").value;
    for (const pane of this.panes) pane.matches = matching(pane.run, query, filter);
    const found = this.panes.map((pane) => grouped(pane.matches.events.length)).join(" | ");
    const size = this.panes.map((pane) => grouped(pane.run.size)).join(" | ");
    const isAll = this.panes.every((pane) => pane.matches.all);
    byId("count").textContent = isAll ? `${size} events` : `${found} of ${size}`;
    if (!isAll) announce(`${found} of ${size} events match`);
    showList(this.active);
    this.redraw();
  },

  resize() {
    for (const pane of this.panes) pane.resize();
    this.redraw();
  },

  /** Draw once before the next frame, however much has changed. */
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      for (const pane of this.panes) {
        pane.root.classList.toggle("active", pane === this.active);
        drawTree(pane);
        drawPane(pane, this.shows);
      }
    });
  },
};

byId("viewer").hidden = false;
readColours();
buildControls(app);
showLegend();
listenToList(app);
listenToKeys(app);
app.show(DATA.runs.length === 2 ? "0|1" : "0");
addEventListener("resize", () => app.resize());
darkness.addEventListener("change", () => {
  readColours();
  showLegend();
  showList(app.active);
  app.showSelection();
  app.redraw();
});
