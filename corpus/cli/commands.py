"""Every command: its heading, its place in this package, the line of its help, examples.

The lines are here and in the commands, so that `corpus --help` imports none of them; a test keeps
both equal.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """One command: ``module:attribute`` in `corpus.cli`, the first line of its help, examples."""

    place: str
    line: str
    examples: tuple[str, ...]


def _entry(place: str, line: str, *examples: str) -> Entry:
    return Entry(place, line, examples)


#: Heading of the help -> its commands, those of a reader first.
COMMANDS: dict[str, dict[str, Entry]] = {
    "Read": {
        "search": _entry(
            "ask.entries:search",
            "Answer a question in words.",
            "corpus search which papers give message-level credit",
            "corpus search 2505.13516",
        ),
        "list": _entry(
            "ask.entries:list_entries",
            "List entries, filtered and sorted.",
            "corpus list --where Credit=message",
            'corpus list --where "year>=2026" --columns key,title,venue --sort -year',
        ),
        "show": _entry(
            "ask.entries:show",
            "Show one entry or excluded record with everything known about it.",
            "corpus show kimi-k2-5",
            "corpus show 2308.08155 --all",
        ),
        "stats": _entry(
            "ask.stats:stats",
            "Count the taxonomy: every axis, shares, any cross-tabulation.",
            "corpus stats",
            "corpus stats --by Reward Credit --format latex",
        ),
        "sparsity": _entry(
            "ask.sparsity:sparsity",
            "Show empty and thin cells, strict readings and ranked gaps.",
            "corpus sparsity",
            "corpus sparsity --by Orchestration Credit",
        ),
        "claims": _entry(
            "ask.claims:claims",
            "Check the claims of the survey against the tables.",
            "corpus claims --failing",
            "corpus claims message-credit --stress",
        ),
        "evidence": _entry(
            "ask.sparsity:evidence",
            "Print the evidence tables that the codebook declares.",
            "corpus evidence",
            "corpus evidence disclosure",
        ),
        "history": _entry(
            "ask.history:history",
            "Show how counts, cells and claims moved, and the change that moved each.",
            "corpus history",
        ),
        "agreement": _entry(
            "ask.audit:agreement",
            "Measure how far the readers of the pool agree.",
            "corpus agreement",
        ),
    },
    "Print and publish": {
        "site": _entry(
            "publish.site:site",
            "Write the corpus as one HTML page to search and share.",
            "corpus site -o corpus.html",
        ),
        "render-appendix": _entry(
            "publish.appendix:render_appendix",
            "Print the pool table and the other parts of an appendix.",
            "corpus render-appendix --format pdf -o appendix.pdf",
            "corpus render-appendix --part all --format markdown",
        ),
        "figures": _entry(
            "publish.figures:figures",
            "Draw the declared figures as SVG, PDF and PNG.",
            "corpus figures --only timeline",
        ),
        "render": _entry(
            "publish.render:render",
            "Print numbers as LaTeX macros, or update marked text in a manuscript.",
            "corpus render -o numbers.tex",
            "corpus render --check README.md",
        ),
        "export": _entry(
            "publish.export:export",
            "Write the corpus in the format of another tool.",
            "corpus export bibtex -o references.bib",
            "corpus export csv -o pool.csv",
        ),
        "build": _entry(
            "publish.build:build",
            "Write all of figures/ and reports/, or list what is stale.",
            "corpus build --check",
        ),
    },
    "Check": {
        "check": _entry(
            "check.check:check",
            "Validate every table and its cross-references.",
            "corpus check",
            "corpus check --explain C412",
        ),
        "diff": _entry(
            "check.diff:diff",
            "Show what a change does to rows, counts, cells, gaps and claims.",
            "corpus diff",
            "corpus diff main --format markdown",
        ),
        "check-text": _entry(
            "publish.render:check_text",
            "Find numbers in a manuscript that contradict the corpus.",
            "corpus check-text paper.tex",
        ),
        "verify": _entry(
            "change.retrieve:verify",
            "Find out where preprints were published.",
            "corpus verify kimi-k2-5",
        ),
    },
    "Find and screen": {
        "retrieve": _entry(
            "change.retrieve:retrieve_command",
            "Run the searches of the protocol, and collect candidates.",
            "corpus retrieve --check",
        ),
        "screen": _entry(
            "change.screen:screen",
            "Decide about candidates, one card after the other.",
            "corpus screen --reader Ann",
        ),
        "coverage": _entry(
            "change.retrieve:coverage_command",
            "Compare other people's lists with the corpus, to find what it has missed.",
            "corpus coverage --against list.bib",
        ),
    },
    "Change": {
        "add": _entry(
            "change.add:add",
            "Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.",
            "corpus add 2304.03442",
        ),
        "edit": _entry(
            "change.row_commands:edit",
            "Change cells of an entry.",
            "corpus edit gaia2023 --set scenario=research",
        ),
        "exclude": _entry(
            "change.row_commands:exclude",
            "Log a record as excluded; an entry of the pool moves into the log.",
            "corpus exclude 2304.03442 --dry-run",
        ),
        "codebook": _entry(
            "change.codebook:codebook",
            "Edit terms, labels and definitions as a sheet.",
            "corpus codebook --export terms.xlsx",
            "corpus codebook --import terms.xlsx --yes",
            "corpus codebook --change scenario:general=everyday",
        ),
        "release": _entry(
            "change.release:release",
            "Make a release: fix the corpus as a text describes it.",
            "corpus release v2 --dry-run",
        ),
        "init": _entry(
            "change.init:init",
            "Start a new corpus, from a template or from what you have.",
            "corpus init my-survey",
            "corpus init my-survey --from references.bib",
        ),
    },
    "More": {
        "trace": _entry(
            "main:trace",
            "Validate, measure, label, replay, draw and convert orchestration traces.",
            "corpus trace stats run.json",
        ),
        "docs": _entry(
            "ask.docs:docs",
            "Print a page of the documentation, or list the pages.",
            "corpus docs own-survey",
        ),
        "dev": _entry(
            "main:dev",
            "Maintain a corpus: format, number, accept, merge drivers, forms, audits.",
            "corpus dev fmt --check",
        ),
    },
}

#: The same of `corpus dev`. Workflows and git settings of corpora call them without `dev`.
MAINTENANCE: dict[str, dict[str, Entry]] = {
    "Commands": {
        "fmt": _entry(
            "check.fmt:fmt", "Write every table in canonical form.", "corpus dev fmt --check"
        ),
        "number": _entry(
            "change.row_commands:number",
            "Number the excluded records that a branch has added.",
            "corpus dev number",
        ),
        "accept": _entry(
            "change.row_commands:accept",
            "Accept a warning of `corpus check`, with the reason.",
            'corpus dev accept C305 gaia2023 --reason "two works of one title"',
        ),
        "audit": _entry(
            "ask.audit:audit",
            "Draw entries for a second reader, and report what the sample proves.",
            "corpus dev audit plan --size 20 -o sheet.csv",
        ),
        "forms": _entry(
            "change.git:forms", "Write GitHub's issue form for a new entry.", "corpus dev forms"
        ),
        "init-git": _entry(
            "change.git:init_git",
            "Let git merge the tables by rows and cells.",
            "corpus dev init-git",
        ),
        "merge-driver": _entry(
            "change.git:merge_driver",
            "Merge two changes of a table; called by git.",
            "corpus dev merge-driver %O %A %B %P",
        ),
    }
}

AUDIT: dict[str, dict[str, Entry]] = {
    "Commands": {
        "plan": _entry(
            "ask.audit:plan",
            "Draw entries for a second reader, and write the sheet to fill in.",
            "corpus dev audit plan --size 20 -o sheet.csv",
        ),
        "report": _entry(
            "ask.audit:report",
            "Bound the wrong tags, and show which claims the bound protects.",
            "corpus dev audit report",
        ),
    }
}

TRACE_COMMANDS: dict[str, dict[str, Entry]] = {
    "Commands": {
        "validate": _entry(
            "traces.validate:validate",
            "Validate traces against the schema and the rules of a plausible run.",
            "corpus trace validate run.json --profile training",
        ),
        "stats": _entry(
            "traces.stats:stats",
            "Measure traces: critical path, parallelism, waste, cost, credit.",
            "corpus trace stats run.json",
        ),
        "prices": _entry(
            "traces.prices:prices",
            "Show a table of prices for corpus trace stats, or write one with today's prices.",
            "corpus trace prices prices.csv --update run.json",
        ),
        "label": _entry(
            "traces.label:label",
            "Label events with the orchestration decisions.",
            "corpus trace label run.json",
        ),
        "replay": _entry(
            "traces.replay:replay",
            "Replay a trace, with the state after each event.",
            "corpus trace replay run.json",
        ),
        "diff": _entry(
            "traces.replay:diff",
            "Compare two traces: where they diverge, which measures differ.",
            "corpus trace diff one.json two.json",
        ),
        "draw": _entry(
            "traces.draw:draw",
            "Draw a trace: who acted when, what spawned whom, what the run waited for.",
            "corpus trace draw run.json -o run.svg",
        ),
        "view": _entry(
            "traces.view:view",
            "Write a page to step through runs in a browser, alone or side by side.",
            "corpus trace view run.json -o run.html",
        ),
        "convert": _entry(
            "traces.convert:convert",
            "Convert recorded runs of other programs into traces, and traces into theirs.",
            "corpus trace convert session.jsonl -o run.json",
            "corpus trace convert runs/ --contents texts.jsonl --to trl -o rows.jsonl",
        ),
        "reward": _entry(
            "traces.reward:reward",
            "Write rewards that were given elsewhere into traces.",
            "corpus trace reward runs.jsonl --from rewards.csv -o rewarded.jsonl",
        ),
        "rows": _entry(
            "traces.rows:rows",
            "Write training rows, one per step or decision, with rewards and credit.",
            "corpus trace rows runs.jsonl --unit decision",
        ),
        "ingest": _entry(
            "traces.stores:ingest",
            "Add traces to a store of Parquet files, any number of them.",
            "corpus trace ingest runs/ -o store",
        ),
        "formats": _entry(
            "traces.convert:formats",
            "List the formats that `corpus trace convert` reads and writes.",
            "corpus trace formats",
        ),
    }
}
