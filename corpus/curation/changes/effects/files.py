"""The files of a change: every one is compared, or named as changed and not compared."""

import posixpath
from collections import Counter
from collections.abc import Iterator

from corpus.analysis.claims.releases import copied_files
from corpus.analysis.numbers.published import published_numbers
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.files import COMPARED, DECIDING, PRIVATE, PROSE
from corpus.curation.changes.note import Note
from corpus.model.finding import CorpusError, Finding, new_findings
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.publishing.manuscript.check import check_manuscript
from corpus.publishing.manuscript.markers import SINKS, printed_names, renew
from corpus.tables.git.repository import TRACKED_STATE
from corpus.tables.location import RELEASES_FOLDER


def files(delta: Delta) -> Iterator[Note]:
    """Yield the files that decide what is checked, and those that are not compared."""
    copies = _copies(delta)
    for file in delta.files or ():
        kind, subject = file.kind(delta.compared), "files"
        text = f"{file.path} is {file.change}, not compared: {kind}"
        if kind == DECIDING:
            subject, text = (
                "deciding",
                f"{file.path} is {file.change}; it may decide what is checked",
            )
        elif kind == PRIVATE:
            found = TRACKED_STATE.at(file.path, path=file.path)
            if file.change != "removed" and found not in delta.findings:
                yield finding_note("findings", found)
            continue
        elif kind == COMPARED:
            if posixpath.normpath(file.inside) in delta.told:
                continue
            text = f"{file.path} is {file.change}, with the same rows and entries"
        elif file.inside in copies:
            continue
        yield Note(subject, text, {"file": file.path, "change": file.change, "kind": kind}, kind)


def _copies(delta: Delta) -> set[str]:
    """Return the files of releases that are compared with those of the other state, or named."""
    found: set[str] = set()
    for state, releases in zip((delta.before, delta.after), delta.releases, strict=True):
        for release in releases:
            names = copied_files(release, state.opener)
            found.update(f"{RELEASES_FOLDER}/{release.id}/{name}" for name in names)
    return found


def texts(delta: Delta) -> Iterator[Note]:
    """Yield numbers in texts that the change writes and that are not those of the corpus."""
    if not delta.is_countable:
        return
    study = delta.after.corpus
    for file in delta.files or ():
        sink = SINKS.get(posixpath.splitext(file.path)[1])
        if sink is None or file.kind(delta.compared) != PROSE:
            continue
        before, after = (
            _number_findings(state.beside(file.path), sink, file.path, study)
            for state in (delta.before, delta.after)
        )
        for finding in new_findings(after, before):
            yield finding_note("findings", finding)


def _number_findings(content: bytes | None, sink: str, file: str, study: Study) -> list[Finding]:
    """Return the errors in the numbers of a text, marked ones and those typed by hand."""
    text = (content or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        found = renew(text, sink, printed_names(study, sink), file)[1]
        found += check_manuscript(text, sink, file, study, published_numbers(study))[0]
    except CorpusError as error:
        found = error.findings
    return [finding for finding in found if finding.is_error]


def totals(delta: Delta) -> Iterator[Note]:
    """Yield in one sentence how much differs, and in another what was not compared."""
    both = (delta.before.label, delta.after.label)
    parts = list(_parts(delta))
    if delta.files == ():
        yield Note("totals", f"Nothing differs between {both[0]} and {both[1]}.")
        return
    what = "; ".join(parts) or "no row and no declaration differs"
    yield Note("totals", f"From {both[0]} to {both[1]}: {what}.")
    if delta.files is None and not parts:
        yield Note("totals", "Other files than those of the corpus were not compared.")
    if not delta.before.countable:
        why = f"{delta.before.label} has errors itself, so what the change moves is not worked out."
        yield Note("totals", why)
    elif not delta.after.countable:
        yield Note("totals", "What the change moves is worked out once the errors are fixed.")


def _parts(delta: Delta) -> Iterator[str]:
    by_table: dict[str, Counter[str]] = {}
    for row in delta.rows.rows:
        by_table.setdefault(row.table, Counter())[row.kind] += 1
    for table, kinds in by_table.items():
        yield f"{table}: {', '.join(f'{number} {kind}' for kind, number in kinds.items())}"
    if delta.terms:
        yield f"{plural(len(delta.terms), 'term')} renamed"
    if delta.documents:
        yield f"changed: {', '.join(delta.documents)}"
    if delta.unread:
        yield f"not compared, since it cannot be read: {', '.join(sorted(delta.unread))}"
