// The exclusion log is complete in the page; a search hides the records without its words.

const logs = [];

function buildExclusions() {
  for (const part of document.querySelectorAll(".exclusions")) {
    const records = [...part.querySelectorAll(".record")].map((item) => ({ item, text: fold(item.textContent) }));
    const status = el("p", { role: "status", "aria-live": "polite", class: "quiet" });
    const field = el("input", { type: "search", id: `search-${part.id}`, autocomplete: "off", placeholder: "Search titles and reasons",
      input: () => go(changed(readAddress(), { q: field.value }), true) });
    part.querySelector("h2").after(el("form", { class: "scripted search", submit: (event) => event.preventDefault() },
      el("label", { class: "unseen", for: field.id }, "Search the log"), field, status));
    logs.push({ part, records, status, field });
  }
}

function matchingRecords(records, state) {
  const words = wordsOf(state.q);
  return records.filter((record) => hasWords(record.text, words));
}

function showExclusions(state) {
  for (const { part, records, status, field } of logs) {
    const kept = new Set(matchingRecords(records, state));
    for (const record of records) record.item.hidden = !kept.has(record);
    for (const stage of part.querySelectorAll(".stage")) stage.hidden = state.q !== "" && !stage.querySelector(".record:not([hidden])");
    status.textContent = state.q ? `${kept.size} of ${plural(records.length, "record", "records")}` : "";
    if (field.value !== state.q) field.value = state.q;
  }
}

const claimItems = [...document.querySelectorAll(".claims > li")].map((item) => ({ item, text: fold(item.textContent) }));

/** The claims with the words of a search, by name: why an empty list is empty. */
function claimsToo(state) {
  const found = matchingRecords(claimItems, state);
  if (!found.length) return [];
  const links = found.slice(0, 3).flatMap(({ item }, i) => [i ? ", " : "",
    el("a", { href: addressOf(changed(state, { part: item.id })) }, item.id.slice("claim-".length))]);
  return [el("p", { class: "claims-too" }, `${plural(found.length, "claim has", "claims have")} these words: `, links,
    found.length > 3 ? " and others" : "")];
}

/** A search of the list also tells how many excluded records and which claims have its words. */
function excludedToo(state) {
  if (!state.q) return "";
  return [...excludedLinks(state), ...claimsToo(state)];
}

function excludedLinks(state) {
  return logs.flatMap(({ part, records }) => {
    const number = matchingRecords(records, state).length;
    if (!number) return [];
    return [el("p", { class: "excluded-too" }, `${plural(number, "excluded record has", "excluded records have")} these words: `,
      el("a", { href: addressOf(changed(state, { part: part.id })) }, part.querySelector("h2").textContent))];
  });
}
