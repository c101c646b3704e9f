"""`corpus verify`."""

from datetime import date, timedelta
from functools import partial

import click

from corpus.cli.options import (
    Texts,
    completing,
    dry_run_option,
    echo,
    flag,
    option,
    own_study_option,
    tell,
)
from corpus.curation.edit.revision import revise
from corpus.curation.edit.source_record import Differences, differences, stored_records, verified
from corpus.curation.lookup.lookup_rules import WITHDRAWN
from corpus.curation.lookup.services import look_up
from corpus.curation.lookup.transport import PoliteClient
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.model.table import LocatedRow
from corpus.printing.grid import plural

#: Seconds between two questions; arXiv asks for three.
PAUSE = 3.0
#: After so many answers that fail one after the other, the network is the reason.
_FAILURES = 3


@click.command()
@click.argument("keys", metavar="[KEY]...", nargs=-1, shell_complete=completing("keys"))
@flag("--all", "Ask about every entry and excluded record.", "all_")
@option(
    "--older-than DAYS",
    "With --all, leave out what was read in the last DAYS days.",
    type=click.IntRange(0, 10_000),
    default=30,
)
@dry_run_option("Show what differs and write nothing.")
@own_study_option
def verify(keys: Texts, all_: bool, older_than: int, dry_run: bool, study: Study) -> None:
    """Compare source records with what the sources state now.

    What differs is written into the table of source records, as a change to review; `corpus check`
    then shows where pool, exclusion log and bibliography disagree with it. Each answer is saved at
    once, so a run with --all that was interrupted goes on where it stopped.

    A source that asks to wait is asked again after the time that it names.

    Exit code 1 where a source states something else, or could not be asked.
    """
    if bool(keys) == all_:
        raise UsageProblem("name entries, or give --all")
    records = stored_records(study)
    described = {record.key for record in records}
    for key in keys:
        # An excluded record has source records, too; any other name is that of an entry or wrong.
        if key not in described:
            study.entry(key)
    since = (date.today() - timedelta(days=older_than)).isoformat()
    chosen = []
    for record in records:
        is_asked = record.key in keys or (all_ and record.by_role.get("read_on", "") <= since)
        # An address is read by people.
        if is_asked and "://" not in record.identifier:
            chosen.append(record)
    differing = failed = in_a_row = 0
    client = PoliteClient(PAUSE)
    for record in chosen:
        try:
            differing += _verify(record, study.root, dry_run, client)
            in_a_row = 0
        except CorpusError as problem:
            failed += 1
            in_a_row += 1
            for finding in problem.findings:
                tell(f"{record.key}: {finding.message}")
            if in_a_row == _FAILURES:
                tell("stopped: the sources cannot be asked now")
                break
    tell(f"{plural(len(chosen), 'source record')}: {differing} differ, {failed} not answered")
    if differing or failed:
        raise SystemExit(1)


def _verify(record: LocatedRow, folder: str, dry_run: bool, client: PoliteClient) -> bool:
    """Ask for one record and save the answer; return whether something differs."""
    changes: Differences = {}
    try:
        work = client.answer(partial(look_up, record.identifier.removeprefix("DOI:")))
        changes = differences(record.by_role, work)
    except CorpusError as problem:
        if problem.findings[0].code != WITHDRAWN.code:
            raise
        before = record.by_role.get("status", "")
        if before != "withdrawn":
            changes["status"] = (before, "withdrawn")
    for role, (before, after) in changes.items():
        said = f"{before or 'nothing'} -> {after}"
        echo(f"{record.key}, {record.identifier}: {role}: {said}")
    if not dry_run:
        today = date.today().isoformat()
        revise(folder, partial(verified, record=record, changes=changes, today=today))
    return bool(changes)
