// Which events match the search and the filter.

const FILTERS = [
  ["all", "All events"],
  ["decision", "Decisions"],
  ["critical", "Critical path"],
  ["wasted", "Wasted"],
  ["untrusted", "Untrusted content"],
  ["failed", "Failed"],
  ["inferred", "Inferred"],
  ["mistake", "Annotated mistake"],
  ["compacted", "Compactions"],
  ["undone", "Taken back"],
];

/** The words of a search; a part in double quotes is one word. */
function wordsOf(query) {
  const found = fold(query).match(/"[^"]+"|[^\s"]+/g) || [];
  return found.map((word) => word.replaceAll('"', ""));
}

/** Return the matching events in the order of causes, and a mark for each event. */
function matching(run, query, filter) {
  const words = wordsOf(query);
  const is = new Uint8Array(run.size);
  const events = [];
  for (const event of run.order) {
    if (!passes(run, event, filter)) continue;
    if (words.length > 0) {
      const text = run.searchText(event);
      if (!words.every((word) => text.includes(word))) continue;
    }
    is[event] = 1;
    events.push(event);
  }
  return { is, events, all: events.length === run.size };
}

function passes(run, event, filter) {
  if (filter === "all") return true;
  const [kind, value] = filter.split(":");
  if (kind === "type") return run.type(event).id === value;
  if (kind === "label") return run.decisions(event).some(([decision]) => decision === value);
  return run.has(event, filter);
}

/** Return the match after (1) or before (-1) an event; at the end, the last one again. */
function neighbour(run, events, event, direction) {
  if (events.length === 0) return null;
  let low = 0;
  let high = events.length;
  const rank = event === null ? -1 : run.rank[event];
  // The first match that is not before the event.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.rank[events[middle]] < rank) low = middle + 1;
    else high = middle;
  }
  let place = low - 1;
  if (direction > 0) place = events[low] === event ? low + 1 : low;
  return events[clamp(place, 0, events.length - 1)];
}
