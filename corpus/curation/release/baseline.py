"""The tracked claims of a new release: what they state becomes what the tables yield today."""

import re
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

import tomli
import tomlkit
from tomlkit.items import Table

from corpus.analysis.claims.evaluate import ClaimOutcome, observed_value
from corpus.analysis.claims.parser import claim_lines
from corpus.analysis.claims.stated import compare_statement
from corpus.model.codebook import Source
from corpus.model.finding import Finding, Rule, UsageProblem

NO_VALUE = Rule(
    "V101",
    "{id} is tracked and no longer true: expected {before}, observed {after}",
    "complete the tables, or reword or remove the claim",
    title="Tracked claim cannot be brought up to date",
    reason="An ordering or an emptiness that no longer holds has no new value, so a "
    "person has to decide what the text states instead.",
)
REWORD = Rule(
    "V102",
    "{id} is {after} now and was {before}; its sentence in this file is to be read again",
    "write its `statement` anew and commit it; where all that are listed are right, add --confirm",
    title="Sentence of a claim needs its new number",
    reason="A release writes new values, and never a sentence: people know which of "
    "its words depend on a value.",
)
ACKNOWLEDGED = Rule(
    "V110",
    "{id} does not hold: {differs}; somebody has accepted that",
    "correct the claim and its text, or add --confirm",
    title="Guard does not hold, and is only acknowledged",
    reason="Somebody has to decide that a release has a sentence which the data contradicts.",
)


#: Where an item of the file begins: a claim, or one that is not checked.
_ITEM = re.compile(r"^(?=\[\[ *\w+ *\]\])", re.MULTILINE)
_BY_HAND = (
    "the claims file is written in a way that cannot be updated; give the tracked claims that have "
    "moved their new values by hand"
)


def rebased_claims(
    source: Source, outcomes: Sequence[ClaimOutcome], released: Mapping[str, str], confirm: bool
) -> tuple[str, list[Finding]]:
    """Give every tracked claim that has moved the value that it has today; write no sentence.

    Parameters
    ----------
    source : Source
        The claims file.
    outcomes : sequence of ClaimOutcome
        Its claims, evaluated on the tables of today.
    released : mapping of str to str
        Claim -> its sentence in the last release.
    confirm : bool
        Whether somebody has read the sentences and the guards that do not hold.

    Returns
    -------
    text : str
        The file with the values of today.
    findings : list of Finding
        The claims that a person has to correct or to confirm first.

    Raises
    ------
    UsageProblem
        Where the file is written in a way that cannot be edited without touching anything else.
    """
    file, text = source
    lines, expected = claim_lines(text), tomli.loads(text)
    # Each item is edited alone and without what is before the next one, or tomlkit would put
    # claims together, and a new row of a table behind the comments that follow it.
    parts: list[Any] = []
    sections: dict[str, Any] = {}
    for item in _ITEM.split(text):
        own, behind = item.splitlines(keepends=True), ""
        while own and not own[-1].partition("#")[0].strip():
            behind = own.pop() + behind
        try:
            part = tomlkit.parse("".join(own))
        except ValueError:  # a text of several lines has what looks like the beginning of a claim
            raise UsageProblem(_BY_HAND) from None
        parts += [part, behind]
        sections.update((section["id"], section) for section in part.get("claims", []))
    plain = {section["id"]: section for section in expected.get("claims", [])}
    findings = []
    for outcome in outcomes:
        claim, line = outcome.claim, lines.get(outcome.claim.id, 0)
        place = (file, line, "id", claim.id)
        values: dict[str, Any] = {"before": outcome.expected, "after": outcome.observed}
        if outcome.verdict == "acknowledged" and not confirm:
            differs = outcome.difference_text or f"observed {outcome.observed}"
            findings.append(ACKNOWLEDGED.at(*place, id=claim.id, differs=differs))
        if outcome.verdict != "moved":
            continue
        value = stated_value(outcome)
        if value is None:
            findings.append(NO_VALUE.at(*place, id=claim.id, **values))
            continue
        stated = compare_statement(claim, observed_value(outcome), outcome.number, outcome.wholes)
        # The sentence is that of the last release, or has no number to compare with the new value:
        # nobody can tell whether it was read again.
        is_open = claim.statement == released.get(claim.id) or not stated.is_comparable
        if stated.wrong or (is_open and not confirm):
            place = (file, line, "statement", claim.statement)
            findings.append(REWORD.at(*place, id=claim.id, **values))
        _set_value(sections[claim.id], claim.expectation.kind, value)
        plain[claim.id][claim.expectation.kind] = value
    after = "".join(part if isinstance(part, str) else tomlkit.dumps(part) for part in parts)
    # Whatever the editing did to the layout, the content must be exactly what was meant.
    if tomli.loads(after) != expected:
        raise UsageProblem(_BY_HAND)
    return after, findings


def stated_value(outcome: ClaimOutcome) -> Any:
    """Return the value that a claim would state today, as the claims file has it.

    None where it states none that could be another one: an ordering, an emptiness, a ratio that
    cannot be computed.
    """
    kind, stated = outcome.kind, outcome.claim.expectation.value
    if kind == "keys":
        return list(outcome.keys)
    if kind == "includes":
        return [key for key in stated if key in outcome.keys] or None
    if kind == "counts":
        # The cells that were stated stay in their order.
        found: dict[str, Any] = {}
        for cell in {**stated, **outcome.counts}:
            number = outcome.counts.get(cell, 0)
            if number and cell[1:]:
                found.setdefault(cell[0], {})[cell[1]] = number
            elif number:
                found[cell[0]] = number
        return found
    if kind in ("descending", "empty", "same_keys_as") or isnan(outcome.number):
        return None
    return type(stated)(outcome.number)


def _set_value(section: Any, kind: str, value: Any) -> None:
    """Replace a value in place; of a ``[claims.counts]`` section the rows, one line each."""
    rows = section[kind]
    if not isinstance(rows, Table):
        section[kind] = tomlkit.value(_toml(value))
        return
    for term in set(rows) - value.keys():
        del rows[term]
    for term, row in value.items():
        if rows.get(term) != row:
            rows[term] = tomlkit.value(_toml(row))


def _toml(value: Any) -> str:
    """Return a value for one line."""
    if not isinstance(value, dict):
        return str(tomlkit.item(value).as_string())
    cells = [f"{tomlkit.key(term).as_string()} = {_toml(cell)}" for term, cell in value.items()]
    return f"{{ {', '.join(cells)} }}"
