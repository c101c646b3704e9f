"""What can be wrong with the codebook itself."""

from corpus.model.finding import Rule

CODEBOOK = Rule(
    "C001", "{problem}", "correct data/codebook.toml; docs/codebook-format.md has every key"
)
