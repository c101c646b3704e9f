// Everything that the trace has on the selected event.

const LABELS = {
  role: "Role",
  from: "From",
  to: "To",
  tool: "Tool",
  content_ref: "Content",
  x_contents: "Other contents",
  "content user": "User",
  "content assistant": "Assistant",
  "content reasoning": "Reasoning",
  "content system": "System prompt",
  "content tool": "Result",
  "content tool_call": "Arguments",
  "content tool_definitions": "Tools",
  "content messages": "All messages",
  "content tokens": "Token ids",
  trusted: "Trusted",
  x_inferred: "Inferred",
  x_steps: "Model steps",
  x_tokens: "Tokens",
  x_call_id: "Call id",
  x_end: "Ended at",
  x_stop_reason: "Stop reason",
  x_error: "Error",
  x_model: "Model",
};
/** Longer texts get a box of their own. */
const BOXED = 240;
const MOST_LINKS = 12;

function showDetails(panes, differing, changed) {
  const parts = panes.map((pane) => eventDetails(pane, panes.length > 1, differing, changed));
  byId("details").replaceChildren(...parts);
}

function eventDetails(pane, isOneOfTwo, differing, changed) {
  const { run, selected: event } = pane;
  const head = isOneOfTwo && el("p", { class: "event-step" }, pane.title);
  if (event === null) {
    const text = isOneOfTwo
      ? "This run has no such step."
      : "Select an event in the picture or in the list.";
    return el("div", null, head, el("p", { class: "quiet" }, text));
  }
  const step = `Step ${grouped(run.rank[event] + 1)} of ${grouped(run.size)}`;
  return el(
    "div",
    null,
    head,
    el("div", { class: "event-head" }, symbol(run.type(event)), el("h3", null, run.what(event))),
    el("p", { class: "event-step" }, step),
    remarks(run, event),
    facts(run, event, differing),
    links("Caused by", run.edges(event).into, pane, changed),
    links("Leads to", run.edges(event).from, pane, changed),
  );
}

function facts(run, event, differing) {
  const rows = [
    ["agent", "Agent", run.agent(event)],
    ["t", "Time", run.data.times[event]],
    ...run.data.keys[event].map(([key, value]) => [key, LABELS[key] || key, value]),
    ["id", "Event id", run.data.ids[event]],
    ["place", "Source", run.data.file],
    ["pointer", "Pointer", `/events/${event}`],
  ];
  const cells = rows.flatMap(([key, label, value]) => {
    const classes = [value.length > BOXED && "long", differing.has(key) && "differs"].filter(
      Boolean,
    );
    const isKey = label === key;
    const attributes = { class: classes.join(" ") || null };
    // A box that scrolls must be within reach of the keyboard.
    if (value.length > BOXED)
      Object.assign(attributes, { tabindex: "0", role: "group", "aria-label": label });
    const shown = el("div", attributes, value);
    return [el("dt", null, isKey ? el("code", null, label) : label), el("dd", null, shown)];
  });
  return el("dl", { class: "facts-list" }, cells);
}

function remarks(run, event) {
  const found = [];
  for (const [decision, rule, stop] of run.decisions(event)) {
    const ending = stop ? ` (${stop})` : "";
    found.push([
      "decision",
      `${decision}, ${DATA.decisions[decision]}: ${DATA.rules[rule]}${ending}`,
    ]);
  }
  if (run.has(event, "critical")) found.push(["critical", "On the critical path"]);
  if (run.has(event, "wasted"))
    found.push(["wasted", "Wasted: nothing leads from here to the end of the run"]);
  const origin = run.data.origins[event];
  if (origin !== undefined) {
    const step = grouped(run.rank[origin] + 1);
    const text = `Reached by untrusted content from step ${step}, ${run.what(origin)}`;
    found.push(["untrusted", text]);
  } else if (run.has(event, "untrusted"))
    found.push(["untrusted", "Untrusted content that reaches a trusted event"]);
  if (run.has(event, "failed")) found.push(["failed", "Failed"]);
  if (run.has(event, "inferred"))
    found.push(["inferred", "Inferred: the source does not state this event"]);
  if (run.has(event, "mistake"))
    found.push(["failed", "People found this to be the decisive mistake"]);
  if (run.has(event, "compacted"))
    found.push(["compacted", "The context was replaced by a summary right before"]);
  if (run.has(event, "undone")) found.push(["wasted", "A person took this turn back"]);
  for (const text of run.data.scores[event] || []) found.push(["score", text]);
  if (run.has(event, "end")) found.push(["end", "The run ends here"]);
  if (found.length === 0) return null;
  return el(
    "ul",
    { class: "remarks" },
    found.map(([kind, text]) => el("li", { class: kind }, text)),
  );
}

function links(title, edges, pane, changed) {
  if (edges.length === 0) return null;
  const items = edges
    .slice(0, MOST_LINKS)
    .map(({ type, event }) =>
      el(
        "li",
        null,
        el(
          "button",
          { type: "button", click: () => changed.selection(pane, event) },
          `${grouped(pane.run.rank[event] + 1)} ${pane.run.what(event)}, ${pane.run.agent(event)}`,
        ),
        " ",
        el("span", { class: "quiet" }, type.replaceAll("_", " ")),
      ),
    );
  const more = edges.length - items.length;
  return el(
    "div",
    { class: "links" },
    el("h4", null, title),
    el("ul", null, items),
    more > 0 && el("p", { class: "quiet" }, `and ${grouped(more)} more`),
  );
}

function showAbout(panes) {
  const parts = panes.map((pane) => {
    const rows = [...pane.run.data.about, ["File", pane.run.data.file]];
    const pairs = rows.map(([label, value]) =>
      el("div", null, el("dt", null, label), el("dd", null, value)),
    );
    return el(
      "div",
      null,
      pane.title && el("h3", null, pane.title),
      el("dl", { class: "pairs" }, pairs),
    );
  });
  byId("about").replaceChildren(...parts);
}
