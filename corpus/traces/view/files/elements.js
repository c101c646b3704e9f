// Elements are made here and nowhere else: text goes in as text, and there are no addresses.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element; functions become listeners, null, undefined and false are left out. */
function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false && child !== "")
      made.append(child);
  }
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

function grouped(number) {
  return number.toLocaleString("en");
}

function plural(number, one) {
  return `${grouped(number)} ${one}${number === 1 ? "" : "s"}`;
}

/** Lower case without accents, so that a search finds a word however it is written. */
function fold(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Read a text out to those who listen to the page. */
function announce(text) {
  byId("announced").textContent = text;
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}
