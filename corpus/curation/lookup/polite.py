"""Ask services as they wish: with pauses, waiting where they ask to, never for ever."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import urlsplit

from corpus.curation.lookup.lookup_rules import SERVICE_ERROR
from corpus.curation.lookup.transport import Opener, Reply, open_address
from corpus.model.finding import CorpusError

#: Statuses that mean: come back later.
_LATER = (429, 500, 502, 503, 504)
TRIES = 5
#: The longest wait before another try, in seconds, whatever the service asks for.
LONGEST_WAIT = 120.0
_FIRST_WAIT = 5.0

Answer = TypeVar("Answer")


class GaveUp(CorpusError):
    """Raised where a service still asks to come back later after every try (C706)."""

    def __init__(self, service: str, status: int) -> None:
        super().__init__([SERVICE_ERROR.at(service, service=service, status=status)])
        self.status = status


class _ComeBackLater(Exception):
    """Raised where a service asks to wait: its name, its status, the seconds if it names them."""

    def __init__(self, service: str, status: int, seconds: float | None) -> None:
        super().__init__(status)
        self.service = service
        self.status = status
        self.seconds = seconds


class PoliteClient:
    """Asks one question after the other.

    Parameters
    ----------
    pause : float
        Seconds between two questions; no wait is shorter.
    opener : Opener, optional
        Opens an address; recorded answers in tests.
    sleep : callable
        Waits for some seconds; a recorder in tests.
    """

    def __init__(
        self,
        pause: float,
        opener: Opener | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pause = pause
        self._opener = opener or open_address
        self._sleep = sleep
        self._asked = False

    def answer(self, ask: Callable[[Opener], Answer]) -> Answer:
        """Return what a question comes to.

        Parameters
        ----------
        ask : callable
            Asks with the opener that it is given; called again after each wait.

        Raises
        ------
        GaveUp
            Where the service refuses for too long.
        CorpusError
            What `ask` raises.
        """
        if self._asked:
            self._sleep(self.pause)
        self._asked = True
        tries = 0
        while True:
            try:
                return ask(self._open)
            except _ComeBackLater as later:
                tries += 1
                if tries == TRIES:
                    raise GaveUp(later.service, later.status) from None
                wait = later.seconds
                if wait is None:
                    wait = _FIRST_WAIT * 2 ** (tries - 1)
                self._sleep(min(max(wait, self.pause), LONGEST_WAIT))

    def _open(self, url: str, headers: Mapping[str, str], seconds: float) -> Reply:
        reply = self._opener(url, headers, seconds)
        if reply.status in _LATER:
            service = urlsplit(url).hostname or url
            raise _ComeBackLater(service, reply.status, wanted_wait(reply.headers))
        return reply


def wanted_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an answer asks to wait; None where it names none.

    Retry-After has seconds or a date. A date counts from the time that the answer itself has in its
    Date header, since the clocks of two machines may differ.

    Parameters
    ----------
    headers : mapping of str to str
        Of the answer, with lower-case names.

    Examples
    --------
    >>> wanted_wait({"retry-after": "7"})
    7.0
    >>> wanted_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT",
    ...              "date": "Wed, 21 Oct 2015 07:27:30 GMT"})
    30.0
    """
    wish = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,6}", wish, re.ASCII):
        return float(wish)
    then = _time(wish)
    if then is None:
        return None
    now = _time(headers.get("date", "")) or datetime.now(UTC)
    seconds = (then - now).total_seconds()
    # A date that has passed tells of a wrong clock, not that the service is ready.
    return seconds if seconds > 0 else None


def _time(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    # "-0000" means that nothing is known about the zone; HTTP has no other than UTC.
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return found
