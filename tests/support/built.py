"""Generated files of a corpus: what they are made from, one edit of a table, and what is found then."""

from collections.abc import Iterable
from pathlib import Path

from corpus.model.finding import Finding
from corpus.publishing.outputs.sources import Sources


def sources(data: Path) -> Sources:
    """Return what the generated files of a data folder are made from."""
    return Sources(str(data))


def edit(data: Path, name: str, old: str, new: str) -> None:
    """Replace a text in a file of a data folder once; it has to be there."""
    path = data / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")


def codes(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """Return code and file name of each finding."""
    return [(finding.code, Path(finding.file).name) for finding in findings]
