// What a search without a hit may have meant: words of the corpus that differ from a typed one in a letter or two.

const SHORTEST = 4, LONG = 8, MOST_NEAR = 3, PAUSE = 150;

/**
 * How many letters must change to make the beginning of another word from a word, and whether that is all of it.
 * A letter is wrong, missing, too much, or has changed places with the next. More than `limit` is Infinity.
 */
function distance(word, other, limit) {
  const width = Math.min(other.length, word.length + limit);
  let before = [], last = Array.from({ length: width + 1 }, (_, i) => i);
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= width; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (word[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      if (row[j] < least) least = row[j];
    }
    if (least > limit) return [Infinity, false];
    [before, last] = [last, row];
  }
  const least = Math.min(...last), whole = width === other.length && last[width] === least;
  return [least <= limit ? least : Infinity, whole];
}

/** The words nearest to one, the whole and frequent ones first; none for short words, numbers and quotations. */
function nearWords(word) {
  if (word.length < SHORTEST || !/^[\p{L}-]+$/u.test(word)) return [];
  const limit = word.length < LONG ? 1 : 2, found = [];
  for (const [other, places] of postings) {
    if (other.length < SHORTEST || other.length < word.length - limit) continue;
    const [changes, whole] = distance(word, other, limit);
    if (changes <= limit) found.push({ other, number: places.size, rank: 2 * changes + (whole ? 0 : 1) });
  }
  const best = Math.min(...found.map(({ rank }) => rank));
  return found.filter(({ rank }) => rank === best).sort((a, b) => b.number - a.number).slice(0, MOST_NEAR).map(({ other }) => other);
}

/** Where no entry has a word of the query: the queries with the nearest words instead, and the entries that they find. */
function nearQueries(state) {
  const { words, exact, unknown, hits: all } = answer(state.q);
  if (!unknown.length || exact.length || all.length) return [];
  const near = new Map(unknown.map((word) => [word, nearWords(word)]));
  if ([...near.values()].some((others) => !others.length)) return [];
  const queries = Array.from({ length: MOST_NEAR }, (_, n) => words.map((word) => {
    const others = near.get(word) || [word], chosen = others[Math.min(n, others.length - 1)];
    return chosen;
  }).join(" "));
  return [...new Set(queries)].flatMap((q) => {
    const next = changed(state, { q }), tests = conditions(next);
    const hits = ordered(next).filter((entry) => tests.every((test) => test.passes(entry)));
    return hits.length ? [{ next, hits }] : [];
  });
}

/** The place for what a search without a hit may have meant; it is looked for when the reader stops typing. */
function nearPlace(state) {
  const place = el("div", { class: "near-hits" });
  if (state.q) setTimeout(() => { if (listed.state === state) showNear(place, nearQueries(state)); }, PAUSE);
  return place;
}

/** Name the queries, with the first entries of the best; nothing of it counts as found. */
function showNear(place, queries) {
  if (!queries.length) return;
  place.append(el("p", null, "Near: ", queries.flatMap(({ next, hits }, i) => [i ? ", " : "",
    el("a", { href: addressOf(next) }, next.q), ` (${plural(hits.length, data.entry, data.entries)})`])),
  el("ul", null, queries[0].hits.slice(0, 5).map((entry) => linkItem(entry, authorsOf(entry).split("; ")[0]))));
  announce(`${document.getElementById("count").textContent}; near: ${queries.map(({ next }) => next.q).join(", ")}`);
}
