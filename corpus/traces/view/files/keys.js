// Keys of the page, and those that step through the events while picture or list has the focus.

function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches("input, select");
    if (!isTyping && press(app, event.key)) return event.preventDefault();
    const inList = byId("rows").contains(event.target);
    const pane = app.panes.find((each) => each.canvas === event.target) || (inList && app.active);
    if (!pane) return;
    const done = onKeyOf(app, pane, event, inList);
    if (!done) return;
    event.preventDefault();
    if (inList) focusListRow(app.active);
  });
}

/** Keys of the whole page. */
function press(app, key) {
  if (key === "m") return app.nextMistake();
  if (key === "/") byId("q").focus();
  return key === "/";
}

function onKeyOf(app, pane, event, inList) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const vertical = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (direction && event.shiftKey) return app.stepInLane(pane, direction);
  if (direction) return app.stepIn(pane, direction);
  // In the list, up and down are the rows; in the picture they are the lanes.
  if (vertical && inList) return app.stepIn(pane, vertical);
  if (vertical) return app.changeLane(pane, vertical);
  if (event.key === "Home") return app.select(pane, pane.matches.events[0], true);
  if (event.key === "End") return app.select(pane, pane.matches.events.at(-1), true);
  if (inList) return false;
  if (event.key === "+" || event.key === "=") return app.zoom(0.6);
  if (event.key === "-") return app.zoom(1 / 0.6);
  if (event.key === "0") return app.fit();
  if (event.key === "Enter") return app.toggleSelected(pane);
  return false;
}
