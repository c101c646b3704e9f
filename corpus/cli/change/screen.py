"""`corpus screen`."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from itertools import count

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
from corpus.curation.screening.cards import card_text, known_titles, like_titles
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

_KEYS = "i include, e exclude, m maybe, s skip, b back, n note, q quit"
_QUIT = ("q", "\x03", "\x04", "")
_DECISIONS = {"i": INCLUDE, "m": MAYBE, "e": EXCLUDE}


@click.command()
@option("--reader NAME", "Screen as this reader, who sees nobody else's decisions.")
@flag("--resolve", "Decide the candidates about which readers differ.")
@flag("--status", "Show the flow of records and what is open.")
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

    Keys decide: i include, e exclude with stage and reason, m maybe, s skip, b back, n note, q
    quit. Each decision is on disk before the next card. Works to include stay candidates until
    `corpus add --include` makes them entries; --apply moves agreed exclusions into the exclusion
    log.
    """
    actions = [resolve, status, apply_, export is not None, source is not None]
    if sum(actions) > 1:
        raise UsageProblem("--resolve, --status, --apply, --export and --import exclude each other")
    screening = read_screening(study)
    if status:
        _show_status(study, screening)
    elif apply_:
        log = exclusion_log(study.codebook).name
        given: Cells = {log: {}}
        assign(given, assignments, study.codebook)
        change(study.root, partial(with_agreed, given=given[log]), dry_run=False)
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
            _screen(study, screening, name, screening.waiting(name))


def _show_status(study: Study, screening: CandidateScreening) -> None:
    decided = {}
    for reader in screening.readers:
        decided[reader] = len(screening.candidates) - len(screening.waiting(reader))
    for title, numbers in (("Flow of records", screening_flow(study)), ("Decided by", decided)):
        if numbers:
            rows = tuple((name, str(number)) for name, number in numbers.items())
            echo_grids([Grid(title, ("box", "number"), rows, frozenset({1}))])


def _screen(study: Study, screening: CandidateScreening, reader: str, queue: Sequence[str]) -> None:
    """Show card after card until the queue ends or the reader quits."""
    titles = known_titles(study, screening.candidates)
    stages, reasons = _stages(study), _rules(study, "exclusion")
    shown_rules = {**_rules(study, "inclusion"), **reasons}
    note = ""
    place = 0
    while place < len(queue):
        candidate = queue[place]
        where = f"{place + 1} of {len(queue)}"
        like = like_titles(titles, candidate)
        work = screening.candidates[candidate]
        echo(card_text(work, where, like, shown_rules, terminal_columns() or 80))
        if reader == RESOLVED:
            for one in screening.about(candidate):
                words = filter(None, (one.decision, one.stage, one.reason, one.note))
                echo(f"{one.reader}: {', '.join(words)}\n")
        key = _key(_KEYS)
        if key in _QUIT:
            break
        if key == "n":
            note = click.prompt("note", default="", show_default=False).strip()
            continue
        if key == "b":
            # Going back takes the decision back: the card is open again.
            if place:
                place -= 1
                decide(study.root, [Decision(queue[place], reader, "")])
        elif key in _DECISIONS:
            today = date.today().isoformat()
            decision = Decision(candidate, reader, _DECISIONS[key], note=note, date=today)
            try:
                if key == "e":
                    stage, reason = _choice("stage", stages), _choice("reason", reasons)
                    decision = decision._replace(stage=stage, reason=reason)
                decide(study.root, [decision])
                place += 1
            except _ThinkAgain:
                continue
            except RefusedChange as refused:
                report_findings(refused.findings)
        elif key == "s":
            place += 1
        else:
            tell(f"{key!r} is not one of the keys")
            continue
        note = ""
    tell(f"{len(queue) - place} left")


def _key(prompt: str) -> str:
    click.echo(f"{prompt}: ", nl=False)
    try:
        key = click.getchar().lower()
    except (EOFError, KeyboardInterrupt):
        key = "q"
    click.echo(key if key.isprintable() else "")
    return key


class _ThinkAgain(Exception):
    """Raised where the reader goes back to the card."""


def _choice(what: str, choices: Mapping[str, str]) -> str:
    """Let the reader choose by number; empty without choices."""
    if not choices:
        return ""
    numbered = dict(zip(map(str, count(1)), choices, strict=False))
    for number, name in numbered.items():
        click.echo(f"  {number} {terminal(name)}: {terminal(choices[name])}")
    prompt = f"{what} (0 to go back)"
    answer = ""
    while answer not in numbered:
        if len(choices) <= 9:
            answer = _key(prompt)
        else:
            # One key is not enough for a number of two digits.
            answer = click.prompt(f"{prompt}, then Enter", default="", show_default=False).strip()
        if answer in ("0", "\r", "\n", *_QUIT):
            raise _ThinkAgain
    return numbered[answer]


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
