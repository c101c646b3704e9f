"""What a change does, in a few sentences: the most urgent first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.curation.changes.changes import RENAMED, Changes, RowChange
from corpus.curation.changes.consequences import CellMove, ClaimChange, Consequences, RenamedTerm
from corpus.curation.changes.declared import ADDED, CHANGED, REMOVED, DeclarationChange
from corpus.curation.changes.sentence import Citation, Part, Sentence, code, plain_text, shortened
from corpus.curation.changes.weakened import PROPOSED_ACCEPTANCE, Weakening
from corpus.curation.edit.proposal import FORMER, PROMOTIONS
from corpus.model.codebook import Codebook
from corpus.model.finding import Finding
from corpus.printing.grid import cut, first_of, plural

#: So many sentences of one kind are shown; the others are counted.
SHOWN = 5
#: A cell or a title is cut at so many characters in a sentence.
_LENGTH = 120


class ChangeReport(NamedTuple):
    """What `corpus diff` prints, in every format.

    Attributes
    ----------
    before, after : str
        What the two states are called.
    codebook : Codebook
        That of the newer state.
    changes : Changes
        What differs.
    consequences : Consequences or None
        What that moves; None where one of the states cannot be counted.
    findings : sequence of Finding
        What is wrong with the newer state.
    stale : tuple of str
        Generated files that were built from older data.
    note : str
        Why something is left out.
    under_older : sequence of Finding
        What the newer data would fail under the older codebook and protocol, and passes under its
        own.
    citations : mapping of str to Citation
        The entries that differ, by their key.
    generated : int
        How many generated files there should be.
    release : str
        The latest release, whose numbers the tracked claims state; empty where there is none.
    weakened : sequence of Weakening
        What is checked less than before.
    checking : tuple of str
        Files beside the data that decide what is checked, and that differ.
    unread : sequence of str
        Files that one of the states could not read; nothing is reported about what is in them.
    inherited : sequence of Finding
        Those of the findings that the older state has as well.
    terms : tuple of RenamedTerm
        Terms that have another name; everything else is compared under the newer ones.
    """

    before: str
    after: str
    codebook: Codebook
    changes: Changes
    consequences: Consequences | None
    findings: Sequence[Finding] = ()
    stale: tuple[str, ...] = ()
    note: str = ""
    under_older: Sequence[Finding] = ()
    citations: Mapping[str, Citation] = {}
    generated: int = 0
    release: str = ""
    weakened: Sequence[Weakening] = ()
    checking: tuple[str, ...] = ()
    unread: Sequence[str] = ()
    inherited: Sequence[Finding] = ()
    terms: tuple[RenamedTerm, ...] = ()

    @property
    def moved(self) -> Consequences:
        """What the change moves; nothing where a state cannot be counted."""
        return self.consequences or Consequences()

    @property
    def other_findings(self) -> list[Finding]:
        """The findings of the change itself, without the claims that break: they are apart."""
        broken = []
        for change in self.moved.claims:
            if change.kind in ("breaks", "fails"):
                broken.append(change.claim.id)
        found = []
        for finding in self.findings:
            is_broken = finding.code == CLAIM_FAILS.code and finding.value in broken
            if not is_broken and finding not in self.inherited:
                found.append(finding)
        return found


def headline(report: ChangeReport) -> list[str]:
    """Return the sentences about a change as plain text; each sink escapes them."""
    return list(map(plain_text, sentences(report)))


def sentences(report: ChangeReport) -> list[Sentence]:
    """Return the sentences about a change, the most urgent first.

    What the change accepts itself, what is wrong, what is checked less, what leaves without a
    trace, what changes, which guards break, which cells fill or empty, then the counts and the
    state of the generated files.
    """
    lines = [
        *_proposed_sentences(report),
        *_error_sentences(report),
        *_weakening_sentences(report),
        *_first(_departure_sentences(report), "entries leave without a trace"),
        *_first(_entry_sentences(report), "changed rows"),
        *_first(_declaration_sentences(report), "changes of codebook and documents"),
        *_first(_doubt_sentences(report), "doubts"),
        *moved_sentences(report),
        (rows_text(report),),
    ]
    if report.stale:
        of_all = f"{len(report.stale)} of {report.generated} files"
        lines.append((f"Stale: {of_all}, run ", code("corpus build"), "."))
    if report.note:
        lines.append((report.note,))
    return lines


def moved_sentences(report: ChangeReport) -> list[Sentence]:
    """Return the sentences about terms, claims and cells that a change moves."""
    lines = []
    for term in report.terms:
        what = " is merged into " if term.merged else " is renamed to "
        lines.append((f"{term.vocabulary}: the term ", code(term.old), what, code(term.new), "."))
    return [
        *lines,
        *_first(_guard_sentences(report.moved.claims), "guards"),
        *_number_sentences(report),
        *_first(_cell_sentences(report.moved.cells), "cells fill or empty"),
    ]


def _cell_sentences(cells: Sequence[CellMove]) -> Iterator[Sentence]:
    for cell in cells:
        if cell.turns:
            numbers = f"({cell.before} -> {cell.after})"
            text = f"{cell.table}: the cell {cell.row} / {cell.column} {cell.turns} {numbers}."
            if cell.reason:
                text += f" The codebook calls it impossible: {cell.reason}."
            yield (text,)


def _first(found: Iterable[Sentence], what: str) -> list[Sentence]:
    """Return the first sentences of a kind, and how many more there are."""
    lines = list(found)
    more = len(lines) - SHOWN
    if more <= 1:  # the line that counts them would be as long
        return lines
    return [*lines[:SHOWN], (f"{more} more {what}.",)]


def _proposed_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield what the change accepts itself, all of it, and which files it has that check it.

    Nobody else has agreed to either.
    """
    found = [item for item in report.findings if item.code == PROPOSED_ACCEPTANCE.code]
    if found:
        number = plural(len(found), "acceptance")
        yield (f"This change brings {number} of its own, which count as not accepted.",)
    for item in found:
        place = f"{item.file}, line {item.line}"
        yield f"{place}: ", code(cut(item.value, _LENGTH)), "."
    if report.checking:
        files = [(code(cut(file, _LENGTH)),) for file in report.checking]
        yield "This change also changes what checks it: ", *_listed(files), "."


