"""Ask services as they wish: with pauses, waiting where they ask to, never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
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
    """Raised where a service asks to come back later (C706), and still does after every try."""

    def __init__(self, url: str, reply: Reply) -> None:
        service = urlsplit(url).hostname or url
        super().__init__([SERVICE_ERROR.at(service, service=service, status=reply.status)])
        self.status = reply.status
        self.seconds = wanted_wait(reply.headers)


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
            except GaveUp as later:
                tries += 1
                if tries == TRIES:
                    raise
                wait = later.seconds or _FIRST_WAIT * 2 ** (tries - 1)
                self._sleep(min(max(wait, self.pause), LONGEST_WAIT))

    def _open(self, url: str, headers: Mapping[str, str], seconds: float) -> Reply:
        reply = self._opener(url, headers, seconds)
        if reply.status in _LATER:
            raise GaveUp(url, reply)
        return reply


def wanted_wait(headers: Mapping[str, str]) -> float:
    """Return the seconds that an answer asks to wait; 0 where it names none, or a time of before.

    Parameters
    ----------
    headers : mapping of str to str
        Of the answer, with lower-case names; Retry-After has seconds or a date.

    Examples
    --------
    >>> wanted_wait({"retry-after": "7"}), wanted_wait({"retry-after": "soon"})
    (7, 0)
    """
    from urllib3.exceptions import InvalidHeader
    from urllib3.util import Retry

    try:
        return Retry().parse_retry_after(headers.get("retry-after", ""))
    except (InvalidHeader, ValueError, OverflowError):
        return 0
