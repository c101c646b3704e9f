"""`corpus check-text`."""

from __future__ import annotations

import json

import click

from corpus.analysis.numbers.number_rules import BY_HAND
from corpus.analysis.numbers.published import published_numbers
from corpus.cli.options import echo, flag, format_option, study_option
from corpus.model.finding import CorpusError, Finding
from corpus.model.study import Study
from corpus.printing.findings import RENDERERS, findings_json
from corpus.printing.json_document import json_text
from corpus.publishing.manuscript.check import Verdicts, check_manuscript
from corpus.publishing.manuscript.markers import sink_of
from corpus.tables.content import read_text
from corpus.tables.location import shown_path


@click.command("check-text")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@flag("--strict", "Numbers typed by hand fail as well, even where they are right.")
@format_option("text", "json", "github")
@study_option
def check_text(files: tuple[str, ...], strict: bool, format_: str, study: Study) -> None:
    """Find numbers in a manuscript that contradict the corpus.

    The manuscript is LaTeX, Markdown or HTML. Numbers typed by hand that should be macros are
    reported as well. Counts, percentages, fractions and bounds ("more than half") are checked,
    also where they are spelled out. A number beside a word of the corpus that cannot be judged is
    listed with the nearest counts. The last line tells how many numbers are beside a word of the
    corpus, and how many of them are right, wrong and not judged. Comments, code and what `corpus
    render` keeps current are left alone. Exit code 1 where a number contradicts the corpus.
    """
    numbers = published_numbers(study)
    findings: list[Finding] = []
    verdicts = Verdicts()
    for path in files:
        sink = sink_of(path)
        shown = shown_path(path)
        # A file that cannot be read is a finding, and the others are checked all the same.
        try:
            text = read_text(path, shown)
        except CorpusError as error:
            findings += error.findings
        else:
            verdicts = verdicts.joined(check_manuscript(text, sink, shown, study, numbers))
    findings += verdicts.findings
    if format_ == "json":
        document = json.loads(findings_json(findings))
        account = {name: value for name, value in verdicts._asdict().items() if name != "findings"}
        echo(json_text({**document, "numbers": account}), format_)
    elif findings:
        echo(RENDERERS[format_](findings), format_)
    if format_ == "text":
        echo(f"{verdicts}\n")
    codes = {finding.code for finding in findings}
    is_by_hand = strict and BY_HAND.code in codes
    if is_by_hand or any(finding.is_error for finding in findings):
        raise SystemExit(1)
