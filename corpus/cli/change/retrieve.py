"""Commands that ask services and read lists: `retrieve`, `coverage` and `verify`."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import click

from corpus.analysis.bibliography.identity import ASK
from corpus.analysis.bibliography.same_works import SamePair, pairs_csv
from corpus.cli.change.asking import (
    confirm,
    report_written,
    show_reading,
    show_summary,
    verbose_option,
)
from corpus.cli.options import (
    EXISTING_FILE,
    Texts,
    completing,
    data_option,
    dry_run_option,
    echo,
    echo_grids,
    echo_report,
    flag,
    format_option,
    option,
    own_study_option,
    tell,
    top_option,
)
from corpus.curation.coverage.coverage import (
    ROLE,
    coverage,
    coverage_grids,
    coverage_json,
    read_list,
    with_unseen,
)
from corpus.curation.edit.revision import revise
from corpus.curation.edit.row_edits import edited
from corpus.curation.importing.readers.reading import FORMATS
from corpus.curation.lookup.transport import PoliteClient, Unreachable
from corpus.curation.retrieval.candidates import CANDIDATES, LOG, listed_candidates, log_run
from corpus.curation.retrieval.citations import CitationChase
from corpus.curation.retrieval.published import preprints, published_version
from corpus.curation.retrieval.searches import CITATIONS, Search, read_searches
from corpus.curation.retrieval.sources import SOURCES, Retrieval, forget, retrieve
from corpus.model.finding import CorpusError, Finding, UsageProblem, unknown
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.printing.grid import Grid, plural
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data, shown_path
from corpus.tables.writing.atomic import write_atomic
from corpus.tables.writing.lock import writable_data

_DECLARE = (
    "declare it in searches.toml under [[searches]]; the records of a list, or of a database "
    "without an interface, are read by: corpus retrieve {} --from FILE"
)

pairs_option = option(
    "--pairs FILE",
    "Write what was taken for one work, and what a person has to decide, as CSV.",
    type=click.Path(dir_okay=False),
)


@click.command()
@click.argument("ids", metavar="[SEARCH]...", nargs=-1)
@flag("--check", "Only list the searches, and check queries and keys; ask nobody.", "check_only")
@option(
    "--from FILE",
    "Read the export of a database instead of asking it.",
    "export",
    type=EXISTING_FILE,
)
@option(
    "--format",
    "Read the export as this format; by default as it shows.",
    "format_",
    type=click.Choice(list(FORMATS)),
)
@option(
    "--date DAY", "Day of the export; by default today.", "day", type=click.DateTime(["%Y-%m-%d"])
)
@flag("--force", "With --from: go on where the summary of FILE does not add up.")
@pairs_option
@verbose_option
@data_option
def retrieve_command(
    ids: Texts,
    check_only: bool,
    export: str | None,
    format_: str | None,
    day: datetime | None,
    force: bool,
    pairs: str | None,
    verbose: bool,
    data: str | None,
) -> None:
    """Run the searches of the protocol, and collect candidates.

    SEARCH is the id of a search in searches.toml; without one, all that have an interface run.
    Works that pool, log or an earlier verdict have are dropped; the others become candidates, and
    each run becomes a row of the log of searches. Nothing enters the pool. What was taken for a
    known work is listed with its twin; what may be one is a candidate and a pair to be decided.

    A run that is interrupted goes on where it stopped.
    """
    folder = find_data(data) if check_only else writable_data(data)
    study = load_corpus(folder)
    searches = read_searches(study)
    if check_only:
        rows = tuple((s.id, s.source, s.first, s.last, s.query) for s in searches.values())
        echo_grids([Grid("", ("search", "source", "from", "to", "query"), rows)])
        tell(f"{len(searches)} searches, no mistake")
        sources = {search.source for search in searches.values()}
        if CITATIONS in sources:
            sources.update(("openalex", "semanticscholar"))
        for service in [SOURCES[name].service for name in SOURCES if name in sources]:
            if service.lacking:
                tell(f"{service.name} may refuse to answer{service.lacking}")
        return
    for role in (CANDIDATES, LOG):
        study.table_of(role)
    for name in ids:
        if name not in searches:
            raise UsageProblem(f"{unknown('search', name, searches)}; {_DECLARE.format(name)}")
    if not searches:
        raise UsageProblem(f"searches.toml has no search yet; {_DECLARE.format('ID')}")
    # Without names: every search that a service can be asked.
    named = dict.fromkeys(ids or [name for name in searches if searches[name].has_interface])
    chosen = [searches[name] for name in named]
    if export is not None:
        if len(ids) != 1:
            raise UsageProblem("--from reads the export of one search; name it")
        (search,) = chosen
        read = read_list(export, shown_path(export), search.id, format_, force, titled=True)
        number = len(read.records.rows)
        found = Retrieval(search, _day(day), [*read.works], number, digest=read.digest)
        _log(folder, found, search.source, pairs)
        show_summary(read.summary, verbose)
        return
    if day is not None or format_ is not None:
        raise UsageProblem("--date and --format go with --from")
    # Before anybody is asked: a mistake in the last name must not hide what the first run gave.
    exported = [search.id for search in chosen if not search.has_interface]
    if exported or not chosen:
        raise UsageProblem(
            f"no service is known here that can be asked for {', '.join(exported) or 'a search'}: "
            "export the records of its database, then: corpus retrieve ID --from FILE"
        )
    # One source that cannot be reached must not keep the others from being asked; its other
    # searches would wait for nothing.
    unreachable: dict[str, Finding] = {}
    findings = []
    for search in chosen:
        try:
            if search.source not in unreachable:
                _run(search, study, pairs)
        except Unreachable as problem:
            # A line per source: the address is a query of several hundred characters.
            unreachable[search.source] = problem.findings[0]._replace(file=search.source)
        except CorpusError as problem:
            findings += problem.findings
    findings += unreachable.values()
    if findings:
        raise CorpusError(findings)


def _day(day: datetime | None) -> str:
    return (day or datetime.now()).date().isoformat()


def _run(search: Search, study: Study, pairs: str | None) -> None:
    folder, advance = study.root, None
    if search.source == CITATIONS:
        chase = CitationChase(study, search)
        search, advance, pause = chase.search, chase.advance, SOURCES["semanticscholar"].pause
        source = " and ".join(chase.services)
        tell(f"{search.id}: asks {source} for {search.query}")
        if chase.without:
            tell(f"{search.id}: neither DOI nor arXiv id: {', '.join(chase.without)}")
    else:
        source, pause = SOURCES[search.source].service.name, SOURCES[search.source].pause
    client = PoliteClient(pause)
    # Each page is on disk before the next is asked for; `found` is the run as it is by then.
    for number, found in enumerate(retrieve(search, folder, client, _day(None), advance), 1):
        hits = "" if found.hits is None else f" of {found.hits}"
        # Citations are asked entry by entry: thousands of short answers.
        if not advance or found.is_complete or number % 50 == 0:
            tell(f"{search.id}: {len(found.records)}{hits} records")
    # In this order: a kill between the two repeats a run that the log already has.
    _log(folder, found, source, pairs)
    forget(search, folder)
    if found.skipped:
        tell(f"{search.id}: {found.skipped} records without a title left out")
    if found.unknown:
        tell(f"{search.id}: not known there: {', '.join(found.unknown)}")
    more = (found.hits or 0) - len(found.records) - found.skipped
    if more > 0 or (advance and len(found.records) == search.most):
        tell(
            f"{search.id}: {more if more > 0 else 'further'} records were not retrieved, since "
            f"`most` is {search.most}; narrow the query or raise it"
        )


def _log(folder: str, found: Retrieval, source: str, pairs_file: str | None) -> None:
    told = "this run is in the log already"
    outcomes, pairs = log_run(folder, found, source)
    if outcomes:
        told = "{new} new candidates; {known} known, {again} found again, {repeated} repeated"
    tell(f"{found.search.id}: {told.format(**outcomes)}")
    _show_pairs(pairs, pairs_file)


#: So many pairs are printed; all of them are in the file.
_FEW_PAIRS = 5


def _show_pairs(pairs: Sequence[SamePair], file: str | None) -> None:
    """Print what was taken for one work by its title, and what a person has to decide."""
    if file:
        write_atomic(file, pairs_csv(pairs))
    listed = [pair for pair in pairs if ":" not in pair.judged.reason]
    for pair in listed[:_FEW_PAIRS]:
        twin = pair.location or pair.twin.title
        tell(f"  {pair.judged.verdict}: {pair.record.title} = {twin} ({pair.judged.reason})")
    number = sum(pair.judged.verdict == ASK for pair in pairs)
    if number or len(listed) > _FEW_PAIRS:
        where = f"all pairs are in {file}" if file else "--pairs FILE writes all pairs"
        tell(f"  taken for one work: {len(pairs) - number}; to be decided: {number}; {where}")


@click.command()
@option(
    "--against FILE",
    "Compare with this list; repeatable.",
    "files",
    multiple=True,
    type=EXISTING_FILE,
)
@click.argument("more", nargs=-1, metavar="[FILE]...", type=EXISTING_FILE)
@option(
    "--name NAME",
    "Call the lists so, in their order; by default as their files.",
    "names",
    multiple=True,
)
@option(
    "--version TEXT",
    "The version of each list, in their order: a commit, an edition, a date.",
    "versions",
    multiple=True,
)
@option(
    "--from",
    "Read the lists as this format; by default as they show.",
    "from_",
    type=click.Choice(list(FORMATS)),
)
@flag("--write", "Add the unseen works to the table of coverage.")
@flag("--candidates", "Make the works whose verdict is in scope candidates, and stop.", "collect_")
@flag("--force", "Go on where the summary of a list does not add up.")
@pairs_option
@verbose_option
@top_option(20, "Print at most this many unseen works.")
@format_option("text", "markdown", "json")
@data_option
def coverage_command(
    files: Texts,
    more: Texts,
    names: Texts,
    versions: Texts,
    from_: str | None,
    write: bool,
    collect_: bool,
    force: bool,
    pairs: str | None,
    verbose: bool,
    top: int,
    format_: str,
    data: str | None,
) -> None:
    """Compare other people's lists with the corpus, to find what it has missed.

    Takes everything that `corpus init` reads. Works are recognised by identifiers, authors, year
    and title; pairs that these leave open are listed. With --write every unseen work becomes a row
    of the table of coverage, which waits for a verdict and its reason; a claim of the kind
    "covered" holds once none waits. Works whose verdict is in the group in_scope become candidates
    by --candidates.
    """
    # A shell expands a pattern after --against to one value and arguments.
    paths = (*files, *more)
    if collect_:
        if paths or write:
            raise UsageProblem("--candidates reads verdicts and no list; leave the rest out")
        folder = writable_data(data)
        load_corpus(folder).table_of(ROLE)
        report_written(revise(folder, listed_candidates))
        return
    if not files:
        raise UsageProblem("name a list with --against")
    folder = writable_data(data) if write else find_data(data)
    study = load_corpus(folder)
    if write:
        # Refuses a corpus without the table before a long comparison.
        study.table_of(ROLE)
    for given, option_ in ((names, "--name"), (versions, "--version")):
        if given and len(given) != len(paths):
            raise UsageProblem(f"{option_} is there {len(given)} times for {len(paths)} lists")
    called = names or [Path(path).stem for path in paths]
    if len(set(called)) < len(called):
        raise UsageProblem("two lists have the same name; tell them apart with --name")
    lists = []
    for path, name in zip(paths, called, strict=True):
        listed = read_list(path, shown_path(path), name, from_, force)
        lists.append(listed)
        show_reading(listed.records, f"{name}: ")
    report = coverage(study, lists)
    echo_report(
        format_, lambda: coverage_grids(report, top), json=lambda: coverage_json(report, lists)
    )
    for listed in lists:
        show_summary(listed.summary, verbose, f"{listed.name}: ")
    _show_pairs(report.pairs, pairs)
    if write:
        today = _day(None)
        of_list = dict(zip(called, versions, strict=False))

        def make(now: Study) -> Study:
            # Compared again: somebody may have added works since the corpus was read.
            return with_unseen(now, coverage(now, lists), of_list, today)

        report_written(revise(folder, make))


#: Seconds between two questions.
PAUSE = 3.0
#: Roles of what a published version changes.
_VENUE = ("venue", "doi")
#: After so many failures, the network is the reason.
_FAILURES = 3


@click.command()
@click.argument("keys", metavar="[KEY]...", nargs=-1, shell_complete=completing("keys"))
@flag("--yes", "Do not ask before writing.")
@dry_run_option("Show what was published and write nothing.")
@own_study_option
def verify(keys: Texts, yes: bool, dry_run: bool, study: Study) -> None:
    """Find out where preprints were published.

    DBLP and Crossref are asked about the entries, or without KEY about all, whose venue is that of
    a preprint. Where each was published is shown; venue and DOI of all of them are written after
    one question, with who states it where the corpus logs corrections.
    """
    for key in keys:
        study.entry(key)  # refuses an unknown key, with the nearest ones
    works = preprints(study)
    client = PoliteClient(PAUSE)
    today = date.today().isoformat()
    proposed: dict[str, Work] = {}
    problems: list[Finding] = []
    chosen = [key for key in keys or works if key in works]
    for key in chosen:
        try:
            version = published_version(works[key], client, today)
        except CorpusError as problem:
            problems += [finding._replace(file=key) for finding in problem.findings]
            if len(problems) >= _FAILURES:
                tell("stopped: the services cannot be asked now")
                break
            continue
        if version is not None:
            proposed[key] = version
            before = works[key].venue or "no venue"
            echo(f"{key}: {before} -> {version.venue} ({version.evidence})")
    tell(f"{plural(len(chosen), 'preprint')}: {len(proposed)} published, {len(problems)} failed")
    if proposed and not dry_run and (yes or confirm(f"Write these {len(proposed)}?")):
        pool, logs = study.codebook.pool, study.by_role("corrections")

        def make(now: Study) -> Study:
            for key, version in proposed.items():
                told = {role: cell for role, cell in version.by_role().items() if role in _VENUE}
                cells = {each.name: told[each.role] for each in pool.columns if each.role in told}
                now = edited(now, key, {pool.name: cells}, version.evidence if logs else "")
            return now

        report_written(revise(study.root, make))
    if problems:
        raise CorpusError(problems)
