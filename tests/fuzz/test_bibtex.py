"""2,000 damaged BibTeX files, read as `add` and as `init` read them: each entry is there, or something says why not."""

import re
import unicodedata

import pytest

from corpus.curation.importing.readers.bibtex import read_bibtex
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.lookup.services import bibtex_works
from corpus.model.finding import CorpusError
from tests.support.daily import part
from tests.support.mutation import damaged

SOUND = """\
@article{loam2020,
  title = {A {Capacitive} Probe for Clay},
  author = {Loam, Ann and M\\"oor, Bo},
  journal = {Soil Letters},
  year = 2020,
  month = mar,
  eprint = {2003.00001},
}

@inproceedings{moor2021,
  title = "Light in the fen: 50\\% \\emph{more}",
  author = "Bo Moor and {The Fen Group}",
  booktitle = {Proc. of Peat},
  year = {2021},
  doi = {10.1234/fen.1},
  url = {https://fen.example/paper}
}

@misc{till2019, title={Temperatures of till}, author={Stein, Cy and others}, date={2019-05-04}, howpublished={Report}}
"""
KEYS = {"loam2020", "moor2021", "till2019"}


def plain(text):
    return text.isprintable() and text == text.strip() and unicodedata.is_normalized("NFC", text)


@pytest.mark.slow
def test_adding_reads_every_entry_or_refuses_the_file():
    refused = 0
    for seed in part(range(2_000), 10):
        data = damaged(SOUND.encode(), seed)
        try:
            found = bibtex_works(data, "a.bib")
        except CorpusError as error:
            refused += 1
            assert {finding.code for finding in error.findings} == {"C710"}, data
            assert all(
                0 <= f.line <= data.count(b"\n") + data.count(b"\r") + 1 for f in error.findings
            ), data
            continue
        assert found, data
        for work in found:
            assert work.title, data
            assert all(map(plain, (work.title, *work.authors, work.venue, work.url))), data
            assert re.fullmatch(r"([0-9]{4}(-[0-9]{2}){0,2})?", work.first_public), data
            assert re.fullmatch(r"(https?://.*)?", work.url), data
            assert re.fullmatch(
                r"([0-9]{4}\.[0-9]{4,5}|[a-z.-]+(\.[A-Z]{2})?/[0-9]{7})?", work.arxiv
            ), data
    assert refused > 100


@pytest.mark.slow
def test_importing_loses_no_entry_in_silence():
    silent = []
    for seed in part(range(2_000), 10):
        data = damaged(SOUND.encode(), seed)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        try:
            records = read_bibtex(text.replace("\r\n", "\n").replace("\r", "\n"), "a.bib")
        except CorpusError as error:
            assert error.findings
            continue
        titles = len(re.findall(r"\btitle *= *\S", text))
        if 0 < len(records.rows) < min(3, titles) and not records.findings:
            silent.append(data)
    assert silent == []


@pytest.mark.slow
def test_no_file_makes_the_import_fail_otherwise_than_with_findings(tmp_path):
    file = tmp_path / "a.bib"
    for seed in range(0, 2_000, 5):
        data = damaged(SOUND.encode(), seed)
        file.write_bytes(data)
        try:
            assert read_foreign(str(file), "a.bib").rows
        except CorpusError as error:
            assert error.findings
        assert file.read_bytes() == data