def _listed(items: Sequence[Iterable[Part]], most: int = SHOWN) -> Iterator[Part]:
    """Yield the parts of the first items, commas between these, and how many more there are."""
    separator = ""
    for parts in items[:most]:
        yield separator
        yield from parts
        separator = ", "
    more = len(items) - most
    if more > 0:
        yield f" and {more} more"


def _values(before: str, after: str) -> Sentence:
    """Return the two values of what differs."""
    old, new = shortened(before, after, _LENGTH)
    return " from ", code(old), " to ", code(new)


def _weakening_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield what is checked less than before, all of it: none may hide behind the others."""
    if report.weakened:
        yield (f"This change weakens {plural(len(report.weakened), 'check')}.",)
    for item in report.weakened:
        known = " It is acknowledged." if item.acknowledged else ""
        words = f" {cut(item.words, _LENGTH)}.{known}"
        yield f"{item.file}: ", code(cut(item.place, _LENGTH)), words


def _departure_sentences(report: ChangeReport) -> Iterator[Sentence]:
    for gone in report.changes.told("departures"):
        named = _named(report, gone["key"], gone["title"])
        if gone["other"]:
            same = " leaves the pool; it looks like the same work as "
            yield *named, same, code(gone["other"]), "."
        else:
            yield *named, " leaves the pool without a trace in the exclusion log."


def _named(report: ChangeReport, key: str, title: str) -> Iterator[Part]:
    """Yield the key of an entry with its citation, or with its title where it has none."""
    yield code(key)
    cited = report.citations.get(key, Citation(title))
    if cited.title:
        yield f", “{cut(cited.title, _LENGTH)}”"
    if cited.about:
        yield " ("
        yield from _listed([(part,) for part in cited.about])
        yield ")"


def _entry_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield what happens to each entry, then to cells of other tables."""
    told = [gone["key"] for gone in report.changes.told("departures")]
    pool = report.codebook.pool.name
    for row in sorted(report.changes.rows, key=lambda row: row.table != pool):
        if row.table == pool:
            if row.kind != REMOVED or row.key not in told:
                yield _entry_sentence(row, report)
        elif row.kind == RENAMED:
            yield f"{row.table}: renames ", code(row.old_key), " to ", code(row.key), "."
        elif row.kind == CHANGED:
            yield f"{row.table}: changes ", code(row.key), ": ", *_cell_parts(row), "."


