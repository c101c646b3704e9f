"""The tracked claims of a new release: what they state becomes what the tables yield today."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import tomli
import tomlkit
from tomlkit.items import Table

from corpus.analysis.claims.claim import Claim
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


#: Kinds of expectations whose value is one whole number.
_NUMBERS = ("count", "at_least", "at_most", "distinct", "columns", "terms", "groups")
_CLAIM = re.compile(r"^(?=\[\[ *claims *\]\])", re.MULTILINE)
_BY_HAND = (
    "the claims file is written in a way that cannot be updated; give the tracked claims that have "
    "moved their new values by hand"
)


class Rebased(NamedTuple):
    """A tracked claim that a release states anew.

    Attributes
    ----------
    claim : Claim
        As it was.
    line : int
        Where it is in the claims file.
    before, after : str
        The stated value, then and now.
    """

    claim: Claim
    line: int
    before: str
    after: str

    @property
    def has_numbers_beside(self) -> bool:
        """Whether the boundary, which is left as it is, has numbers that may be old ones."""
        return any(map(str.isdigit, self.claim.boundary))


@dataclass(frozen=True)
class ReleaseBaseline:
    """The claims file of a release.

    Attributes
    ----------
    text : str
        The file with today's values; unchanged where no tracked claim has moved.
    rebased : tuple of Rebased
        The claims whose value is another one.
    findings : tuple of Finding
        The claims that a person has to correct or to confirm first.
    """

    text: str
    rebased: tuple[Rebased, ...] = ()
    findings: tuple[Finding, ...] = ()


def rebased_claims(
    source: Source, outcomes: Sequence[ClaimOutcome], released: Mapping[str, str], confirm: bool
) -> ReleaseBaseline:
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

    Raises
    ------
    UsageProblem
        Where the file is written in a way that cannot be edited without touching anything else.
    """
    file, text = source
    # Each claim is edited alone: in the whole file, tomlkit moves a claim behind another section to
    # the claims before it.
    try:
        parts: list[Any] = list(map(tomlkit.parse, _CLAIM.split(text)))
    except ValueError:  # a text of several lines has what looks like the beginning of a claim
        raise UsageProblem(_BY_HAND) from None
    expected = tomli.loads(text)
    sections: dict[str, Any] = {}
    for part in parts:
        sections.update((section["id"], section) for section in part.get("claims", []))
    plain = {section["id"]: section for section in expected.get("claims", [])}
    lines = claim_lines(text)
    rebased = []
    findings = []
    for outcome in outcomes:
        claim = outcome.claim
        name, line = claim.id, lines.get(claim.id, 0)
        values: dict[str, Any] = {"before": outcome.expected, "after": outcome.observed}
        if outcome.verdict == "acknowledged" and not confirm:
            differs = outcome.difference_text or f"observed {outcome.observed}"
            findings.append(ACKNOWLEDGED.at(file, line, "id", name, id=name, differs=differs))
        if outcome.verdict != "moved":
            continue
        value = stated_value(outcome)
        if value is None:
            findings.append(NO_VALUE.at(file, line, "id", name, id=name, **values))
            continue
        stated = compare_statement(claim, observed_value(outcome), outcome.number, outcome.wholes)
        # The sentence is that of the last release, or has no number to compare with the new value:
        # nobody can tell whether it was read again.
        is_open = claim.statement == released.get(name) or not stated.is_comparable
        if stated.wrong or (is_open and not confirm):
            place = (file, line, "statement", claim.statement)
            findings.append(REWORD.at(*place, id=name, **values))
        rebased.append(Rebased(claim, line, **values))
        kind = claim.expectation.kind
        _set_value(sections[name], kind, value)
        plain[name][kind] = value
    if rebased:
        text = "".join(map(tomlkit.dumps, parts))
    # Whatever the editing did to the layout, the content must be exactly what was meant.
    if tomli.loads(text) != expected:
        raise UsageProblem(_BY_HAND)
    return ReleaseBaseline(text, tuple(rebased), tuple(findings))


def stated_value(outcome: ClaimOutcome) -> Any:
    """Return the value that a claim would state today, as the claims file has it.

    None where it states none that could be another one: an ordering, an emptiness, a ratio that
    cannot be computed.
    """
    expectation = outcome.claim.expectation
    kind = expectation.kind
    if kind in _NUMBERS:
        return int(outcome.number)
    if (
        kind in ("ratio", "share") and outcome.number == outcome.number
    ):  # NaN is not equal to itself
        return type(expectation.value)(outcome.number)
    if kind in ("keys", "includes"):
        kept = [key for key in expectation.value if key in outcome.keys]
        if kind == "includes":
            return kept or None
        new = [key for key in outcome.keys if key not in expectation.value]
        # Those that were stated stay in their order, and new ones are where they sort.
        if kept == sorted(kept):
            return sorted([*kept, *new])
        return [*kept, *new]
    if kind == "counts":
        return _nested(outcome.counts)
    return None


def _nested(counts: Mapping[tuple[str, ...], int]) -> dict[str, Any]:
    """Return the counts that are not zero: term -> number, or term -> term -> number."""
    found: dict[str, Any] = {}
    for cell, number in counts.items():
        if not number:
            continue
        if len(cell) == 1:
            found[cell[0]] = number
        else:
            found.setdefault(cell[0], {})[cell[1]] = number
    return found


def _set_value(section: Any, kind: str, value: Any) -> None:
    """Replace a value in place, so that comments and the order of what stays are kept."""
    old = section[kind]
    if isinstance(value, list):
        for key in list(old):
            if key not in value:
                old.remove(key)
        for position, key in enumerate(value):
            if key not in old:
                old.insert(position, key)
    elif isinstance(old, Table):
        _set_rows(old, value)
    else:
        section[kind] = _inline(old, value)


def _set_rows(table: Table, wanted: Mapping[str, Any]) -> None:
    """Update the rows of a ``[claims.counts]`` section, one line each; add new ones at its end."""
    # tomlkit counts the blank lines and comments before the next section to this one, and would put
    # a new row behind them.
    body = table.value.body
    behind = []
    while body and body[-1][0] is None:
        behind.append(body.pop()[1])
    for term in list(table):
        if term not in wanted:
            del table[term]
    for term, value in wanted.items():
        if table.get(term) != value:
            table[term] = _inline(table.get(term), value)
    for item in reversed(behind):
        table.value.append(None, item)


def _inline(old: Any, value: Any) -> Any:
    """Return a value for one line, of a table what stays in its order, then what is new."""
    if not isinstance(value, dict):
        return value
    known = old or {}
    parts = []
    for term in {**known, **value}:
        if term in value:
            written = tomlkit.item(_inline(known.get(term), value[term])).as_string()
            parts.append(f"{tomlkit.key(term).as_string()} = {written}")
    return tomlkit.value("{ " + ", ".join(parts) + " }")
