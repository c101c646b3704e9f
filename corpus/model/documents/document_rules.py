"""What can be wrong with the codebook itself."""

from corpus.model.finding import ERROR, Rule

CODEBOOK = Rule(
    "C001", ERROR, "{problem}", "correct data/codebook.toml; docs/codebook-format.md has every key"
)
