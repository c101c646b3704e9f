"""How strictly the tags of an axis hold: terms counted broadly, nearly strictly, strictly."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.sparsity.plan import StrictnessPlan
from corpus.model.study import Study


class TermStrictness(NamedTuple):
    """One term of the axis; each field has the keys of entries.

    `broad` are all that carry the tag. They divide into `strict`, `near`, `weaker` (judged, and
    only broadly right) and `unjudged`.
    """

    term: str
    broad: tuple[str, ...]
    strict: tuple[str, ...]
    near: tuple[str, ...]
    weaker: tuple[str, ...]
    unjudged: tuple[str, ...]


class Strictness(NamedTuple):
    """All terms of one axis but the one for "not applicable", in declared order.

    `misplaced` are entries with a judgement of a tag that they do not carry.
    """

    axis: str
    strict: tuple[str, ...]
    near: tuple[str, ...]
    units: tuple[TermStrictness, ...]
    misplaced: tuple[str, ...]

    @property
    def judged(self) -> int:
        """How many tags have been judged."""
        return self.tagged - sum(len(unit.unjudged) for unit in self.units)

    @property
    def tagged(self) -> int:
        """How many tags there are to judge."""
        return sum(len(unit.broad) for unit in self.units)


def strictness_of(study: Study, plan: StrictnessPlan) -> Strictness:
    """Compare the judgements of one evidence table with the tags of the pool."""
    _, vocabulary = study.codebook.axis(plan.axis)
    judgements = _judgements(study, plan)
    # A dict, since an entry may have several such judgements and is named once.
    misplaced: dict[str, None] = {}
    for key, term in judgements:
        # A judgement may outlive its entry; `corpus check` reports the broken reference.
        entry = study.entries.get(key)
        if entry is not None and term not in entry.terms(plan.axis):
            misplaced[key] = None
    tagged: dict[str, list[str]] = {}
    for term in vocabulary.ids:
        tagged[term] = []
    for entry in study.entries.values():
        for term in entry.terms(plan.axis):
            tagged[term].append(entry.key)
    # That an axis does not apply is not a tag that could hold more or less strictly.
    tagged.pop(vocabulary.not_applicable, None)
    units: list[TermStrictness] = []
    for term, keys in tagged.items():
        units.append(_divided(term, keys, judgements, plan))
    return Strictness(plan.axis, plan.strict, plan.near, tuple(units), tuple(misplaced))


def _divided(
    term: str, keys: list[str], judgements: dict[tuple[str, str], str], plan: StrictnessPlan
) -> TermStrictness:
    """Divide the entries that carry a term by how strictly it was judged to hold."""
    strict: list[str] = []
    near: list[str] = []
    weaker: list[str] = []
    unjudged: list[str] = []
    for key in keys:
        judgement = judgements.get((key, term))
        if judgement is None:
            unjudged.append(key)
            continue
        if judgement in plan.strict:
            strict.append(key)
        if judgement in plan.near:
            near.append(key)
        if judgement not in (*plan.strict, *plan.near):
            weaker.append(key)
    return TermStrictness(
        term=term,
        broad=tuple(keys),
        strict=tuple(strict),
        near=tuple(near),
        weaker=tuple(weaker),
        unjudged=tuple(unjudged),
    )


def _judgements(study: Study, plan: StrictnessPlan) -> dict[tuple[str, str], str]:
    """Return each judgement by the key of the entry and the judged term."""
    table = study.tables[plan.table]
    reference = table.spec.reference_to(study.codebook.pool)
    assert reference is not None, "the plan was read with it"
    keys = table.column(reference.name)
    terms = table.column(plan.unit)
    judgements = table.column(plan.reading)
    return dict(zip(zip(keys, terms, strict=True), judgements, strict=True))
