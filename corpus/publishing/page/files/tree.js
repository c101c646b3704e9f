// The terms of a filter as a tree: labels such as "energy › battery › ion" are paths in it, however deep.

const JOINT = " › ";

/** A term as a node; `name` is what its entries are counted by, `terms` are all that it has. */
function leaf(id, label, definition, path = label) {
  return { name: id, label, path, definition, terms: [id], children: [] };
}

/** The nodes of the first level; only leaves where no label has a path, or two labels are the same. */
function treeOf(terms) {
  const paths = new Set(terms.map(([, label]) => label));
  if (paths.size < terms.length || ![...paths].some((path) => path.includes(JOINT))) return terms.map((term) => leaf(...term));
  const top = [];
  for (const [id, label, definition] of terms) {
    const parts = label.split(JOINT);
    let level = top, node;
    for (const [depth, part] of parts.entries()) {
      const path = parts.slice(0, depth + 1).join(JOINT);
      node = level.find((other) => other.path === path);
      if (!node) level.push(node = { name: `\n${path}`, label: part, path, definition: "", terms: [], children: [] });
      node.terms.push(id);
      level = node.children;
    }
    Object.assign(node, { own: id, definition });
  }
  return top.map(finished);
}

/** A node without others below it is its term; one with others has its own term among them. */
function finished(node) {
  if (!node.children.length) return leaf(node.own, node.label, node.definition, node.path);
  const own = node.own === undefined ? [] : [leaf(node.own, "in general", node.definition, `${node.path} (in general)`)];
  return { ...node, children: [...own, ...node.children.map(finished)] };
}

/** All nodes of a tree. */
function nodesOf(tree) {
  return tree.flatMap((node) => [node, ...nodesOf(node.children)]);
}

/** What an entry with a term is counted by besides the term: the nodes above it. */
function aboveOf(tree) {
  const above = new Map();
  for (const node of nodesOf(tree))
    if (node.children.length) for (const term of node.terms) above.set(term, [...(above.get(term) || []), node.name]);
  return above;
}

/** The names that terms of one entry are counted by, each once. */
function countedBy(facet, terms) {
  if (!facet.above.size) return terms.length === 1 ? terms : new Set(terms);
  return new Set(terms.flatMap((term) => [term, ...(facet.above.get(term) || [])]));
}

/** The fewest nodes that stand for all chosen terms: a node where everything below it is chosen. */
function covering(tree, chosen) {
  return tree.flatMap((node) => {
    if (node.terms.every((term) => chosen.has(term))) return [node];
    return covering(node.children, chosen);
  });
}
