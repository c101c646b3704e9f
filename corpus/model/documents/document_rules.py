"""What can be wrong with the codebook itself."""

from corpus.model.finding import Rule

CODEBOOK = Rule(
    "C001",
    "{problem}",
    "correct data/codebook.toml; docs/codebook-format.md has every key",
    title="Codebook mistake",
    reason="The codebook gives every column and term its meaning; nothing is checked "
    "or counted while it is wrong.",
)
