from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from corpus.publishing.outputs.sources import Sources, data_sha256
from corpus.tables.documents import read_codebook

pytestmark = pytest.mark.usefixtures("without_latex")


def sources(data: Path) -> Sources:
    return Sources(str(data))


def test_the_checksum_is_what_sha256sum_says(minimal):
    names = sorted(
        ["codebook.toml", "sensors.csv", "rejected.csv", "papers.csv", "ok.csv", "protocol.toml"]
    )
    listed = subprocess.run(
        ["sha256sum", *names], cwd=minimal, capture_output=True, check=True
    ).stdout
    assert hashlib.sha256(listed).hexdigest() == data_sha256(
        str(minimal), read_codebook(str(minimal))
    )


def test_a_missing_file_counts_as_empty(minimal):
    book = read_codebook(str(minimal))
    (minimal / "protocol.toml").unlink()
    missing = data_sha256(str(minimal), book)
    (minimal / "protocol.toml").write_text("")
    assert data_sha256(str(minimal), book) == missing
    (minimal / "protocol.toml").write_text("a = 1\n")
    assert data_sha256(str(minimal), book) != missing


def test_the_checksum_tells_which_file_has_a_text(minimal):
    """Two tables that exchange their content are other data."""
    book = read_codebook(str(minimal))
    before = data_sha256(str(minimal), book)
    one, other = (minimal / name for name in ("papers.csv", "ok.csv"))
    texts = one.read_text(), other.read_text()
    one.write_text(texts[1])
    other.write_text(texts[0])
    assert data_sha256(str(minimal), book) != before


def test_screening_is_counted_where_exclusions_were_logged(minimal):
    screened = sources(minimal).screened
    assert screened is not None
    assert (screened.retained, screened.excluded) == (3, 2)
    log = minimal / "rejected.csv"
    log.write_text(log.read_text().splitlines(keepends=True)[0])
    assert sources(minimal).screened is None


def test_statistics_have_every_axis_and_declared_crossing(minimal):
    found = sources(minimal).statistics
    assert [margin.column.name for margin in found.margins] == ["probe", "measures"]
    assert (len(found.crosstabs), found.entries) == (1, 3)
