"""Lists of other people, and what our readers and theirs make of them."""

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

import pypandoc
import pytest

from corpus.curation.importing.column_plan import column_roles, work_of
from corpus.curation.importing.readers.reading import read_foreign
from corpus.model.identifiers import normal_title

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "tests/curation/importing/samples"
TEXLIVE = Path("/usr/share/texlive/texmf-dist/bibtex/bib")


class Entry(NamedTuple):
    """One work in a form that compares: normal title, families in order, year, DOI."""

    title: str
    families: tuple[str, ...]
    year: str
    doi: str


def folded(text):
    """A text without markup, braces, accents that differ, case and punctuation."""
    return normal_title(re.sub(r"</?[a-z]+[^>]*>|[{}]", "", text)).replace("ı", "i")


def ours(path):
    """Return our records and each as an entry, by its key."""
    records = read_foreign(str(path), Path(path).name)
    roles = column_roles(records)
    entries = {}
    for number, row in enumerate(records.rows):
        work = work_of(row.cells, roles)
        people = [name for name in work.authors if name != "et al."]
        families = tuple(folded(name.partition(",")[0].strip("{}")) for name in people)
        key = str(row.cells.get("key") or row.cells.get("id") or number)
        entries[key.casefold()] = Entry(folded(work.title), families, work.year, work.doi)
    return records, entries


def pandoc(path, format_):
    """Return what Pandoc reads, as CSL items: the one of a wheel, since that of Debian is old."""
    command = [pypandoc.get_pandoc_path(), "-f", format_, "-t", "csljson", str(path)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=600)
    return json.loads(done.stdout)


def of_csl(items):
    """Return CSL items as entries."""
    entries = {}
    for item in items:
        families = []
        for name in item.get("author", []):
            parts = ("non-dropping-particle", "dropping-particle", "family", "literal")
            families.append(folded(" ".join(filter(None, map(name.get, parts)))))
        dated = item.get("issued", {}).get("date-parts") or [[""]]
        entries[str(item["id"]).casefold()] = Entry(
            folded(item.get("title", "")),
            tuple(name for name in families if name != "others"),
            str(dated[0][0]),
            item.get("DOI", "").lower(),
        )
    return entries


def differences(mine, theirs):
    """Return how many entries differ in each field, of those that both have."""
    counts = dict.fromkeys(Entry._fields, 0)
    for key in mine.keys() & theirs.keys():
        for name, one, other in zip(Entry._fields, mine[key], theirs[key], strict=True):
            counts[name] += one != other
    return {name: number for name, number in counts.items() if number}


def source_distribution(package, folder):
    """Return the unpacked source distribution of a package, whose tests have files of their own."""
    # The other groups keep everything on this machine; a registry is asked here.
    environment = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", ":all:", "--dest", str(folder), package]
    done = subprocess.run(command, capture_output=True, env=environment, text=True)
    archives = list(Path(folder).glob("*.tar.gz"))
    if not archives:
        pytest.skip(f"{package} cannot be had: {done.stderr[-200:]}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder)