def _entry_sentence(row: RowChange, report: ChangeReport) -> Sentence:
    named = tuple(_named(report, row.key, row.title))
    source = log = ""
    for move in report.changes.told("moves"):
        if move["key"] == row.key:
            rest = ", where it still is as well" if move["staying"] else ""
            source = f" (moved from the exclusion log: {move['record']}{rest})"
            log = f" (the exclusion log has it as {move['record']})"
            break
    if row.kind == ADDED:
        tags = []
        cited = report.citations.get(row.key, Citation())
        if cited.tags:
            told = [(code(f"{name} = {cell}"),) for name, cell in cited.tags]
            tags += [": ", *_listed(told, len(told))]
        return "Adds ", *named, source, *tags, ".", *_promotion_parts(row.key, report)
    if row.kind == REMOVED:
        return "Takes ", *named, f" out of the pool{log}."
    if row.kind == CHANGED:
        return "Changes ", *named, ": ", *_cell_parts(row), "."
    parts: list[Part] = [" is ", code(row.old_key), " under a new key"]
    follow = report.changes.follow
    renamed = sum(row.kind == RENAMED for row in report.changes.rows)
    # The number is that of all renamed rows: of several, the last sentence of a report has it.
    if follow and renamed == 1:
        verb = "follows" if follow == 1 else "follow"
        parts.append(f"; {plural(follow, 'reference')} {verb}")
    if row.cells:
        parts += [". It changes ", *_cell_parts(row)]
    return *named, *parts, "."


def _promotion_parts(key: str, report: ChangeReport) -> Iterator[str]:
    """Yield which cell a new entry was promoted for, where the corpus keeps that."""
    for spec in report.codebook.by_role(PROMOTIONS):
        row = next((r for r in report.changes.rows if (r.table, r.key) == (spec.name, key)), None)
        if row is None:
            yield f" No row of {spec.file} names the cell that it changes."
            continue
        cells = {cell.column: cut(cell.after, _LENGTH) for cell in row.cells}
        former = [cells.pop(c.name, "") for c in spec.columns if c.role == FORMER]
        cells.pop(spec.key[0], None)
        was = "".join(former) or "neither logged nor a candidate"
        yield f" It was {was} before, and changes {': '.join(filter(None, cells.values()))}."


def _cell_parts(row: RowChange) -> Iterator[Part]:
    """Yield the first cells that differ, with both values."""
    cells = [(code(cell.column), *_values(cell.before, cell.after)) for cell in row.cells]
    return _listed(cells)


def declaration_text(change: DeclarationChange) -> str:
    """Return which entry of codebook or document differs, and how."""
    return f"{change.document}: {change.place} {change.kind}"


def _declaration_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield what codebook and documents declare otherwise: a change there can let errors pass."""
    for change in report.changes.declarations:
        values: Sentence = ()
        if change.kind == CHANGED:
            values = _values(change.before, change.after)
        yield declaration_text(change), *values, "."


def _doubt_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield what nobody may have meant."""
    for item in report.changes.told("duplicates"):
        shared = item["evidence"]
        if shared == "title":
            shared = "nearly the same title"
        both = (code(item["key"]), " may be the same work as ", code(item["other"]))
        yield *both, f": both have {shared}."
    by_key: dict[tuple[str, str], list[str]] = {}
    for row in report.changes.told("left_behind"):
        by_key.setdefault((row["old"], row["new"]), []).append(row["table"])
    for (old, new), tables in by_key.items():
        number = plural(len(tables), "row")
        verb = "has" if len(tables) == 1 else "have"
        where = ", ".join(dict.fromkeys(tables))
        yield f"{number} ({where}) still {verb} ", code(old), ", not ", code(new), "."
    for cell in report.changes.told("uncorrected"):
        place = (code(cell["column"]), " of ", code(cell["key"]))
        yield *place, f" changes, but {cell['log']} has no row with the new value."


