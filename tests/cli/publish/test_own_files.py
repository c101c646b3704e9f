"""No command that writes a file takes a table, the codebook or a document of the corpus for it."""

import pytest


@pytest.mark.parametrize(
    "command",
    [
        "site -o",
        "render-appendix -o",
        "render -o",
        "export --format bibtex -o",
        "screen --reader ann --export",
    ],
)
@pytest.mark.parametrize("file", ["sensors.csv", "codebook.toml"])
def test_a_file_of_the_corpus_is_not_an_output(run, minimal, command, file):
    path = minimal / file
    before = path.read_bytes()
    result = run(*command.split(), path, "--data", minimal)
    assert result.exit_code == 2
    assert path.read_bytes() == before
