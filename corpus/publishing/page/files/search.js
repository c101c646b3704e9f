// A question in words, answered as `corpus search` answers it: claims, terms, entries, excluded records, evidence.

/** Words that a question has and an answer need not have. */
const QUESTION_WORDS = new Set(("a about all an and any anyone anything appear appeared are as at be been between by came can come comes compare compared could did do"
  + " document documents does every everything for from get gets give gives given had has have how in into is it its large level list many me more"
  + " most much my no not of on or our paper papers people publish published publishes say says should show some than that the their them there"
  + " these they this those to up us was we were what when where which who whom whose why will with work works would write written wrote you").split(" "));
/** A question with one of these asks for what was left out. */
const ASKS_FOR_EXCLUDED = new Set(["exclude", "excluded", "excludes", "exclusion", "included"]);
/** Without one of these, or a value as a whole, a question that has values is about something else. */
const ASKS_FOR_WORKS = ["at", "by", "from", "in", "document", "documents", "paper", "papers", "published", "work", "works"];
/** Words before a year that make it a bound. */
const BOUNDS = { before: (a, b) => a < b, after: (a, b) => a > b, since: (a, b) => a >= b, until: (a, b) => a <= b };
const NAMING = ["text", "verbatim", "name", "names", "url"], TELLING = ["title", "summary", "evidence"], MOST_WORDS = 8;
const ENDING = /^(|e?s|e?d|e|(e?r|ing|ion|ation|or|ator|ment)s?|al|ly|ism)$/;
const WEIGHTS = { key: 3, title: 3, first_author: 2, authors: 2, summary: 1.5, arxiv: 3, doi: 3, identifier: 3 };
const GREATEST = 3, SAME = 100, INFLECTED = 95, BEGUN = 80, PHRASE = 50, LEAST_STEM = 3, LEAST_BEGINNING = 4, SENTENCES = 3, BEYOND = 5;

const tokens = (text) => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) || [];

/** Whether two words differ in their endings alone. */
function sameStem(one, other) {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  const ends = [one.slice(shared), other.slice(shared)].map((end) =>
    (end.length > 1 && end[0] === one[shared - 1] ? end.slice(1) : end));  // stop, stopping
  return shared >= LEAST_STEM && ends.every((end) => ENDING.test(end));
}

/** All that can be found, and word -> the texts that have it, each with the weight of its best place. */
let findable = null;
const postings = new Map();

function buildSearch() {
  if (findable) return;
  findable = [];
  loadEvidence();
  for (const entry of entries) addFindable({ kind: "entry", entry, text: entry.title }, entryFields(entry));
  for (const { part, records } of logs)
    for (const record of records) addFindable({ kind: part.dataset.kind, part, record, text: record.title, name: record.item.id }, record.fields);
  for (const [name, vocabulary] of Object.entries(data.vocabularies)) {
    const facet = facets.find((one) => one.vocabulary === name);
    for (const [id, label, definition] of vocabulary.terms)
      addFindable({ kind: "term", facet, id, label, text: `${label}: ${definition}`, vocabulary },
        [[3, id], [3, label], [1.5, `${name} ${facet ? facet.label : ""}`], [1, definition]]);
  }
  for (const [number, table] of data.tables.entries())
    if (number && isEvidence(table)) for (const row of table.rows) {
      const told = tellingColumn(table), terms = table.columns.flatMap((column, i) => (column.type === "term" ? [shown(column, row[i])] : []));
      const text = [...terms.slice(0, 2), shown(table.columns[told], row[told])].filter(Boolean).join(" · ");
      addFindable({ kind: "evidence", table, row, text }, fieldsOf(table, row));
    }
}

function addFindable(hit, fields) {
  const number = findable.length;
  const phrases = fields.map(([weight, text]) => [weight, tokens(text)]);
  findable.push({ ...hit, phrases });
  for (const [weight, words] of phrases) for (const word of words) {
    if (!postings.has(word)) postings.set(word, new Map());
    const having = postings.get(word);
    if (!(having.get(number) >= weight)) having.set(number, weight);
  }
}

/** The texts of a row, each with its weight: by its role, else by its type; terms by name and label. */
function fieldsOf(table, row) {
  return table.columns.map((column, i) => [WEIGHTS[column.role] || WEIGHTS[column.type] || 1,
    column.type === "term" ? row[i].flatMap((id) => [id, labels[column.vocabulary].get(id) || ""]).join(" ") : textOf(row[i])]);
}

