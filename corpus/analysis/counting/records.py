"""The works of a study, retained and excluded, found by any of their names.

A name is a key, the number of an excluded record, a title, or an identifier in any form: an arXiv
identifier with or without version, a DOI, an address.
"""

from collections.abc import Iterator

from corpus.model.finding import UsageProblem, closest
from corpus.model.identifiers import identities, normal_title
from corpus.model.study import Study
from corpus.model.table import LocatedRow


def all_records(study: Study) -> Iterator[LocatedRow]:
    """Yield the entries of the pool, then the excluded records, in the order of the files."""
    for table in (study.pool, *study.by_role("exclusions")):
        yield from table.placed()


def records_named(study: Study, text: str) -> list[LocatedRow]:
    """Return the records that a text names: by key, else by identifier, else by title.

    Letter case does not matter; an exact key comes before all others.
    """
    wanted = text.strip()
    records = list(all_records(study))
    keyed = [record for record in records if record.key == wanted]
    # Keys that differ by case alone may both exist; only then does the exact one decide.
    if not keyed:
        folded = wanted.casefold()
        keyed = [record for record in records if record.key.casefold() == folded]
    title = normal_title(wanted)
    found = keyed or identified_records(study, wanted)
    # Punctuation alone would be the title of every record without one.
    if found or not title:
        return found
    return [record for record in records if normal_title(record.title) == title]


def identified_records(study: Study, text: str) -> list[LocatedRow]:
    """Return the records that have an identifier or an address; none for any other text.

    Examples
    --------
    >>> from corpus.tables.corpus_reader import load_corpus
    >>> from corpus.tables.location import shipped_data
    >>> study = load_corpus(shipped_data())
    >>> [record.key for record in identified_records(study, "https://arxiv.org/pdf/2505.13516v2")]
    ['halo']
    """
    wanted = _identities_of(text)
    if not wanted:
        return []
    # What tables of the role `bibliography` add to the names of each entry.
    more: dict[str, list[str]] = {}
    for key, table, row in study.bibliography():
        more.setdefault(key, []).extend(table.spec.identifying_cells(row))
    found = []
    for record in all_records(study):
        cells = list(record.table.spec.identifying_cells(record.row))
        if not record.is_excluded:
            cells += more.get(record.key, ())
        if any(not wanted.isdisjoint(_identities_of(cell)) for cell in cells):
            found.append(record)
    return found


def find_record(study: Study, text: str) -> LocatedRow:
    """Return the one record that a text names; see :func:`records_named`.

    Raises
    ------
    UsageProblem
        Where no record, or more than one, has the name; with the nearest keys.
    """
    found = records_named(study, text)
    if len(found) == 1:
        return found[0]
    if found:
        keys = ", ".join(record.key for record in found)
        raise UsageProblem(f"{text!r} names several records: {keys}")
    logs = ""
    if study.by_role("exclusions"):
        logs = " or exclusion log"
    advice = "; `corpus search TEXT` finds records by any text"
    nearest = closest(text, [record.key for record in all_records(study)], most=3, cutoff=0.5)
    if nearest:
        advice = f"; did you mean {' or '.join(nearest)}?"
    raise UsageProblem(f"nothing in pool{logs} is called {text!r}{advice}")


def _identities_of(text: str) -> set[str]:
    """Return the identities in a text, and its addresses without what makes no difference."""
    names = set(identities(text))
    for part in text.split():
        scheme, mark, address = part.partition("://")
        if mark and scheme.lower() in ("http", "https"):
            # The host is the same in any letter case; a path is often so as well.
            names.add("url:" + address.removeprefix("www.").rstrip("/").casefold())
    return names
