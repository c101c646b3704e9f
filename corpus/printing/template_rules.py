"""What can be wrong with what is printed: LaTeX, an author's template, names of numbers, numbers in a manuscript."""

from __future__ import annotations

from corpus.model.finding import ERROR, Rule

NO_ENGINE = Rule(
    "R101",
    ERROR,
    "No LaTeX engine",
    "no LaTeX engine is installed; looked for {engines}",
    "install one: `apt-get install texlive-latex-recommended lmodern` (Debian, Ubuntu), MacTeX (macOS), MiKTeX "
    "(Windows), or the single program tectonic; or take --format latex and compile the file elsewhere",
    "A PDF is made by LaTeX; this program does not bring its own.",
)
LATEX_FAILED = Rule(
    "R102",
    ERROR,
    "LaTeX failed",
    "{engine} stopped: {problem}",
    "take --format latex --standalone and compile the file by hand to see more",
    "The text of cells is escaped, so that this points to an incomplete LaTeX installation, or to a fault of ours.",
)
TEMPLATE_SYNTAX = Rule(
    "R111",
    ERROR,
    "Template cannot be read",
    "{problem}",
    "mend the line; in LaTeX templates the marks are << value >>, <% for ... %> and <# remark #>, elsewhere those of "
    "jinja2",
    "A template that is not understood prints nothing.",
)
TEMPLATE_FAILED = Rule(
    "R112",
    ERROR,
    "Template failed",
    "{problem}",
    "the names that a template may use stand in docs/templates.md; it cannot reach the program or other files",
    "An unknown name is an error and never an empty place in print; templates run in jinja2's sandbox.",
)