function entryFields(entry) {
  const more = bibliography < 0 ? [] : entry.rows[bibliography].flatMap((row) => fieldsOf(data.tables[bibliography], row));
  const [name, rest] = entry.title.split(/:(.*)/s);  // "HALO: Hierarchical Orchestration" is known as HALO
  return [...fieldsOf(pool, entry.cells), ...more, ...(rest ? [[GREATEST, name]] : [])];
}

/** The column that tells most about a row: its title, else its evidence, else a text. */
function tellingColumn(table) {
  for (const role of ["title", "evidence", "boundary"]) {
    const place = table.columns.findIndex((column) => column.role === role);
    if (place >= 0) return place;
  }
  const text = table.columns.findIndex((column) => column.type === "text" && !column.role);
  return text < 0 ? table.columns.length - 1 : text;
}

/** An identifier, or a part in double quotes, which an answer must have as it is written. */
const isExact = (word) => /[\s./:]/.test(word) && (/\s/.test(word) || /\d/.test(word));

let answered = { q: null };

/** The hits of a query by kind, the best first, with the words that were ignored; the last answer is kept. */
function answer(q) {
  if (answered.q === q) return answered;
  buildSearch();
  const exact = wordsOf(q).filter(isExact), rest = wordsOf(q).filter((word) => !isExact(word));
  const phrase = rest.flatMap(tokens), asked = [...new Set(phrase)];
  const nouns = tokens(`${data.entry} ${data.entries}`), heads = tokens(pool.columns.map((column) => column.label).join(" "));
  const content = asked.filter((word) => !QUESTION_WORDS.has(word) && !ASKS_FOR_EXCLUDED.has(word) && !nouns.includes(word));
  const bounds = new Map(phrase.slice(1).flatMap((year, i) => (phrase[i] in BOUNDS ? [[year, BOUNDS[phrase[i]]]] : [])));
  const isFilter = !exact.length && !asked.some((word) => ASKS_FOR_EXCLUDED.has(word)), asksForWorks = asked.some((word) => ASKS_FOR_WORKS.includes(word) || nouns.includes(word));
  let values = [], named = new Map();
  for (const some of [content, content.filter((word) => !heads.includes(word))])  // "venue ICLR" has the values of "ICLR"
    if (isFilter && !named.size && some.length) {
      values = some.filter((word) => !(word in BOUNDS && bounds.size));
      named = namedEntries(values, bounds, asksForWorks);
    }
  const words = named.size ? values : content.length || exact.length ? content : asked;
  const last = /\s$/.test(q) ? "" : asked[asked.length - 1];  // it may not be typed to its end
  const scores = new Map(), matched = new Map(), rarity = new Map(), forms = new Set();
  for (const word of words) {
    const having = havingWord(word, word === last, forms);
    rarity.set(word, having.size ? Math.log(1 + findable.length / having.size) : 0);
    for (const [number, score] of having) {
      scores.set(number, (scores.get(number) || 0) + score * rarity.get(word));
      matched.set(number, [...(matched.get(number) || []), word]);
    }
  }
  const whole = [...rarity.values()].reduce((sum, value) => sum + value, 0), hits = [];
  const candidates = words.length ? scores.keys() : findable.keys();
  for (const number of candidates) {
    const hit = findable[number], found = matched.get(number) || [];
    if (!exact.every((word) => hit.phrases.length && beginning(wholeText(hit), word) >= 0)) continue;
    const bonus = withPhrase(hit, phrase), unmatched = words.reduce((sum, word) => sum + (found.includes(word) ? 0 : rarity.get(word)), 0);
    if (words.length && found.length < 2 && unmatched > whole / 2 && !bonus) continue;
    hits.push({ ...hit, score: (whole ? (scores.get(number) || 0) / whole : SAME) + bonus, missing: words.length - found.length });
  }
  hits.sort((a, b) => b.score - a.score || a.text.length - b.text.length);
  if (named.size) {  // nothing else answers a question that is a filter
    const others = hits.filter((hit) => hit.kind === "excluded" && !hit.missing), found = findable.filter((hit) => hit.kind === "entry" && named.has(hit.entry));
    hits.splice(0, hits.length, ...found.map((hit) => ({ ...hit, score: named.get(hit.entry), missing: 0 })).sort((a, b) => b.score - a.score), ...others);
  }
  const best = hits.length ? hits[0].score : 0, kinds = {};
  for (const kind of ["claim", "term", "entry", "excluded", "evidence"]) kinds[kind] = hits.filter((hit) => hit.kind === kind);
  answered = { q, hits, ...kinds, words, exact, forms: [...forms, ...exact], ignored: asked.filter((word) => !words.includes(word)),
    sentences: (kind) => kinds[kind].filter((hit) => hit.score >= 0.6 * best).slice(0, SENTENCES),
    asksForExcluded: asked.some((word) => ASKS_FOR_EXCLUDED.has(word)) && kinds.excluded.length > 0,
    entries: new Map(kinds.entry.map((hit) => [hit.entry, hit.score])), partial: [...scores].sort((a, b) => b[1] - a[1]),
    unknown: words.filter((word) => !rarity.get(word)) };
  return answered;
}

