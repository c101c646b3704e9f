"""What can be wrong with what is printed: the LaTeX engine, an author's template."""

from corpus.model.finding import ERROR, Rule

NO_ENGINE = Rule(
    "R101",
    ERROR,
    "no LaTeX engine is installed; looked for {engines}",
    "install one: `apt-get install texlive-latex-recommended lmodern`, MacTeX, MiKTeX or tectonic;"
    " or use --format latex and compile the file elsewhere",
)
LATEX_FAILED = Rule(
    "R102",
    ERROR,
    "{engine} stopped: {problem}",
    "use --format latex --standalone and compile the file by hand to see more",
)
TEMPLATE_SYNTAX = Rule(
    "R111", ERROR, "{problem}", "fix the line; docs/templates.md has the delimiters of each format"
)
TEMPLATE_FAILED = Rule("R112", ERROR, "{problem}", "use the names in docs/templates.md")
