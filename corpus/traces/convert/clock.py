"""Points in time as they are written in traces: seconds since 1970, or nothing where the source is silent."""

from __future__ import annotations

from datetime import UTC, datetime

LATEST = 32_503_680_000.0
"""Seconds of the year 3000: a later time is taken for a broken one."""


def iso_time(written: object) -> float | None:
    """Read an ISO 8601 time; without an offset it counts as UTC.

    Examples
    --------
    >>> iso_time("1970-01-01T00:01:00.5Z"), iso_time("soon"), iso_time(12)
    (60.5, None, None)
    """
    if not isinstance(written, str) or not 10 <= len(written) <= 40:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _sane((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())


def nano_time(written: object) -> float | None:
    """Read nanoseconds since 1970, a number or its decimal text, to the microsecond.

    Examples
    --------
    >>> nano_time("1500000000"), nano_time(0), nano_time("1e9")
    (1.5, None, None)
    """
    if isinstance(written, str) and written.isascii() and written.isdigit() and len(written) < 22:
        written = int(written)
    if isinstance(written, bool) or not isinstance(written, int) or written <= 0:
        return None
    return _sane(written // 1000 / 1e6)


def _sane(seconds: float) -> float | None:
    return seconds if 0 <= seconds < LATEST else None