/** What can be named: terms and years with their entries, and word -> the names that have it; made when it is first asked for. */
let nameable = null;

function buildNames() {
  nameable = { terms: [], years: [], names: new Map(), ofTerms: new Set() };
  for (const column of pool.columns) if (column.type === "term")
    for (const label of labels[column.vocabulary].values()) for (const word of tokens(label)) nameable.ofTerms.add(word);
  for (const number of bibliography < 0 ? [0] : [0, bibliography]) for (const [i, column] of data.tables[number].columns.entries()) {
    const cells = entries.flatMap((entry) => entry.rows[number].map((row) => [entry, row[i]]));
    if (column.type === "year") nameable.years.push(...cells.map(([entry, cell]) => [entry, textOf(cell)]).filter(([, year]) => /^\d{4}$/.test(year)));
    if (column.type === "term") for (const [id, label] of labels[column.vocabulary])
      nameable.terms.push([tokens(`${id} ${label}`), cells.filter(([, terms]) => terms.includes(id)).map(([entry]) => entry)]);
    if (!NAMING.includes(column.type) || TELLING.includes(column.role)) continue;
    const values = cells.flatMap(([entry, cell]) => (column.type === "url" ? textOf(cell).replace(/https?:\/\/|(?<=[^:/])\/\S*/g, "") : textOf(cell))
      .split(/ *[;/|] */).map((value) => ({ entry, own: tokens(value) })));
    if (values.reduce((sum, { own }) => sum + own.length, 0) > MOST_WORDS * values.length) continue;
    for (const value of values) for (const word of new Set(value.own)) {
      if (!nameable.names.has(word)) nameable.names.set(word, []);
      nameable.names.get(word).push(value);
    }
  }
}

/** The entries of which every word of a question is in a value: entry -> how well. */
function namedEntries(words, bounds, parts) {
  if (!nameable) buildNames();
  const found = new Map();
  const note = (entry, some, fit, byName) => {
    if (!found.has(entry)) found.set(entry, { covered: new Set(), fit: 0, byName: false });
    const one = found.get(entry);
    for (const word of some) one.covered.add(word);
    one.fit += fit;
    one.byName ||= byName;
  };
  for (const [own, having] of nameable.terms) {
    const some = words.filter((word) => own.some((other) => sameStem(word, other)));
    if (some.length) for (const entry of having) note(entry, some, some.length, false);
  }
  for (const word of words) if (/^\d{4}$/.test(word)) {
    const holds = bounds.get(word) || ((a, b) => a === b);
    for (const [entry, year] of nameable.years) if (holds(year, word)) note(entry, [word], 3, true);
  }
  for (const { entry, own } of new Set(words.flatMap((word) => nameable.names.get(word) || []))) {
    let some = own.filter((word) => words.includes(word));
    const whole = some.length === own.length;
    if (!whole || own.length === 1) some = some.filter((word) => !nameable.ofTerms.has(word));  // a word of a term is the term before it is part of a name
    if (some.length && (whole || (parts && !some.every((word) => /^\p{N}+$/u.test(word)))))
      note(entry, some, some.length * (1 + some.includes(own[0]) + whole), true);
  }
  return new Map([...found].filter(([, one]) => one.byName && words.every((word) => one.covered.has(word))).map(([entry, one]) => [entry, one.fit]));
}

/** The texts with a word, with another ending of it, or with a longer word that it begins. */
function havingWord(word, isLast, forms) {
  const having = new Map();
  for (const [other, places] of postings) {
    if (other[0] !== word[0]) continue;
    const score = other === word ? SAME : sameStem(word, other) ? INFLECTED
      : other.startsWith(word) && (isLast || word.length >= LEAST_BEGINNING) ? BEGUN : 0;
    if (!score) continue;
    forms.add(other);
    for (const [number, weight] of places)
      having.set(number, Math.max(having.get(number) || 0, (score * weight) / GREATEST));
  }
  return having;
}

function wholeText(hit) {
  if (hit.entry) return searchable(hit.entry);
  return hit.record ? hit.record.text : fold(hit.text);
}

