// One run: what the data tell of each event, and what follows from it for the page.

const DATA = JSON.parse(byId("data").textContent);
const FLAGS = DATA.flags;

class Run {
  constructor(data, number) {
    this.data = data;
    this.number = number;
    this.size = data.ids.length;
    this.order = data.order;
    this.rank = new Int32Array(this.size);
    this.order.forEach((event, rank) => {
      this.rank[event] = rank;
    });
    this.children = data.lanes.map(() => []);
    data.lanes.forEach((lane, number) => {
      if (lane.parent >= 0) this.children[lane.parent].push(number);
    });
    this.byLane = data.lanes.map(() => []);
    for (const event of this.order) this.byLane[data.lane[event]].push(event);
    this.links = null;
    this.folded = null;
  }

  get name() {
    return this.data.name;
  }

  has(event, flag) {
    return (this.data.flags[event] & FLAGS[flag]) !== 0;
  }

  /** The events with a flag, in the order of causes. */
  flagged(flag) {
    return this.order.filter((event) => this.has(event, flag));
  }

  type(event) {
    return DATA.types[this.data.types[event]];
  }

  agent(event) {
    return this.data.names[this.data.agents[event]];
  }

  decisions(event) {
    return this.data.decisions[event] || [];
  }

  /** Edges that arrive at an event and that leave it; all are sorted on first use. */
  edges(event) {
    if (this.links === null) {
      this.links = { into: new Map(), from: new Map() };
      for (const [type, source, target] of this.data.edges) {
        put(this.links.into, target, { type, event: source });
        put(this.links.from, source, { type, event: target });
      }
    }
    return { into: this.links.into.get(event) || [], from: this.links.from.get(event) || [] };
  }

  /** The text that a search looks into; made on the first search, which many never start. */
  searchText(event) {
    if (this.folded === null) this.folded = new Array(this.size);
    if (this.folded[event] === undefined) {
      const lane = this.data.lanes[this.data.lane[event]];
      const parts = [this.data.ids[event], this.agent(event), this.type(event).name];
      parts.push(lane.name, lane.role, this.data.subjects[event]);
      for (const [key, value] of this.data.keys[event]) parts.push(key, value);
      this.folded[event] = fold(parts.join("\n"));
    }
    return this.folded[event];
  }

  /** An event in a sentence, for those who listen. */
  sentence(event) {
    const parts = [`Step ${this.rank[event] + 1} of ${this.size}`, this.what(event)];
    parts.push(`by ${this.agent(event)}`, `at ${this.data.times[event]}`);
    return [...parts, ...notes(this, event).map((note) => note.text)].join(", ");
  }

  what(event) {
    return `${this.type(event).name} ${this.data.subjects[event]}`.trim();
  }
}

function put(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What is worth knowing of an event, in a word each. */
function notes(run, event) {
  const found = run.decisions(event).map(([decision]) => ({ kind: "decision", text: decision }));
  const words = {
    critical: "critical",
    untrusted: "untrusted",
    wasted: "wasted",
    failed: "failed",
    end: "end",
    mistake: "annotated mistake",
    compacted: "compacted before",
    undone: "taken back",
  };
  for (const [flag, text] of Object.entries(words)) {
    if (flag === "critical" && !run.data.tellsCritical) continue;
    if (run.has(event, flag)) found.push({ kind: flag, text });
  }
  for (const text of run.data.scores[event] || []) found.push({ kind: "score", text });
  return found;
}
