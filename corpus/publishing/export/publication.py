"""How a published data set describes itself: license, creators, keywords, checksums."""

import hashlib
from typing import NamedTuple

from corpus.analysis.bibliography.works import CitedWork, works
from corpus.model.codebook import Codebook
from corpus.model.dates import parse_date
from corpus.model.documents.section import Section, read_settings
from corpus.model.study import Study

# fmt: off
#: Addresses of the licenses that data sets often have, by their SPDX identifiers.
LICENSES = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "ODC-BY-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "MIT": "https://opensource.org/license/mit",
}
# fmt: on


def last_day(study: Study) -> str:
    """Return the cutoff, or the first day that a later date of an entry may mean; empty for none.

    A work without a date has that of its year.
    """
    days = map(day_of, works(study))
    return max([first_day(study.codebook.corpus["cutoff"]), *days])


def day_of(work: CitedWork) -> str:
    """Return the first day on which a work may have been public; empty where none is known."""
    return work.public.start.isoformat() if work.public else first_day(work.year)


def first_day(text: str) -> str:
    """Return the first day that a date may mean; empty where it is none."""
    try:
        return parse_date(text).start.isoformat()
    except ValueError:
        return ""  # `corpus check` names the cell


class Deposit(NamedTuple):
    """What ``[deposit]`` declares: who is named, and the words under which the data are found."""

    creators: tuple[str, ...]
    keywords: tuple[str, ...]


def deposit(book: Codebook) -> Deposit:
    """Read ``[deposit]``; without creators, the maintainers of the corpus are named.

    Raises
    ------
    CorpusError
        With a C001 finding for each mistake in the section.
    """
    return read_settings(book, "deposit", read_deposit)


def read_deposit(section: Section) -> Deposit:
    """Read ``[deposit]``; mistakes are in the findings of the section."""
    found = Deposit(section.strings("creators", ()), section.strings("keywords", ()))
    for key, texts in found._asdict().items():
        if not all(map(str.strip, texts)):
            section.mistake(key, "must not have an empty text")
    section.finish()
    maintainers = f"The {section.book.corpus['id'] or 'corpus'} maintainers"
    return found._replace(creators=found.creators or (maintainers,))


def sha256(content: bytes) -> str:
    """Return the checksum of a file as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
