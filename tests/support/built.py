"""Generated files of a corpus: one edit of a table, and what is found then."""

from pathlib import Path

from corpus.tables.corpus_reader import load_corpus


def sources(data):
    """Return what the generated files of a data folder are made from."""
    return load_corpus(str(data))


def edit(data, name, old, new):
    """Replace a text in a file of a data folder once; it has to be there."""
    path = data / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")


def codes(findings):
    """Return code and file name of each finding."""
    return [(finding.code, Path(finding.file).name) for finding in findings]
