"""The `corpus` command: the list of subcommands, none of which is imported before it is run."""

import os
import re

import click

import corpus
from corpus.cli.lazy import LazyGroup
from corpus.model.finding import UsageProblem

#: The headings of the help, their commands with the places in this package, and below each the
#: first line of its help. The line is here and in the command, so that `corpus --help` imports none
#: of them; a test keeps both equal.
SECTIONS = """
Ask
  stats = ask.stats:stats
    Count the taxonomy: every axis, shares, any cross-tabulation.
  sparsity = ask.sparsity:sparsity
    Show empty and thin cells, strict readings and ranked gaps.
  list = ask.entries:list_entries
    List entries, filtered and sorted.
  show = ask.entries:show
    Show one entry or excluded record with everything known about it.
  card = publish.appendix:card
    Print entries as cards: what is trained, by which signal, and what stays open.
  search = ask.entries:search
    Search entries, excluded records, evidence, claims and terms.
  where = change.rows:where
    Show every place that names a term, a key or a column, with its line.
  claims = ask.claims:claims
    Check the claims of the survey against the tables.
  evidence = ask.sparsity:evidence
    Print the evidence tables that the codebook declares.
  agreement = ask.audit:agreement
    Measure how far the readers of the pool agree.
  audit = ask.audit:audit
    Draw entries for a second reader, and report what the sample proves.
  history = ask.history:history
    Show how counts, cells and claims moved, and the change that moved each.
Check
  check = check.check:check
    Validate every table and its cross-references.
  fmt = check.fmt:fmt
    Write every table in canonical form.
  diff = check.diff:diff
    Show what a change does to rows, counts, cells, gaps and claims.
  check-text = publish.render:check_text
    Find numbers in a manuscript that contradict the corpus.
  verify = change.retrieve:verify
    Compare source records with what the sources state now.
Find and screen
  retrieve = change.retrieve:retrieve_command
    Run the searches of the protocol, and collect candidates.
  screen = change.screen:screen
    Decide about candidates, one card after the other.
  coverage = change.retrieve:coverage_command
    Compare other people's lists with the corpus, to find what it has missed.
Print and publish
  build = publish.build:build
    Write all of figures/ and reports/, or list what is stale.
  figures = publish.figures:figures
    Draw the declared figures as SVG, PDF and PNG.
  render-appendix = publish.appendix:render_appendix
    Print the pool table and the other parts of an appendix.
  render = publish.render:render
    Print numbers as LaTeX macros, or update marked text in a manuscript.
  site = publish.site:site
    Write the corpus as one HTML page to search and share.
  export = publish.export:export
    Write the corpus in the format of another tool.
Change
  add = change.add:add
    Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.
  edit = change.rows:edit
    Change cells of an entry.
  exclude = change.rows:exclude
    Log a record as excluded; an entry of the pool moves into the log.
  number = change.rows:number
    Number the excluded records that a branch has added.
  remove = change.rows:remove
    Remove an entry without a record; `corpus exclude` keeps one.
  accept = change.rows:accept
    Accept a warning of `corpus check`, with the reason.
  term = change.rows:term
    Rename or merge terms wherever the corpus names them.
  release = change.release:release
    Make a release: fix the corpus as a text describes it.
  init = change.init:init
    Start a new corpus, from a template or from what you have.
  init-git = change.git:init_git
    Let git merge the tables by rows and cells.
  merge-driver = change.git:merge_driver
    Merge two changes of a table; called by git.
  forms = change.git:forms
    Write GitHub's issue form for a new entry.
Traces
  trace = main:trace
    Validate, measure, label, replay, draw and convert orchestration traces.
"""

TRACE_COMMANDS = """
Commands
  validate = traces.validate:validate
    Validate traces against the schema and the rules of a plausible run.
  stats = traces.stats:stats
    Measure traces: critical path, parallelism, waste, cost, credit.
  label = traces.label:label
    Label events with the orchestration decisions.
  replay = traces.replay:replay
    Replay a trace, with the state after each event.
  diff = traces.replay:diff
    Compare two traces: where they diverge, which measures differ.
  draw = traces.draw:draw
    Draw a trace: who acted when, what spawned whom, what the run waited for.
  view = traces.view:view
    Write a page to step through runs in a browser, alone or side by side.
  convert = traces.convert:convert
    Convert recorded runs of other programs into traces, and traces into theirs.
  reward = traces.blame:reward
    Write rewards that were given elsewhere into traces.
  rows = traces.rows:rows
    Write training rows: decisions, steps, agents or runs, with rewards and credit.
  blame = traces.blame:blame
    Name the step to blame for a failure, by simple fixed rules.
  score = traces.blame:score
    Compare blamed agents and steps with labels.
  ingest = traces.stores:ingest
    Add traces to a store of Parquet files, any number of them.
  formats = traces.convert:formats
    List the formats that `corpus trace convert` reads and writes.
"""

#: Beginnings of the names of variables by which libraries change what they do. With an unknown
#: value some fail while they are imported: PANDERA_VALIDATION_DEPTH, RAPIDFUZZ_IMPLEMENTATION.
SWITCHES = ("PANDERA_", "PANDAS_", "RAPIDFUZZ_")


@click.group(
    cls=LazyGroup,
    table=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(corpus.__version__, prog_name="corpus")
def main() -> None:
    """Curate a body of papers and publish numbers about it.

    Every command works on the corpus found above the working directory (data/codebook.toml), on
    the one named with --data DIR, or else on the dataset that ships with the package.

    Exit code 0: fine, 1: findings, or a file that cannot be read or written, 2: wrong usage,
    130: interrupted, 141: the reader of the output ended first, 255: the program failed;
    CORPUS_DEBUG=1 in the environment shows the traceback.
    """
    settle_environment()


def settle_environment() -> None:
    """Refuse or correct variables of the environment that would make a library fail or differ.

    ``SOURCE_DATE_EPOCH`` must be a number of seconds that a date can hold, and ``MPLBACKEND`` is
    for windows, which no command opens. Variables that begin as in :data:`SWITCHES` are removed
    before a command runs, since libraries read them when they are imported.

    Raises
    ------
    UsageProblem
        Where ``SOURCE_DATE_EPOCH`` is anything else.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not re.fullmatch(r"[0-9]{1,11}", epoch):
        raise UsageProblem(
            "SOURCE_DATE_EPOCH in the environment must be whole seconds since 1970, or unset"
        )
    if "MPLBACKEND" in os.environ:
        os.environ["MPLBACKEND"] = "agg"
    for name in list(os.environ):
        if name.startswith(SWITCHES):
            del os.environ[name]


@click.group(cls=LazyGroup, table=TRACE_COMMANDS)
def trace() -> None:
    """Validate, measure, label, replay, draw and convert orchestration traces.

    Traces are read from JSON and JSONL files, also compressed with gzip, from folders of them, and
    from standard input where a file is named "-".
    """
