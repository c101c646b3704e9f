"""What is wrong with the sections of a codebook, without its documents and tables."""

from corpus.curation.check.declarations import read_declarations
from corpus.model.study import Source, Study


def declaration_findings(book, file="codebook.toml"):
    """Return every mistake in the sections that one package alone reads."""
    study = Study(book, {}, "", sources={"codebook.toml": Source(file, "")})
    return read_declarations(study)[0]
