// Two runs side by side: where they diverge.
// Nothing is compared here: the results are in the data of the page.

/** Return the event at which the comparison finds a run diverging; null where it ends before. */
function divergingEvent(run, found) {
  if (found.divergence === null) return null;
  const event = run.order[found.divergence.step - 1];
  return event === undefined ? null : event;
}

function differingKeys(panes, found) {
  if (!found || found.divergence === null) return new Set();
  const isThere = panes.every(
    (pane) => pane.selected !== null && pane.run.rank[pane.selected] === found.divergence.step - 1,
  );
  return new Set(isThere ? found.divergence.keys.map(([key]) => key) : []);
}

function showComparison(panes, found, changed) {
  const place = byId("comparison");
  place.hidden = !found;
  if (!found) return;
  place.replaceChildren(
    el("h2", { id: "comparison-title" }, "What differs"),
    el("p", null, verdict(panes, found), " ", stepButton(panes, found, changed)),
  );
}

function verdict(panes, found) {
  if (found.divergence === null)
    return `The same ${plural(found.common, "event")} in the same order.`;
  const { step, keys } = found.divergence;
  const before =
    found.common === 0 ? "No event in common" : `${plural(found.common, "event")} in common`;
  if (keys.length === 0) {
    const ended = panes.find((pane) => pane.run.size < step);
    return `${before}; then ${ended.run.name} ends.`;
  }
  const named = keys.map(
    ([key, left, right]) =>
      `${(LABELS[key] || key).toLowerCase()} ${left || "none"} | ${right || "none"}`,
  );
  return `${before}. Step ${grouped(step)} differs: ${named.join("; ")}.`;
}

function stepButton(panes, found, changed) {
  if (found.divergence === null) return null;
  const pane = panes.find((each) => divergingEvent(each.run, found) !== null);
  const go = () => changed.selection(pane, divergingEvent(pane.run, found));
  return el(
    "button",
    { type: "button", id: "diverge", click: go },
    `Go to step ${grouped(found.divergence.step)}`,
  );
}
