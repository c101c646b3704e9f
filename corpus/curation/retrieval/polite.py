"""Ask a source page by page, as politely as every service is asked."""

from __future__ import annotations

import time
from collections.abc import Callable

from corpus.curation.lookup.transport import TRIES, GaveUp, Opener, PoliteClient, fetch
from corpus.curation.retrieval.retrieval_rules import GAVE_UP
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SearchSource
from corpus.model.finding import CorpusError


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
        self._client = PoliteClient(source.pause, opener, sleep)

    def body(self, search: Search, position: str) -> bytes:
        """Return the answer at a position.

        Raises
        ------
        CorpusError
            S104 where the source refuses for too long; see
            :func:`corpus.curation.lookup.transport.fetch` for all else.
        """
        source = self.source
        url = source.url(search, position)
        try:
            return self._client.answer(
                lambda opener: fetch(url, source.service, source.accept, opener)
            )
        except GaveUp as refusal:
            status, name = refusal.status, source.service.name
            finding = GAVE_UP.at(search.id, source=name, status=status, tries=TRIES)
            raise CorpusError([finding]) from None
