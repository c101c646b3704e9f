import hashlib
import subprocess

from corpus.publishing.outputs.build import data_sha256
from tests.support.built import sources


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