/** What a text gains that has the whole query in a row, or whose title is in the query; the name of an entry may be one word. */
function withPhrase(hit, phrase) {
  const wanted = ` ${phrase.join(" ")} `, least = hit.entry ? 1 : 2;
  let best = 0;
  for (const [weight, words] of hit.phrases) {
    const text = ` ${words.join(" ")} `;
    if (weight > best && ((phrase.length > 1 && text.includes(wanted))
      || (words.length >= least && weight === GREATEST && wanted.includes(text)))) best = weight;
  }
  return (PHRASE * best) / GREATEST;
}

/** The entry of which all words are in its title or key: then the reader looks for it, and for no answer. */
function knownItem(found) {
  const item = found.entry[0];
  return item && found.words.length && found.words.every((word) => item.phrases.some(([weight, words]) =>
    weight === GREATEST && words.some((other) => other.startsWith(word)))) ? item.entry : null;
}

/** What stands above the list: the answers, the terms, what was ignored. */
function answers(state) {
  if (!state.q) return [];
  const found = answer(state.q), line = (name, kind, ...text) => el("p", { class: kind }, el("small", null, name), el("span", null, ...text));
  const lines = found.sentences("claim").map((hit) => line("Answer", "answer", el("a", { class: "hit", dir: "auto",
    href: addressOf(changed(state, { part: hit.name, q: "" })) }, marked(hit.text, found.forms))));
  for (const hit of found.sentences("term")) lines.push(termLine(hit, line));
  if (found.asksForExcluded) lines.unshift(...excludedHits(found, state));
  if (found.ignored.length) lines.push(line("Ignored", "ignored-words", found.ignored.join(", ")));
  if (!found.hits.length) lines.push(nearestTerms(found, line));
  return lines;
}

function termLine({ facet, id, label, text }, line) {
  if (!facet) return line("Term", "term-hit", text);
  const number = entries.filter((entry) => entry.rows[facet.table].some((row) => row[facet.column].includes(id))).length;
  const only = { ...readAddress(), part: FIRST, key: "", q: "", bars: new Set(), filters: new Map([[facet.id, new Set([id])]]) };
  return line("Term", "term-hit", el("a", { class: "hit", href: addressOf(only) }, label), ` of ${facet.label}: `,
    plural(number, data.entry, data.entries), el("span", { class: "quiet" }, ` · ${text.slice(label.length + 2)}`));
}

/** What follows the list: excluded records and evidence. */
function beyond(state) {
  if (!state.q) return [];
  const found = answer(state.q);
  const parts = found.asksForExcluded ? [] : excludedHits(found, state);
  const rows = found.evidence.slice(0, BEYOND);
  if (rows.length) parts.push(el("section", { class: "beyond" },
    el("h3", null, "Evidence ", el("span", { class: "n" }, String(found.evidence.length))),
    el("ul", null, rows.map((hit) => {
      const entry = entryOfRow(hit.table, hit.row);
      return el("li", null, el("a", { class: "hit", href: addressOf(changed(state, { part: `table-${hit.table.name}` })) }, hit.table.title),
        entry ? [" · ", named(entry.title)] : "", el("p", { class: "quiet", dir: "auto" }, marked(hit.text, found.forms)));
    }))));
  return parts;
}

function excludedHits(found, state) {
  const records = found.excluded.slice(0, BEYOND);
  if (!records.length) return [];
  const number = found.excluded.length;
  return [el("section", { class: "beyond excluded-too" },
    el("h3", null, "Excluded ", el("span", { class: "n" }, String(number))),
    el("ul", null, records.map((hit) => el("li", null, el("a", { class: "hit",
      href: addressOf(changed(state, { part: hit.name, q: "" })) }, named(marked(hit.text, found.forms))),
    el("p", { class: "quiet", dir: "auto" }, hit.record.reason)))))];
}

/** Where nothing has a word: the terms whose names are most alike, as pairs of letters. */
function nearestTerms(found, line) {
  const pairs = (text) => new Set([...fold(text)].map((letter, i, all) => letter + (all[i + 1] || "")));
  const alike = (one, other) => { const a = pairs(one), b = pairs(other); return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size); };
  const near = findable.filter((hit) => hit.kind === "term" && hit.facet).map((hit) => [Math.max(0, ...found.words.map((word) => alike(word, hit.label))), hit])
    .filter(([score]) => score >= 0.4).sort((a, b) => b[0] - a[0]).slice(0, 3);
  return near.length ? near.map(([, hit]) => termLine(hit, (_, kind, ...text) => line("Nearest", kind, ...text))) : "";
}
