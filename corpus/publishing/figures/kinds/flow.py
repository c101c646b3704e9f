"""The flow of records as boxes and arrows in the manner of PRISMA 2020.

Works are identified, audited, excluded stage by stage, and retained by group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import NamedTuple

from corpus.analysis.counting.identification import DUPLICATES, Identification, identification
from corpus.canvas.paper import LINE, MARGIN, Paper, line_height, text_width, wrap
from corpus.canvas.style import INK, SHADES, TEXT
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.documents.section import Section
from corpus.model.finding import CorpusError, Rule
from corpus.model.study import Study
from corpus.publishing.figures.figure_plan import NOT_GIVEN, Counting, Frame, Value, group_of
from corpus.tables.fast.tally import contingency_of

FLOW = Rule(
    "C801",
    "{problem}",
    "correct the table",
    title="Flow does not add up",
    reason="In a screening flow every box is the difference or the sum of its neighbours.",
)


#: The label of the records that the table of reasons does not have.
UNCODED = "reason not coded"

#: In inches: width of the upright bands, padding of a box, height of an arrow, distance of the
#: lines of a box from its heading.
_BAND, _PAD, _GAP, _SKIP = 0.2, 0.07, 0.17, 0.03

#: The fill of what does not go on.
_ASIDE = "#f6f6f6"


def read_flow(section: Section) -> Counting:
    """Read the group of the retained entries, and the table and column of reasons."""
    log = staged_log(section.book)
    if log is None:
        problem = "a flow needs a table of role 'exclusions' with a column of role 'stage'"
        section.mistake("kind", problem)
    table, reason, reference = section.table("reasons", ""), None, None
    if section.has("reasons"):
        reason = section.term_column("reason", table)
    if table is not None:
        reference = log and table.reference_to(log)
        if log is not None and reference is None:
            problem = f"table {table.name} has no column of type 'ref' into the exclusion log"
            section.mistake("reasons", problem)
    group = group_of(section)
    # An entry of two groups would be in two of the boxes.
    if group is not None and group.separator:
        problem = f"{group.name} holds several terms per cell, so the boxes would not add up"
        section.mistake("group", problem)

    def count(study: Study) -> Flow:
        """Follow the records from the audit to the retained entries.

        Every box must be the difference or the sum of its neighbours (C801).
        """
        assert log is not None  # else it was a mistake
        assert group is not None
        book, records = study.codebook, study.tables[log.name]
        column = log.by_role("stage")
        assert column is not None  # it is the log that has stages
        coded: dict[str, list[str]] = {}
        if table and reason and reference:
            labels = book.vocabulary_of(reason).labels
            for row in study.tables[table.name].placed():
                # An empty cell codes nothing: its record is counted as not coded.
                for value in row.terms(reason.name):
                    coded.setdefault(row.cell(reference.name), []).append(labels[value])
        excluded: Counter[str] = Counter()
        reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
        cells = zip(records.column(log.key[0]), records.column(column.name), strict=True)
        for record, stage in cells:
            excluded[stage] += 1
            if table is not None:
                reasons[stage].update(coded.get(record, [UNCODED]))
        found = identification(study)
        for stage, number in found.excluded_before.items():
            excluded[stage] += number
            if table is not None:
                reasons[stage][UNCODED] += number
        retained = len(study.pool.rows)
        audited = reached = retained + excluded.total()
        problems = list(found.problems(len(records.rows))) if found.is_recorded else []
        # A log knows where a record was excluded, so that each stage is reached by what is left.
        stages = []
        for term in book.vocabulary_of(column).terms:
            # By frequency, then by label; last the records that are not coded.
            ranked = sorted(
                reasons[term.id].items(), key=lambda pair: (pair[0] == UNCODED, -pair[1], pair)
            )
            number, given = excluded[term.id], reasons[term.id].total()
            if given not in (0, number):
                problems.append(
                    f"{given} reasons are coded for the {number} records excluded at {term.id}"
                )
            stages.append(FlowStage(term.id, term.label, reached, number, ranked))
            reached -= number
        if reached != retained:
            problems.append(
                f"{reached} records pass every stage, but {retained} entries are retained"
            )
        if problems:
            raise CorpusError([FLOW.at(records.file, problem=problem) for problem in problems])
        margin = contingency_of(study).margin(group.name)
        groups = [(label, margin.of(term)) for term, label in margin.vocabulary.labels.items()]
        if margin.empty:
            groups.append((NOT_GIVEN, margin.empty))
        return Flow(audited, stages, retained, groups, found if found.is_recorded else None)

    return count


def staged_log(book: Codebook) -> TableSpec | None:
    """Return the exclusion log that records the stage of each exclusion, if there is one."""
    for log in book.by_role("exclusions"):
        if log.by_role("stage"):
            return log
    return None


class FlowStage(NamedTuple):
    """One stage: the records that reached it, and those excluded at it.

    `reasons` are (label, records), the most frequent first.
    """

    id: str
    label: str
    reached: int
    excluded: int
    reasons: Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Flow:
    """All records.

    Attributes
    ----------
    audited, retained : int
        Records in pool and log, and entries of the pool.
    stages : sequence of FlowStage
        In the order of screening.
    groups : sequence of (str, int)
        The retained entries by label of the group, those without one last.
    identified : Identification or None
        Where the works come from; None where no search, list or candidate is recorded.
    """

    audited: int
    stages: Sequence[FlowStage]
    retained: int
    groups: Sequence[tuple[str, int]]
    identified: Identification | None = None

    def frame(self) -> Frame:
        """Return one row per box or reason."""
        return Frame(("box", "stage", "item", "records"), list(self._rows()))

    def _rows(self) -> Iterator[tuple[Value, ...]]:
        if found := self.identified:
            for box, _, number in found.boxes():
                yield box, "", "", number
            if found.verdicts:
                yield "Identified from lists of others", "", "", found.in_lists
            for verdict, works in found.verdicts:
                yield "verdict", "", verdict, works
        yield "audited", "", "", self.audited
        for stage in self.stages:
            yield "reached", stage.id, "", stage.reached
            yield "excluded", stage.id, "", stage.excluded
            for reason, records in stage.reasons:
                yield "reason", stage.id, reason, records
        yield "retained", "", "", self.retained
        for group, records in self.groups:
            yield "group", "", group, records

    def draw(self, width: float, title: str) -> Paper:
        """Draw how works were found, every stage with its exclusions, and the retained entries."""
        paper = Paper(width, title)
        chart = _Chart(paper)
        if found := self.identified:
            start = paper.y
            chart.sources(found)
            set_aside = [verdict for verdict in found.verdicts if verdict[0] not in found.scope]
            if set_aside:
                works = found.in_lists + found.new + found.otherwise + found.screened_before
                found_in_all = _counted("Works found", works)
                number = sum(number for _, number in set_aside)
                aside = _counted("Not screened", number)
                chart.step(found_in_all, aside, [_counted(*verdict) for verdict in set_aside])
            waiting = _counted("Awaiting assessment", found.waiting)
            chart.step(_counted("Records to screen", found.audited + found.waiting), waiting, [])
            chart.band(start, "Identification")
            chart.arrow_down()
        start = paper.y
        # Not "screened": an entry that was added by hand may be on no list that was screened.
        chart.box(chart.left, chart.width, _counted("Works assessed", self.audited))
        for stage in self.stages:
            # A log knows the stage that decided, not which records were looked at in each stage.
            remaining = _counted(f"Remaining before {stage.label}", stage.reached)
            excluded = _counted("Records excluded", stage.excluded)
            chart.step(remaining, excluded, [_counted(*reason) for reason in stage.reasons])
        chart.band(start, "Screening")
        start = chart.arrow_down()
        groups = [_counted(*group) for group in self.groups]
        head = _counted("Studies included in the pool", self.retained)
        chart.box(chart.left, paper.right - chart.left, head, groups, SHADES[3])
        chart.band(start, "Included")
        return paper


def _counted(words: str, number: int) -> str:
    """Return words with a number as PRISMA writes it, in one piece."""
    return f"{words} (n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{number})"


class _Chart:
    """Boxes on the left (what goes on) and on the right (what does not), and the bands of phases.

    Parameters
    ----------
    paper : Paper
        Where to draw; boxes begin at its current height.
    """

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.left = MARGIN + _BAND + 0.1
        self.width = (paper.right - self.left) * 0.42
        #: Where the arrows run down.
        self.middle = self.left + self.width / 2

    def box(
        self, x: float, width: float, head: str, lines: Sequence[str] = (), fill: str = "white"
    ) -> None:
        """Draw a box with wrapped heading and lines, and move below it."""
        paper = self.paper
        heads = wrap(head, width - 2 * _PAD, TEXT, "bold")
        wrapped = list(chain.from_iterable(wrap(line, width - 2 * _PAD) for line in lines))
        head_height = len(heads) * line_height(TEXT)
        lines_height = len(wrapped) * LINE
        skip = _SKIP * bool(wrapped)
        height = head_height + skip + lines_height + 2 * _PAD
        paper.rect((x, paper.y, width, height), fill, edge=INK, line=0.7)
        top = paper.y + _PAD
        paper.lines(x + _PAD, top + head_height / 2, heads, TEXT, weight="bold")
        paper.lines(x + _PAD, top + head_height + skip + lines_height / 2, wrapped)
        paper.y += height

    def arrow_down(self) -> float:
        """Draw an arrow to the next box on the left; return where that box begins."""
        end = self.paper.y + _GAP
        self.paper.arrow((self.middle, self.paper.y), (self.middle, end))
        self.paper.y = end
        return end

    def step(self, goes_on: str, aside: str, lines: Sequence[str]) -> None:
        """Draw the next box on the left, and an arrow to what does not go on from there."""
        paper = self.paper
        top = self.arrow_down()
        self.box(self.left, self.width, goes_on)
        left_end = paper.y
        paper.y = top
        right = self.left + self.width + 0.28
        self.box(right, paper.right - right, aside, lines, _ASIDE)
        arrow = top + _PAD + line_height(TEXT) / 2
        paper.arrow((self.left + self.width, arrow), (right, arrow))
        if paper.y > left_end:
            paper.vertical(self.middle, left_end, paper.y, INK, 0.8)
        paper.y = max(left_end, paper.y)

    def sources(self, found: Identification) -> None:
        """Draw a box for each way in which works were found, and a line that collects them."""
        boxes = []
        if found.reported:
            lines = list(starmap(_counted, found.identified))
            if DUPLICATES in found.reported:
                lines.append(_counted("duplicates removed", found.reported[DUPLICATES]))
            boxes.append((_counted("Screened by the review before", found.screened_before), lines))
        if found.sources:
            lines = [_counted(source.source, source.records) for source in found.sources]
            lines.append(_counted("duplicates and known works removed", found.duplicates))
            boxes.append((_counted("New from searches", found.new), lines))
        if found.verdicts:
            boxes.append((_counted("Identified from lists of others", found.in_lists), []))
        boxes.append((_counted("Identified in other ways", found.otherwise), []))
        paper = self.paper
        top = paper.y
        width = (paper.right - self.left - (len(boxes) - 1) * _PAD) / len(boxes)
        ends: dict[float, float] = {}
        for number, (head, lines) in enumerate(boxes):
            left = self.left + number * (width + _PAD)
            paper.y = top
            self.box(left, width, head, lines)
            ends[left + width / 2] = paper.y
        paper.y = max(ends.values()) + _GAP / 2
        for middle, end in ends.items():
            paper.vertical(middle, end, paper.y, INK, 0.8)
        paper.horizontal(min(*ends, self.middle), max(ends), paper.y, INK, 0.8)

    def band(self, top: float, name: str) -> None:
        """Draw the upright band that names a phase; without a name if it is short."""
        bottom = self.paper.y
        self.paper.rect((MARGIN, top, _BAND, bottom - top), SHADES[0])
        length = text_width(name, weight="bold")
        if length < bottom - top - 0.04:
            lower_end = (top + bottom + length) / 2
            x = MARGIN + _BAND / 2 + 0.005
            self.paper.text(x, lower_end, name, color="white", weight="bold", is_upright=True)
