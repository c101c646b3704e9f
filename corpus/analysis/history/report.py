"""A history in print: sparklines and what moved, as text, Markdown, CSV and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.analysis.claims.moved import signed_keys
from corpus.analysis.history.timeline import History, Movement
from corpus.printing.grid import Grid, first_of, plural, safe_csv
from corpus.printing.json_document import json_text
from corpus.printing.numerals import numeral

_BARS = "▁▂▃▄▅▆▇█"
#: A sparkline has at most so many characters; a longer history is thinned out evenly.
_WIDEST = 40
#: A table with more series leaves out those that were 0 at all times.
_MANY_SERIES = 12
#: So many keys are listed in a line; CSV and JSON have all of them.
_LISTED = 6
_NO_VALUE = "-"


def sparkline(numbers: Sequence[int | float | None]) -> str:
    """Draw numbers as a line of bars from 0 to the greatest; a space where there is none.

    Examples
    --------
    >>> sparkline([0, 1, None, 7])
    '▁▂ █'
    """
    shown = _thinned(numbers)
    # A ratio without a divisor is not a number, which is not even equal to itself.
    known = [number for number in shown if number is not None and number == number]
    # From 0 and not from the least number: a bar half as high means half as many.
    top = max(known, default=0)
    bars = ""
    for number in shown:
        if number is None or number != number:
            bars += " "
        elif top <= 0:
            bars += _BARS[0]
        else:
            share = max(number, 0) / top
            bars += _BARS[round(share * (len(_BARS) - 1))]
    return bars


def _thinned(numbers: Sequence[int | float | None]) -> Sequence[int | float | None]:
    if len(numbers) <= _WIDEST:
        return numbers
    # The first and the latest number are always shown.
    last = len(numbers) - 1
    gaps = _WIDEST - 1
    return [numbers[round(place * last / gaps)] for place in range(_WIDEST)]


def history_grids(found: History, most: int | None = None) -> list[Grid]:
    """Return a line for each series, and a line for each movement.

    Parameters
    ----------
    found : History
        The history.
    most : int, optional
        List so many movements, the latest; without it all.
    """
    series: list[tuple[str, ...]] = []
    never_filled = 0
    for name in found.series:
        numbers = found.numbers(name)
        if len(found.series) > _MANY_SERIES and not any(numbers):
            never_filled += 1
            continue
        counted = [number for number in numbers if number is not None]
        first = _number(counted[0])
        last = _number(numbers[-1])
        series.append((name, first, last, sparkline(numbers)))
    left_out = f"{never_filled} that were 0 at all times are left out." if never_filled else ""
    header = ("what", "first", "last", "history")
    grids = [Grid("", header, tuple(series), frozenset({1, 2}), note=left_out)]
    shown = found.movements
    note = ""
    if most is not None and len(shown) > most:
        note = f"{plural(len(shown) - most, 'earlier change')} left out."
        shown = shown[len(shown) - most :]
    if shown:
        rows = tuple(_movement_row(movement) for movement in shown)
        columns = ("date", "state", "what", "change", "entries", "message")
        grids.append(Grid("Changes", columns, rows, note=note, wraps=frozenset({4, 5})))
    return grids


def _movement_row(movement: Movement) -> tuple[str, ...]:
    revision = movement.revision
    change = f"{_number(movement.before)} → {_number(movement.after)}"
    return (
        revision.date,
        revision.label,
        movement.series,
        change,
        _keys(movement),
        revision.subject,
    )


def _keys(movement: Movement) -> str:
    return first_of(signed_keys(movement.added, movement.removed), _LISTED)


def _number(number: int | float | None) -> str:
    return _NO_VALUE if number is None else numeral(number)


def history_summary(found: History) -> str:
    """Return in a few sentences what was read, and what could not be."""
    points = found.points
    text = plural(len(points), "state")
    if len(points) > 1:
        first = points[0].revision
        text += f", from {first.label} ({first.date}) to {points[-1].revision.label}"
    text += f"; {plural(len(found.movements), 'change')}."
    missing = found.uncounted
    if missing:
        names = first_of([point.revision.label for point in missing], _LISTED)
        text += f" {len(missing)} without a value ({names}): {missing[0].problem}."
    if found.note:
        text += f" {found.note}"
    return text


def history_csv(found: History) -> str:
    """Write one row per state and series: commit, label, date, series, number, moved keys."""
    moved = {(item.revision, item.series): item for item in found.movements}
    header = ("commit", "state", "date", "series", "number", "added", "removed", "message")
    rows: list[tuple[str, ...]] = [header]
    for point in found.points:
        revision = point.revision
        state = (revision.commit, revision.label, revision.date)
        for series, value in point.values.items():
            movement = moved.get((revision, series))
            added = removed = ""
            if movement:
                added = "; ".join(movement.added)
                removed = "; ".join(movement.removed)
            rows.append((*state, series, numeral(value.number), added, removed, revision.subject))
    return safe_csv(rows)


def history_json(found: History) -> str:
    """Write states, values and movements as JSON; null where a state could not be counted."""
    points = []
    for point in found.points:
        values = None
        if not point.problem:
            values = {name: _json_number(value.number) for name, value in point.values.items()}
        points.append({**point.revision._asdict(), "values": values, "problem": point.problem})
    movements = []
    for item in found.movements:
        document = item._asdict()
        document["revision"] = item.revision.commit or item.revision.label
        document["before"] = _json_number(item.before)
        document["after"] = _json_number(item.after)
        movements.append(document)
    return json_text(
        {"subject": found.subject, "note": found.note, "points": points, "movements": movements}
    )


def _json_number(number: int | float | None) -> int | float | None:
    """Return a number that JSON has: a ratio without a divisor is null."""
    if number is None or number != number:
        return None
    return number
