// Which entries pass, and how many would if one filter were another: counts follow all filters but their own.

/** Select entries. Terms of one axis are alternatives; axes, words and months must all hold. */
function select(state) {
  const tests = conditions(state), found = { entries: [], facets: new Map(), bars: new Map(), cells: new Map() };
  for (const facet of facets) found.facets.set(facet.id, new Map());
  const cross = state.part === "map" && mapPlace ? crossing(state) : null;
  if (cross && [cross.rows, cross.columns, cross.colour].some((facet) => facet && facet.table)) loadEvidence();
  for (const entry of ordered(state)) {
    const failed = [];
    for (const test of tests) if (!test.passes(entry) && failed.push(test.name) > 2) break;
    if (failed.length > 2) continue;
    if (!failed.length) found.entries.push(entry);
    if (!failed.length || (failed.length === 1 && failed[0] === "month")) countBar(found.bars, entry);
    if (failed.length < 2) countFacets(found.facets, entry, failed, state);
    if (cross && failed.every((name) => [cross.rows, cross.columns].some((facet) => name === (facet.table || facet.id)))) countCells(found.cells, cross, entry);
  }
  return found;
}

function conditions(state) {
  const tests = [];
  if ([...state.filters.keys()].some((id) => facetOf.get(id).table)) loadEvidence();
  for (const [id, terms] of state.filters) {
    const facet = facetOf.get(id);
    if (facet.table === 0) tests.push({ name: id, passes: (entry) => entry.cells[facet.column].some((t) => terms.has(t)) });
  }
  for (const table of new Set([...state.filters.keys()].map((id) => facetOf.get(id).table)))
    if (table) tests.push({ name: table, passes: (entry) => rowsPassing(entry, table, state).length > 0 });
  if (state.bars.size) tests.push({ name: "month", passes: (entry) => state.bars.has(entry.bar) });
  if (state.q) { const found = answer(state.q).entries; tests.push({ name: "q", passes: (entry) => found.has(entry) }); }
  return tests;
}

/** The rows of another table about an entry that pass all filters on that table; one row must pass all of them. */
function rowsPassing(entry, table, state, but) {
  const tests = [...state.filters].filter(([id]) => id !== but && facetOf.get(id).table === table);
  return entry.rows[table].filter((row) =>
    tests.every(([id, terms]) => row[facetOf.get(id).column].some((term) => terms.has(term))));
}

function add(counts, name) {
  counts.set(name, (counts.get(name) || 0) + 1);
}

function countFacets(counts, entry, failed, state) {
  for (const facet of facets) {
    if (failed.length && failed[0] !== (facet.table || facet.id)) continue;
    if (facet.table) {
      if (!entry.rows[facet.table].length) continue;
      const rows = rowsPassing(entry, facet.table, state, facet.id);
      for (const name of countedBy(facet, rows.flatMap((row) => row[facet.column]))) add(counts.get(facet.id), name);
    } else for (const name of countedBy(facet, entry.cells[facet.column])) add(counts.get(facet.id), name);
  }
}

function countBar(bars, entry) {
  const groups = groupFacet ? entry.cells[at.group] : [""];
  if (!bars.has(entry.bar)) bars.set(entry.bar, new Map());
  add(bars.get(entry.bar), groups[0] ?? "");
}
