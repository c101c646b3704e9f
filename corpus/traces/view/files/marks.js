// The shape of each event type, for the canvas and for the legend: one outline in a unit circle.

const OUTLINES = {
  D: polygon(4, 0),
  v: polygon(3, Math.PI / 2),
  "^": polygon(3, -Math.PI / 2),
  s: polygon(4, Math.PI / 4),
  h: polygon(6, 0),
  p: polygon(5, -Math.PI / 2),
  8: polygon(8, Math.PI / 8),
  "|": [
    [-0.3, -1],
    [0.3, -1],
    [0.3, 1],
    [-0.3, 1],
  ],
  X: [
    [-1, -0.55],
    [-0.55, -1],
    [0, -0.4],
    [0.55, -1],
    [1, -0.55],
    [0.4, 0],
    [1, 0.55],
    [0.55, 1],
    [0, 0.4],
    [-0.55, 1],
    [-1, 0.55],
    [-0.4, 0],
  ],
  o: polygon(16, 0),
};

function polygon(corners, turn) {
  const points = [];
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (corner * 2 * Math.PI) / corners;
    points.push([Math.cos(angle), Math.sin(angle)]);
  }
  return points;
}

function outline(shape) {
  return OUTLINES[shape] || OUTLINES.o;
}

function tracePath(ink, shape, x, y, size) {
  ink.beginPath();
  for (const [dx, dy] of outline(shape)) ink.lineTo(x + dx * size, y + dy * size);
  ink.closePath();
}

/** The symbol of an event type as an element. */
function symbol(type) {
  const points = outline(type.marker)
    .map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`)
    .join(" ");
  const mark = svg("polygon", { points, fill: ink(type.colour) });
  return svg(
    "svg",
    { viewBox: "-1.15 -1.15 2.3 2.3", class: "symbol", "aria-hidden": "true" },
    mark,
  );
}

const darkness = matchMedia("(prefers-color-scheme: dark)");

/** A colour made for white paper, lighter where the page is dark. */
function ink(colour) {
  if (!darkness.matches) return colour;
  const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const lighter = channels.map((channel) => Math.round(channel + (255 - channel) * 0.32));
  return `rgb(${lighter.join(", ")})`;
}
