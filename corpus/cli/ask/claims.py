"""`corpus claims`."""

from functools import partial
from pathlib import Path

import click

from corpus.analysis.claims import claim_report as printed
from corpus.analysis.claims.acknowledgements import acceptance_table, updated_rows
from corpus.analysis.claims.claim import Claim, ClaimDifference, ClaimSet
from corpus.analysis.claims.evaluate import all_outcomes, load_claims
from corpus.analysis.claims.moved import movements_text
from corpus.analysis.claims.releases import load_release, read_releases, release_named
from corpus.cli.options import (
    Texts,
    data_option,
    echo,
    echo_report,
    flag,
    format_option,
    option,
    report_findings,
    tell,
    terminal_columns,
)
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study
from corpus.publishing.manuscript.markers import sink_of
from corpus.tables.content import read_text
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data, shown_path
from corpus.tables.writing.lock import writable_data


@click.command()
@click.argument("ids", nargs=-1, metavar="[CLAIM]...")
@flag("--failing", "Show only claims that do not hold.")
@option("--acknowledge REASON", "Accept how the failing guards differ, and record why.", "reason")
@option("--since RELEASE", "Show what has moved since a release, with the sentences to be revised.")
@option(
    "--draft TEXT",
    "Propose claims for the numbers of a text (.tex, .md, .html).",
    "text_file",
    type=click.Path(),
)
@option(
    "--accept N",
    "Add this proposal of --draft as a tracked claim; repeatable.",
    "accepted",
    type=int,
    multiple=True,
)
@format_option("text", "markdown", "json")
@data_option
def claims(
    ids: Texts,
    failing: bool,
    reason: str | None,
    since: str | None,
    text_file: str | None,
    accepted: tuple[int, ...],
    format_: str,
    data: str | None,
) -> None:
    """Check the claims of the survey against the tables.

    Prints each with its verdict and what was observed. Named claims are shown in full, with the
    margin: the smallest number of row edits that break the claim. A tracked claim is a number of a
    release: where it has moved, that is shown and no failure. The exit code is 1 where a guard
    fails that is not acknowledged.
    """
    folder = find_data(data)
    if format_ != "text" and (since is not None or text_file is not None):
        raise UsageProblem("--since and --draft print text")
    if text_file is not None:
        _draft(folder, text_file, accepted)
        return
    if reason is not None:
        folder = writable_data(data)
        _acknowledge(folder, ids, reason)
    study = load_corpus(folder)
    claim_set = load_claims(study)
    wanted = _wanted(claim_set, ids)
    if since is not None:
        # It takes as long to import as all the rest of the command.
        from corpus.curation.changes.delta import Delta

        release = release_named(since, read_releases(study.root))
        then = Delta.between(load_release(release, study.root), study).carried
        echo(movements_text(study, then, release, wanted))
        return
    report = printed.claim_report(study, claim_set, wanted, failing)
    text_of = partial(printed.claims_text, report, terminal_columns())
    echo_report(
        format_,
        text=partial(printed.details_text, report) if ids else text_of,
        json=partial(printed.claims_json, report),
        markdown=partial(printed.claims_markdown, report),
    )
    if report.having("fails"):
        raise SystemExit(1)


def _wanted(claim_set: ClaimSet, ids: Texts) -> list[Claim]:
    """Return the claims of these names, or all; UsageProblem where the corpus has no claims."""
    if not claim_set.claims:
        raise UsageProblem(
            'this corpus declares no claims; name a file under [documents] claims = "claims.toml"'
        )
    return claim_set.named(ids)


def _draft(folder: str, path: str, accepted: tuple[int, ...]) -> None:
    """Propose claims for the numbers of a text, or add those that are accepted."""
    from corpus.curation.edit.claim_draft import drafted_claims, with_claims
    from corpus.curation.edit.revision import revise

    shown = shown_path(path)
    text = read_text(path, shown)
    drafts = drafted_claims(text, sink_of(path), load_corpus(folder))
    numbered = []
    for draft in drafts:
        numbered += [(draft, proposal) for proposal in draft.proposals]
    refuse_unknown("proposal", map(str, accepted), list(map(str, range(1, len(numbered) + 1))))
    if accepted:
        chosen = [numbered[number - 1] for number in accepted]
        revision = revise(folder, partial(with_claims, chosen=chosen, place=Path(path).stem))
        report_findings(revision.findings)
        tell(f"written: {', '.join(revision.files)}; {len(chosen)} tracked claims added")
        return

    number = 0
    for draft in drafts:
        echo(f"{shown}:{draft.line}: {draft.text}")
        for proposal in draft.proposals:
            number += 1
            echo(f"{number:>5}  {proposal.text}")
        if not draft.proposals:
            echo("       nothing gives it")
    given = sum(bool(draft.proposals) for draft in drafts)
    echo(f"{len(drafts)} numbers, {given} with rows that give them: --accept N")


def _acknowledge(folder: str, ids: Texts, reason: str) -> None:
    """Accept how failing guards differ; remove what no longer differs."""
    # What checks, writes and locks files takes as long to import as all the rest of the command.
    from corpus.curation.edit.revision import revise

    def make(study: Study) -> Study:
        table = acceptance_table(study)
        differences: dict[str, tuple[ClaimDifference, ...]] = {}
        for outcome in all_outcomes(study, _wanted(load_claims(study), ids)):
            differences[outcome.claim.id] = ()
            if not outcome.claim.tracked:
                differences[outcome.claim.id] = outcome.differences
        return study.with_rows({table.spec.name: updated_rows(table, differences, reason)})

    revision = revise(folder, make)
    table = acceptance_table(revision.before)
    before, after = set(table.rows), set(acceptance_table(revision.after).rows)
    counts = f"{len(after - before)} accepted, {len(before - after)} removed"
    tell(f"{shown_path(table.file)}: {counts}")
