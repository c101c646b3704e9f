// The swimlane on its canvas, from the back to the front.

let colours = {};

/** Read the colours of the style sheet, which differ between light and dark. */
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = [
    "surface",
    "ink",
    "muted",
    "line",
    "rule",
    "accent",
    "bar",
    "bar-edge",
    "work",
    "person",
    "path",
    "untrusted",
    "waste",
    "band",
    "paper",
    "accent-weak",
  ];
  for (const name of names) colours[name] = style.getPropertyValue(`--${name}`).trim();
  colours.sans = style.getPropertyValue("--sans").trim();
  colours.hatch = hatching(colours.waste);
}

function hatching(colour) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const ink = tile.getContext("2d");
  ink.strokeStyle = colour;
  ink.lineWidth = 1.4;
  ink.beginPath();
  for (const shift of [-6, 0, 6]) {
    ink.moveTo(shift, 6);
    ink.lineTo(shift + 6, 0);
  }
  ink.stroke();
  return ink.createPattern(tile, "repeat");
}

function begin(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/**
 * Return a picture of the size of a canvas, drawn anew only where what it depends on has changed.
 *
 * A step to the next event changes the selection alone; the tens of thousands of marks and arrows
 * behind it stay.
 */
function layered(layer, like, state, draw) {
  const now = [like.width, like.height, darkness.matches, ...state];
  const known = layer.state;
  if (known === null || now.some((value, place) => value !== known[place])) {
    layer.state = now;
    layer.canvas.width = like.width;
    layer.canvas.height = like.height;
    const ratio = devicePixelRatio || 1;
    draw(begin(layer.canvas, like.width / ratio, like.height / ratio));
  }
  return layer.canvas;
}

function drawPane(pane, shows) {
  pane.measure();
  const { width, height, layers } = pane;
  const unit = width / (pane.to - pane.from);
  // Marks shrink where events are crowded, and stay large enough to be seen.
  const size = clamp(unit * 0.4, 2.2, 6.5);
  const paints = DATA.types.map((type) => ink(type.colour));
  const pen = begin(pane.canvas, width, height);
  const view = { ink: pen, pane, shows, width, height, unit, size, paints };
  const { from, to, scrolled, rows, matches } = pane;
  const state = [from, to, scrolled, rows, matches, ...Object.values(shows)];
  const back = layered(layers.back, pane.canvas, state, (ink) => drawBack({ ...view, ink }));
  const front = layered(layers.front, pane.canvas, state, (ink) => drawFront({ ...view, ink }));
  drawSelectedRow(view);
  pen.drawImage(back, 0, 0, width, height);
  drawSelection(view);
  pen.drawImage(front, 0, 0, width, height);
  drawOverview(pane, shows, paints);
}

/** Draw what is behind the selection. */
function drawBack(view) {
  const { data } = view.pane.run;
  drawCuts(view);
  drawRows(view);
  drawWork(view);
  drawDivergence(view);
  drawArrows(view);
  if (view.shows.critical) drawPath(view, data.critical, colours.path, 2.4, 0);
  if (view.shows.untrusted) {
    for (const path of data.untrusted) drawPath(view, path, colours.untrusted, 2, 3);
  }
}

/** Draw what is in front of it; the axis last, which covers the rows that are scrolled below it. */
function drawFront(view) {
  drawMarks(view);
  drawAxis(view);
}

function isRowInView(view, row) {
  const y = view.pane.yOf(row);
  return y > AXIS - ROW && y < view.height + ROW;
}

function drawSelectedRow(view) {
  const { ink, pane, width } = view;
  if (pane.selected === null) return;
  ink.fillStyle = colours["accent-weak"];
  ink.globalAlpha = 0.55;
  ink.fillRect(0, pane.yOf(pane.row(pane.selected)) - ROW / 2, width, ROW);
  ink.globalAlpha = 1;
}

function drawRows(view) {
  const { ink, pane, shows, width } = view;
  pane.rows.forEach((row, number) => {
    if (!isRowInView(view, number)) return;
    const y = pane.yOf(number);
    const lane = pane.run.data.lanes[row.lane];
    ink.fillStyle = colours.line;
    ink.fillRect(0, y + ROW / 2 - 0.5, width, 1);
    const left = clamp(pane.toScreen(row.start) - 7, -20, width + 20);
    const right = clamp(pane.toScreen(row.end) + 7, -20, width + 20);
    if (right <= left) return;
    ink.beginPath();
    ink.roundRect(left, y - 9, right - left, 18, 5);
    ink.fillStyle = lane.person ? colours.person : colours.bar;
    ink.fill();
    if (lane.wasted && shows.wasted) {
      ink.fillStyle = colours.hatch;
      ink.fill();
    }
    ink.strokeStyle = colours["bar-edge"];
    ink.lineWidth = row.folded > 0 ? 2 : 0.8;
    ink.stroke();
  });
}

function drawWork(view) {
  const { ink, pane, width } = view;
  ink.fillStyle = colours.work;
  for (const [lane, start, end] of pane.run.data.work) {
    const row = pane.rowOf[lane];
    const left = pane.toScreen(start);
    const right = pane.toScreen(end);
    if (right <= left || right < 0 || left > width || !isRowInView(view, row)) continue;
    ink.fillRect(left, pane.yOf(row) - 4.5, right - left, 9);
  }
}

/** Draw where a long pause is cut short. */
function drawCuts(view) {
  const { ink, pane } = view;
  ink.fillStyle = colours.band;
  for (const [from, to] of pane.run.data.cuts) {
    const left = pane.toScreen(from) + 8;
    const right = pane.toScreen(to) - 8;
    if (right > left) ink.fillRect(left, AXIS, right - left, view.height);
  }
}

function drawDivergence(view) {
  const { ink, pane } = view;
  if (pane.divergence === null) return;
  const x = pane.toScreen(pane.run.data.x[pane.divergence]) - Math.max(6, view.unit / 2);
  ink.strokeStyle = colours.accent;
  ink.lineWidth = 1.5;
  ink.setLineDash([5, 4]);
  ink.beginPath();
  ink.moveTo(x, AXIS);
  ink.lineTo(x, view.height);
  ink.stroke();
  ink.setLineDash([]);
}

/** Tells what was drawn already: how it looks, and from where to where, to the pixel. */
class DrawnPlaces {
  constructor() {
    this.places = new Map();
  }

  isNew(look, x, y, endX = x, endY = y) {
    // A number for each place: as texts, tens of thousands of keys took most of the time.
    const across = pixel(x) * 32768 + pixel(endX);
    const place = (across * 2048 + Math.round(y)) * 2048 + Math.round(endY);
    let known = this.places.get(look);
    if (known === undefined) this.places.set(look, (known = new Set()));
    if (known.has(place)) return false;
    known.add(place);
    return true;
  }
}

/** A number from 0 to 32767; what is further out of view looks the same from there. */
function pixel(x) {
  return clamp(Math.round(x), -8192, 24575) + 8192;
}

function drawArrows(view) {
  const { ink: pen, pane, width, height } = view;
  const { data } = pane.run;
  pen.lineWidth = 1;
  const strength = data.arrows.length > 800 ? 0.3 : 0.6;
  const paints = new Map();
  for (const [kind, colour] of Object.entries(DATA.arrows)) paints.set(kind, ink(colour));
  const other = ink(DATA.otherArrow);
  const drawn = new DrawnPlaces();
  for (const [source, target, lane, kind, inferred] of data.arrows) {
    const row = pane.rowOf[lane];
    const ownRow = pane.row(source);
    const start = pane.toScreen(data.x[source]);
    const end = target < 0 ? start : pane.toScreen(data.x[target]);
    if (row === ownRow || Math.max(start, end) < 0 || Math.min(start, end) > width) continue;
    const y = pane.yOf(ownRow);
    const endY = pane.yOf(row);
    if (Math.max(y, endY) < AXIS || Math.min(y, endY) > height) continue;
    const isMatch = pane.isMatch(source);
    // Of arrows that nobody could tell apart, the first is drawn: from the same pixel, and to the
    // same one, wherever beyond the edges of the picture they begin or end.
    const top = clamp(y, AXIS, height);
    const bottom = clamp(endY, AXIS, height);
    const look = `${kind} ${inferred} ${isMatch}`;
    if (!drawn.isNew(look, start, top, end, bottom)) continue;
    pen.globalAlpha = isMatch ? strength : 0.04;
    pen.strokeStyle = paints.get(kind) ?? other;
    pen.setLineDash(inferred ? [3, 3] : []);
    connect(pen, start, y, end, endY);
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function connect(ink, x, y, endX, endY) {
  const bend = clamp((endX - x) / 2, 0, 40);
  ink.beginPath();
  ink.moveTo(x, y);
  ink.bezierCurveTo(x + bend, y, endX - bend, endY, endX, endY);
  ink.stroke();
}

/** Draw a path of events: along its lane, then up or down where it reaches the next one. */
function drawPath(view, events, colour, width, shift) {
  const { ink, pane } = view;
  const { x } = pane.run.data;
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.lineJoin = "round";
  ink.globalAlpha = 0.8;
  ink.beginPath();
  let before = null;
  for (const event of events) {
    const here = [pane.toScreen(x[event]), pane.yOf(pane.row(event)) + shift];
    if (before === null) ink.moveTo(...here);
    else {
      const corner = before[1] === here[1] ? 0 : Math.min(5, Math.abs(here[0] - before[0]));
      ink.arcTo(here[0], before[1], here[0], here[1], corner);
      ink.lineTo(...here);
    }
    before = here;
  }
  ink.stroke();
  ink.globalAlpha = 1;
}

function drawSelection(view) {
  const { ink, pane } = view;
  if (pane.selected === null) return;
  const { x } = pane.run.data;
  const here = pane.toScreen(x[pane.selected]);
  const y = pane.yOf(pane.row(pane.selected));
  ink.fillStyle = colours.accent;
  ink.globalAlpha = 0.4;
  ink.fillRect(here - 0.5, AXIS, 1, view.height);
  ink.globalAlpha = 1;
  ink.strokeStyle = colours.accent;
  ink.lineWidth = 1.8;
  const edges = pane.run.edges(pane.selected);
  for (const { event } of edges.into)
    connect(ink, pane.toScreen(x[event]), pane.yOf(pane.row(event)), here, y);
  for (const { event } of edges.from)
    connect(ink, here, y, pane.toScreen(x[event]), pane.yOf(pane.row(event)));
  ink.beginPath();
  ink.arc(here, y, Math.max(view.size + 4, 8), 0, 2 * Math.PI);
  ink.fillStyle = colours.surface;
  ink.fill();
  ink.stroke();
}

function drawMarks(view) {
  const { ink: pen, pane, shows, size, paints } = view;
  const { data } = pane.run;
  const marked = new Map();
  const drawn = new DrawnPlaces();
  for (const event of pane.run.order) {
    const x = pane.toScreen(data.x[event]);
    const row = pane.row(event);
    if (x < -20 || x > view.width + 20 || !isRowInView(view, row)) continue;
    const y = pane.yOf(row);
    const type = data.types[event];
    const isMatch = pane.isMatch(event);
    // Where the whole run is in view, hundreds of equal marks may be within one pixel.
    const look = data.types[event] * 256 + data.flags[event] * 2 + Number(isMatch);
    if (!drawn.isNew(look, x * 2, y)) continue;
    const pale = shows.wasted && pane.run.has(event, "wasted");
    pen.globalAlpha = isMatch ? (pale ? 0.42 : 1) : 0.1;
    drawMark(view, event, DATA.types[type].marker, paints[type], x, y);
    if (shows.decisions && isMatch && size > 4) drawBadge(view, event, x, y, marked, row);
  }
  pen.globalAlpha = 1;
}

function drawMark(view, event, shape, paint, x, y) {
  const { ink, pane, size } = view;
  tracePath(ink, shape, x, y, size);
  if (pane.run.has(event, "inferred")) {
    ink.fillStyle = colours.surface;
    ink.fill();
    ink.strokeStyle = paint;
    ink.lineWidth = 1.4;
    ink.stroke();
  } else {
    ink.fillStyle = paint;
    ink.fill();
    if (size > 4) {
      ink.strokeStyle = colours.surface;
      ink.lineWidth = 0.8;
      ink.stroke();
    }
  }
  if (pane.run.has(event, "mistake")) {
    ink.strokeStyle = colours.untrusted;
    ink.lineWidth = 2;
    ink.beginPath();
    ink.arc(x, y, size * 1.8, 0, 2 * Math.PI);
    ink.stroke();
  }
  if (!pane.run.has(event, "failed")) return;
  const arm = size * 0.9;
  ink.strokeStyle = colours.untrusted;
  ink.lineWidth = 2;
  ink.beginPath();
  ink.moveTo(x - arm, y - arm);
  ink.lineTo(x + arm, y + arm);
  ink.moveTo(x + arm, y - arm);
  ink.lineTo(x - arm, y + arm);
  ink.stroke();
}

/** Write the decisions of an event above its mark, unless another badge is there. */
function drawBadge(view, event, x, y, marked, row) {
  const decisions = view.pane.run.decisions(event);
  if (decisions.length === 0) return;
  const text = decisions.map(([decision]) => decision).join(" ");
  const { ink } = view;
  ink.font = `600 9px ${colours.sans}`;
  const half = ink.measureText(text).width / 2 + 3;
  if (x - half < (marked.get(row) ?? -Infinity)) return;
  marked.set(row, x + half);
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.fillStyle = colours.surface;
  ink.beginPath();
  ink.roundRect(x - half, y - 15, 2 * half, 10, 4);
  ink.fill();
  ink.fillStyle = colours.accent;
  ink.fillText(text, x, y - 9.5);
}

/** Draw the times, and above them what the axis shows: a long label would cover the last times. */
function drawAxis(view) {
  const { ink, pane, width } = view;
  ink.fillStyle = colours.surface;
  ink.fillRect(0, 0, width, AXIS);
  ink.fillStyle = colours.rule;
  ink.fillRect(0, AXIS - 1, width, 1);
  ink.font = `11px ${colours.sans}`;
  ink.textBaseline = "middle";
  ink.fillStyle = colours.muted;
  ink.textAlign = "end";
  ink.fillText(pane.run.data.axis, width - 8, 11);
  ink.textAlign = "center";
  const { ticks } = pane.run.data;
  // The last time first: it shows how long the run is, and the others leave its space free.
  const end = drawTick(view, ticks.at(-1), 2, width) ? pane.toScreen(ticks.at(-1)[0]) - 24 : width;
  let free = 2;
  for (const tick of ticks.slice(0, -1)) {
    const x = pane.toScreen(tick[0]);
    if (x > end) break;
    // Without this, tens of thousands of texts would be measured.
    if (x < free) continue;
    if (drawTick(view, tick, free, end)) free = x + ink.measureText(tick[1]).width / 2 + 16;
  }
}

/** Write a time unless it would leave the stretch that is free for it. */
function drawTick(view, [at, text], from, to) {
  const { ink, pane } = view;
  const x = pane.toScreen(at);
  const half = ink.measureText(text).width / 2;
  if (x - half < from || x + half > to) return false;
  ink.fillText(text, x, AXIS - 15);
  ink.fillRect(x - 0.5, AXIS - 5, 1, 4);
  return true;
}

/** The whole run in a strip: every event a stroke, and the stretch that is in view. */
function drawOverview(pane, shows, paints) {
  const { overview, run } = pane;
  const width = overview.clientWidth;
  const height = overview.clientHeight - 2;
  const [first, last] = pane.whole;
  const scale = width / (last - first);
  const state = [pane.rows, pane.matches, shows.critical];
  const strip = layered(pane.layers.overview, overview, state, (pen) =>
    drawStrip({ pen, pane, paints, scale, height }, shows),
  );
  const pen = begin(overview, width, height + 2);
  pen.drawImage(strip, 0, 0, width, overview.clientHeight);
  const left = (pane.from - first) * scale;
  const right = (pane.to - first) * scale;
  if (right - left < width - 1) {
    pen.fillStyle = colours.paper;
    pen.globalAlpha = 0.7;
    pen.fillRect(0, 0, left, height + 2);
    pen.fillRect(right, 0, width - right, height + 2);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 1.5;
    pen.strokeRect(left + 0.75, 0.75, right - left - 1.5, height);
  }
  if (pane.selected !== null) {
    pen.fillStyle = colours.accent;
    pen.fillRect((run.data.x[pane.selected] - first) * scale - 1, 0, 2, height + 2);
  }
}

function drawStrip({ pen, pane, paints, scale, height }, shows) {
  const { data } = pane.run;
  const [first] = pane.whole;
  const step = (height - 8) / Math.max(1, pane.rows.length);
  const thick = clamp(step * 0.75, 1, 6);
  pen.fillStyle = colours["bar-edge"];
  // The bars of hundreds of agents would cover the strip.
  pen.globalAlpha = clamp(step / 3, 0.08, 1);
  pane.rows.forEach((row, number) => {
    const y = 4 + (number + 0.5) * step;
    pen.fillRect(
      (row.start - first) * scale,
      y - 0.5,
      Math.max(1, (row.end - row.start) * scale),
      1,
    );
  });
  for (let event = 0; event < pane.run.size; event++) {
    const isMatch = pane.isMatch(event);
    // A few matches among thousands of events are drawn larger, so that they are found.
    const tall = isMatch && !pane.matches.all ? Math.max(thick, 5) : thick;
    pen.globalAlpha = isMatch ? 0.9 : 0.1;
    pen.fillStyle = paints[data.types[event]];
    const y = 4 + (pane.row(event) + 0.5) * step;
    pen.fillRect((data.x[event] - first) * scale - 1, y - tall / 2, 2, tall);
  }
  pen.globalAlpha = 1;
  if (!shows.critical || data.critical.length < 2) return;
  pen.strokeStyle = colours.path;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const event of data.critical) {
    pen.lineTo((data.x[event] - first) * scale, 4 + (pane.row(event) + 0.5) * step);
  }
  pen.stroke();
}
