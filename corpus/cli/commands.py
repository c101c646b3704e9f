"""Every command: its heading, its place in this package, the line of its help, examples.

The lines are here and in the commands, so that `corpus --help` imports none of them; a test keeps
both equal.
"""

#: A command: ``module:attribute`` in `corpus.cli`, the first line of its help, examples.
Entry = tuple[str, ...]

#: Heading of the help -> its commands, those of a reader first.
COMMANDS: dict[str, dict[str, Entry]] = {
    "Read": {
        "search": (
            "ask.entries:search",
            "Answer a question in words.",
            "corpus search which papers give message-level credit",
            "corpus search 2505.13516",
        ),
        "list": (
            "ask.entries:list_entries",
            "List entries, filtered and sorted.",
            "corpus list --where Credit=message",
            'corpus list --where "year>=2026" --columns key,title,venue --sort -year',
        ),
        "show": (
            "ask.entries:show",
            "Show one entry or excluded record with everything known about it.",
            "corpus show kimi-k2-5",
            "corpus show 2308.08155 --all",
        ),
        "stats": (
            "ask.stats:stats",
            "Count the taxonomy: every axis, shares, any cross-tabulation.",
            "corpus stats",
            "corpus stats --by Reward Credit --format latex",
        ),
        "sparsity": (
            "ask.sparsity:sparsity",
            "Show empty and thin cells, strict readings and ranked gaps.",
            "corpus sparsity",
            "corpus sparsity --by Orchestration Credit",
        ),
        "claims": (
            "ask.claims:claims",
            "Check the claims of the survey against the tables.",
            "corpus claims --failing",
            "corpus claims message-credit",
        ),
        "evidence": (
            "ask.sparsity:evidence",
            "Print the evidence tables that the codebook declares.",
            "corpus evidence",
            "corpus evidence disclosure",
        ),
        "history": (
            "ask.history:history",
            "Show how counts, cells and claims moved, and the change that moved each.",
            "corpus history",
        ),
        "agreement": (
            "ask.audit:agreement",
            "Measure how far the readers of the pool agree.",
            "corpus agreement",
        ),
    },
    "Print and publish": {
        "site": (
            "publish.site:site",
            "Write the corpus as one HTML page to search and share.",
            "corpus site -o corpus.html",
        ),
        "render-appendix": (
            "publish.appendix:render_appendix",
            "Print the pool table and the other parts of an appendix.",
            "corpus render-appendix --format pdf -o appendix.pdf",
            "corpus render-appendix --part all --format markdown",
        ),
        "figures": (
            "publish.figures:figures",
            "Draw the declared figures as SVG, PDF and PNG.",
            "corpus figures --only timeline",
        ),
        "render": (
            "publish.render:render",
            "Print numbers as LaTeX macros, or update marked text in a manuscript.",
            "corpus render -o numbers.tex",
            "corpus render --check README.md",
        ),
        "export": (
            "publish.export:export",
            "Write the corpus in the format of another tool.",
            "corpus export bibtex -o references.bib",
            "corpus export sqlite -o corpus.sqlite",
        ),
        "build": (
            "publish.build:build",
            "Write all of figures/ and reports/, or list what is stale.",
            "corpus build --check",
        ),
    },
    "Check": {
        "check": (
            "check.check:check",
            "Validate every table and its cross-references.",
            "corpus check",
            "corpus check --explain C412",
        ),
        "diff": (
            "check.diff:diff",
            "Show what a change does to rows, counts, cells and claims.",
            "corpus diff",
            "corpus diff main --format markdown",
        ),
        "check-text": (
            "publish.render:check_text",
            "Find numbers in a manuscript that contradict the corpus.",
            "corpus check-text paper.tex",
        ),
        "verify": (
            "change.retrieve:verify",
            "Find out where preprints were published.",
            "corpus verify kimi-k2-5",
        ),
    },
    "Find and screen": {
        "retrieve": (
            "change.retrieve:retrieve_command",
            "Run the searches of the protocol, and collect candidates.",
            "corpus retrieve --check",
        ),
        "screen": (
            "change.screen:screen",
            "Decide about candidates, one card after the other.",
            "corpus screen --reader Ann",
        ),
        "coverage": (
            "change.retrieve:coverage_command",
            "Compare other people's lists with the corpus, to find what it has missed.",
            "corpus coverage --against list.bib",
        ),
    },
    "Change": {
        "add": (
            "change.add:add",
            "Add an entry from arXiv, a DOI, OpenReview, ACL, BibTeX or by hand.",
            "corpus add 2304.03442",
        ),
        "edit": (
            "change.row_commands:edit",
            "Change cells of an entry.",
            "corpus edit gaia2023 --set scenario=research",
        ),
        "exclude": (
            "change.row_commands:exclude",
            "Log a record as excluded; an entry of the pool moves into the log.",
            "corpus exclude 2304.03442 --dry-run",
        ),
        "codebook": (
            "change.codebook:codebook",
            "Edit terms, labels and definitions as a sheet.",
            "corpus codebook --export terms.xlsx",
            "corpus codebook --import terms.xlsx --yes",
            "corpus codebook --change scenario:general=everyday",
        ),
        "release": (
            "change.release:release",
            "Make a release: fix the corpus as a text describes it.",
            "corpus release v2 --dry-run",
        ),
        "init": (
            "change.init:init",
            "Start a new corpus, from a template or from what you have.",
            "corpus init my-survey",
            "corpus init my-survey --from references.bib",
        ),
    },
    "More": {
        "trace": (
            "main:trace",
            "Validate, measure, label, draw and convert orchestration traces.",
            "corpus trace stats run.json",
        ),
        "docs": (
            "ask.docs:docs",
            "Print a page of the documentation, or list the pages.",
            "corpus docs own-survey",
        ),
        "dev": (
            "main:dev",
            "Maintain a corpus: format, number, accept, merge drivers, forms, audits.",
            "corpus dev fmt --check",
        ),
    },
}

