"""`corpus screen`."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain, count, islice

import click

from corpus.cli.change.asking import change, show_summary, verbose_option
from corpus.cli.options import (
    EXISTING_FILE,
    Texts,
    echo,
    echo_grids,
    flag,
    option,
    own_study_option,
    report_findings,
    tell,
    terminal_columns,
)
from corpus.curation.edit.proposal import Cells, assign
from corpus.curation.edit.row_edits import exclusion_log
from corpus.curation.screening.cards import Neighbours, card_text
from corpus.curation.screening.decisions import (
    CONFLICT,
    EXCLUDE,
    INCLUDE,
    MAYBE,
    RESOLVED,
    ROLE,
    CandidateScreening,
    Decision,
    checked_reader,
    decide,
    read_screening,
    screening_flow,
    with_agreed,
)
from corpus.curation.screening.exchange import PROGRAMS, decisions_csv, read_decisions
from corpus.model.finding import RefusedChange, UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid
from corpus.publishing.export.folder import refuse_own_files
from corpus.tables.location import shown_path
from corpus.tables.writing.atomic import write_atomic

_KEYS = "i include, e exclude, m maybe, s skip, b back, n note, d duplicates apart, q quit"
#: What a terminal sends for Enter.
_ENTER = ("\r", "\n")
_QUIT = ("q", "\x03", "\x04", "")
_DECISIONS = {"i": INCLUDE, "m": MAYBE, "e": EXCLUDE}


@click.command()
@option("--reader NAME", "Screen as this reader, who sees nobody else's decisions.")
@flag("--resolve", "Decide the candidates about which readers differ.")
@flag("--status", "Show the flow of records and what is open.")
@flag("--rank", "Show the likeliest inclusions first; excludes nothing.")
@flag("--apply", "Move agreed exclusions into the log.", "apply_")
@option(
    "--set COLUMN=VALUE",
    "With --apply: a cell that candidates do not have; repeatable.",
    "assignments",
    multiple=True,
)
@option("--export FILE", "Write the candidates and this reader's decisions.", type=click.Path())
@option(
    "--for",
    "Write the export for this program.",
    "program",
    type=click.Choice(PROGRAMS),
    default=PROGRAMS[0],
)
@option(
    "--import FILE",
    "Read this reader's decisions from a spreadsheet, Rayyan or ASReview.",
    "source",
    type=EXISTING_FILE,
)
@flag("--replace", "With --import: change earlier decisions of this reader.")
@flag("--force", "With --import: go on where the summary of FILE does not add up.")
@verbose_option
@own_study_option
def screen(
    reader: str | None,
    resolve: bool,
    status: bool,
    rank: bool,
    apply_: bool,
    assignments: Texts,
    export: str | None,
    program: str,
    source: str | None,
    replace: bool,
    force: bool,
    verbose: bool,
    study: Study,
) -> None:
    """Decide about candidates, one card after the other.

    Keys decide: i include, e exclude with stage and reason (Enter: those of the last one), m maybe,
    s skip, b back, n note, q quit. Candidates with nearly the same title are on one card and get
    one decision; d takes them apart. Each decision is on disk before the next card. Works to
    include stay candidates until `corpus add --include` makes them entries; --apply moves agreed
    exclusions into the exclusion log.
    """
    actions = [resolve, status, apply_, export is not None, source is not None]
    if sum(actions) > 1:
        raise UsageProblem("--resolve, --status, --apply, --export and --import exclude each other")
    screening = read_screening(study)
    if status:
        _show_status(study, screening)
    elif apply_:
        _apply(study.root, assignments)
    elif resolve:
        _screen(study, screening, RESOLVED, screening.with_outcome(CONFLICT))
    else:
        if reader is None:
            raise UsageProblem("name yourself with --reader NAME")
        name = checked_reader(reader)
        if export is not None:
            refuse_own_files(study, export)
            write_atomic(export, decisions_csv(screening, name, program))
        elif source is not None:
            today = date.today().isoformat()
            shown = shown_path(source)
            read, summary = read_decisions(source, shown, screening, name, today, replace, force)
            decide(study.root, read)
            tell(f"{len(read)} decisions of {name} read")
            show_summary(summary, verbose)
        else:
            waiting = screening.waiting(name)
            if rank:
                waiting = _ranked(screening, name)
            _screen(study, screening, name, waiting)


def _apply(folder: str, assignments: Sequence[str]) -> None:
    def make(now: Study) -> Study:
        log = exclusion_log(now.codebook).name
        given: Cells = {log: {}}
        assign(given, assignments, now.codebook)
        return with_agreed(now, given[log])

    change(folder, make, dry_run=False)


def _show_status(study: Study, screening: CandidateScreening) -> None:
    decided = {}
    for reader in screening.readers:
        decided[reader] = len(screening.candidates) - len(screening.waiting(reader))
    for title, numbers in (("Flow of records", screening_flow(study)), ("Decided by", decided)):
        if numbers:
            rows = tuple((name, str(number)) for name, number in numbers.items())
            echo_grids([Grid(title, ("box", "number"), rows, frozenset({1}))])


def _ranked(screening: CandidateScreening, reader: str) -> list[str]:
    """Order what waits by a model of what this reader decided, and tell how good the order is."""
    # It imports scikit-learn, an extra.
    from corpus.curation.screening.ranking import rank

    ranking = rank(screening, reader)
    tell(
        f"Ranked by {ranking.decisions} decisions, {ranking.included} of them inclusions. Past "
        f"decisions in this order: AUC {ranking.auc:.2f}; 95 % of the inclusions after "
        f"{ranking.effort:.0%} of the records."
    )
    for warning in ranking.warnings:
        tell(f"Warning: {warning}.")
    for key, terms in islice(ranking.order.items(), 5):
        title = screening.candidates[key].title
        tell(f"  {title[:70]}: {', '.join(terms)}")
    return list(ranking.order)


class _ThinkAgain(Exception):
    """Raised where the reader goes back to the card."""


def _screen(study: Study, screening: CandidateScreening, reader: str, queue: Sequence[str]) -> None:
    """Show card after card until the queue ends or the reader quits."""
    neighbours = Neighbours(study, screening.candidates)
    stages, reasons = _stages(study), _rules(study, "exclusion")
    shown_rules = {**_rules(study, "inclusion"), **reasons}
    note = ""
    last = Decision("", reader, EXCLUDE)
    apart: set[str] = set()
    #: The candidates of each card that was decided or skipped.
    done: list[list[str]] = []
    while True:
        passed = set(chain.from_iterable(done))
        left = [key for key in queue if key not in passed]
        if not left:
            break
        candidate = left[0]
        work = screening.candidates[candidate]
        card = [candidate]
        like, same = neighbours.near(candidate)
        if candidate not in apart:
            waiting = set(left) - apart
            card += [key for key in same if key in waiting]
        where = f"{queue.index(candidate) + 1} of {len(queue)}"
        echo(card_text(work, where, like, shown_rules, terminal_columns() or 80))
        for other in card[1:]:
            echo(f"Decided with it: {screening.candidates[other].title}\n")
        if reader == RESOLVED:
            for one in screening.about(candidate):
                words = filter(None, (one.decision, one.stage, one.reason, one.note))
                echo(f"{one.reader}: {', '.join(words)}\n")
        key = _key(_KEYS)
        if key in _QUIT:
            break
        if key == "d":
            apart.update(card)
            continue
        if key == "n":
            note = click.prompt("note", default="", show_default=False).strip()
            continue
        if key == "b":
            # Going back takes the decision back: the card is open again.
            if done:
                decide(study.root, [Decision(name, reader, "") for name in done.pop()])
        elif key in _DECISIONS:
            today = date.today().isoformat()
            decision = Decision(candidate, reader, _DECISIONS[key], note=note, date=today)
            try:
                if key == "e":
                    # Enter answers with those of the last exclusion.
                    stage = _choice("stage", stages, last.stage)
                    reason = _choice("reason", reasons, last.reason)
                    decision = decision._replace(stage=stage, reason=reason)
                decide(study.root, [decision._replace(candidate=name) for name in card])
            except _ThinkAgain:
                continue
            except RefusedChange as refused:
                report_findings(refused.findings)
            else:
                done.append(card)
                if key == "e":
                    last = decision
        elif key == "s":
            done.append([candidate])
        else:
            tell(f"{key!r} is not one of the keys")
            continue
        note = ""
    tell(f"{len(left)} left")


def _key(prompt: str) -> str:
    click.echo(f"{prompt}: ", nl=False)
    try:
        key = click.getchar().lower()
    except (EOFError, KeyboardInterrupt):
        key = "q"
    click.echo(key if key.isprintable() else "")
    return key


def _choice(what: str, choices: Mapping[str, str], last: str) -> str:
    """Let the reader choose by number, or the `last` choice by Enter; empty without choices."""
    numbered = dict(zip(map(str, count(1)), choices, strict=False))
    for number, name in numbered.items():
        click.echo(f"  {number} {terminal(name)}: {terminal(choices[name])}")
    prompt = f"{what} (0 to go back)"
    if last:
        prompt = f"{what} (0 to go back, Enter for {terminal(last)})"
    answer = ""
    while choices and answer not in numbered:
        if len(choices) <= 9:
            answer = _key(prompt)
        else:
            # One key is not enough for a number of two digits.
            given = click.prompt(f"{prompt}, then Enter", default="", show_default=False)
            answer = given.strip().lower() or "\n"
        if last and answer in _ENTER:
            return last
        if answer in ("0", *_QUIT, *_ENTER):
            raise _ThinkAgain
    return numbered.get(answer, "")


def _stages(study: Study) -> dict[str, str]:
    """Return the stages that the table of decisions knows, else those of the protocol."""
    column = study.table_of(ROLE).spec.by_role("stage")
    if column is not None and column.type == "term":
        vocabulary = study.codebook.vocabulary_of(column)
        return {term.id: term.definition or term.label for term in vocabulary.terms}
    return _rules(study, "stages")


def _rules(study: Study, section: str) -> dict[str, str]:
    """Return a section of the protocol: id -> text."""
    items = study.declared_items("protocol", section)
    return {
        name: str(item.get("text") or item.get("definition") or "") for name, item in items.items()
    }