def _error_sentences(report: ChangeReport) -> Iterator[Sentence]:
    errors = sorted(finding for finding in report.other_findings if finding.is_error)
    if errors:
        yield (f"{plural(len(errors), 'error')} to fix before this can be merged.",)
    yield from _first(map(error_sentence, errors), "errors")
    inherited = sum(finding.is_error for finding in report.inherited)
    if inherited:
        yield (f"{plural(inherited, 'error')} more that {report.before} has already.",)
    todos = [finding.value for finding in report.other_findings if finding.is_todo]
    if todos:
        named = first_of(list(dict.fromkeys(todos)), SHOWN)
        yield (f"{plural(len(todos), 'to-do')} for later: {named}.",)
    if report.under_older:
        number = plural(len(report.under_older), "finding")
        older = f"Under the codebook and protocol of {report.before}"
        yield (f"{older} the newer data has {number} more.",)
        yield from _first(map(error_sentence, report.under_older), "findings under them")


def error_sentence(finding: Finding) -> Sentence:
    """Return a finding as a sentence: its code, its place, what is wrong."""
    place = finding.file
    if finding.line:
        place += f", line {finding.line}"
    if finding.column:
        place += f", {finding.column}"
    message = cut(finding.message, 2 * _LENGTH)
    return (f"{finding.code} in {place}: {message}",)


def _guard_sentences(changes: Sequence[ClaimChange]) -> Iterator[Sentence]:
    """Yield which guards fail, are removed or hold again."""
    recovered = []
    for change in changes:
        # A tracked claim states numbers of a release, which growth moves: it is not a guard.
        if change.claim.tracked:
            continue
        if change.kind == "recovers":
            recovered.append(change.claim.id)
        lead = known = ""
        if change.kind == "breaks":
            lead = "A claim breaks: "
            known = " It is acknowledged." if change.acknowledged else ""
        elif change.kind == "fails":
            lead = "A claim fails as before, now with another value: "
        elif change.kind == "gone":
            lead = "A claim is removed: "
        if lead:
            statement = f"“{cut(change.claim.statement, _LENGTH)}” ("
            observed = f": {cut(change.observed, _LENGTH)})"
            yield lead, statement, code(change.claim.id), observed, known
    if recovered:
        yield (f"Claims that hold again: {', '.join(recovered)}.",)


def _number_sentences(report: ChangeReport) -> Iterator[Sentence]:
    """Yield one sentence about all tracked numbers that the change moves."""
    moved = [(change, change.moved) for change in report.moved.claims if change.moved]
    if not moved:
        return
    keys = {movement.keys_text for _, movement in moved}
    named = []
    for change, movement in moved[:SHOWN]:
        when = "before"
        # Another change may have moved it already; then the release has a third value.
        if report.release and change.before is not None and change.before.holds:
            when = f"in {report.release}"
        text = f"{change.claim.id} {movement.values_text(when)}"
        if len(keys) > 1:
            text += f" ({movement.keys_text})"
        named.append(text)
    if len(moved) > SHOWN:
        named.append(f"{len(moved) - SHOWN} more")
    verb = "moves" if len(moved) == 1 else "move"
    by = ""
    if len(keys) == 1:
        by = f", by {keys.pop()}"
    yield (f"{plural(len(moved), 'tracked number')} {verb}{by}: {'; '.join(named)}.",)


def rows_text(report: ChangeReport) -> str:
    """Return how many rows and declarations differ, in one sentence."""
    changes = report.changes
    differs = changes.rows or changes.documents or changes.declarations
    if not (differs or report.unread or report.terms):
        return f"Nothing differs between {report.before} and {report.after}."
    by_table: dict[str, Counter[str]] = {}
    for row in changes.rows:
        by_table.setdefault(row.table, Counter())[row.kind] += 1
    parts = []
    for table, kinds in by_table.items():
        numbers = [f"{number} {kind}" for kind, number in kinds.items()]
        parts.append(f"{table}: {', '.join(numbers)}")
    if report.terms:
        parts.append(f"{plural(len(report.terms), 'term')} renamed or merged")
    if changes.follow:
        parts.append(f"{plural(changes.follow, 'reference')} to a renamed key followed")
    if changes.documents:
        entries = Counter(change.document for change in changes.declarations)
        named = []
        for name in changes.documents:
            what = plural(entries[name], "change")
            if not entries[name]:
                what = "the renamed key"
            named.append(f"{name} ({what})")
        parts.append(f"changed: {', '.join(named)}")
    if report.unread:
        parts.append(f"not compared, since it cannot be read: {', '.join(report.unread)}")
    what = "; ".join(parts) or "no row differs"
    return f"From {report.before} to {report.after}: {what}."
