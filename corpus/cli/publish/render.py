"""`corpus render`."""

from collections import Counter

import click

from corpus.analysis.numbers.published import numbers_latex, published_numbers
from corpus.cli.options import (
    Texts,
    echo,
    echo_findings,
    flag,
    format_option,
    output_option,
    report_findings,
    study_option,
)
from corpus.model.finding import WARNING, CorpusError, Finding, UsageProblem
from corpus.model.study import Study
from corpus.publishing.export.folder import refuse_own_files
from corpus.publishing.manuscript.check import BY_HAND, check_manuscript
from corpus.publishing.manuscript.markers import printed_names, renew, sink_of
from corpus.tables.content import read_text
from corpus.tables.location import shown_path
from corpus.tables.writing.atomic import write_all_atomic, write_atomic


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path())
@flag("--check", "Write nothing; list stale marked texts, and exit 1 if any.")
@flag("--all", "Print the macros of all numbers.", "print_all")
@output_option("FILE", "Write the macros to this file.")
@study_option
def render(files: Texts, check: bool, print_all: bool, output: str | None, study: Study) -> None:
    """Print numbers as LaTeX macros, or update marked text in a manuscript.

    Without FILE, print numbers.tex: one LaTeX macro for each size, count of an axis and claim;
    every other number has one on request. With FILEs (Markdown, LaTeX, HTML), replace the text
    between their markers: <!-- corpus: PoolSize -->84<!-- /corpus --> or, in LaTeX, the lines
    between "% corpus: table-category" and "% /corpus".
    """
    if files and output:
        raise UsageProblem("-o does not go with FILE; a file with markers is changed in place")
    if files:
        _renew(files, study, check)
        return
    numbers = published_numbers(study).values()
    chosen = [number for number in numbers if print_all or number.is_common]
    text = f"% Made by corpus render.\n{numbers_latex(chosen)}"
    if output is None:
        echo(text, "latex")
    else:
        refuse_own_files(study, output)
        write_atomic(output, text)


def _renew(files: Texts, study: Study, check: bool) -> None:
    """Renew all files; none is written where one of them has an error."""
    changed: dict[str, str] = {}
    stale = []
    warnings: list[Finding] = []
    errors = []
    for path in files:
        sink = sink_of(path)
        shown = shown_path(path)
        try:
            text = read_text(path, shown)
            # Markers are lines with LF; the author's own line ends come back afterwards.
            plain = text.replace("\r\n", "\n")
            renewed, found = renew(plain, sink, printed_names(study, sink), shown)
        except CorpusError as error:
            errors += error.findings
            continue
        warnings += [finding for finding in found if finding.severity == WARNING]
        stale += [finding for finding in found if finding.severity != WARNING]
        # A current text stays as it is, even where its line ends are mixed.
        if renewed != plain:
            if plain != text:
                renewed = renewed.replace("\n", "\r\n")
            changed[path] = renewed
    if check:
        errors += stale
    if errors:
        raise CorpusError(errors + warnings)
    report_findings(warnings)
    if not check:
        write_all_atomic(changed)
        echo("".join(f"{shown_path(path)} renewed\n" for path in changed) or "nothing changed\n")


@click.command("check-text")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@flag("--strict", "Numbers typed by hand fail as well, even where they are right.")
@format_option("text", "json", "github")
@study_option
def check_text(files: Texts, strict: bool, format_: str, study: Study) -> None:
    """Find numbers in a manuscript that contradict the corpus.

    The manuscript is LaTeX, Markdown or HTML. Numbers typed by hand that should be macros are
    reported as well. Counts, percentages, fractions and bounds ("more than half") are checked,
    also where they are spelled out. A number beside a word of the corpus that cannot be judged is
    listed with the nearest counts. The last line tells how many numbers are beside a word of the
    corpus, and how many of them are right, wrong and not judged. Comments, code and what `corpus
    render` keeps current are left alone. Exit code 1 where a number contradicts the corpus.
    """
    numbers = published_numbers(study)
    findings = []
    verdicts: Counter[str] = Counter()
    for path in files:
        sink = sink_of(path)
        shown = shown_path(path)
        # A file that cannot be read is a finding, and the others are checked all the same.
        try:
            text = read_text(path, shown).replace("\r\n", "\n")
        except CorpusError as error:
            findings += error.findings
        else:
            found, counted = check_manuscript(text, sink, shown, study, numbers)
            findings += found
            verdicts += counted
    counts = {name: verdicts[name.replace("_", " ")] for name in ("right", "wrong", "not_judged")}
    echo_findings(format_, findings, numbers=counts)
    if format_ == "text":
        shown = "{right} right, {wrong} wrong, {not_judged} not judged".format(**counts)
        echo(f"{verdicts.total()} numbers beside a word of the corpus: {shown}\n")
    for finding in findings:
        if finding.is_error or (strict and finding.code == BY_HAND.code):
            raise SystemExit(1)
