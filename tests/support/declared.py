"""What is wrong with the sections of a codebook, without its documents and tables."""

from corpus.curation.check.declarations import read_declarations
from corpus.model.codebook import Source


def declaration_findings(book, file="codebook.toml"):
    """Return every mistake in the sections that one package alone reads."""
    return read_declarations(book, Source(file, ""), {}, {}).findings
