"""How much a repository grows by merges, each of one entry and the rebuilt files.

``python -m benchmarks growth [MERGES]``: the shipped corpus in a temporary repository; 50 merges by
default. Each adds a made-up entry, makes the files that git keeps, as the workflow rebuild.yml
does, and commits. Git packs in the end, as a server does; nothing else is written.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from corpus.publishing.outputs.build import read_output
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.writing.writer import csv_text

ROOT = Path(__file__).parent.parent
_WHO = ("-c", "user.name=Ann Ward", "-c", "user.email=ann@mire.example")


def main(arguments: list[str]) -> None:
    """Print the packed size before the first merge and after the last one."""
    merges = int(arguments[0]) if arguments else 50
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for name in ("data", "figures", "reports"):
            shutil.copytree(ROOT / name, root / name)
        for name in (".gitignore", ".gitattributes"):
            shutil.copy(ROOT / name, root / name)
        _git(root, "init", "-q", "-b", "main")
        _rebuild(root)
        _commit(root)
        before = _packed(root)
        for merge in range(merges):
            _add_entry(root / "data", merge)
            _rebuild(root)
            _commit(root)
            print(f"\r{merge + 1} of {merges}", end="", file=sys.stderr, flush=True)
        after = _packed(root)
    print(file=sys.stderr)
    print(f"before: {before:,} bytes; after {merges} merges: {after - before:,} bytes more")


def _add_entry(data: Path, number: int) -> None:
    """Add an entry with the tags of one that there is, so that figures and counts change."""
    pool = data / "pool.csv"
    with pool.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    key, arxiv = f"mire{number:03}", f"2604.{90000 + number}"
    like = rows[7 * number % len(rows)]
    row = {
        **like,
        "key": key,
        "title": f"Mire {number}",
        "first_author": "Ward, Ann",
        "year": "2026",
        "arxiv_id": arxiv,
        "venue": "arXiv",
        "url": f"https://arxiv.org/abs/{arxiv}",
    }
    day = f"2026-04-{number % 28 + 1:02}"
    described = (key, "Ward, Ann; Moss, Bo", f"10.48550/arXiv.{arxiv}", day, "arXiv v1")
    _insert(pool, tuple(row.values()))
    _insert(data / "bibliography.csv", described)


def _insert(file: Path, row: tuple[str, ...]) -> None:
    header, *lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join([header, *sorted([*lines, csv_text([row])])])
    file.write_text(text, encoding="utf-8", newline="")


def _rebuild(root: Path) -> None:
    """Make the files that git keeps; a drawing only where its data differ."""
    study = load_corpus(str(root / "data"))
    for output in outputs_of(study):
        if output.local:
            continue
        old = read_output(str(root), output.path)
        if output.digest and old and output.recorded(old) == output.digest(study):
            continue
        (root / output.path).write_bytes(output.content(study))


def _commit(root: Path) -> None:
    _git(root, "add", "--all")
    _git(root, *_WHO, "commit", "-q", "-m", "Merge an entry, and rebuild")


def _packed(root: Path) -> int:
    """Return the bytes that git keeps after it has packed everything."""
    _git(root, "gc", "-q")
    packs = root / ".git" / "objects" / "pack"
    return sum(os.path.getsize(file) for file in packs.iterdir())


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)
