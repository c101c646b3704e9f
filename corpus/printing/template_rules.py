"""What can be wrong with what is printed: the LaTeX engine, an author's template."""

from corpus.model.finding import Rule

NO_ENGINE = Rule(
    "R101",
    "no LaTeX engine is installed; looked for {engines}",
    "install one: `apt-get install texlive-latex-recommended lmodern`, MacTeX, MiKTeX or tectonic;"
    " or use --format latex and compile the file elsewhere",
    title="No LaTeX engine",
    reason="A PDF is made by LaTeX, which does not come with this program.",
)
LATEX_FAILED = Rule(
    "R102",
    "{engine} stopped: {problem}",
    "use --format latex --standalone and compile the file by hand to see more",
    title="LaTeX failed",
    reason="Cells are escaped, so the LaTeX installation is incomplete, or this program has a bug.",
)
TEMPLATE_SYNTAX = Rule(
    "R111",
    "{problem}",
    "fix the line; docs/templates.md has the delimiters of each format",
    title="Template cannot be read",
    reason="Nothing is printed from it.",
)
TEMPLATE_FAILED = Rule(
    "R112",
    "{problem}",
    "use the names in docs/templates.md",
    title="Template failed",
    reason="An unknown name is an error, never a gap in print; templates run in jinja2's sandbox.",
)
