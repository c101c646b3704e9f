// Elements are made here and nowhere else: text goes in as text, addresses only where they are http(s) or inside the page.

/** Make an element. `attributes` are set as they are; functions become listeners; null and false are left out. */
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else if (name === "href") { if (safeAddress(value)) made.setAttribute("href", value); }
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

function safeAddress(address) {
  return /^(https?:\/\/|#)/i.test(address);
}

/** A link out of the page. */
function outside(address, text) {
  return el("a", { href: address }, text);
}

function plural(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Lower case without accents, unit for unit, so that a position in the folded text is one in the text. */
function fold(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += (text[i].normalize("NFD")[0].toLowerCase() || text[i])[0];
  return folded;
}

/** A title or a name, which may be written from right to left, apart from the text around it. */
function named(...text) {
  return el("bdi", null, ...text);
}

/** A heading's text as nodes: words with a hyphen are not broken at it. */
function unbroken(text) {
  return text.split(/(\S*-\S*)/).map((part, i) => (i % 2 ? el("span", { class: "word" }, part) : part));
}

/** What an arXiv identifier or a DOI is written with and without: resolver, prefix, version. */
const AROUND = /(https?:\/\/)?((www\.|export\.)?arxiv\.org\/(abs|pdf|html)\/|(dx\.)?doi\.org\/)|\barxiv:\s*|\b10\.48550\/arxiv\.|(?<=\b\d{4}\.\d{4,5})v\d+\b/g;

/** The words of a query, identifiers as they are in the tables; a part in double quotes is one word. */
function wordsOf(query) {
  return (fold(query).replace(AROUND, "").match(/"[^"]+"|[^\s"]+/g) || []).map((word) => word.replace(/"/g, ""));
}

/** Where a word begins in a folded text, from a place on; -1 where it does not: inside another word it is not found. */
function beginning(folded, word, from = 0) {
  let at = folded.indexOf(word, from);
  while (at > 0 && /[\p{L}\p{N}]/u.test(folded[at - 1]) && /^[\p{L}\p{N}]/u.test(word)) at = folded.indexOf(word, at + 1);
  return at;
}

/** Whether a folded text has every word of a query. */
function hasWords(folded, words) {
  return words.every((word) => beginning(folded, word) >= 0);
}

/** A text as nodes, with the words of the query marked. */
function marked(text, words) {
  const folded = fold(text), places = [];
  for (const word of words)
    for (let at = beginning(folded, word); at >= 0; at = beginning(folded, word, at + word.length))
      places.push([at, at + word.length]);
  places.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const nodes = [];
  let done = 0;
  for (const [from, to] of places) {
    if (from < done) continue;
    nodes.push(text.slice(done, from), el("mark", null, text.slice(from, to)));
    done = to;
  }
  return [...nodes, text.slice(done)].filter((part) => part !== "");
}

/** A button that copies a text and announces it. */
function copyButton(label, text) {
  const button = el("button", { type: "button", class: "quiet-button" }, label);
  button.addEventListener("click", () => copied(button, label, text()));
  return button;
}

async function copied(button, label, text) {
  let done = true;
  try { await navigator.clipboard.writeText(text); } catch { done = copyBySelection(text); }
  button.textContent = done ? "Copied" : "Select and copy it by hand";
  announce(done ? "Copied to the clipboard" : "Copying is not allowed here");
  setTimeout(() => { button.textContent = label; }, 2000);
}

function copyBySelection(text) {
  const area = el("textarea", { class: "unseen", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** Make a group one stop of the keyboard: arrows, Home and End go to its other controls; `first` are those to begin with. */
function roving(group, all, first = all) {
  const controls = () => [...group.querySelectorAll(all)].filter((control) => !control.disabled && control.checkVisibility());
  const stop = (chosen) => { for (const control of group.querySelectorAll(first)) control.tabIndex = control === chosen ? 0 : -1; };
  stop(group.querySelector(first));
  group.addEventListener("focusin", (event) => { if (event.target.matches(first)) stop(event.target); });
  group.addEventListener("keydown", (event) => {
    const found = controls(), place = found.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -place, End: found.length - 1 - place }[event.key];
    if (step === undefined || place < 0 || !found[place + step]) return;
    event.preventDefault();
    found[place + step].focus();
  });
}

/** Announce a text to screen readers. */
function announce(text) {
  const place = document.getElementById("announced");
  if (place && place.textContent !== text) place.textContent = text;
}

/** The head above a cell of a table; its corner is no `th`, so that heads are counted as cells. */
function headOf(cell) {
  return cell.closest("table").tHead.rows[0].cells[cell.cellIndex];
}

/** Give the cells of plain tables what they need where a narrow page sets them below each other: labels and roles. */
function labelTables(place) {
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  for (const table of place.querySelectorAll("table.plain")) {
    for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, td")]) part.setAttribute("role", roles[part.tagName]);
    for (const head of table.querySelectorAll("th")) head.setAttribute("role", head.scope === "row" ? "rowheader" : "columnheader");
    for (const cell of table.querySelectorAll("tbody td")) {
      const label = headOf(cell).textContent;
      if (label) cell.dataset.label = label;
    }
  }
}
