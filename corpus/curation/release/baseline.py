"""The tracked claims of a new release: what they state becomes what the tables yield today."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tomli
import tomlkit
from tomlkit.items import InlineTable

from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.evaluate import ClaimOutcome, observed_value
from corpus.analysis.claims.parser import claim_line
from corpus.analysis.claims.stated import compare_statement
from corpus.model.finding import UsageProblem

#: Kinds of expectations whose value is one whole number.
_NUMBERS = ("count", "at_least", "at_most", "distinct", "columns", "terms", "groups")
_CLAIM = re.compile(r"^(?=\[\[ *claims *\]\])", re.MULTILINE)
_BY_HAND = (
    "the claims file is written in a way that cannot be updated; give the tracked claims that have "
    "moved their new values by hand"
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


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
    is_open : bool
        Whether the sentence is that of the last release, or has no number to compare with the new
        value, so that nobody can tell whether it was read again.
    wrong : tuple of str
        Its numbers that contradict the new value.
    """

    claim: Claim
    line: int
    before: str
    after: str
    is_open: bool
    wrong: tuple[str, ...]

    @property
    def has_numbers_beside(self) -> bool:
        """Whether the boundary, which is left as it is, has numbers that may be old ones."""
        return any(map(str.isdigit, self.claim.boundary))


class ReleaseBaseline(NamedTuple):
    """The claims file of a release.

    Attributes
    ----------
    text : str
        The file with today's values; unchanged where no tracked claim has moved.
    rebased : tuple of Rebased
        The claims whose value is another one.
    without_value : tuple of (ClaimOutcome, int)
        Tracked claims that are no longer true and state no value that could be replaced, each with
        its line: an ordering, an emptiness.
    """

    text: str
    rebased: tuple[Rebased, ...] = ()
    without_value: tuple[tuple[ClaimOutcome, int], ...] = ()


def rebased_claims(
    text: str, outcomes: Sequence[ClaimOutcome], released: Mapping[str, str]
) -> ReleaseBaseline:
    """Give every tracked claim that has moved the value that it has today; write no sentence.

    Parameters
    ----------
    text : str
        The claims file.
    outcomes : sequence of ClaimOutcome
        Its claims, evaluated on the tables of today.
    released : mapping of str to str
        Claim -> its sentence in the last release.

    Raises
    ------
    UsageProblem
        Where the file is written in a way that cannot be edited without touching anything else.
    """
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
    rebased = []
    without_value = []
    for outcome in outcomes:
        if outcome.verdict != "moved":
            continue
        claim = outcome.claim
        kind = claim.expectation.kind
        line = claim_line(text, claim.id)
        value = stated_value(outcome)
        if value is None:
            without_value.append((outcome, line))
            continue
        stated = compare_statement(claim, observed_value(outcome))
        is_open = claim.statement == released.get(claim.id) or not stated.is_comparable
        values = (outcome.expected, outcome.observed)
        rebased.append(Rebased(claim, line, *values, is_open, stated.wrong))
        _set_value(sections[claim.id], kind, value)
        plain[claim.id][kind] = value
    if not rebased:
        return ReleaseBaseline(text, (), tuple(without_value))
    new = "".join(map(tomlkit.dumps, parts))
    # Whatever the editing did to the layout, the content must be exactly what was meant.
    if tomli.loads(new) != expected:
        raise UsageProblem(_BY_HAND)
    return ReleaseBaseline(new, tuple(rebased), tuple(without_value))


def stated_value(outcome: ClaimOutcome) -> Any:
    """Return the value that a claim would state today, as the claims file has it.

    None where it states none that could be another one: an ordering, an emptiness, a ratio that
    cannot be computed.
    """
    expectation = outcome.claim.expectation
    kind = expectation.kind
    if kind in _NUMBERS:
        return int(outcome.number)
    if kind == "ratio" and outcome.number == outcome.number:  # NaN is not equal to itself
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
        for position in range(len(old) - 1, -1, -1):
            if old[position] not in value:
                del old[position]
        for position, key in enumerate(value):
            if key not in old:
                old.insert(position, key)
    elif isinstance(old, InlineTable):
        section[kind] = _inline(old, value)
    elif isinstance(value, dict):
        _set_rows(old, value)
    else:
        section[kind] = value


def _set_rows(table: Any, wanted: Mapping[str, Any]) -> None:
    """Update the rows of a ``[claims.counts]`` section, one line each."""
    for term in list(table):
        if term not in wanted:
            del table[term]
    for term, value in wanted.items():
        if term in table and table[term] == value:
            continue
        new = value
        if isinstance(value, dict):
            new = _inline(table.get(term, {}), value)
        if term in table:
            table[term] = new
        else:
            _append_row(table, term, new)


def _append_row(table: Any, term: str, value: Any) -> None:
    """Add a row below the last one.

    tomlkit counts the blank lines and comments before the next section to this one, and would put
    the row behind them.
    """
    body = table.value.body
    behind = []
    while body and body[-1][0] is None:
        behind.append(body.pop()[1])
    table[term] = value
    for item in reversed(behind):
        table.value.append(None, item)


def _inline(old: Mapping[str, Any], wanted: Mapping[str, Any]) -> Any:
    """Write an inline table: what stays in its order, then what is new."""
    parts = []
    for term in {**old, **wanted}:
        if term not in wanted:
            continue
        value = wanted[term]
        if isinstance(value, dict):
            written = _inline(old.get(term, {}), value).as_string()
        else:
            written = str(value)
        name = term
        if not _BARE_KEY.fullmatch(term):
            name = tomlkit.string(term).as_string()
        parts.append(f"{name} = {written}")
    return tomlkit.value("{ " + ", ".join(parts) + " }")
