// The names of the lanes as a tree; only the rows in view are elements, since a run may have
// thousands.

/** Levels that are indented; deeper ones would leave no space for the name. */
const DEEPEST = 6;

function drawTree(pane) {
  const first = Math.max(0, Math.floor(pane.swim.scrollTop / ROW) - 1);
  const last = Math.min(pane.rows.length, first + Math.ceil(pane.stage.clientHeight / ROW) + 2);
  const focused = pane.tree.contains(document.activeElement);
  if (pane.focusRow === undefined || pane.focusRow >= pane.rows.length) pane.focusRow = 0;
  const items = [];
  for (let row = first; row < last; row++) items.push(treeItem(pane, row));
  const stop = items[clamp(pane.focusRow - first, 0, items.length - 1)];
  stop.setAttribute("tabindex", "0");
  pane.tree.replaceChildren(...items);
  if (focused) stop.focus({ preventScroll: true });
}

function treeItem(pane, row) {
  const { lane, depth, folded } = pane.rows[row];
  const data = pane.run.data.lanes[lane];
  const siblings = data.parent >= 0 ? pane.run.children[data.parent] : pane.roots;
  const opens = pane.run.children[lane].length > 0;
  const isOpen = opens && !pane.collapsed.has(lane);
  const current = pane.selected !== null && pane.row(pane.selected) === row;
  const classes = ["agent", data.person && "person", current && "current"]
    .filter(Boolean)
    .join(" ");
  const item = el(
    "div",
    {
      class: classes,
      role: "treeitem",
      tabindex: "-1",
      "data-row": row,
      "aria-level": depth + 1,
      "aria-posinset": siblings.indexOf(lane) + 1,
      "aria-setsize": siblings.length,
      "aria-expanded": opens ? String(isOpen) : null,
      "aria-selected": String(current),
    },
    el("span", { class: "fold", "aria-hidden": "true" }, opens ? (isOpen ? "▾" : "▸") : ""),
    el("span", { class: "who" }, data.name),
    data.role && el("span", { class: "role" }, data.role),
    data.wasted && el("span", { class: "unseen" }, "wasted"),
    folded > 0 &&
      el(
        "span",
        { class: "folded" },
        `+${folded}`,
        el("span", { class: "unseen" }, " collapsed agents"),
      ),
  );
  item.style.top = `${AXIS + row * ROW - pane.swim.scrollTop}px`;
  const indent = innerWidth < 640 ? 0.25 : 0.75;
  item.style.paddingInlineStart = `${0.3 + Math.min(depth, DEEPEST) * indent}rem`;
  return item;
}

function listenToTree(pane, changed) {
  pane.roots = pane.run.data.lanes.flatMap((lane, number) => (lane.parent < 0 ? [number] : []));
  pane.tree.addEventListener("click", (event) => {
    const item = event.target.closest(".agent");
    if (item) chooseRow(pane, Number(item.dataset.row), changed);
  });
  pane.tree.addEventListener("keydown", (event) => {
    const row = pane.focusRow;
    const { lane } = pane.rows[row];
    const isOpen = !pane.collapsed.has(lane);
    const moves = { ArrowUp: row - 1, ArrowDown: row + 1, Home: 0, End: pane.rows.length - 1 };
    if (event.key in moves) focusRow(pane, moves[event.key]);
    else if (event.key === "ArrowLeft" && isOpen && pane.toggle(lane)) changed.rows(pane);
    else if (event.key === "ArrowLeft")
      focusRow(pane, pane.rowOf[Math.max(0, pane.run.data.lanes[lane].parent)]);
    else if (event.key === "ArrowRight" && !isOpen && pane.toggle(lane)) changed.rows(pane);
    else if (event.key === "Enter") selectFirst(pane, lane, changed);
    else if (event.key === " ") chooseRow(pane, row, changed);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  pane.tree.addEventListener("focusin", (event) => {
    const item = event.target.closest(".agent");
    if (item) pane.focusRow = Number(item.dataset.row);
  });
}

/**
 * A click on an agent that spawned others collapses or expands it; on another one it selects the
 * first event.
 */
function chooseRow(pane, row, changed) {
  pane.focusRow = row;
  const { lane } = pane.rows[row];
  if (pane.toggle(lane)) changed.rows(pane);
  else selectFirst(pane, lane, changed);
}

function selectFirst(pane, lane, changed) {
  const event = pane.run.byLane[lane][0];
  if (event !== undefined) changed.selection(pane, event);
}

function focusRow(pane, row) {
  pane.focusRow = clamp(row, 0, pane.rows.length - 1);
  pane.revealRow(pane.focusRow);
  drawTree(pane);
  pane.tree.querySelector('[tabindex="0"]').focus({ preventScroll: true });
}
