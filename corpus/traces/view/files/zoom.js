// Wheel, mouse and fingers on the swimlane and on the overview.

/** A pointer that moved less than this many pixels has clicked. */
const CLICK = 5;

function listenToPointer(pane, changed) {
  const { canvas } = pane;
  const pointers = new Map();
  let moved = 0;

  canvas.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        pane.zoom(Math.exp(clamp(event.deltaY, -100, 100) / 180), pane.toAxis(event.offsetX));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const distance = event.deltaX || event.deltaY;
        pane.pan((distance / canvas.clientWidth) * (pane.to - pane.from));
      } else return;
      event.preventDefault();
      changed.view(pane);
    },
    { passive: false },
  );

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (pointers.size === 1) moved = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      hover(pane, event);
      return;
    }
    const [x, y] = [event.offsetX, event.offsetY];
    moved += Math.hypot(x - before[0], y - before[1]);
    if (pointers.size === 2) pinch(pane, pointers, event.pointerId, x);
    else if (moved >= CLICK) {
      pane.pan(((before[0] - x) / canvas.clientWidth) * (pane.to - pane.from));
      if (event.pointerType === "mouse") pane.swim.scrollTop += before[1] - y;
    }
    pointers.set(event.pointerId, [x, y]);
    if (moved >= CLICK) changed.view(pane);
  });
  canvas.addEventListener("pointerup", (event) => {
    pointers.delete(event.pointerId);
    if (moved >= CLICK) return;
    const found = pane.eventAt(event.offsetX, event.offsetY);
    if (found !== null) changed.selection(pane, found);
  });
  canvas.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => {
    byId("tip").hidden = true;
  });

  listenToOverview(pane, changed);
}

function pinch(pane, pointers, moving, x) {
  const other = [...pointers.entries()].find(([id]) => id !== moving)[1][0];
  const before = Math.abs(pointers.get(moving)[0] - other);
  const now = Math.abs(x - other);
  if (before > 10 && now > 10) pane.zoom(before / now, pane.toAxis((x + other) / 2));
}

function listenToOverview(pane, changed) {
  const { overview } = pane;
  const centreAt = (event) => {
    const [first, last] = pane.whole;
    const x = first + (event.offsetX / overview.clientWidth) * (last - first);
    pane.pan(x - (pane.from + pane.to) / 2);
    changed.view(pane);
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    centreAt(event);
  });
  overview.addEventListener("pointermove", (event) => {
    if (event.buttons > 0) centreAt(event);
  });
}

/** Name the event under the mouse. */
function hover(pane, event) {
  const tip = byId("tip");
  const found = pane.eventAt(event.offsetX, event.offsetY);
  tip.hidden = found === null;
  if (found === null) return;
  const { run } = pane;
  tip.textContent = `${run.what(found)} · ${run.agent(found)} · ${run.data.times[found]}`;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.transform = `translate(${Math.max(4, left)}px, ${event.clientY + 16}px)`;
}
