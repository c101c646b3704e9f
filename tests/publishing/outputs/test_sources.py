import hashlib
import subprocess

import pytest

from corpus.publishing.outputs.build import data_sha256
from corpus.publishing.outputs.catalogue import statistics_of
from tests.support.built import sources

pytestmark = pytest.mark.usefixtures("without_latex")


def test_the_checksum_is_what_sha256sum_says(minimal):
    names = sorted(
        ["codebook.toml", "sensors.csv", "rejected.csv", "papers.csv", "ok.csv", "protocol.toml"]
    )
    listed = subprocess.run(
        ["sha256sum", *names], cwd=minimal, capture_output=True, check=True
    ).stdout
    assert hashlib.sha256(listed).hexdigest() == data_sha256(sources(minimal))


def test_a_missing_file_counts_as_empty(minimal):
    study = sources(minimal)
    (minimal / "protocol.toml").unlink()
    missing = data_sha256(study)
    (minimal / "protocol.toml").write_text("")
    assert data_sha256(study) == missing
    (minimal / "protocol.toml").write_text("a = 1\n")
    assert data_sha256(study) != missing


def test_statistics_have_the_screening_where_exclusions_were_logged(minimal):
    found = statistics_of(sources(minimal))
    assert [margin.column.name for margin in found.margins] == ["probe", "measures"]
    assert (len(found.crosstabs), found.entries) == (1, 3)
    assert (found.screening.retained, found.screening.excluded) == (3, 2)
    log = minimal / "rejected.csv"
    log.write_text(log.read_text().splitlines(keepends=True)[0])
    assert statistics_of(sources(minimal)).screening is None
