"""Run a search: page by page, on disk after each, so that a kill loses no more than one page."""

import contextlib
import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec

from corpus.curation.lookup.transport import TRIES, GaveUp, PoliteClient, fetch
from corpus.curation.retrieval.retrieval_rules import FOREIGN_STATE, GAVE_UP
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES
from corpus.model.work import Work
from corpus.tables.writing.atomic import write_atomic

#: In the data folder; git ignores it by the file that is written into it.
FOLDER = ".retrieval"


class Retrieval(msgspec.Struct):
    """What a search has retrieved so far, as it is on disk.

    Attributes
    ----------
    search : Search
        The search.
    started : str
        Day on which it began, as YYYY-MM-DD.
    records : list of Work
        What came, in the order of the source.
    hits : int or None
        How many records match in all, where the source tells.
    skipped : int
        Records without a title.
    following : str
        Where the next page starts.
    is_complete : bool
        Whether the last page was read, or the limit reached.
    digest : str
        SHA-256 of the file that the records were read from, if they were.
    """

    search: Search
    started: str
    records: list[Work] = msgspec.field(default_factory=list)
    hits: int | None = None
    skipped: int = 0
    following: str = ""
    is_complete: bool = False
    digest: str = ""

    @property
    def run_id(self) -> str:
        """Name of the run in the log: the search, its day, and a digest of what was asked."""
        digest = self.digest or sha256(json.dumps(self.search).encode()).hexdigest()
        return f"{self.search.id}-{self.started}-{digest[:6]}"


def retrieve(
    search: Search, data: str, client: PoliteClient, today: str, restart: bool = False
) -> Iterator[Retrieval]:
    """Ask the pages of a search, and go on where an earlier run stopped.

    Yields
    ------
    Retrieval
        After each page, and last the complete one. It is kept on disk until :func:`forget`.

    Raises
    ------
    CorpusError
        S103 where the interrupted run asked something else; S104 where the source refuses for too
        long; see :func:`corpus.curation.lookup.transport.fetch` for all else.
    """
    source = SOURCES[search.source]
    path = _path(data, search)
    if restart:
        forget(search, data)
    found = _resumed(search, path) or Retrieval(search, today)
    while not found.is_complete:
        position = found.following
        ask = partial(fetch, source.url(search, position), source.service, source.accept)
        try:
            body = client.answer(ask)
        except GaveUp as refusal:
            name, status = source.service.name, refusal.status
            raise GAVE_UP.error(search.id, source=name, status=status, tries=TRIES) from None
        page = source.page(body, search, position)
        found.records += page.records
        found.skipped += page.skipped
        # Some services count again for every page, and answers may grow meanwhile.
        if found.hits is None:
            found.hits = page.hits
        found.following = page.following
        # A source that names the same page again would never end.
        stuck = page.following == position
        found.is_complete = not page.following or stuck or len(found.records) >= search.most
        del found.records[search.most :]
        path.parent.mkdir(exist_ok=True)
        ignoring = path.parent / ".gitignore"
        if not ignoring.exists():
            ignoring.write_text("*\n", encoding="utf-8")
        write_atomic(str(path), msgspec.json.encode(found).decode())
        yield found
    yield found


def forget(search: Search, data: str) -> None:
    """Remove what an interrupted or finished run left on disk."""
    _path(data, search).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        # Other searches may be interrupted, too.
        folder = Path(data) / FOLDER
        if [path.name for path in folder.iterdir()] == [".gitignore"]:
            (folder / ".gitignore").unlink()
            folder.rmdir()


def _path(data: str, search: Search) -> Path:
    return Path(data) / FOLDER / f"{search.id}.json"


def _resumed(search: Search, path: Path) -> Retrieval | None:
    """Return the interrupted run; None where there is none, or its file cannot be understood."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Retrieval)
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    if found.search != search:
        raise FOREIGN_STATE.error(str(path), search=search.id)
    return found