#: The same of `corpus dev`. Workflows and git settings of corpora call them without `dev`.
MAINTENANCE: dict[str, dict[str, Entry]] = {
    "Commands": {
        "fmt": ("check.fmt:fmt", "Write every table in canonical form.", "corpus dev fmt --check"),
        "number": (
            "change.row_commands:number",
            "Number the excluded records that a branch has added.",
            "corpus dev number",
        ),
        "accept": (
            "change.row_commands:accept",
            "Accept a warning of `corpus check`, with the reason.",
            'corpus dev accept C305 gaia2023 --reason "two works of one title"',
        ),
        "audit": (
            "ask.audit:audit",
            "Draw evidence rows for a second reader, and report what the sample proves.",
            "corpus dev audit plan --size 20 -o sheet.csv",
        ),
        "forms": (
            "change.git:forms",
            "Write GitHub's issue form for a new entry.",
            "corpus dev forms",
        ),
        "init-git": (
            "change.git:init_git",
            "Let git merge the tables by rows and cells.",
            "corpus dev init-git",
        ),
        "merge-driver": (
            "change.git:merge_driver",
            "Merge two changes of a table; called by git.",
            "corpus dev merge-driver %O %A %B %P",
        ),
    }
}

AUDIT: dict[str, dict[str, Entry]] = {
    "Commands": {
        "plan": (
            "ask.audit:plan",
            "Draw rows of the evidence tables, and write the sheet to fill in.",
            "corpus dev audit plan --size 20 -o sheet.csv",
        ),
        "report": (
            "ask.audit:report",
            "Bound the wrong evidence rows, from those that were drawn and checked.",
            "corpus dev audit report",
        ),
    }
}

TRACE_COMMANDS: dict[str, dict[str, Entry]] = {
    "Commands": {
        "validate": (
            "traces.validate:validate",
            "Validate traces against the schema and the rules of a plausible run.",
            "corpus trace validate run.json --profile training",
        ),
        "stats": (
            "traces.stats:stats",
            "Measure traces: critical path, parallelism, waste, cost.",
            "corpus trace stats run.json",
        ),
        "prices": (
            "traces.prices:prices",
            "Show a table of prices for corpus trace stats, or write one with today's prices.",
            "corpus trace prices prices.csv --update run.json",
        ),
        "label": (
            "traces.label:label",
            "Label events with the orchestration decisions.",
            "corpus trace label run.json",
        ),
        "draw": (
            "traces.draw:draw",
            "Draw a trace: who acted when, what spawned whom, what the run waited for.",
            "corpus trace draw run.json -o run.svg",
        ),
        "view": (
            "traces.view:view",
            "Write a page to step through runs in a browser, alone or side by side.",
            "corpus trace view run.json -o run.html",
        ),
        "convert": (
            "traces.convert:convert",
            "Convert recorded runs of other programs into traces, and traces into theirs.",
            "corpus trace convert session.jsonl -o run.json",
            "corpus trace convert runs/ --contents texts.jsonl --to trl -o rows.jsonl",
        ),
        "reward": (
            "traces.reward:reward",
            "Write rewards that were given elsewhere into traces.",
            "corpus trace reward runs.jsonl --from rewards.csv -o rewarded.jsonl",
        ),
        "rows": (
            "traces.rows:rows",
            "Write training rows, one per step or decision, with rewards and credit.",
            "corpus trace rows runs.jsonl --unit decision",
        ),
        "ingest": (
            "traces.stores:ingest",
            "Add traces to a store of Parquet files, any number of them.",
            "corpus trace ingest runs/ -o store",
        ),
        "formats": (
            "traces.convert:formats",
            "List the formats that `corpus trace convert` reads and writes.",
            "corpus trace formats",
        ),
    }
}
