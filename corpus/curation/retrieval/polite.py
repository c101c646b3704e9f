"""Ask a source page by page: with pauses, waiting where it asks to, never for ever."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

from corpus.curation.lookup.transport import Opener, Reply, fetch, open_address
from corpus.curation.retrieval.retrieval_rules import GAVE_UP
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SearchSource
from corpus.model.finding import CorpusError

#: Statuses that mean: come back later.
_LATER = (429, 500, 502, 503, 504)
TRIES = 5
#: The longest wait before another try, in seconds, whatever the source asks for.
LONGEST_WAIT = 120.0
_FIRST_WAIT = 5.0


class _ComeBackLater(Exception):
    """Raised where a source asks to wait; with its status and the seconds, if it names them."""

    def __init__(self, status: int, seconds: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.seconds = seconds


class PoliteAsker:
    """Fetches the pages of one source.

    Parameters
    ----------
    source : SearchSource
        Whom to ask.
    opener : Opener, optional
        Opens an address; recorded answers in tests.
    sleep : callable
        Waits for some seconds; a recorder in tests.
    """

    def __init__(
        self,
        source: SearchSource,
        opener: Opener | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.source = source
        self._opener = opener or open_address
        self._sleep = sleep
        self._asked = False

    def body(self, search: Search, position: str) -> bytes:
        """Return the answer at a position.

        Raises
        ------
        CorpusError
            S104 where the source refuses for too long; see
            :func:`corpus.curation.lookup.transport.fetch` for all else.
        """
        if self._asked:
            self._sleep(self.source.pause)
        self._asked = True
        url = self.source.url(search, position)
        status = 0
        for turn in range(TRIES):
            try:
                return fetch(url, self.source.service, self.source.accept, self._open)
            except _ComeBackLater as later:
                status = later.status
                if turn + 1 < TRIES:
                    wait = _FIRST_WAIT * 2**turn if later.seconds is None else later.seconds
                    self._sleep(min(max(wait, self.source.pause), LONGEST_WAIT))
        name = self.source.service.name
        raise CorpusError([GAVE_UP.at(search.id, source=name, status=status, tries=TRIES)])

    def _open(self, url: str, headers: Mapping[str, str], seconds: float) -> Reply:
        reply = self._opener(url, headers, seconds)
        if reply.status in _LATER:
            raise _ComeBackLater(reply.status, _seconds(reply.headers.get("retry-after", "")))
        return reply


def _seconds(text: str) -> float | None:
    """Return the seconds of a Retry-After header; None for a date: clocks may differ."""
    if re.fullmatch(r"[0-9]{1,6}", text.strip()):
        return float(text)
    return None
