"""The corpus at its releases and now: how many rows it had, and which tracked claims moved.

Only the copies in `data/releases/` are read, so a page comes out the same with and without git.
"""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.claims.evaluate import load_claims
from corpus.analysis.claims.moved import movements
from corpus.analysis.claims.releases import Release, read_releases
from corpus.analysis.history.subject import WholeCorpus
from corpus.analysis.history.timeline import History, release_states, timeline
from corpus.model.study import Study
from corpus.publishing.page.sections import entry_address
from corpus.tables.git.repository import GitRevision

#: How the state of today is called.
NOW = "now"
#: So many keys and claims of a state are named; the rest is a number.
_NAMED = 12


class MovedLine(NamedTuple):
    """A tracked claim with both values; the address is empty for one that is gone."""

    id: str
    address: str
    before: str
    after: str


class ChangedRows(NamedTuple):
    """The rows that a table gained (``+``) or lost (``-``) since the state before.

    Attributes
    ----------
    sign, title : str
        Which way, and the title of the table.
    number : int
        How many rows.
    named : tuple of (str, str)
        Address and key of the first ones; the address is empty for what is not on the page.
    """

    sign: str
    title: str
    number: int
    named: tuple[tuple[str, str], ...]


class HistoryState(NamedTuple):
    """One state of the corpus.

    Attributes
    ----------
    label, date, text : str
        Its name, its day, and the text that it belongs to.
    numbers : tuple of str
        Rows of each table, empty where the table was not there.
    problem : str
        Why the state cannot be counted; empty where it can.
    changed : tuple of ChangedRows
        Since the state before.
    moved : tuple of MovedLine
        The tracked claims that moved since the state before, the first ones.
    more : int
        How many others moved.
    """

    label: str
    date: str
    text: str
    numbers: tuple[str, ...]
    problem: str
    changed: tuple[ChangedRows, ...]
    moved: tuple[MovedLine, ...]
    more: int


class PageHistory(NamedTuple):
    """The titles of the tables that are counted, and the states, the newest first."""

    titles: tuple[str, ...]
    states: tuple[HistoryState, ...]


def page_history(study: Study) -> PageHistory | None:
    """Return the history of a corpus over its releases; None where it has none.

    Raises
    ------
    CorpusError
        Where the list of releases has a mistake.
    """
    releases = read_releases(study.root)
    if not releases:
        return None
    today = GitRevision("", NOW, study.codebook.corpus.get("cutoff", ""), "")
    states = [*release_states(study.root), (today, study)]
    found = timeline(WholeCorpus(), states)
    titles: dict[str, str] = {}
    for name in found.series:
        spec = study.codebook.tables.get(name)
        titles[name] = name if spec is None else spec.title
    lines: list[HistoryState] = []
    before: tuple[Release, Study] | None = None
    for place, (revision, state) in enumerate(states):
        point = found.points[place]
        moved: list[MovedLine] = []
        if before is not None and isinstance(state, Study):
            moved = _moved(before, state, study)
        numbers: list[str] = []
        for name in titles:
            number = found.numbers(name)[place]
            numbers.append("" if number is None else str(number))
        line = HistoryState(
            revision.label,
            revision.date,
            revision.subject,
            tuple(numbers),
            point.problem,
            tuple(_changed(found, revision, titles, study)),
            tuple(moved[:_NAMED]),
            len(moved[_NAMED:]),
        )
        lines.append(line)
        if isinstance(state, Study) and place < len(releases):
            before = releases[place], state
    return PageHistory(tuple(titles.values()), tuple(reversed(lines)))


def _moved(before: tuple[Release, Study], state: Study, today: Study) -> list[MovedLine]:
    """Return the tracked claims that have another value in a state than in the release before."""
    release, then = before
    tracked = [claim for claim in load_claims(state).claims if claim.tracked]
    shown = {claim.id for claim in load_claims(today).claims}
    lines: list[MovedLine] = []
    for item in movements(state, then, release, tracked).moved:
        old, new = item.values
        address = f"#claim-{item.claim.id}" if item.claim.id in shown else ""
        lines.append(MovedLine(item.claim.id, address, old, new))
    return lines


def _changed(
    found: History, revision: GitRevision, titles: dict[str, str], today: Study
) -> list[ChangedRows]:
    """Return what each table gained and lost in a state."""
    pool = today.codebook.pool.name
    lines: list[ChangedRows] = []
    for movement in found.movements:
        if movement.revision != revision:
            continue
        for sign, keys in (("+", movement.added), ("-", movement.removed)):
            if not keys:
                continue
            named: list[tuple[str, str]] = []
            for key in keys[:_NAMED]:
                address = ""
                if movement.series == pool and key in today.entries:
                    address = entry_address(key)
                named.append((address, key))
            title = titles[movement.series]
            lines.append(ChangedRows(sign, title, len(keys), tuple(named)))
    return lines
