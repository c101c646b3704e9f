// The events as a table, a page at a time: all that the picture shows, for the keyboard and for a
// screen reader.

const PAGE = 50;

const list = { pane: null, page: 0 };

/** Show the page of the list that has the selected event, or the first one. */
function showList(pane) {
  const { events } = pane.matches;
  const place = pane.selected === null ? -1 : placeOf(pane, pane.selected);
  list.pane = pane;
  byId("events-title").textContent = pane.title ? `Events of ${pane.title}` : "Events";
  list.page = place >= 0 ? Math.floor(place / PAGE) : 0;
  fillList();
  byId("none").hidden = events.length > 0;
}

/** Mark the selected event; the page is turned only where the event is on another one. */
function markInList(pane) {
  if (list.pane !== pane) return showList(pane);
  const place = placeOf(pane, pane.selected);
  if (place >= 0 && Math.floor(place / PAGE) !== list.page) {
    list.page = Math.floor(place / PAGE);
    return fillList();
  }
  const body = byId("rows");
  for (const row of body.querySelectorAll("[aria-current]")) mark(row, false);
  const row = body.querySelector(`[data-event="${pane.selected}"]`);
  if (row) mark(row, true);
  return undefined;
}

function mark(row, isCurrent) {
  if (isCurrent) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
  row.querySelector("button").setAttribute("tabindex", isCurrent ? "0" : "-1");
}

function placeOf(pane, event) {
  const { is, events, all } = pane.matches;
  if (!is[event]) return -1;
  return all ? pane.run.rank[event] : events.indexOf(event);
}

function fillList() {
  const { pane, page } = list;
  const { events } = pane.matches;
  const shown = events.slice(page * PAGE, (page + 1) * PAGE);
  const focused = byId("rows").contains(document.activeElement);
  const rows = shown.map((event) => listRow(pane, event));
  byId("rows").replaceChildren(...rows);
  const current = rows.find((row) => row.hasAttribute("aria-current")) || rows[0];
  if (current) current.querySelector("button").setAttribute("tabindex", "0");
  if (focused && current) current.querySelector("button").focus({ preventScroll: true });
  const last = Math.min((page + 1) * PAGE, events.length);
  byId("range").textContent =
    events.length === 0
      ? ""
      : `${grouped(page * PAGE + 1)}–${grouped(last)} of ${grouped(events.length)}`;
  byId("page-back").disabled = page === 0;
  byId("page-on").disabled = last >= events.length;
}

function listRow(pane, event) {
  const { run } = pane;
  const step = grouped(run.rank[event] + 1);
  const row = el(
    "tr",
    { "data-event": event },
    el(
      "td",
      null,
      el(
        "button",
        { type: "button", tabindex: "-1", "aria-label": `Step ${step}, ${run.what(event)}` },
        step,
      ),
    ),
    el("td", { class: "time" }, run.data.times[event]),
    el("td", null, run.agent(event)),
    el(
      "td",
      null,
      el(
        "div",
        { class: "what" },
        symbol(run.type(event)),
        run.type(event).name,
        el("span", { class: "quiet" }, run.data.subjects[event]),
      ),
      run.data.texts[event] && el("div", { class: "words" }, run.data.texts[event]),
    ),
    el(
      "td",
      { class: "notes" },
      notes(run, event).map((note) => el("span", { class: `note ${note.kind}` }, note.text)),
    ),
  );
  if (event === pane.selected) mark(row, true);
  return row;
}

function listenToList(changed) {
  byId("rows").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) changed.selection(list.pane, Number(row.dataset.event));
  });
  byId("page-back").addEventListener("click", () => turn(-1));
  byId("page-on").addEventListener("click", () => turn(1));
}

function turn(pages) {
  list.page += pages;
  fillList();
  announce(`Events ${byId("range").textContent}`);
}

function focusListRow(pane) {
  const button = byId("rows").querySelector(`[data-event="${pane.selected}"] button`);
  if (button) button.focus();
}
