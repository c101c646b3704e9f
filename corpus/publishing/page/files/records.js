// Excluded records and claims are complete in the page; a search hides those without its words, and opens what has them.

const logs = [];
const NAMES = { excluded: ["Search titles and reasons", "record", "records"], claim: ["Search the claims", "claim", "claims"] };

function buildRecords() {
  for (const part of document.querySelectorAll(".records-part")) {
    const records = [...part.querySelectorAll(".record")].map((item) => {
      const title = item.querySelector(".title").textContent, reason = item.querySelector(".reason");
      return { item, title, reason: reason ? reason.textContent : "", text: fold(item.textContent),
        fields: part.dataset.kind === "claim" ? claimFields(item, title) : [[3, title], ...[...item.querySelectorAll(".reason, bdi")].map((one) => [1, one.textContent])] };
    });
    const [placeholder] = NAMES[part.dataset.kind];
    const { field, status, form } = searchForm(part.id, placeholder);
    part.querySelector("h2").after(form);
    logs.push({ part, records, status, field });
  }
}

function claimFields(item, title) {
  const boundary = item.querySelector(".boundary");
  return [[3, item.id.slice("claim-".length)], [2.5, title], [1.5, item.dataset.about], [0.5, boundary ? boundary.textContent : ""]];
}

/** A search field of a part, whose words are in the address. */
function searchForm(name, placeholder) {
  const status = el("p", { role: "status", "aria-live": "polite", class: "quiet" });
  const field = el("input", { type: "search", id: `search-${name}`, autocomplete: "off", placeholder,
    input: () => go(changed(readAddress(), { q: field.value }), true) });
  const form = el("form", { class: "scripted search", submit: (event) => event.preventDefault() },
    el("label", { class: "unseen", for: field.id }, placeholder), field, status);
  return { field, status, form };
}

function showRecords(state, part) {
  for (const log of logs) if (log.part === part) {
    const { records, status, field } = log, [, one, many] = NAMES[part.dataset.kind];
    const kept = state.q ? new Set(answer(state.q)[part.dataset.kind].map((hit) => hit.record)) : null;
    for (const record of records) record.item.hidden = kept !== null && !kept.has(record);
    for (const stage of part.querySelectorAll(".stage")) {
      const some = stage.querySelector(".record:not([hidden])") !== null;
      stage.hidden = kept !== null && !some;
      if (kept && some && stage.tagName === "DETAILS") stage.open = true;
    }
    status.textContent = kept ? `${kept.size} of ${plural(records.length, one, many)}` : "";
    if (field.value !== state.q) field.value = state.q;
  }
}
