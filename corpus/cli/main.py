"""The `corpus` command: the list of subcommands, none of which is imported before it is run."""

from __future__ import annotations

import click

import corpus
from corpus.cli.lazy import LazyGroup
from corpus.cli.surroundings import settle

COMMANDS = {
    "stats": ("corpus.cli.ask.stats:stats", "Count the taxonomy: every axis, shares, any cross-tabulation."),
    "sparsity": ("corpus.cli.ask.sparsity:sparsity", "Show empty and thin cells, strict readings and ranked gaps."),
    "site": ("corpus.cli.publish.site:site", "Write the corpus as one HTML page to search and share."),
    "figures": ("corpus.cli.publish.figures:figures", "Draw the declared figures as SVG, PDF and PNG."),
    "check": ("corpus.cli.check.check:check", "Hold every table against the codebook and each other."),
    "list": ("corpus.cli.ask.entries:list_entries", "List entries: filters, columns, sort."),
    "show": ("corpus.cli.ask.entries:show", "Show one entry with everything known about it."),
    "search": ("corpus.cli.ask.entries:search", "Search entries; tolerates typing errors."),
    "claims": ("corpus.cli.ask.claims:claims", "Hold the survey's claims against the tables, with margins and stress."),
    "agreement": ("corpus.cli.ask.agreement:agreement", "Say how far the readers of the pool agree."),
    "render-appendix": ("corpus.cli.publish.appendix:render_appendix", "Print the pool table and what lies behind it."),
    "render": ("corpus.cli.publish.render:render", "Numbers for a manuscript: LaTeX macros, marked text kept current."),
    "check-text": ("corpus.cli.check.check_text:check_text", "Hold the numbers of a manuscript against the corpus."),
    "build": ("corpus.cli.publish.build:build", "Write all of figures/ and reports/, or say what is stale."),
    "diff": ("corpus.cli.check.diff:diff", "Say what a change does: rows by key, counts, cells, gaps, claims."),
    "trace": ("corpus.cli.traces.group:trace", "Orchestration traces: check, measure, label, replay, draw, convert."),
    "add": (
        "corpus.cli.change.add:add",
        "Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.",
    ),
    "exclude": (
        "corpus.cli.change.exclude:exclude",
        "Log a record as excluded; an entry of the pool moves into the log.",
    ),
    "edit": ("corpus.cli.change.edit:edit", "Change cells of an entry."),
    "fmt": ("corpus.cli.check.fmt:fmt", "Write every table in canonical form."),
    "forms": ("corpus.cli.change.forms:forms", "Write GitHub's issue form for a new entry."),
    "init-git": ("corpus.cli.change.git:init_git", "Let git merge the tables by rows and cells."),
    "merge-driver": ("corpus.cli.change.git:merge_driver", "Merge two changes of a table; called by git."),
    "init": ("corpus.cli.change.init:init", "Start a new corpus, from a template or from what you have."),
    "export": ("corpus.cli.publish.export:export", "Write the corpus in the format of another tool."),
}

SECTIONS = {
    "Ask": ("stats", "sparsity", "list", "show", "search", "claims", "agreement"),
    "Check": ("check", "fmt", "diff", "check-text"),
    "Print and publish": ("build", "figures", "render-appendix", "render", "site", "export"),
    "Change": ("add", "edit", "exclude", "init", "init-git", "merge-driver", "forms"),
    "Traces": ("trace",),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(corpus.__version__, prog_name="corpus")
def main() -> None:
    """Curate a body of papers and publish numbers about it.

    Every command works on the corpus found above the working directory (data/codebook.toml), on the one named with
    --data DIR, or else on the dataset that ships with the package.

    Exit code 0: fine, 1: findings, or a file that cannot be read or written, 2: wrong usage, 130: interrupted, 141: the
    reader of the output went away, 255: the program failed; CORPUS_DEBUG=1 in the environment shows the traceback.
    """
    settle()
